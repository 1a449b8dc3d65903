"""Robots that work for the queue."""
