"""What near misses and progress are in every world: one sentence, films of it done, and of it almost done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import TypeVar

import numpy as np

from pentathlon.core.tiers import Tier
from pentathlon.events.judge.data.films import describe
from pentathlon.events.judge.data.problem_sets import Clip, Environment, ProblemSet, StepWords

TASK = "task"
PER_LEVEL: dict[Tier, int] = {"full": 20, "lite": 3, "sprint": 1}
WAYS = ("wrong object", "step left out", "steps swapped", "step undone", "step done twice")
T = TypeVar("T")


def left_out(task: tuple[T, ...]) -> list[tuple[T, ...]]:
    """The task without one of its steps."""
    return [task[:i] + task[i + 1 :] for i in range(len(task))]


def swapped(task: tuple[T, ...]) -> list[tuple[T, ...]]:
    """The task with two of its steps in each other's place."""
    found = []
    for i, j in combinations(range(len(task)), 2):
        order = list(task)
        order[i], order[j] = order[j], order[i]
        found.append(tuple(order))
    return found


def draw_misses(
    rng: np.random.Generator,
    task: tuple[T, ...],
    ways: Mapping[str, list[tuple[T, ...]]],
    is_miss: Callable[[tuple[T, ...]], bool],
) -> dict[str, tuple[T, ...]] | None:
    """Draws one film for each way to miss a task: a step left out, steps swapped, and the world's own ``ways``.

    ``None`` where one is missing; of a single step some are enough.
    """
    every = {"step left out": left_out(task), "steps swapped": swapped(task)}
    ordered = {name: {**ways, **every}[name] for name in WAYS}
    return choose_misses(rng, ordered, is_miss, least=1 if len(task) == 1 else None)


def choose_misses(
    rng: np.random.Generator,
    ways: Mapping[str, list[tuple[T, ...]]],
    is_miss: Callable[[tuple[T, ...]], bool],
    least: int | None = None,
) -> dict[str, tuple[T, ...]] | None:
    """Draws one film for each way to miss a task; ``None`` where fewer than the ``least`` ways have one, or not all."""
    found: dict[str, tuple[T, ...]] = {}
    for name, films in ways.items():
        if choices := [film for film in films if film and is_miss(film)]:
            found[name] = choices[int(rng.integers(len(choices)))]
    return found if len(found) >= (len(ways) if least is None else least) else None


def task_set(
    id: str, world: Environment, maker: str, group: str, steps: tuple[StepWords, ...], clips: tuple[Clip, ...],
    split: str = "test", level: int | None = None,
) -> ProblemSet:  # fmt: skip
    """A set of one sentence."""
    return ProblemSet(
        id=id,
        environment=world,
        level=len(steps) if level is None else level,
        group=group,
        descriptions={TASK: describe(steps)},
        clips=clips,
        split=split,
        steps={TASK: steps},
        maker=maker,
    )
