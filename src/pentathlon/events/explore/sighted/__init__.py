"""The symbolic agent that sees by the built-in image-text network."""
