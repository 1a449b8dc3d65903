"""Near misses of tasks in a voxel world, and films whose every prefix is judged."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from pentathlon.core.identity import derive_seed
from pentathlon.core.tiers import Tier
from pentathlon.events.judge.data.problem_sets import ProblemSet
from pentathlon.events.judge.films.blocks.cast import Cast, Deeds, draw_cast, draw_task, possible, said
from pentathlon.events.judge.films.blocks.recipe import MAKER, WORLD, clip_of, fits, write_recipes
from pentathlon.events.judge.films.blocks.situation import follow
from pentathlon.events.judge.films.blocks.vocabulary import Deed, step_words
from pentathlon.events.judge.films.misses import PER_LEVEL, TASK, draw_misses, task_set

MISS_LEVELS, PROGRESS_LEVELS = (1, 2, 3), (2, 3, 4)
PATIENCE = 2000


def plan_near_misses(tier: Tier, split: str = "test") -> tuple[ProblemSet, ...]:
    """Plans sets of one sentence: a film of it done, and one for each way to miss it."""
    return tuple(_missed(level, number, split) for level in MISS_LEVELS for number in range(PER_LEVEL[tier]))


def plan_progress(tier: Tier, split: str = "test") -> tuple[ProblemSet, ...]:
    """Plans sets of one film each, whose every prefix is judged."""
    return tuple(_whole(level, number, split) for level in PROGRESS_LEVELS for number in range(PER_LEVEL[tier]))


@lru_cache(maxsize=256)
def _missed(level: int, number: int, split: str) -> ProblemSet:
    rng = np.random.default_rng(derive_seed("blocks near miss", split, level, number))
    for _ in range(PATIENCE):
        cast = draw_cast(rng, split)
        task = draw_task(rng, cast, level)
        missed = None if task is None else misses(rng, cast, task)
        if task is None or missed is None or not fits([task, *missed.values()]):
            continue
        recipes = write_recipes(cast.ground, [task, *missed.values()])
        clips = tuple(
            clip_of(recipe, () if miss else (TASK,), miss) for recipe, miss in zip(recipes, ("", *missed), strict=True)
        )
        steps = tuple(step_words(deed) for deed in task)
        return task_set(f"blocks/near_miss/level_{level}/{number:02d}", WORLD, MAKER, "near_miss", steps, clips, split)
    raise AssertionError(f"no near misses of level {level} in {PATIENCE} attempts")


@lru_cache(maxsize=256)
def _whole(level: int, number: int, split: str) -> ProblemSet:
    rng = np.random.default_rng(derive_seed("blocks progress", split, level, number))
    task: Deeds | None = None
    while task is None:
        cast = draw_cast(rng, split)
        task = draw_task(rng, cast, level)
    clip = clip_of(write_recipes(cast.ground, [task])[0], (TASK,))
    steps = tuple(step_words(deed) for deed in task)
    return task_set(f"blocks/progress/level_{level}/{number:02d}", WORLD, MAKER, "progress", steps, (clip,), split)


def misses(rng: np.random.Generator, cast: Cast, task: Deeds) -> dict[str, Deeds] | None:
    """One film for each way to miss a task; ``None`` where one is missing. Of a single step some are enough."""
    ways: dict[str, list[Deeds]] = {
        "wrong object": _with_another(cast, task),
        "step undone": _undone(task),
        "step done twice": [(*task[: i + 1], task[i], *task[i + 1 :]) for i in range(len(task))],
    }
    return draw_misses(rng, task, ways, lambda deeds: said(deeds) != said(task) and follow(deeds) is not None)


def _with_another(cast: Cast, task: Deeds) -> list[Deeds]:
    """Another block, item or animal in place of one."""
    return [
        (*task[:i], other, *task[i + 1 :])
        for i, deed in enumerate(task)
        for other in possible(cast)
        if other.action == deed.action and other not in task
    ]


def _undone(task: Deeds) -> list[Deeds]:
    """What was placed is broken again; what was broken is put up again."""
    opposites = {"place": "break", "break": "place"}
    last = task[-1]
    if last.action not in opposites:
        return []
    return [(*task, Deed(opposites[last.action], last.object))]  # type: ignore[arg-type]
