"""Training films for judges: other kitchens, other variants of everything and other tasks than any test film's."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from pentathlon.core.errors import DataError
from pentathlon.core.identity import derive_seed
from pentathlon.events.judge.data.frames import Frames
from pentathlon.events.judge.films.home.level_one import DISTRACTORS, SMALL_THINGS, LevelOneSet, table
from pentathlon.events.judge.films.home.making import shoot
from pentathlon.events.judge.films.home.near_misses import plan_near_misses
from pentathlon.events.judge.films.home.recipe import Recipe, write_recipe
from pentathlon.events.judge.films.home.sequences import (
    LEVELS,
    SIZES,
    Deeds,
    draw_cast,
    draw_task,
    orders,
    plan_sequences,
    washed,
)
from pentathlon.events.judge.films.home.vocabulary import APPLIANCES, SLICED_WORD, Deed, step_words, type_of
from pentathlon.learning.ordering.lessons import Kitchen, Lesson, halved, write_kitchen

LENGTHS = (2, 3, 3, 4, 4, 5, 6)
"""Of the tasks in a kitchen of several steps."""
SINGLES = 8
SINGLE_SHARE = 0.35
MOST_THINGS = 5


@dataclass(frozen=True)
class LessonsJob:
    """The films of one kitchen to make; none is begun after ``until_s``."""

    kitchen: int
    until_s: float | None = None


def make_lessons(path: Path, about: dict[str, Any]) -> None:
    """Makes the films of a kitchen; leaves an empty file where it is too late."""
    job = LessonsJob(**about)
    if job.until_s is not None and time.time() > job.until_s:
        path.touch()
        return
    lessons, frames, skipped = [], [], []
    for recipe in plan_kitchen(job.kitchen):
        try:
            lesson, seen = film_lesson(recipe)
        except DataError as error:
            skipped.append(str(error))
            continue
        lessons.append(lesson)
        frames.append(seen)
    empty = np.zeros((0, 112, 112, 3), np.uint8)
    write_kitchen(path, Kitchen(tuple(lessons), tuple(skipped)), np.concatenate([empty, *frames]))


def film_lesson(recipe: Recipe) -> tuple[Lesson, Frames]:
    """Films a recipe, looking only now and then: the more steps, the more rarely."""
    every = len(recipe.deeds) + 1
    frames, steps = shoot(recipe, look=lambda place: place % every == 0)
    ends = np.array([end for _, _, end in steps])
    kept = np.arange(0, ends[-1], every)
    labels = np.minimum(np.searchsorted(ends, kept, side="right"), len(steps) - 1)
    words = tuple(step.words for step, _, _ in steps)
    return Lesson(words, tuple(labels.tolist())), halved(frames[kept])


def plan_kitchen(number: int) -> tuple[Recipe, ...]:
    """Plans the films of a training kitchen: tasks of several steps and orders of them, or single actions."""
    rng = np.random.default_rng(derive_seed("lessons", number))
    return tuple(_singles(rng) if rng.random() < SINGLE_SHARE else _several(rng))


def _several(rng: np.random.Generator) -> Iterator[Recipe]:
    cast = draw_cast(rng)
    tasks: list[Deeds] = []
    for length in LENGTHS:
        base = draw_task(rng, cast, length)
        found = [] if base is None else (orders(rng, base) or [base]) if rng.random() < 0.3 else [base]
        tasks += [task for task in found if _key(task) not in tested()]
    things = [type_of(word) for word in cast.things]
    for task in tasks:
        yield write_recipe("train", cast.seed, things, task, dirty=washed(cast, tasks))


def _singles(rng: np.random.Generator) -> Iterator[Recipe]:
    """Single actions of one problem set of level 1, in a kitchen of its own."""
    rows = table()
    row = rows[int(rng.choice(len(rows), p=_shares(rows)))]
    chosen = [row.classes[int(i)] for i in rng.choice(len(row.classes), min(SINGLES, len(row.classes)), replace=False)]
    seed = int(rng.integers(2**31))
    own = list(dict.fromkeys(type_of(deed.object) for deed in chosen if deed.object not in APPLIANCES))[:MOST_THINGS]
    beside = {type_of(SMALL_THINGS[int(i)]) for i in rng.choice(len(SMALL_THINGS), DISTRACTORS, replace=False)}
    knife = {"Knife"} if any(deed.action in ("slice", "spare") for deed in chosen) else set()
    things = {*own, *knife, *(beside if len(own) < MOST_THINGS else ())}
    for deed in chosen:
        if deed.object in APPLIANCES or type_of(deed.object) in things:
            yield _single(deed, seed, things)


def _single(deed: Deed, seed: int, things: set[str]) -> Recipe:
    on = (deed.object,) if deed.action == "observe on" else ()
    cut = (deed.object.removeprefix(SLICED_WORD),) if deed.object.startswith(SLICED_WORD) else ()
    return write_recipe("train", seed, things, [deed], on=on, sliced=cut)


def _shares(rows: tuple[LevelOneSet, ...]) -> np.typing.NDArray[np.float64]:
    """Sets of many classes come more often."""
    weights = np.sqrt([len(row.classes) for row in rows])
    return np.asarray(weights / weights.sum())


@cache
def tested() -> frozenset[tuple[str, ...]]:
    """The steps, in whatever order, of every test task of several steps: none of them is trained on."""
    sets = [one for kind in SIZES for level in LEVELS for one in plan_sequences(kind, level, "full")]
    recipes = [clip.recipe for one in (*sets, *plan_near_misses("full")) for clip in one.clips if clip.recipe]
    return frozenset(_key(tuple(Deed(*deed) for deed in recipe["deeds"])) for recipe in recipes if recipe["deeds"][1:])


def _key(deeds: Deeds) -> tuple[str, ...]:
    return tuple(sorted(step_words(deed).words for deed in deeds))
