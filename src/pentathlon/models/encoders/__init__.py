"""Encoders: networks that turn pictures into features, and the loaders of their released weights."""
