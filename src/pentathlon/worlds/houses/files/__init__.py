"""House files: written, read, checked, imported."""
