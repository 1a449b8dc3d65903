"""Gives heats to workers, replaces workers that die or hang, and accounts for every trial."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from pentathlon.core.errors import EntrantError, MachineError
from pentathlon.core.trial import Heat, Outcome
from pentathlon.engine.workers.executor import Executor, WorkerMessage
from pentathlon.engine.workers.wire import Building, Faulted, Finished, Lost, Ready, Refused

_STARTS_PER_WORKER = 2
_DEATHS_PER_TRIAL = 2
_FAULTS_PER_TRIAL = 3
_NEVER = float("inf")


class TimeLimits(NamedTuple):
    """How long things may take.

    Attributes:
        trial_s: one trial; a joint heat may take that for each of its trials together.
        build_s: building task and entrant in a worker.
    """

    trial_s: float = _NEVER
    build_s: float = _NEVER


@dataclass
class _Slot:
    """A worker: starting until it is ready, then idle or with a heat."""

    starts: int
    ready: bool = False
    heat: Heat | None = None
    left: dict[str, None] = field(default_factory=dict)
    since_s: float = 0.0
    deadline_s: float = _NEVER

    def errors(self, heat: Heat, count: int, text: str) -> list[Outcome]:
        """Fails the next ``count`` trials of ``heat``, among which the time since the last outcome is shared."""
        share_s = (time.monotonic() - self.since_s) / count
        return [heat.failed(trial, text, share_s) for trial in tuple(self.left)[:count]]


class Scheduler:
    """Turns heats into outcomes, exactly one per trial."""

    def __init__(
        self,
        executor: Executor,
        heats: Iterable[Heat],
        workers: int,
        limits: TimeLimits | None = None,
        on_ready: Callable[[Ready], None] = lambda ready: None,
    ) -> None:
        """Starts ``workers``; ``on_ready`` may raise to refuse what one of them built."""
        self._executor = executor
        self._on_ready = on_ready
        self._queue = deque(heats)
        self._limits = limits or TimeLimits()
        self._slots: dict[int, _Slot] = {}
        self._deaths: dict[str, int] = {}
        self._faults: dict[str, int] = {}
        self._set_aside: dict[str, str] = {}
        self._faults_in_a_row = 0
        self._patience = 2 * workers + _FAULTS_PER_TRIAL
        for _ in range(workers):
            self._start()

    @property
    def done(self) -> bool:
        """Whether every trial has its outcome or was set aside."""
        return not self._queue and all(slot.heat is None for slot in self._slots.values())

    @property
    def built(self) -> bool:
        """Whether a worker is ready."""
        return any(slot.ready for slot in self._slots.values())

    def step(self, timeout_s: float) -> list[Outcome]:
        """Waits for news, ``timeout_s`` at most, and returns the outcomes in them.

        Raises:
            PentathlonError: when a worker refuses the entrant.
            EntrantError: when no worker survives building it.
            MachineError: when the machine fails again and again.
        """
        outcomes: list[Outcome] = []
        for heard in self._executor.poll(timeout_s):
            outcomes += self._handle(heard)
        outcomes += self._end_late_workers()
        return outcomes

    def refuse_set_aside(self) -> None:
        """Ends a run in which the machine let some trials down.

        Raises:
            MachineError: naming the first of them.
        """
        if self._set_aside:
            trial, reason = next(iter(self._set_aside.items()))
            raise _machine_error(trial, reason, len(self._set_aside))

    def _handle(self, heard: WorkerMessage) -> list[Outcome]:
        slot = self._slots[heard.worker]
        match heard.message:
            case Building():
                slot.deadline_s = time.monotonic() + self._limits.build_s
            case Ready() as ready:
                self._on_ready(ready)
                slot.ready, slot.deadline_s = True, _NEVER
                self._dispatch()
            case Finished(outcome, last):
                return [self._finish(slot, outcome, last)]
            case Refused() as refused:
                raise refused.exception()
            case Faulted(reason):
                self._executor.kill(heard.worker)
                return self._replace(heard.worker, reason, by_machine=True)
            case Lost(reason, by_machine):
                return self._replace(heard.worker, reason, by_machine)
        return []

    def _dispatch(self) -> None:
        for worker, slot in self._slots.items():
            if self._queue and slot.ready and slot.heat is None:
                heat = self._queue.popleft()
                slot.heat, slot.left = heat, dict.fromkeys(heat.trials)
                slot.since_s = time.monotonic()
                # A joint heat takes its whole time even if only some of its trials are left.
                trials = max(len(heat.trials), len(heat.origins)) if heat.joint else 1
                slot.deadline_s = slot.since_s + trials * self._limits.trial_s
                self._executor.assign(worker, heat)

    def _finish(self, slot: _Slot, outcome: Outcome, last: bool) -> Outcome:
        self._faults_in_a_row = 0
        del slot.left[outcome.trial]
        slot.since_s = time.monotonic()
        if last:
            slot.heat, slot.deadline_s = None, _NEVER
            self._dispatch()
        elif slot.heat is not None and not slot.heat.joint:
            slot.deadline_s = slot.since_s + self._limits.trial_s
        return outcome

    def _replace(self, worker: int, reason: str, by_machine: bool) -> list[Outcome]:
        """Settles the heat of a dead worker, and has the worker replaced while heats wait."""
        slot = self._slots.pop(worker)
        outcomes: list[Outcome] = []
        if slot.heat is not None and by_machine:
            self._spare(slot, slot.heat, reason)
        elif slot.heat is not None:
            outcomes = self._blame(slot, slot.heat, reason)
        self._dispatch()
        if self._queue or not slot.ready:
            self._start_after(slot, reason)
        return outcomes

    def _blame(self, slot: _Slot, heat: Heat, reason: str) -> list[Outcome]:
        """Has the trial in turn tried once more, then failed; the others of its heat are run in any case."""
        turn, *others = slot.left
        deaths = self._deaths[turn] = self._deaths.get(turn, 0) + 1
        if deaths < _DEATHS_PER_TRIAL:
            self._queue.appendleft(heat.only(slot.left))
            return []
        if heat.joint and others:
            # Which of them it was shows when each is run by itself.
            self._deaths.update(dict.fromkeys(slot.left, _DEATHS_PER_TRIAL - 1))
            self._queue.extendleft(heat.only([trial]) for trial in reversed(slot.left))
            return []
        if others:
            self._queue.appendleft(heat.only(others))
        return slot.errors(heat, 1, f"{reason}. It happened {deaths} times in this trial.")

    def _spare(self, slot: _Slot, heat: Heat, reason: str) -> None:
        """Has what the machine failed at tried again when all else is run, a few times."""
        turn, *others = slot.left
        self._faults_in_a_row += 1
        faults = self._faults[turn] = self._faults.get(turn, 0) + 1
        if self._faults_in_a_row >= self._patience:
            raise _machine_error(turn, reason, 1)
        tried = tuple(slot.left) if heat.joint else (turn,)
        if others and not heat.joint:
            self._queue.appendleft(heat.only(others))
        if faults < _FAULTS_PER_TRIAL:
            self._queue.append(heat.only(tried))
        else:
            self._set_aside.update(dict.fromkeys(tried, reason))

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

    def _end_late_workers(self) -> list[Outcome]:
        outcomes: list[Outcome] = []
        now_s = time.monotonic()
        for worker in [worker for worker, slot in self._slots.items() if now_s >= slot.deadline_s]:
            self._executor.kill(worker)
            outcomes += self._end_late(self._slots.pop(worker))
        return outcomes

    def _end_late(self, slot: _Slot) -> list[Outcome]:
        heat = slot.heat
        if heat is None:
            slot.starts = _STARTS_PER_WORKER
            self._start_after(slot, f"it was not built after {self._limits.build_s:g} s (the build time limit)")
            return []
        count = len(slot.left) if heat.joint else 1
        if others := tuple(slot.left)[count:]:
            self._queue.appendleft(heat.only(others))
        self._dispatch()
        if self._queue:
            self._start()
        whose = f"the {len(slot.left)} trials of a joint heat were" if heat.joint else "the trial was"
        limit = f"{self._limits.trial_s:g} s" + (" for each" if heat.joint else "")
        return slot.errors(heat, count, f"Time limit: {whose} not finished after {limit} and ended.")

    def _start(self, starts: int = 1) -> None:
        self._slots[self._executor.start()] = _Slot(starts)


def _machine_error(trial: str, reason: str, count: int) -> MachineError:
    more = f" and {count - 1} more" if count > 1 else ""
    return MachineError(
        f"This machine could not run trial {trial!r}{more}: {reason}. Nothing is recorded for what it could not run: "
        "free memory or disk space, or use fewer workers, and run the same command again; it continues."
    )
