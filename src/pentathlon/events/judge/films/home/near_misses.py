"""Near misses of tasks in a virtual home: what was asked, and films of almost that, since the log knows the truth."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations

import numpy as np

from pentathlon.core.identity import derive_seed
from pentathlon.core.tiers import Tier
from pentathlon.events.judge.data.films import describe
from pentathlon.events.judge.data.problem_sets import Clip, ProblemSet, StepWords
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
from pentathlon.worlds.houses.splits import Split

TASK = "task"
MISS_LEVELS = (2, 3, 4)
PROGRESS_LEVELS = (2, 3, 4, 5, 6)
PER_LEVEL: dict[Tier, int] = {"full": 20, "lite": 3, "sprint": 1}
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
        ProblemSet(
            id=one.id.replace("/remix/", "/progress/"),
            environment=WORLD,
            level=one.level,
            group="progress",
            descriptions={TASK: one.descriptions["label_0"]},
            clips=(Clip(one.clips[0].path, (TASK,), one.clips[0].recipe),),
            split=split,
            steps={TASK: one.steps["label_0"]},
            maker=MAKER,
        )
        for one in bases
    )


def _singles(tier: Tier, split: Split) -> list[ProblemSet]:
    """Single actions: the first class of such a set is the task, the others leave a part of it out."""
    found = []
    for group in SINGLE_GROUPS:
        for one in plan_level_one(group, "full" if tier == "full" else "lite", split)[: 5 if tier == "full" else 1]:
            first = {clip.labels[0]: clip for clip in reversed(one.clips)}
            done = first.pop("label_0")
            missed = [Clip(clip.path, (), clip.recipe, "step left out") for _, clip in sorted(first.items())]
            clips = (Clip(done.path, (TASK,), done.recipe), *missed)
            sentence, steps = one.descriptions["label_0"], one.steps["label_0"]
            found.append(_set(one.id.replace("level_1", "near_miss/level_1"), 1, sentence, clips, split, steps))
    return found


def _set(
    id: str, level: int, sentence: str, clips: tuple[Clip, ...], split: Split, steps: tuple[StepWords, ...]
) -> ProblemSet:
    return ProblemSet(
        id=id,
        environment=WORLD,
        level=level,
        group="near_miss",
        descriptions={TASK: sentence},
        clips=clips,
        split=split,
        steps={TASK: steps},
        maker=MAKER,
    )


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
        return _set(f"virtual-home/near_miss/level_{level}/{number:02d}", level, describe(steps), clips, split, steps)
    raise AssertionError(f"no near misses of level {level} in {PATIENCE} attempts")


def misses(rng: np.random.Generator, cast: Cast, task: Deeds) -> dict[str, Deeds] | None:
    """One film for each way to miss a task; ``None`` where there is none for one of them."""
    ways: dict[str, Callable[[np.random.Generator, Cast, Deeds], list[Deeds]]] = {
        "wrong object": _with_another,
        "step left out": _shortened,
        "steps swapped": _swapped,
        "step undone": _undone,
        "step done twice": _repeated,
    }
    found: dict[str, Deeds] = {}
    for name, way in ways.items():
        choices = [deeds for deeds in way(rng, cast, task) if said(deeds) != said(task) and follow(deeds) is not None]
        if not choices:
            return None
        found[name] = choices[int(rng.integers(len(choices)))]
    return found


def _with_another(rng: np.random.Generator, cast: Cast, task: Deeds) -> list[Deeds]:
    """Another thing in place of one, in all deeds that the cast allows it in."""
    allowed, found = set(possible(cast)), []
    for old in cast.things:
        for new in cast.things:
            swapped = tuple(deed._replace(object=new) if deed.object == old else deed for deed in task)
            if old != new and set(swapped) <= allowed:
                found.append(swapped)
    return found


def _shortened(rng: np.random.Generator, cast: Cast, task: Deeds) -> list[Deeds]:
    return [task[:i] + task[i + 1 :] for i in range(len(task))]


def _swapped(rng: np.random.Generator, cast: Cast, task: Deeds) -> list[Deeds]:
    found = []
    for i, j in combinations(range(len(task)), 2):
        order = list(task)
        order[i], order[j] = order[j], order[i]
        found.append(tuple(order))
    return found


def _undone(rng: np.random.Generator, cast: Cast, task: Deeds) -> list[Deeds]:
    last = task[-1]
    return [(*task, _opposite(last))] if last.action in OPPOSITES else []


def _repeated(rng: np.random.Generator, cast: Cast, task: Deeds) -> list[Deeds]:
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
