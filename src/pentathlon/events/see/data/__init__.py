"""Demonstrations of see: made, kept, exported and imported."""
