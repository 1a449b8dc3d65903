"""Processes that take submissions from the queue and run them."""
