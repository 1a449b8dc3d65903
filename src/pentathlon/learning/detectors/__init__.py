"""Trains and measures the dense image-text network on views of generated houses."""
