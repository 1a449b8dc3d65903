"""Measures a network on houses that it never saw."""
