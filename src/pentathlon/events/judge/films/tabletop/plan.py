"""The problem sets of the desk: those of the paper's Table 8, with its counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from pentathlon.core.identity import derive_seed
from pentathlon.core.tiers import Tier
from pentathlon.events.judge.data.films import describe
from pentathlon.events.judge.data.problem_sets import Clip, ProblemSet, StepWords
from pentathlon.events.judge.films.shooting import shortened
from pentathlon.events.judge.films.tabletop.near_misses import plan_near_misses, plan_progress
from pentathlon.events.judge.films.tabletop.recipe import (
    MAKER,
    SIDES,
    WORLD,
    Recipe,
    choose_words,
    clip_of,
    door_words,
    pick_words,
    pin_words,
    shuffle_words,
)
from pentathlon.events.judge.films.tabletop.shuffling import different_things, line, shuffle
from pentathlon.worlds.tabletop.desk.fabric import WAYS

SCRAMBLES: dict[str, tuple[int, ...]] = {
    "avocado": (4, 4, 4), "chopstick": (4, 4, 4, 4), "potato": (4, 4, 4), "tomato": (10, 5, 4, 15),
}  # fmt: skip
"""Videos of each problem set, of two things and more."""
IDENTITY, RELATIVE, PICKED, PINNED, DOORS = 12, 9, 9, 18, 200
LITE_VIDEOS = 6
CLUTTER = ("mug", "block", "potato", "tomato")
SHORT_CLIPS = 2
Films = Sequence[tuple[str, Recipe]]


def plan(group: str, level: int, tier: Tier) -> tuple[ProblemSet, ...]:
    """Plans the problem sets of a group; all are of level 1 but near misses and progress."""
    if group == "near_miss":
        return plan_near_misses(tier)
    if group == "progress":
        return plan_progress(tier)
    found = tuple(_groups()[group])
    return found if tier == "full" else tuple(_fewer(one) for one in found)


def shorten(problem_set: ProblemSet) -> ProblemSet:
    """Returns the set with two small and hasty films."""
    clips = problem_set.clips[:SHORT_CLIPS]
    return replace(problem_set, clips=tuple(shortened(clip, Recipe, WORLD) for clip in clips))


def _fewer(problem_set: ProblemSet) -> ProblemSet:
    return replace(problem_set, clips=problem_set.clips[:LITE_VIDEOS])


def _groups() -> dict[str, Iterator[ProblemSet]]:
    return {
        "object_tracking": _tracking(),
        "object_interaction": iter((_pinned(),)),
        "opening_v_closing": iter((_doors(),)),
        "object": iter((_picked(),)),
    }


def _tracking() -> Iterator[ProblemSet]:
    same_or_not = {"same": shuffle_words("object", True), "different": shuffle_words("object", False)}
    names = ("same", "different")
    films = [
        (names[i % 2], _shuffled(different_things(_rng("identity", i)), i % 2 == 0, "identity", i))
        for i in range(IDENTITY)
    ]
    yield _set("object_tracking", "object_identity", same_or_not, films)
    sides = {side: choose_words("can", side) for side in SIDES}
    yield _set("object_tracking", "relative_position", sides, [_relative(i) for i in range(RELATIVE)])
    for thing, counts in SCRAMBLES.items():
        for many, videos in enumerate(counts, start=2):
            said = {"same": shuffle_words(thing, True), "diff": shuffle_words(thing, False)}
            films = [
                (("same", "diff")[i % 2], _shuffled((thing,) * many, i % 2 == 0, f"{thing} {many}", i))
                for i in range(videos)
            ]
            yield _set("object_tracking", f"scramble_{many}_{thing}", said, films)


def _shuffled(things: tuple[str, ...], same: bool, name: str, number: int) -> Recipe:
    rng = _rng(name, number)
    places = line(things)
    return Recipe("test", "shuffle", _seed(name, number), things, places, shuffle(rng, places, same))


def _relative(number: int) -> tuple[str, Recipe]:
    things = ("can",) * 3
    recipe = Recipe("test", "choose", _seed("relative", number), things, line(things), chosen=number % 3)
    return SIDES[number % 3], recipe


def _picked() -> ProblemSet:
    wanted = ("apple", "can", "hammer")
    films = []
    for number in range(PICKED):
        rng = _rng("picked", number)
        things = tuple(str(name) for name in rng.permutation(np.array((*wanted, *CLUTTER[:2]))))
        places = tuple((x, float(rng.uniform(-0.02, 0.10))) for x, _ in line(("tomato",) * len(things)))
        chosen = things.index(wanted[number % 3])
        films.append((wanted[number % 3], Recipe("test", "pick", _seed("picked", number), things, places, (), chosen)))
    return _set("object", "pick_object_from_table", {name: pick_words(name) for name in wanted}, films)


def _pinned() -> ProblemSet:
    films = []
    for number in range(PINNED):
        way = "both" if number % 2 == 0 else WAYS[1 + number // 2 % 3]
        films.append(("pin" if way == "both" else "no_pin", Recipe("test", "pin", _seed("pin", number), way=way)))
    return _set("object_interaction", "pin", {"pin": pin_words(True), "no_pin": pin_words(False)}, films)


def _doors() -> ProblemSet:
    said = {"opening": door_words(True), "closing": door_words(False)}
    films = [
        (("opening", "closing")[i % 2], Recipe("test", "door", _seed("door", i), opens=i % 2 == 0))
        for i in range(DOORS)
    ]
    return _set("opening_v_closing", "door", said, films)


def _set(group: str, name: str, said: dict[str, StepWords], films: Films) -> ProblemSet:
    steps: dict[str, tuple[StepWords, ...]] = {label: (words,) for label, words in said.items()}
    clips: tuple[Clip, ...] = tuple(clip_of(recipe, (label,)) for label, recipe in films)
    return ProblemSet(
        id=f"tabletop/level_1/{group}/{name}",
        environment=WORLD,
        level=1,
        group=group,
        descriptions={label: describe(words) for label, words in steps.items()},
        clips=clips,
        steps=steps,
        maker=MAKER,
    )


def _seed(name: str, number: int) -> int:
    return derive_seed("tabletop", name, number) % 2**31


def _rng(name: str, number: int) -> np.random.Generator:
    return np.random.default_rng(derive_seed("tabletop moves", name, number))
