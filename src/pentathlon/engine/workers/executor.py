"""The seam between scheduling and where workers live."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from pentathlon.core.trial import Heat
from pentathlon.engine.workers.wire import Message


class WorkerMessage(NamedTuple):
    """A message and the worker it concerns."""

    worker: int
    message: Message


class Executor(Protocol):
    """Keeps workers somewhere.

    A worker says ``Building``, then ``Ready`` or ``Refused``; then it runs one heat at a time.
    """

    def capacity(self) -> int:
        """Counts the workers that can run at once."""
        ...

    def start(self) -> int:
        """Starts a worker and returns its number, never used before."""
        ...

    def assign(self, worker: int, heat: Heat) -> None:
        """Has an idle worker run ``heat``."""
        ...

    def poll(self, timeout_s: float) -> list[WorkerMessage]:
        """Waits for messages, ``timeout_s`` at most; ``Lost`` is a worker's last."""
        ...

    def kill(self, worker: int) -> None:
        """Ends a worker at once; nothing more is heard of it."""
        ...

    def close(self) -> None:
        """Ends all workers."""
        ...
