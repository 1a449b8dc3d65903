"""Pentathlon: one program that tells how good a model is at being in the world."""

__version__ = "0.1.0"
