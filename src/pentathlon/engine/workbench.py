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
from pentathlon.core.errors import DataError, EntrantError, PentathlonError, UsageError
from pentathlon.core.registry import EntrantEntry, TaskEntry
from pentathlon.core.specs import compare_specs
from pentathlon.core.task import Task
from pentathlon.core.trial import Heat, Outcome, Workspace
from pentathlon.engine.records import ENCODER
from pentathlon.engine.wire import Finished, RunSetup

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

    @classmethod
    def build(cls, setup: RunSetup) -> Workbench:
        """Builds both and compares kinds and specs.

        Raises:
            PentathlonError: when one cannot be built or they do not fit.
        """
        task = build_task(setup.task, setup.overrides)
        entrant = setup.entrant.make()
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
        return cls(task, entrant, Workspace(Path(setup.folder), setup.videos))

    def messages(self, heat: Heat) -> Iterator[Finished]:
        """Runs the heat and says so trial by trial."""
        for count, outcome in enumerate(self.run(heat), start=1):
            yield Finished(outcome, last=count == len(heat.trials))

    def run(self, heat: Heat) -> Iterator[Outcome]:
        """Yields exactly one outcome per trial of the heat, whatever the task does."""
        left = dict.fromkeys(heat.trials)
        while left:
            try:
                yield from self._attempt(replace(heat, trials=tuple(left)), left)
            except Exception as error:
                blamed = tuple(left) if heat.joint else tuple(left)[:1]
                text, details = f"{type(error).__name__}: {error}", {"traceback": _traceback(error)}
            else:
                blamed = tuple(left)
                text, details = "The task ended the heat without an outcome for this trial.", {}
            for trial in blamed:
                del left[trial]
                yield Outcome(trial=trial, status="error", error=text, details=details)

    def _attempt(self, heat: Heat, left: dict[str, None]) -> Iterator[Outcome]:
        """Yields the task's outcomes, striking them off ``left``.

        The heat's last outcome is held until the task has ended, so that what goes wrong after it still has a trial
        to be recorded with.
        """
        held: Outcome | None = None
        started_s = time.monotonic()
        for outcome in self.task.run(heat, self.entrant, self.workspace):
            if held is not None or outcome.trial not in left:
                why = "a second outcome for" if outcome.trial in heat.trials else "an outcome for the unknown"
                raise DataError(f"The task yielded {why} trial {outcome.trial!r} of heat {heat.id!r}.")
            now_s = time.monotonic()
            checked = _checked(outcome, now_s - started_s)
            started_s = now_s
            if len(left) == 1:
                held = checked
            else:
                del left[checked.trial]
                yield checked
        if held is not None:
            left.clear()
            yield held


def _checked(outcome: Outcome, wall_time_s: float) -> Outcome:
    """Returns the outcome as it will be read back, or an error outcome if it cannot be recorded."""
    timed = replace(outcome, wall_time_s=float(outcome.wall_time_s) or wall_time_s)
    try:
        metrics = {str(name): float(value) for name, value in outcome.metrics.items()}
        bad = {name: value for name, value in metrics.items() if not math.isfinite(value)}
        if bad:
            return _spoiled(timed, f"Metrics must be finite, got {bad}.")
        return _OUTCOMES.decode(ENCODER.encode(replace(timed, metrics=metrics)))
    except (TypeError, ValueError) as error:
        return _spoiled(timed, f"The task's outcome cannot be recorded: {error}.")


def _spoiled(outcome: Outcome, error: str) -> Outcome:
    return Outcome(
        trial=outcome.trial,
        status="error",
        error=error,
        cluster=str(outcome.cluster),
        wall_time_s=outcome.wall_time_s,
    )


def _traceback(error: Exception) -> str:
    return "".join(traceback.format_exception(error)[-_TRACEBACK_LINES:])
