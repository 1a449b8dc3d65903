"""Tasks of several steps in a virtual home: orders of the same steps, and tasks that share a beginning (A.1.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pentathlon.core.identity import derive_seed
from pentathlon.core.tiers import Tier
from pentathlon.events.judge.data.films import describe
from pentathlon.events.judge.data.problem_sets import ProblemSet
from pentathlon.events.judge.films.home.recipe import MAKER, WORLD, clip_of, write_recipe
from pentathlon.events.judge.films.home.situation import KNIFE, Situation, follow
from pentathlon.events.judge.films.home.vocabulary import Deed, step_words, type_of
from pentathlon.worlds.houses.splits import Split

LEVELS = range(2, 9)
HEATED = ("apple", "potato", "tomato", "egg", "mug")
COOLED = ("apple", "tomato", "potato", "lettuce", "egg", "mug")
CLEANED = ("apple", "tomato", "potato", "egg", "mug", "fork", "spoon", "cup")
CUT = ("apple", "lettuce", "potato", "tomato")
THINGS = tuple(dict.fromkeys((*HEATED, *COOLED, *CLEANED, *CUT)))
PLACES = ("counter top", "dining table", "fridge", "cabinet", "shelf")
LAMPS = ("floor lamp", "desk lamp")
DERIVED = 8
KNIFE_CHANCE = 0.4
SIZES: dict[str, dict[Tier, int]] = {
    "permutation": {"full": 33, "lite": 6, "sprint": 2},
    "remix": {"full": 12, "lite": 2, "sprint": 1},
}
PATIENCE = 2000
Deeds = tuple[Deed, ...]


@dataclass(frozen=True)
class Cast:
    """What the tasks of a problem set are about: things, places for them, and a lamp."""

    seed: int
    things: tuple[str, ...]
    places: tuple[str, ...]
    lamp: str


def plan_sequences(kind: str, level: int, tier: Tier, split: Split = "test") -> tuple[ProblemSet, ...]:
    """Plans the problem sets of a level: ``permutation`` or ``remix``, which the paper calls general."""
    count = SIZES[kind][tier]
    if kind == "permutation" and level == 2:
        count = min(count, 32)
    return tuple(_planned(kind, level, split, number) for number in range(count))


@lru_cache(maxsize=4096)
def _planned(kind: str, level: int, split: Split, number: int) -> ProblemSet:
    rng = np.random.default_rng(derive_seed("sequences", split, kind, level, number))
    for _ in range(PATIENCE):
        cast = draw_cast(rng)
        base = draw_task(rng, cast, level)
        if base is None:
            continue
        tasks = orders(rng, base) if kind == "permutation" else _derived(rng, cast, base)
        if tasks is not None:
            return problem_set(f"virtual-home/level_{level}/{kind}/{number:02d}", kind, cast, tasks, split)
    raise AssertionError(f"no {kind} set of level {level} in {PATIENCE} attempts")


def draw_cast(rng: np.random.Generator) -> Cast:
    """Draws three things, or two and a knife, some places and a lamp."""
    words = [THINGS[int(i)] for i in rng.choice(len(THINGS), 3, replace=False)]
    if rng.random() < KNIFE_CHANCE:
        words = [*words[:1], CUT[int(rng.integers(len(CUT)))], KNIFE]
    places = [PLACES[int(i)] for i in rng.choice(len(PLACES), 4, replace=False)]
    return Cast(
        derive_seed(int(rng.integers(2**31)), 0) % 2**31,
        tuple(dict.fromkeys(words)),
        tuple(places),
        LAMPS[int(rng.integers(2))],
    )


def draw_task(rng: np.random.Generator, cast: Cast, length: int, begin: Sequence[Deed] = ()) -> Deeds | None:
    """Goes on from ``begin`` with deeds that can follow, none of them twice; ``None`` where the way is blocked."""
    deeds = list(begin)
    situation = follow(deeds)
    while situation is not None and len(deeds) < length:
        choices = [deed for deed in possible(cast) if deed not in deeds and not _undoes(deed, deeds)]
        choices = [deed for deed in choices if situation.after(deed) is not None]
        if not choices:
            return None
        # Actions are equally likely, however many things they can be done with.
        actions = sorted({deed.action for deed in choices})
        action = actions[int(rng.integers(len(actions)))]
        of_kind = [deed for deed in choices if deed.action == action]
        deeds.append(of_kind[int(rng.integers(len(of_kind)))])
        situation = situation.after(deeds[-1])
    return tuple(deeds)


@lru_cache(maxsize=256)
def possible(cast: Cast) -> Deeds:
    """Lists the deeds that a cast allows."""
    found: list[Deed] = []
    for thing in cast.things:
        for where in cast.places:
            found += [Deed("pick up", thing, where), Deed("put", thing, where)]
            if KNIFE in cast.things and thing in CUT and where in ("counter top", "dining table"):
                found.append(Deed("slice", thing, where))
        found += [Deed("heat", thing, "microwave")] if thing in HEATED else []
        found += [Deed("cool", thing, "fridge")] if thing in COOLED else []
        found += [Deed("clean", thing, "sink")] if thing in CLEANED else []
    return (*found, Deed("turn on", cast.lamp), Deed("turn off", cast.lamp))


def problem_set(id: str, kind: str, cast: Cast, tasks: Sequence[Deeds], split: Split) -> ProblemSet:
    """Makes a problem set of tasks, each with its own sentence and film, all in one kitchen."""
    labels = {f"label_{i}": tuple(step_words(deed) for deed in task) for i, task in enumerate(tasks)}
    things = [type_of(word) for word in cast.things]
    clips = [
        clip_of(write_recipe(split, cast.seed, things, task, dirty=washed(cast, tasks)), (label,))
        for label, task in zip(labels, tasks, strict=True)
    ]
    return ProblemSet(
        id=id,
        environment=WORLD,
        level=len(tasks[0]),
        group=kind,
        descriptions={label: describe(steps) for label, steps in labels.items()},
        clips=tuple(clips),
        split=split,
        steps=labels,
        maker=MAKER,
    )


def washed(cast: Cast, tasks: Sequence[Deeds]) -> tuple[str, ...]:
    """What is dirty at the start of every film of a set, so that dirt does not tell what will be cleaned."""
    return tuple(sorted({deed.object for task in tasks for deed in task if deed.action == "clean"} & set(cast.things)))


def orders(rng: np.random.Generator, base: Deeds) -> list[Deeds] | None:
    """Three orders of the same steps, of two steps both; ``None`` where there are not so many."""
    wanted = 2 if len(base) == 2 else 3
    found = [base]
    for _ in range(12):
        order = next(_arranged(rng, base, (), Situation()), None)
        if order is not None and order not in found:
            found.append(order)
        if len(found) == wanted:
            return [found[int(i)] for i in rng.permutation(wanted)]
    return None


def _arranged(rng: np.random.Generator, left: Deeds, done: Deeds, situation: Situation) -> Iterator[Deeds]:
    """Yields orders in which steps can be done, in random order."""
    if not left:
        yield done
    for index in rng.permutation(len(left)).tolist():
        after = situation.after(left[index])
        if after is not None and not _undoes(left[index], done):
            yield from _arranged(rng, left[:index] + left[index + 1 :], (*done, left[index]), after)


def _derived(rng: np.random.Generator, cast: Cast, base: Deeds) -> list[Deeds] | None:
    """The base and eight tasks that share beginnings of different lengths with it."""
    found = {said(base): base}
    for number in range(DERIVED):
        shared = number * len(base) // DERIVED
        for _ in range(40):
            task = draw_task(rng, cast, len(base), base[:shared])
            if task is not None and said(task[: shared + 1]) != said(base[: shared + 1]) and said(task) not in found:
                found[said(task)] = task
                break
        else:
            return None
    return list(found.values())


def said(deeds: Sequence[Deed]) -> str:
    """The sentence of a task; two tasks may have the same, such as to slice an apple here or there."""
    return describe([step_words(deed) for deed in deeds])


def _undoes(deed: Deed, done: Sequence[Deed]) -> bool:
    """Whether a deed only takes back the one before it, which nobody would ask for."""
    if not done:
        return False
    pair = {done[-1].action, deed.action}
    same = done[-1][1:] == deed[1:]
    return same and pair in ({"pick up", "put"}, {"turn on", "turn off"})
