"""Datasets of act: planned, recorded, kept, read and exchanged with TOTO."""
