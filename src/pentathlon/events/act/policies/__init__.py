"""Agents as people hand them in: folders of ours or of TOTO, and servers that speak one of three protocols."""
