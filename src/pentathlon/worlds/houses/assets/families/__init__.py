"""Object types, one module per family; the catalogue lists this folder."""
