"""The web process: a JSON API under ``/api`` and, where installed, the pages."""
