"""Scenes on which renderers are compared, and the comparison."""
