"""Uncommon objects, after PASTURE's list."""
