"""``pentathlon study``: encoders by tasks of see, and the paper's figures of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import tyro

from pentathlon.cli.run import RUNS
from pentathlon.cli.standings import find_runs
from pentathlon.core import content_hash, match_tasks, resolve_entrant
from pentathlon.engine import RunFolder, RunRequest, choose_progress, run


@dataclass(frozen=True)
class Study:
    """Run encoders on tasks of see and draw scaling and ranks; without encoders, draw what runs there are."""

    tasks: tyro.conf.Positional[tuple[str, ...]]
    """Task ids or patterns of one tier, such as 'see/*-lite-v1'."""
    entrants: Annotated[tuple[str, ...], tyro.conf.arg(aliases=["-e"])] = ()
    """Encoders to run first: registered ids, id@weights or module:factory."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"])] = RUNS
    """Folder that holds the run folders."""
    to: Path = Path("study")
    """Folder for the figures and the table."""
    limit: int | None = None
    """Compare on the first trials of each task only; `--limit 10` is one training seed at lite."""
    workers: int = 0
    """Worker processes; 0 takes one per core."""
    adapt: Literal["frozen", "e2e"] = "frozen"
    """Train the encoders together with the policies (e2e), or not."""
    rehearse: bool = False
    """Shrink each task to seconds; the scores mean nothing and have their own run folders."""

    def run(self) -> int:
        """Runs what is missing, then writes figures and table."""
        from pentathlon.report.standings import cell_of, cell_of_first
        from pentathlon.report.study import write_study

        tasks = match_tasks(self.tasks)
        overrides = {task.id: {**(task.rehearsal if self.rehearse else {}), "adapt": self.adapt} for task in tasks}
        for reference in self.entrants:
            entrant = resolve_entrant(reference)
            for task in tasks:
                changes = overrides[task.id]
                request = RunRequest(task, entrant, self.out, workers=self.workers, limit=self.limit, overrides=changes)
                run(request, choose_progress(f"{task.id}  {entrant.id}"))
        made = {task.id: task.make(**overrides[task.id]) for task in tasks}
        limit = self.limit
        read = cell_of if limit is None else lambda one: cell_of_first(one, made[one.info.task], limit)
        alike = {content_hash(task.protocol) for task in made.values()}
        for path in write_study(self._choose(find_runs(self.out), alike), self.to, read):
            print(path)
        return 0

    def _choose(self, runs: list[RunFolder], protocols: set[str]) -> list[RunFolder]:
        """Keeps the runs under this study's protocols, and of its entrants where it names some."""
        kept = [run for run in runs if run.info.protocol_hash in protocols]
        return [run for run in kept if not self.entrants or run.info.entrant in self.entrants]
