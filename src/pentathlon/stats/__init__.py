"""Intervals, paired comparison and ranks."""
