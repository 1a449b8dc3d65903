"""Second instances that distract, and hidden ones: what PASTURE's harder capabilities add to a house."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np

from pentathlon.events.find.episodes.claims import Claim, fitting
from pentathlon.events.find.episodes.descriptions import hidden
from pentathlon.events.find.episodes.dressing import Dresser
from pentathlon.events.find.episodes.scenes import Casting, Scene, View, unseen_variant
from pentathlon.worlds.houses.assets.catalogue import variant
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.splits import VARIANTS
from pentathlon.worlds.modelling.colours import COLOURS

LEAST_DIFFERENCE = 0.3
"""Between two colours that people tell apart at a glance, as a distance in RGB from 0 to 1."""
HIDING_ROUNDS = 12
"""Places under and in furniture are few."""
MORE_VARIANTS = range(VARIANTS["test"].stop, VARIANTS["test"].stop + 36)
"""Where the test variants of a type all look alike: further ones, which no house of any split holds."""


def add_distractors(
    scene: Scene, claims: Mapping[str, tuple[Claim, ...]], count: int, rng: np.random.Generator
) -> Scene:
    """Puts a second, visibly different instance of ``count`` of the types into a house; returns these as targets.

    Args:
        scene: with one instance of each type.
        claims: by type, what is said of the target; none of it may be true of the second one.
        count: how many types are wanted.
        rng: gives the same scene for the same state.

    Raises:
        DataError: when one finds no place.
    """
    own = {name: scene.house.object(target).variant for name, target in scene.targets.items()}
    choices = {name: different_variants(name, seed) for name, seed in own.items()}

    def put(dresser: Dresser, name: str) -> str | None:
        seeds = choices[name]
        return dresser.put(name, seeds[int(rng.integers(len(seeds)))]) if seeds else None

    def judge(view: View, name: str, object_id: str) -> bool:
        alone = all(fitting(claim, view.graph) == [scene.targets[name]] for claim in claims[name])
        return alone and view.is_fair(object_id)

    return Casting(rng, put, judge).cast(Scene(scene.house, {}), tuple(claims), count)


@cache
def different_variants(type_name: str, seed: int) -> tuple[int, ...]:
    """Returns the variants of a type that look different from one: of another colour and not mixed up with it."""
    for seeds in (VARIANTS["test"], MORE_VARIANTS):
        found = tuple(other for other in seeds if looks_different(type_name, seed, other))
        if found:
            return found
    return ()


def looks_different(type_name: str, first: int, second: int) -> bool:
    """Tells whether each of two variants has a colour that is far from all of the other's."""
    ours, theirs = variant(type_name, first).colours, variant(type_name, second).colours
    return _stands_out(ours, theirs) and _stands_out(theirs, ours)


def _stands_out(ours: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    return any(all(_difference(own, other) >= LEAST_DIFFERENCE for other in theirs) for own in ours)


def _difference(first: str, second: str) -> float:
    return float(np.linalg.norm(np.array(COLOURS[first].rgb) - np.array(COLOURS[second].rgb)))


def hide_one_of_each(house: House, types: Sequence[str], count: int, rng: np.random.Generator) -> Scene:
    """Hides one instance of ``count`` of the types under or in furniture, beside those in sight.

    Raises:
        DataError: when too few types find a place.
    """

    def judge(view: View, name: str, object_id: str) -> bool:
        claim = hidden(view.graph, view.graph.node(object_id))
        return claim is not None and fitting(claim, view.graph) == [object_id] and view.is_fair(object_id)

    casting = Casting(rng, lambda dresser, name: dresser.hide(name, unseen_variant(rng)), judge, HIDING_ROUNDS)
    return casting.cast(Scene(house, {}), types, count)
