"""Entrants of each kind whose code runs in a sandbox; nothing that comes out of it is believed before it is checked."""
