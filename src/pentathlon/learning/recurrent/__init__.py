"""Cloning of policies with memory from whole episodes."""
