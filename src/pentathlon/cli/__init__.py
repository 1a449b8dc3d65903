"""The command line: one small module per command."""

from pentathlon.cli.main import main

__all__ = ["main"]
