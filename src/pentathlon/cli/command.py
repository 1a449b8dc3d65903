"""What every command is: a frozen dataclass of options with a ``run`` that returns the exit status."""

from __future__ import annotations

from typing import Protocol


class Command(Protocol):
    """A parsed command line."""

    def run(self) -> int:
        """Does it and returns the exit status."""
        ...
