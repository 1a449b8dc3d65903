"""Builds a task and an entrant once and runs heats with them; whatever goes wrong becomes an outcome."""

from __future__ import annotations

import math
import time
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from pentathlon.core.entrants import Kind, kind_of
from pentathlon.core.errors import DataError, EntrantError, MachineError, PentathlonError, UsageError
from pentathlon.core.registry import EntrantEntry, TaskEntry
from pentathlon.core.specs import compare_specs
from pentathlon.core.task import Task
from pentathlon.core.trial import Heat, Outcome, Workspace
from pentathlon.engine.content import entrant_code
from pentathlon.engine.folders.records import ENCODER
from pentathlon.engine.workers.machine_faults import is_machine_fault
from pentathlon.engine.workers.wire import Faulted, Finished, Ready, RunSetup
from pentathlon.storage.files import sync_below

_TRACEBACK_LINES = 30
_OUTCOMES = msgspec.json.Decoder(Outcome)


def build_task(entry: TaskEntry, overrides: Mapping[str, Any]) -> Task:
    """Builds the task.

    Raises:
        DataError: when its factory raises or the task calls itself something else.
    """
    try:
        task = entry.make(**overrides)
    except PentathlonError:
        raise
    except Exception as error:
        raise DataError(
            f"Task {entry.id!r} could not be built: {entry.factory} raised {type(error).__name__}: {error}. "
            "Call the factory in a Python shell to see where."
        ) from error
    if task.id != entry.id:
        raise DataError(f"{entry.factory} built task {task.id!r}, expected {entry.id!r}. Give both the same id.")
    return task


def require_kind(task: Task, entrant: EntrantEntry, kind: Kind) -> None:
    """Refuses an entrant of another kind than the task tests."""
    if kind != task.kind:
        raise UsageError(
            f"Task {task.id!r} tests entrants of kind {task.kind!r}, but {entrant.id!r} is of kind {kind!r}. "
            "Choose another: pentathlon list entrants."
        )


@dataclass(frozen=True)
class Workbench:
    """A task and an entrant that fit each other."""

    task: Task
    entrant: Any
    workspace: Workspace
    entry: EntrantEntry

    @classmethod
    def build(cls, setup: RunSetup) -> Workbench:
        """Builds both and compares kinds and specs.

        Raises:
            PentathlonError: when one cannot be built or they do not fit.
        """
        return cls.fit(setup, setup.entrant.make())

    @classmethod
    def fit(cls, setup: RunSetup, entrant: Any) -> Workbench:
        """Builds the task and compares its kind and spec with those of a built entrant.

        Raises:
            PentathlonError: when the task cannot be built or they do not fit.
        """
        task = build_task(setup.task, setup.overrides)
        try:
            require_kind(task, setup.entrant, kind_of(entrant))
            if task.spec is not None:
                compare_specs(task.spec, entrant.spec)
        except PentathlonError:
            raise
        except Exception as error:
            raise EntrantError(
                f"The specs of {task.id!r} and {setup.entrant.id!r} could not be compared: {type(error).__name__}: "
                f"{error}. Mend the spec of the entrant."
            ) from error
        return cls(task, entrant, Workspace(Path(setup.folder), setup.videos), setup.entrant)

    def ready(self) -> Ready:
        """Tells what was built: the entrant's code and its fingerprint.

        Raises:
            EntrantError: when it cannot tell its fingerprint.
        """
        try:
            given = getattr(self.entrant, "fingerprint", None)
            fingerprint = given() if callable(given) else given
        except Exception as error:
            raise EntrantError(
                f"Entrant {self.entry.id!r} could not tell its fingerprint: {type(error).__name__}: {error}. Mend it."
            ) from error
        return Ready(entrant_code(self.entry.factory), "" if fingerprint is None else str(fingerprint))

    def messages(self, heat: Heat) -> Iterator[Finished | Faulted]:
        """Runs the heat and says so trial by trial, or that the machine failed."""
        try:
            for count, outcome in enumerate(self.run(heat), start=1):
                yield Finished(outcome, last=count == len(heat.trials))
        except MachineError as error:
            yield Faulted(str(error))

    def run(self, heat: Heat) -> Iterator[Outcome]:
        """Yields exactly one outcome per trial of the heat, whatever the task does.

        Raises:
            MachineError: when the machine fails; the trial in turn and those after it have no outcome then.
        """
        left = dict.fromkeys(heat.trials)
        clock = _Clock()
        while left:
            try:
                yield from self._attempt(heat.only(left), left, clock)
            except Exception as error:
                if is_machine_fault(error):
                    raise MachineError(f"{type(error).__name__}: {error}") from error
                blamed = tuple(left) if heat.joint else tuple(left)[:1]
                text, details = f"{type(error).__name__}: {error}", {"traceback": _traceback(error)}
            else:
                blamed = tuple(left)
                text, details = "The task ended the heat without an outcome for this trial.", {}
            wall_time_s = clock.lap_s() / max(1, len(blamed))
            for trial in blamed:
                del left[trial]
                yield heat.failed(trial, text, wall_time_s, details)

    def _attempt(self, heat: Heat, left: dict[str, None], clock: _Clock) -> Iterator[Outcome]:
        """Yields the task's outcomes, striking them off ``left``.

        The heat's last outcome is held until the task has ended, so that what goes wrong after it still has a trial
        to be recorded with.
        """
        held: Outcome | None = None
        for outcome in self.task.run(heat, self.entrant, self.workspace):
            if held is not None or outcome.trial not in left:
                why = "a second outcome for" if outcome.trial in heat.trials else "an outcome for the unknown"
                raise DataError(f"The task yielded {why} trial {outcome.trial!r} of heat {heat.id!r}.")
            self._keep_artifacts(outcome)
            checked = _checked(heat, outcome, clock.lap_s())
            if len(left) == 1:
                held = checked
            else:
                del left[checked.trial]
                yield checked
        if held is not None:
            left.clear()
            yield held

    def _keep_artifacts(self, outcome: Outcome) -> None:
        """Makes files durable before the record that names them."""
        folder = self.workspace.folder
        try:
            sync_below(folder, (folder / path for path in outcome.artifacts.values()))
        except OSError as error:
            raise MachineError(f"{error} (while the files of trial {outcome.trial!r} were written)") from error


class _Clock:
    """Measures from one outcome to the next."""

    def __init__(self) -> None:
        self._since_s = time.monotonic()

    def lap_s(self) -> float:
        before_s, self._since_s = self._since_s, time.monotonic()
        return self._since_s - before_s


def _checked(heat: Heat, outcome: Outcome, wall_time_s: float) -> Outcome:
    """Returns the outcome as it will be read back, or an error outcome if it cannot be recorded."""
    wall_time_s = float(outcome.wall_time_s) or wall_time_s
    stamped = heat.stamped(replace(outcome, wall_time_s=wall_time_s))
    try:
        _check_origin(outcome, stamped)
        metrics = {str(name): float(value) for name, value in outcome.metrics.items()}
        bad = {name: value for name, value in metrics.items() if not math.isfinite(value)}
        if bad:
            return heat.failed(outcome.trial, f"Metrics must be finite, got {bad}.", wall_time_s)
        return _OUTCOMES.decode(ENCODER.encode(replace(stamped, metrics=metrics)))
    except (TypeError, ValueError) as error:
        return heat.failed(outcome.trial, f"The task's outcome cannot be recorded: {error}.", wall_time_s)


def _check_origin(outcome: Outcome, stamped: Outcome) -> None:
    """Refuses a cluster or a seed that the heat did not tell: an error of that trial would lack it."""
    for name in ("cluster", "seed"):
        got, expected = getattr(outcome, name), getattr(stamped, name)
        if got and got != expected:
            raise ValueError(f"its {name} is {got!r}, but the heat's origins say {expected!r}")


def _traceback(error: Exception) -> str:
    return "".join(traceback.format_exception(error)[-_TRACEBACK_LINES:])
