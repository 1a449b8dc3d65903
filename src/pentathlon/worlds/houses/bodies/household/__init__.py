"""Somebody at home who does what a verb says: open, take, slice, heat, clean."""
