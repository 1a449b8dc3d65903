"""Near misses of tasks in a virtual home: what was asked, and films of almost that, since the log knows the truth."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from pentathlon.core.identity import derive_seed
from pentathlon.core.tiers import Tier
from pentathlon.events.judge.data.problem_sets import Clip, ProblemSet
from pentathlon.events.judge.films.home.level_one import plan_level_one
from pentathlon.events.judge.films.home.recipe import MAKER, WORLD, clip_of, write_recipe
from pentathlon.events.judge.films.home.sequences import (
    PATIENCE,
    Cast,
    Deeds,
    draw_cast,
    draw_task,
    plan_sequences,
    possible,
    said,
    washed,
)
from pentathlon.events.judge.films.home.situation import follow
from pentathlon.events.judge.films.home.vocabulary import Action, Deed, step_words, type_of
from pentathlon.events.judge.films.misses import PER_LEVEL, TASK, draw_misses, task_set
from pentathlon.worlds.houses.splits import Split

MISS_LEVELS = (1, 2, 3, 4)
PROGRESS_LEVELS = (2, 3, 4, 5, 6)
SINGLE_GROUPS = ("heat", "cool", "clean", "slice")
OPPOSITES: dict[Action, Action] = {"pick up": "put", "put": "pick up", "turn on": "turn off", "turn off": "turn on"}


def plan_near_misses(tier: Tier, split: Split = "test") -> tuple[ProblemSet, ...]:
    """Plans sets of one sentence: a film of it done, and one for each way to miss it."""
    count = PER_LEVEL[tier]
    several = [_several(level, number, split) for level in MISS_LEVELS for number in range(count)]
    return (*_singles(tier, split), *several)


def plan_progress(tier: Tier, split: Split = "test") -> tuple[ProblemSet, ...]:
    """Plans sets of one film each, whose every prefix is judged: the bases of the general sets."""
    count = min(PER_LEVEL[tier], 12)
    bases = [one for level in PROGRESS_LEVELS for one in plan_sequences("remix", level, "full", split)[:count]]
    return tuple(
        task_set(
            one.id.replace("/remix/", "/progress/"), WORLD, MAKER, "progress", one.steps["label_0"],
            (Clip(one.clips[0].path, (TASK,), one.clips[0].recipe),), split,
        )
        for one in bases
    )  # fmt: skip


def _singles(tier: Tier, split: Split) -> list[ProblemSet]:
    """Single actions: the first class of such a set is the task, the others leave a part of it out."""
    found = []
    for group in SINGLE_GROUPS:
        for one in plan_level_one(group, "full" if tier == "full" else "lite", split)[: 5 if tier == "full" else 1]:
            first = {clip.labels[0]: clip for clip in reversed(one.clips)}
            done = first.pop("label_0")
            missed = [Clip(clip.path, (), clip.recipe, "step left out") for _, clip in sorted(first.items())]
            clips = (Clip(done.path, (TASK,), done.recipe), *missed)
            name = one.id.replace("level_1", "near_miss/level_1")
            found.append(task_set(name, WORLD, MAKER, "near_miss", one.steps["label_0"], clips, split, 1))
    return found


@lru_cache(maxsize=1024)
def _several(level: int, number: int, split: Split) -> ProblemSet:
    rng = np.random.default_rng(derive_seed("near miss", split, level, number))
    for _ in range(PATIENCE):
        cast = draw_cast(rng)
        task = draw_task(rng, cast, level)
        missed = None if task is None else misses(rng, cast, task)
        if task is None or missed is None:
            continue
        films = {"": task, **missed}
        dirty = washed(cast, list(films.values()))
        things = [type_of(word) for word in cast.things]
        clips = tuple(
            clip_of(write_recipe(split, cast.seed, things, deeds, dirty=dirty), () if miss else (TASK,), miss)
            for miss, deeds in films.items()
        )
        steps = tuple(step_words(deed) for deed in task)
        name = f"virtual-home/near_miss/level_{level}/{number:02d}"
        return task_set(name, WORLD, MAKER, "near_miss", steps, clips, split)
    raise AssertionError(f"no near misses of level {level} in {PATIENCE} attempts")


def misses(rng: np.random.Generator, cast: Cast, task: Deeds) -> dict[str, Deeds] | None:
    """One film for each way to miss a task; ``None`` where one is missing. Of a single step some are enough."""
    ways: dict[str, list[Deeds]] = {
        "wrong object": _with_another(cast, task),
        "step undone": _undone(task),
        "step done twice": _repeated(task),
    }
    return draw_misses(rng, task, ways, lambda deeds: said(deeds) != said(task) and follow(deeds) is not None)


def _with_another(cast: Cast, task: Deeds) -> list[Deeds]:
    """Another thing in place of one, in all deeds that the cast allows it in."""
    allowed, found = set(possible(cast)), []
    for old in cast.things:
        for new in cast.things:
            swapped = tuple(deed._replace(object=new) if deed.object == old else deed for deed in task)
            if old != new and set(swapped) <= allowed:
                found.append(swapped)
    return found


def _undone(task: Deeds) -> list[Deeds]:
    last = task[-1]
    return [(*task, _opposite(last))] if last.action in OPPOSITES else []


def _repeated(task: Deeds) -> list[Deeds]:
    """A deed done again: at once where that can be, otherwise after it was undone."""
    found: list[Deeds] = []
    for i, deed in enumerate(task):
        again: Deeds = (deed,) if deed.action in ("heat", "cool") else ()
        if deed.action in OPPOSITES:
            again = (_opposite(deed), deed)
        found += [(*task[: i + 1], *again, *task[i + 1 :])] if again else []
    return found


def _opposite(deed: Deed) -> Deed:
    return deed._replace(action=OPPOSITES[deed.action])
