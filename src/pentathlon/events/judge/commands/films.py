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
    """Do what the films would show without looking or writing, and name the kitchens in which it cannot be done."""

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
                    f"Expected tasks on films that can be made, got {row.id}. Choose judge/virtual-home-*."
                )
            yield from task.problem_sets

    def _made(self, problem_sets: list[ProblemSet], runs: Runs) -> list[str]:
        from pentathlon.events.judge.data.films import make_all_films
        from pentathlon.events.judge.films.home.checking import film_problems

        make_all_films(problem_sets, runs.pool(self.workers, self.on, self.address))
        told = {clip.path: one.descriptions.get(_label(clip), "") for one in problem_sets for clip in one.clips}
        return [problem for path, sentence in told.items() for problem in film_problems(path, sentence)]


def _label(clip: Clip) -> str:
    return clip.labels[0] if clip.labels else ""


def _tried(problem_set: ProblemSet) -> Iterator[str]:
    import msgspec

    from pentathlon.core.errors import DataError
    from pentathlon.events.judge.films.home.making import never, shoot
    from pentathlon.events.judge.films.home.recipe import Recipe

    for clip in problem_set.clips:
        recipe = msgspec.convert(clip.recipe, Recipe)
        try:
            shoot(recipe, look=never)
        except DataError as error:
            yield f"kitchen {recipe.seed}: {problem_set.id}: {error}"
