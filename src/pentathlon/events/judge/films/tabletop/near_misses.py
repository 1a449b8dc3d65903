"""Near misses of every kind of task on the desk, and films whose every prefix is judged."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np

from pentathlon.core.identity import derive_seed
from pentathlon.core.tiers import Tier
from pentathlon.events.judge.data.problem_sets import ProblemSet
from pentathlon.events.judge.films.misses import PER_LEVEL, TASK, choose_misses, left_out, swapped, task_set
from pentathlon.events.judge.films.tabletop.recipe import MAKER, WORLD, Ending, Move, Recipe, clip_of, shown
from pentathlon.events.judge.films.tabletop.shuffling import (
    KINDS,
    Swaps,
    carried,
    draw_swaps,
    is_first_back,
    is_first_moved,
    line,
)
from pentathlon.worlds.tabletop.desk.desk import Place
from pentathlon.worlds.tabletop.desk.fabric import WAYS

PER_KIND: dict[Tier, int] = {"full": 10, "lite": 1, "sprint": 1}
PROGRESS_LEVELS = (2, 3, 4)
FRONT_Y_M = -0.10
PATIENCE, LEAST_WAYS = 200, 3
ALIKE = ("tomato", "potato", "avocado")
ENDINGS: dict[str, Ending] = {"step left out": "left out", "step undone": "undone", "step done twice": "twice"}
Missed = dict[str, Recipe]
"""A film of the task under no name, and one for each way to miss it."""


def plan_near_misses(tier: Tier) -> tuple[ProblemSet, ...]:
    """Plans sets of one sentence: a film of it done, and one for each way to miss it."""
    return tuple(_missed(kind, number) for kind in MAKERS for number in range(PER_KIND[tier]))


def plan_progress(tier: Tier) -> tuple[ProblemSet, ...]:
    """Plans sets of one film each, in which things are moved to the front one after the other."""
    found = []
    for level in PROGRESS_LEVELS:
        for number in range(PER_LEVEL[tier]):
            rng, seed = _draws("progress", level, number)
            recipe = _tidying(rng, seed, level)
            clips = (clip_of(recipe, (TASK,)),)
            name = f"tabletop/progress/level_{level}/{number:02d}"
            found.append(task_set(name, WORLD, MAKER, "progress", shown(recipe), clips))
    return tuple(found)


def _missed(kind: str, number: int) -> ProblemSet:
    films = MAKERS[kind](*_draws("missed", kind, number), number)
    clips = tuple(clip_of(recipe, () if miss else (TASK,), miss) for miss, recipe in films.items())
    return task_set(f"tabletop/near_miss/{kind}/{number:02d}", WORLD, MAKER, "near_miss", shown(films[""]), clips)


def _draws(*names: str | int) -> tuple[np.random.Generator, int]:
    seed = derive_seed("tabletop", *names)
    return np.random.default_rng(seed), seed % 2**31


def _with_endings(done: Recipe) -> Missed:
    return {
        "": done,
        **{miss: msgspec.structs.replace(done, ending=ending) for miss, ending in ENDINGS.items()},
    }


def _pin(rng: np.random.Generator, seed: int, number: int) -> Missed:
    """Fabric that is pinned, and all ways in which it is not, or not just once, of the same look."""
    ways = dict(zip(("", "pin over the fabric", "through one piece alone", "step undone"), WAYS, strict=True))
    films = {miss: Recipe("test", "pin", seed, way=way) for miss, way in ways.items()}
    return {**_with_endings(films[""]), **films}


def _door(rng: np.random.Generator, seed: int, number: int) -> Missed:
    done = Recipe("test", "door", seed, opens=number % 2 == 0)
    return {**_with_endings(done), "the other way round": msgspec.structs.replace(done, opens=not done.opens)}


def _pick(rng: np.random.Generator, seed: int, number: int) -> Missed:
    """One of five things is picked up."""
    things = tuple(str(name) for name in rng.permutation(np.array(KINDS)))
    return _picking(Recipe("test", "pick", seed, things, line(things), chosen=int(rng.integers(5))), rng)


def _choose(rng: np.random.Generator, seed: int, number: int) -> Missed:
    """One of three look-alikes is picked up."""
    things = ("can",) * 3
    return _picking(Recipe("test", "choose", seed, things, line(things), chosen=number % 3), rng)


def _picking(done: Recipe, rng: np.random.Generator) -> Missed:
    others = [thing for thing in range(len(done.things)) if thing != done.chosen]
    wrong = msgspec.structs.replace(done, chosen=others[int(rng.integers(len(others)))])
    return {**_with_endings(done), "wrong object": wrong}


def _shuffle(rng: np.random.Generator, seed: int, number: int) -> Missed:
    """Look-alikes are shuffled; with a step less, more or elsewhere another one ends up on the left."""
    things = (ALIKE[number % len(ALIKE)],) * (2 + number % 3)
    same, places = number % 2 == 0, line(things)
    for _ in range(PATIENCE):
        swaps = draw_swaps(rng, len(things), same)
        ways: dict[str, list[Swaps]] = {
            "wrong object": [draw_swaps(rng, len(things), not same)],
            "step left out": left_out(swaps),
            "steps swapped": swapped(swaps),
            "step undone": [(*swaps, swaps[-1])],
            "step done twice": [(*swaps, *swaps)],
        }
        found = choose_misses(rng, ways, lambda one: is_first_moved(one) and is_first_back(one) != same, LEAST_WAYS)
        if found is not None:
            films = {"": swaps, **found}
            return {
                miss: Recipe("test", "shuffle", seed, things, places, carried(rng, one, places))
                for miss, one in films.items()
            }
    raise AssertionError(f"no near misses of a shuffle in {PATIENCE} attempts")


def _tidy(level: int) -> Callable[[np.random.Generator, int, int], Missed]:
    """Things are moved to the front one after the other."""

    def make(rng: np.random.Generator, seed: int, number: int) -> Missed:
        done = _tidying(rng, seed, level)
        task, backs = done.moves, dict(enumerate(done.places))
        last, spare = task[-1], len(done.things) - 1
        ways: dict[str, list[tuple[Move, ...]]] = {
            "wrong object": [(*task[:i], (spare, _front(backs[spare])), *task[i + 1 :]) for i in range(level)],
            "step left out": left_out(task),
            "steps swapped": swapped(task),
            "step undone": [(*task, (last[0], backs[last[0]]))],
            "step done twice": [
                (*task[: i + 1], (thing, backs[thing]), (thing, place), *task[i + 1 :])
                for i, (thing, place) in enumerate(task)
            ],
        }
        found = choose_misses(rng, ways, lambda moves: moves != task)
        assert found is not None
        return {miss: msgspec.structs.replace(done, moves=moves) for miss, moves in {"": task, **found}.items()}

    return make


def _tidying(rng: np.random.Generator, seed: int, level: int) -> Recipe:
    things = tuple(str(name) for name in rng.permutation(np.array(KINDS)))[: level + 1]
    places = line(things)
    # The last thing is never part of the task: it is the one that is moved by mistake.
    moves = tuple((int(thing), _front(places[int(thing)])) for thing in rng.permutation(level))
    return Recipe("test", "tidy", seed, things, places, moves)


def _front(place: Place) -> Place:
    return place[0], FRONT_Y_M


MAKERS: dict[str, Callable[[np.random.Generator, int, int], Missed]] = {
    "pin": _pin, "door": _door, "pick": _pick, "choose": _choose, "shuffle": _shuffle,
    "tidy_2": _tidy(2), "tidy_3": _tidy(3),
}  # fmt: skip
