"""``pentathlon judge inspect``: problem sets as a dataset of Inspect."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from pentathlon.core import Runs, UsageError, match_tasks
from pentathlon.core.numbers import count

if TYPE_CHECKING:
    from pentathlon.events.judge.data.problem_sets import ProblemSet


@dataclass(frozen=True)
class Inspect:
    """Write the problem sets of tasks as a dataset of Inspect, with their videos; films are made on first use."""

    tasks: tyro.conf.Positional[tuple[str, ...]]
    """Task ids or patterns, such as judge/virtual-home-level-3-permutation-lite-v1."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"])]
    """Folder for samples.jsonl and videos."""
    workers: int = 0
    """Processes that make films; 0 takes one per core."""
    vista: Path | None = None
    """Folder 'data' of the released ViSTa dataset, for judge/vista-*."""

    def run(self, runs: Runs) -> int:
        """Writes the dataset and says how to read it."""
        from pentathlon.events.judge.data.films import make_all_films
        from pentathlon.events.judge.data.inspection import write_samples
        from pentathlon.events.judge.tasks import JudgeTask

        given = {} if self.vista is None else {"vista": str(self.vista.absolute())}
        problem_sets: list[ProblemSet] = []
        for row in match_tasks(self.tasks, given):
            task = row.make(**given)
            if not isinstance(task, JudgeTask) or task.protocol.measure == "progress":
                raise UsageError(f"Expected tasks of judge that ask what was done, got {row.id}. Leave it out.")
            problem_sets += task.problem_sets
        make_all_films(problem_sets, runs.pool(self.workers, "local", None))
        path = write_samples(problem_sets, self.out)
        videos = sum(len(one.clips) for one in problem_sets)
        print(f"{path}: {count(len(problem_sets), 'problem set')}, {count(videos, 'sample')}")
        print(f'Read it with inspect_ai.dataset.json_dataset("{path}").')
        return 0
