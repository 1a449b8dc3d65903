"""The engine, as it is handed to the studies and commands of events.

It is imported where it is used: training on a machine that has little installed asks nothing of it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pentathlon.core import EntrantEntry, RunRecord, TaskEntry
from pentathlon.core.making import Pool
from pentathlon.core.runs import Place, RunSettings

if TYPE_CHECKING:
    from pentathlon.engine import RunFolder


class EventRuns:
    """Runs with a bar or lines of progress on the terminal."""

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
        """Runs what is not yet recorded."""
        from pentathlon.engine import RunFolder, RunRequest, choose_progress, run

        request = RunRequest(task, entrant, out, only, overrides=overrides, built=built, **vars(settings))
        summary = run(request, choose_progress(f"{task.id}  {entrant.id}"))
        return read_record(RunFolder.open(summary.folder))

    def find(self, out: Path, protocols: Collection[str]) -> Sequence[RunRecord]:
        """Reads the runs of these protocols."""
        from pentathlon.engine import list_runs

        return [read_record(one) for one in list_runs(out) if one.info.protocol_hash in protocols]

    def pool(self, workers: int, on: Place = "local", address: str | None = None) -> Pool:
        """Chooses who makes files."""
        from pentathlon.engine import make_pool

        return make_pool(workers, on, address)


def read_record(folder: RunFolder) -> RunRecord:
    """Reads a run as events see it."""
    info = folder.info
    return RunRecord(
        folder=folder.path,
        task=info.task,
        entrant=info.entrant,
        factory=info.factory,
        options=info.options,
        protocol_hash=info.protocol_hash,
        command=info.command,
        outcomes=folder.outcomes(),
    )
