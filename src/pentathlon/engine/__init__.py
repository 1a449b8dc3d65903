"""Runs: scheduling, records, resume, cache, video, progress."""
