"""``pentathlon judge films``: make the films of tasks in parallel, check them, or try whether they can be made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import tyro

from pentathlon.core import Runs, UsageError, match_tasks
from pentathlon.core.numbers import count
from pentathlon.core.runs import Place

if TYPE_CHECKING:
    from pentathlon.events.judge.data.problem_sets import Clip, ProblemSet


@dataclass(frozen=True)
class Films:
    """Make the films of tasks that are not there yet, several at once, and check every film against its log."""

    tasks: tyro.conf.Positional[tuple[str, ...]]
    """Task ids or patterns, such as 'judge/virtual-home-*'."""
    workers: int = 0
    """Worker processes or actors; 0 takes one per core."""
    on: Place = "local"
    """Where films are made: processes of this machine, or a Ray cluster."""
    address: str | None = None
    """Address of the Ray cluster; none starts a local one."""
    try_only: bool = False
    """Do what the films would show without looking or writing, and name what cannot be done."""

    def run(self, runs: Runs) -> int:
        """Prints how many films there are and every problem; status 1 where there is one."""
        problem_sets = list(self._problem_sets())
        if self.try_only:
            problems = [problem for one in problem_sets for problem in _tried(one)]
        else:
            problems = self._made(problem_sets, runs)
        for problem in problems:
            print(problem)
        films = {clip.path for one in problem_sets for clip in one.clips}
        print(f"{count(len(films), 'film')}, {count(len(problems), 'problem')}")
        return 1 if problems else 0

    def _problem_sets(self) -> Iterator[ProblemSet]:
        from pentathlon.events.judge.tasks import JudgeTask

        for row in match_tasks(self.tasks):
            task = row.make()
            if not isinstance(task, JudgeTask) or not task.problem_sets[0].maker:
                raise UsageError(
                    f"Expected tasks on films that can be made, got {row.id}. "
                    "Choose judge/virtual-home-*, judge/blocks-* or judge/tabletop-*."
                )
            yield from task.problem_sets

    def _made(self, problem_sets: list[ProblemSet], runs: Runs) -> list[str]:
        from pentathlon.events.judge.data.films import make_all_films
        from pentathlon.events.judge.films.checking import film_problems

        make_all_films(problem_sets, runs.pool(self.workers, self.on, self.address))
        told = {clip.path: _sentence(one, clip) for one in problem_sets for clip in one.clips}
        return [problem for path, sentence in told.items() for problem in film_problems(path, sentence)]


def _sentence(problem_set: ProblemSet, clip: Clip) -> str:
    """What the set says of a film; nothing where the task was missed, or several sentences say a part of it each."""
    if problem_set.multi_label or not clip.labels:
        return ""
    return problem_set.descriptions[clip.labels[0]]


def _tried(problem_set: ProblemSet) -> Iterator[str]:
    from pentathlon.core.errors import DataError
    from pentathlon.events.judge.films.worlds import attempt

    for clip in problem_set.clips:
        assert clip.recipe is not None
        try:
            attempt(problem_set.environment, clip.recipe)
        except DataError as error:
            yield f"{problem_set.id}: {error}"
