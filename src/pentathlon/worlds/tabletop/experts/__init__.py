"""Scripted experts that pour and scoop."""
