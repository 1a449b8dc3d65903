"""``pentathlon sprint``: a small slice of every event with built-in entrants."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console

from pentathlon.core import ENTRANTS, TASKS, EntrantEntry, TaskEntry, UsageError
from pentathlon.engine import RunRequest, choose_progress, run
from pentathlon.report import build_site, standings
from pentathlon.report.reading import find_runs

OUT = Path("runs/sprint")


@dataclass(frozen=True)
class Sprint:
    """Run a small slice of every event with built-in entrants; a few minutes on a laptop."""

    out: Annotated[Path, tyro.conf.arg(aliases=["-o"])] = OUT
    """Folder for the runs and the report."""
    workers: int = 0
    """Worker processes; 0 takes one per core."""

    def run(self) -> int:
        """Runs the slice, prints the standings and the path of the report."""
        console = Console()
        started = time.monotonic()
        pairs = sprint_pairs()
        for task, entrant in pairs:
            request = RunRequest(task=task, entrant=entrant, out=self.out, workers=self.workers)
            run(request, choose_progress(f"{task.id}  {entrant.id}"))
        found = find_runs(self.out)
        console.print(standings.build(*found).to_table())
        console.print(f"{len(pairs)} runs in {time.monotonic() - started:.0f} s.")
        console.print(f"Report: {build_site(*found, self.out / 'report').front}", soft_wrap=True)
        return 0


def sprint_pairs() -> list[tuple[TaskEntry, EntrantEntry]]:
    """Lists which entrant runs which task, from the rows marked for the sprint."""
    tasks = [row for row in TASKS.rows() if row.sprint]
    pairs = [(task, entrant) for task in tasks for entrant in ENTRANTS.rows() if task.event in entrant.sprint]
    if not pairs:
        raise UsageError("Expected tasks marked for the sprint, found none. Reinstall the package: pip install -e .")
    return pairs
