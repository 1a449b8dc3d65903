"""Answers questions from a belief about the world: a small model of text behind prefix tokens."""
