"""The problem sets of a voxel world: those of the released files for Minecraft (A.1.3), each in several lands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from pentathlon.core.identity import derive_seed
from pentathlon.core.tiers import Tier
from pentathlon.events.judge.data.films import describe
from pentathlon.events.judge.data.problem_sets import ProblemSet, StepWords
from pentathlon.events.judge.films.blocks.cast import Cast, Deeds, draw_cast, pattern_deeds
from pentathlon.events.judge.films.blocks.near_misses import plan_near_misses, plan_progress
from pentathlon.events.judge.films.blocks.recipe import MAKER, WORLD, Recipe, clip_of, fits, write_recipes
from pentathlon.events.judge.films.blocks.vocabulary import LABELS, Deed, label_words, labels_of, step_words
from pentathlon.events.judge.films.shooting import shortened

LANDS: dict[Tier, int] = {"full": 10, "lite": 1, "sprint": 1}
SHORT_CLIPS = 2
PATIENCE = 200

SETS: dict[tuple[str, int], tuple[tuple[str, ...], ...]] = {
    ("permutation", 2): (
        ("craft_break", "break_craft"),
        ("craft_place", "place_craft"),
        ("place_break", "break_place"),
    ),
    ("remix", 2): (
        ("craft_break", "craft_place", "break_place", "find_pickup"),
        ("place_break", "place_craft", "break_craft", "find_pickup"),
    ),
    ("permutation", 3): (
        ("break_craft_place", "craft_place_break", "place_craft_break"),
        ("craft_craft_break", "break_craft_craft"),
    ),
    ("remix", 3): (
        ("break_craft_place", "break_craft_craft", "break_break_place", "find_combat_pickup"),
        ("craft_craft_break", "craft_craft_mine", "craft_break_break", "find_combat_pickup"),
        ("mine_mine_mine", "mine_mine_place", "mine_pickup_place", "find_combat_pickup"),
    ),
}
"""Labels of the released problem sets."""
SINGLE: tuple[tuple[str, int], ...] = (
    ("combat", 4), ("find_combat_pickup", 1), ("mine_pickup", 2), ("find_pickup", 1), ("break_pickup", 4),
    ("break_find_pickup", 1), ("craft", 5), ("place", 6), ("place_craft", 4), ("place_find", 2), ("break_find", 1),
    ("break_place", 1),
)  # fmt: skip
"""What the 32 released videos of level 1 show, 17 of them several actions."""


def plan(group: str, level: int, tier: Tier) -> tuple[ProblemSet, ...]:
    """Plans the problem sets of a group and level; near misses and progress have all levels in one."""
    if group == "near_miss":
        return plan_near_misses(tier)
    if group == "progress":
        return plan_progress(tier)
    lands = range(LANDS[tier])
    if level == 1:
        return tuple(_actions(land) for land in lands)
    return tuple(_several(group, level, labels, land) for land in lands for labels in SETS[group, level])


def shorten(problem_set: ProblemSet) -> ProblemSet:
    """Returns the set with two small and hasty films."""
    clips = problem_set.clips[:SHORT_CLIPS]
    return replace(problem_set, clips=tuple(shortened(clip, Recipe, WORLD) for clip in clips))


@lru_cache(maxsize=256)
def _several(group: str, level: int, labels: tuple[str, ...], land: int, split: str = "test") -> ProblemSet:
    rng = np.random.default_rng(derive_seed("blocks sets", split, group, labels[0], land))
    for _ in range(PATIENCE):
        cast = draw_cast(rng, split)
        tasks = [pattern_deeds(cast, label.split("_")) for label in labels]
        if fits(tasks):
            return _cast_set(group, level, labels, land, cast, tasks)
    raise AssertionError(f"no set of {labels} in {PATIENCE} attempts")


def _cast_set(
    group: str, level: int, labels: tuple[str, ...], land: int, cast: Cast, tasks: Sequence[Deeds]
) -> ProblemSet:
    recipes = write_recipes(cast.ground, tasks)
    steps = {label: tuple(step_words(deed) for deed in deeds) for label, deeds in zip(labels, tasks, strict=True)}
    return _set(
        f"blocks/level_{level}/{group}/{labels[0]}_{land:02d}", level, group,
        {label: describe(words) for label, words in steps.items()},
        [(recipe, (label,)) for recipe, label in zip(recipes, labels, strict=True)], steps, cast.split,
    )  # fmt: skip


@lru_cache(maxsize=16)
def _actions(land: int, split: str = "test") -> ProblemSet:
    """Thirty-two films of one to three actions, each in a land of its own."""
    films = []
    for pattern, count in SINGLE:
        for number in range(count):
            rng = np.random.default_rng(derive_seed("blocks actions", split, pattern, number, land))
            cast, deeds = _single(rng, split, pattern)
            films.append((write_recipes(cast.ground, [deeds])[0], labels_of(deeds)))
    steps: dict[str, tuple[StepWords, ...]] = {label: (label_words(label),) for label in LABELS}
    told = {label: describe(words) for label, words in steps.items()}
    return _set(f"blocks/level_1/actions/{land:02d}", 1, "actions", told, films, steps, split)


def _single(rng: np.random.Generator, split: str, pattern: str) -> tuple[Cast, Deeds]:
    """Draws the film of a released label; half of those of combat alone are against a zombie."""
    if pattern == "combat" and rng.random() < 0.5:
        return draw_cast(rng, split), (Deed("attack", "zombie"),)
    for _ in range(PATIENCE):
        cast = draw_cast(rng, split)
        deeds = pattern_deeds(cast, pattern.split("_"))
        if fits([deeds]):
            return cast, deeds
    raise AssertionError(f"no film of {pattern} in {PATIENCE} attempts")


def _set(
    id: str, level: int, group: str, told: dict[str, str], films: Sequence[tuple[Recipe, tuple[str, ...]]],
    steps: dict[str, tuple[StepWords, ...]], split: str,
) -> ProblemSet:  # fmt: skip
    return ProblemSet(
        id=id,
        environment=WORLD,
        level=level,
        group=group,
        descriptions=told,
        clips=tuple(clip_of(recipe, labels) for recipe, labels in films),
        split=split,
        steps=steps,
        maker=MAKER,
    )
