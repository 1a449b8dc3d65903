"""Ctrl-C and SIGTERM that wait for a safe moment."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupts:
    """Remembers that the user asked to stop."""

    def __init__(self) -> None:
        self._asked = False

    def check(self) -> None:
        """Raises ``KeyboardInterrupt`` if the user asked to stop."""
        if self._asked:
            raise KeyboardInterrupt

    def note(self, number: int, frame: FrameType | None) -> None:
        """Handles a signal: the first is remembered, a second stops at once."""
        self.check()
        self._asked = True


@contextmanager
def deferred_interrupts() -> Iterator[Interrupts]:
    """Keeps SIGINT and SIGTERM from stopping the block except where it calls :meth:`Interrupts.check`.

    A record half written by an interrupted call would be written again on the way out.
    """
    interrupts = Interrupts()
    if threading.current_thread() is not threading.main_thread():
        yield interrupts
        return
    numbers = (signal.SIGINT, signal.SIGTERM)
    previous = {number: signal.signal(number, interrupts.note) for number in numbers}
    try:
        yield interrupts
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
    interrupts.check()
