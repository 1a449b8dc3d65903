"""Furniture to sit, lie, work at and keep things in."""
