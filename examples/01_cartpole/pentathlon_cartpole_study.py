"""``pentathlon study example-gravity``: how well agents balance on other planets."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import tyro

from pentathlon.core import RUNS, Runs, RunSettings, match_tasks, resolve_entrant


@dataclass(frozen=True)
class GravityStudy:
    """Run agents under several gravities and print what each reaches."""

    entrants: tyro.conf.Positional[tuple[str, ...]]
    """Registered ids or module:factory."""
    gravities_m_s2: tuple[float, ...] = (1.6, 9.8, 24.8)
    """The Moon's, the Earth's and Jupiter's."""
    limit: int | None = None
    """Run only the first N episodes of each."""
    out: Path = RUNS
    """Folder that holds the run folders."""

    def run(self, runs: Runs) -> int:
        """Runs what is missing and prints a line for each agent and gravity."""
        (task,) = match_tasks(["example/cartpole-v1"])
        for entrant in map(resolve_entrant, self.entrants):
            for gravity_m_s2 in self.gravities_m_s2:
                changes = {"gravity_m_s2": gravity_m_s2}
                record = runs.run(task, entrant, self.out, changes, RunSettings(limit=self.limit))
                success, *_ = task.make(**changes).scores(list(record.outcomes.values()))
                print(f"{entrant.id}  {gravity_m_s2:g} m/s²  {success}")
        return 0
