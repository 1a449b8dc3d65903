"""Draws questions from a house: words for things, what may be asked of them, and sentences."""
