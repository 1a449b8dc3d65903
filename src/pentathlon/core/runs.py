"""What an event's studies and commands may ask of the engine, which they do not import."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from pentathlon.core.making import Pool
from pentathlon.core.registry import EntrantEntry, TaskEntry
from pentathlon.core.trial import Outcome

RUNS = Path("runs")
"""Where runs go when no folder is named."""


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
        *,
        workers: int = 0,
        limit: int | None = None,
        overrides: Mapping[str, Any] | None = None,
    ) -> RunRecord:
        """Runs what is not yet recorded in ``out``, shows how it goes, and returns what is recorded then."""
        ...

    def find(self, out: Path, protocols: Collection[str]) -> Sequence[RunRecord]:
        """Reads the runs below ``out`` whose protocol's hash is one of ``protocols``, sorted by folder."""
        ...

    def pool(self, workers: int, on: Literal["local", "ray"] = "local", address: str | None = None) -> Pool:
        """Chooses who makes files: this process alone, several (0 takes one per CPU), or a Ray cluster."""
        ...


class EventAction(Protocol):
    """A parsed command of an event."""

    def run(self, runs: Runs) -> int:
        """Does it and returns the exit status."""
        ...
