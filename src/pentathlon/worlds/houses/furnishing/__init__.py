"""Furniture and small things: what goes where, and whether it fits."""
