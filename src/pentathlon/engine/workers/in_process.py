"""A worker that is this very process, for an entrant that is an object: nothing is copied, sent or started."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator

from pentathlon.core.errors import PentathlonError
from pentathlon.core.trial import Heat
from pentathlon.engine.workers.executor import WorkerMessage
from pentathlon.engine.workers.wire import Message, Refused, RunSetup
from pentathlon.engine.workers.workbench import Workbench


class InProcessExecutor:
    """Runs heats while it is asked for news; a trial cannot be ended from outside."""

    def __init__(self, setup: RunSetup, entrant: object) -> None:
        self._setup = setup
        self._entrant = entrant
        self._started = 0
        self._news: deque[Message] = deque()
        self._bench: Workbench | None = None
        self._heat: Iterator[Message] = iter(())

    def capacity(self) -> int:
        """One: an object is not used by two trials at once."""
        return 1

    def start(self) -> int:
        """Lets the entrant meet the task."""
        self._started += 1
        try:
            self._bench = Workbench.fit(self._setup, self._entrant)
            self._news.append(self._bench.ready())
        except PentathlonError as error:
            self._news.append(Refused.because(error))
        return self._started

    def assign(self, worker: int, heat: Heat) -> None:
        """Takes the heat; :meth:`poll` runs it."""
        assert self._bench is not None
        self._heat = self._bench.messages(heat)

    def poll(self, timeout_s: float) -> list[WorkerMessage]:
        """Runs the next trial of the heat, however long it takes."""
        message = self._news.popleft() if self._news else next(self._heat, None)
        return [] if message is None else [WorkerMessage(self._started, message)]

    def kill(self, worker: int) -> None:
        """Lets go of the heat."""
        self.close()

    def close(self) -> None:
        """Lets go of the heat."""
        if isinstance(self._heat, Generator):
            self._heat.close()
        self._heat = iter(())
