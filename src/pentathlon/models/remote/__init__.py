"""Entrants that run elsewhere, behind a WebSocket: the messages, both ends, and the checks on what comes back."""
