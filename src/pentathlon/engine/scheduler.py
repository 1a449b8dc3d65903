"""Gives heats to workers, replaces workers that die or hang, and accounts for every trial."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from pentathlon.core.errors import EntrantError
from pentathlon.core.trial import Heat, Outcome
from pentathlon.engine.executor import Event, Executor
from pentathlon.engine.wire import Finished, Lost, Ready, Refused

_STARTS_PER_WORKER = 2
_DEATHS_PER_HEAT = 2


@dataclass
class _Slot:
    """A worker: starting until it is ready, then idle or with a heat."""

    starts: int
    ready: bool = False
    heat: Heat | None = None
    left: dict[str, None] = field(default_factory=dict)
    deadline_s: float = float("inf")


class Scheduler:
    """Turns heats into outcomes, exactly one per trial."""

    def __init__(
        self, executor: Executor, heats: Iterable[Heat], workers: int, heat_time_limit_s: float | None = None
    ) -> None:
        self._executor = executor
        self._queue = deque(heats)
        self._deaths: dict[str, int] = {}
        self._slots: dict[int, _Slot] = {}
        self._heat_time_limit_s = heat_time_limit_s
        for _ in range(workers):
            self._start()

    @property
    def done(self) -> bool:
        """Whether every trial has its outcome."""
        return not self._queue and all(slot.heat is None for slot in self._slots.values())

    def step(self, timeout_s: float) -> list[Outcome]:
        """Waits for news, ``timeout_s`` at most, and returns the outcomes in them.

        Raises:
            PentathlonError: when a worker refuses the entrant.
            EntrantError: when no worker survives building it.
        """
        outcomes: list[Outcome] = []
        for event in self._executor.poll(timeout_s):
            outcomes += self._handle(event)
        outcomes += self._end_late_heats()
        return outcomes

    def _handle(self, event: Event) -> list[Outcome]:
        slot = self._slots[event.worker]
        match event.message:
            case Ready():
                slot.ready = True
                self._dispatch()
            case Finished(outcome, last):
                del slot.left[outcome.trial]
                if last:
                    slot.heat, slot.deadline_s = None, float("inf")
                    self._dispatch()
                return [outcome]
            case Refused() as refused:
                raise refused.exception()
            case Lost(reason):
                return self._replace(event.worker, reason)
        return []

    def _dispatch(self) -> None:
        for worker, slot in self._slots.items():
            if self._queue and slot.ready and slot.heat is None:
                slot.heat = self._queue.popleft()
                slot.left = dict.fromkeys(slot.heat.trials)
                if self._heat_time_limit_s is not None:
                    slot.deadline_s = time.monotonic() + self._heat_time_limit_s
                self._executor.assign(worker, slot.heat)

    def _replace(self, worker: int, reason: str) -> list[Outcome]:
        """Has the heat of a dead worker run once more, then given up; has the worker replaced while heats wait."""
        slot = self._slots.pop(worker)
        outcomes: list[Outcome] = []
        if slot.heat is not None:
            deaths = self._deaths[slot.heat.id] = self._deaths.get(slot.heat.id, 0) + 1
            if deaths < _DEATHS_PER_HEAT:
                self._queue.appendleft(replace(slot.heat, trials=tuple(slot.left)))
                self._dispatch()
            else:
                outcomes = _errors(slot, f"{reason}. It happened {deaths} times in this heat.")
        if self._queue:
            self._start_after(slot, reason)
        return outcomes

    def _start_after(self, slot: _Slot, reason: str) -> None:
        if slot.ready:
            self._start()
        elif slot.starts < _STARTS_PER_WORKER:
            self._start(slot.starts + 1)
        elif not self._slots:
            raise EntrantError(
                f"No worker survived building the entrant: {reason}. Build it in a Python shell to see why, or use "
                "fewer workers if memory is short."
            )

    def _end_late_heats(self) -> list[Outcome]:
        outcomes: list[Outcome] = []
        for worker, slot in list(self._slots.items()):
            if time.monotonic() >= slot.deadline_s:
                self._executor.kill(worker)
                del self._slots[worker]
                if self._queue:
                    self._start()
                limit = f"{self._heat_time_limit_s:g} s"
                outcomes += _errors(slot, f"Time limit: the heat was not finished after {limit} and was ended.")
        return outcomes

    def _start(self, starts: int = 1) -> None:
        self._slots[self._executor.start()] = _Slot(starts)


def _errors(slot: _Slot, text: str) -> list[Outcome]:
    return [Outcome(trial=trial, status="error", error=text) for trial in slot.left]
