"""What an event's studies and commands may ask of the engine, which they do not import."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

from pentathlon.core.errors import UsageError
from pentathlon.core.events import task_options
from pentathlon.core.making import Pool
from pentathlon.core.registry import EVENTS, EntrantEntry, TaskEntry
from pentathlon.core.trial import Outcome

RUNS = Path("runs")
"""Where runs go when no folder is named."""

Place: TypeAlias = Literal["local", "ray"]


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """How to run; none of it shapes the results."""

    limit: int | None = None
    """Run only the first N trials of each task; a later run without it continues."""
    workers: int = 0
    """Worker processes or actors; 0 takes one per core."""
    on: Place = "local"
    """Where heats run: processes of this machine, or a Ray cluster."""
    address: str | None = None
    """Address of the Ray cluster; none starts a local one."""
    trial_time_limit_s: float | None = None
    """Stop a trial after this many seconds and record it as an error; a joint heat has it for each trial."""
    build_time_limit_s: float = 1800.0
    """Give up an entrant that is not built after this many seconds."""
    retry_errors: int = 0
    """Run trials that ended in an error again, up to N times."""
    fresh: bool = False
    """Begin anew; what was recorded before is kept aside, in a hidden folder beside the new one."""
    videos: bool = True
    """Record what each trial saw."""


@dataclass(frozen=True)
class RunRecord:
    """A run as it is recorded.

    Attributes:
        factory: what built the entrant, called with ``options``.
        protocol_hash: equal for runs that may be compared.
        command: with which it was first started.
        outcomes: by trial.
    """

    folder: Path
    task: str
    entrant: str
    factory: str
    options: Mapping[str, Any]
    protocol_hash: str
    command: str
    outcomes: Mapping[str, Outcome]


class Runs(Protocol):
    """Runs entrants on tasks and reads what was recorded."""

    def run(
        self,
        task: TaskEntry,
        entrant: EntrantEntry,
        out: Path,
        overrides: Mapping[str, Any],
        settings: RunSettings,
        *,
        only: tuple[str, ...] = (),
        built: Any = None,
    ) -> RunRecord:
        """Runs what is not yet recorded in ``out``, shows how it goes, and returns what is recorded then.

        Args:
            task: its row.
            entrant: its row.
            out: holds the run folders.
            overrides: replace options of the task.
            settings: how to run.
            only: the trials to run; all where none is named.
            built: the entrant itself, where it is an object of this process.
        """
        ...

    def find(self, out: Path, protocols: Collection[str]) -> Sequence[RunRecord]:
        """Reads the runs below ``out`` whose protocol's hash is one of ``protocols``, sorted by folder."""
        ...

    def pool(self, workers: int, on: Place = "local", address: str | None = None) -> Pool:
        """Chooses who makes files: this process alone, several (0 takes one per CPU), or a Ray cluster."""
        ...


class EventAction(Protocol):
    """A parsed command of an event."""

    def run(self, runs: Runs) -> int:
        """Does it and returns the exit status."""
        ...


def task_changes(task: TaskEntry, given: Mapping[str, Any], *, rehearse: bool = False) -> dict[str, Any]:
    """Returns what replaces the options of a task's row: options of its event by keyword, and its rehearsal.

    Raises:
        UsageError: when an option is not one of the task's event, its value is wrong, or the task has no rehearsal.
    """
    if rehearse and not task.rehearsal:
        raise UsageError(f"Expected a task that can be rehearsed, got {task.id}. Leave --rehearse out.")
    return {**(task.rehearsal if rehearse else {}), **task_options(task.id, EVENTS.rows(), given)}
