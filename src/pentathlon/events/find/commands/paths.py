"""``pentathlon find paths``: the ways of a run's trials, drawn on their houses seen from above."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from pentathlon.core.errors import UsageError
from pentathlon.core.runs import RUNS, Runs


@dataclass(frozen=True)
class Paths:
    """Draw the ways of a run's trials on their houses seen from above, one picture for each house."""

    task: Annotated[str, tyro.conf.Positional]
    """Id of the task, such as find/objectnav-v1."""
    entrant: str
    """Whose run."""
    runs_folder: Path = RUNS
    """Where the runs are."""
    out: Path = Path("paths")
    """Folder for the pictures."""

    def run(self, runs: Runs) -> int:
        """Writes the pictures and prints their names."""
        from pentathlon.core.identity import content_hash
        from pentathlon.core.registry import TASKS
        from pentathlon.events.find.pictures.ways import draw_ways
        from pentathlon.events.find.tasks import FindTask

        task = TASKS.get(self.task).make()
        if not isinstance(task, FindTask):
            raise UsageError(f"Expected a task of find, got {self.task}.")
        found = runs.find(self.runs_folder, [content_hash(task.protocol)])
        mine = [record for record in found if record.entrant == self.entrant]
        if not mine:
            raise UsageError(f"Expected a run of {self.entrant} on {self.task} below {self.runs_folder}, got none.")
        for house, picture in draw_ways(task.trials, mine[0].outcomes):
            self.out.mkdir(parents=True, exist_ok=True)
            path = self.out / f"{house}.png"
            picture.save(path)
            print(path)
        return 0
