"""Which runs a study takes, and how it runs those that are missing: options that studies of events share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from pentathlon.core import RUNS, Runs, RunSettings, TaskEntry, Tier, content_hash
from pentathlon.core import resolve_entrant as find_entrant

if TYPE_CHECKING:
    from pentathlon.core import Outcome


@dataclass(frozen=True, kw_only=True)
class StudySources:
    """Where a study finds its runs, and what it does about those that are not there."""

    tier: Tier = "lite"
    """Which tier of the tasks; lite is the smaller one."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"])] = RUNS
    """Folder that holds the run folders."""
    to: Path = Path("study")
    """Folder for tables and figures."""
    recorded_only: bool = False
    """Run nothing: lay out what is recorded, and leave the rest open."""
    limit: int | None = None
    """Run the first trials of each task only."""
    workers: Annotated[int, tyro.conf.arg(aliases=["-w"])] = 0
    """Worker processes; 0 takes one per core."""
    rehearse: bool = False
    """Shrink each task to seconds; the scores mean nothing and have their own run folders."""

    def outcomes(self, runs: Runs, task: TaskEntry, entrant: str) -> Sequence[Outcome]:
        """Runs what is missing, or nothing, and returns what is recorded of an entrant on a task."""
        overrides = task.rehearsal if self.rehearse else {}
        if not self.recorded_only:
            settings = RunSettings(workers=self.workers, limit=self.limit, videos=False)
            return list(runs.run(task, find_entrant(entrant), self.out, overrides, settings).outcomes.values())
        records = runs.find(self.out, {content_hash(task.make(**overrides).protocol)})
        own = [list(record.outcomes.values()) for record in records if record.entrant == entrant]
        # Of several builds of an entrant the one that was run furthest.
        return max(own, key=len, default=[])

    def write(self, name: str, text: str) -> Path:
        """Writes a file of the study."""
        from pentathlon.storage.files import write_durably

        self.to.mkdir(parents=True, exist_ok=True)
        write_durably(self.to / name, text.encode())
        return self.to / name
