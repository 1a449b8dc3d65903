"""``pentathlon find paths``: the ways of a run's trials, drawn on their houses seen from above."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

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
        from pentathlon.events.find.commands.finding import find_run
        from pentathlon.events.find.pictures.ways import draw_ways

        task, record = find_run(runs, self.task, self.entrant, self.runs_folder)
        for house, picture in draw_ways(task.trials, record.outcomes):
            self.out.mkdir(parents=True, exist_ok=True)
            path = self.out / f"{house}.png"
            picture.save(path)
            print(path)
        return 0
