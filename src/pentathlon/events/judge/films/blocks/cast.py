"""What the tasks of a problem set in a voxel world are about, and tasks drawn from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pentathlon.core.identity import derive_seed
from pentathlon.events.judge.data.films import describe
from pentathlon.events.judge.films.blocks.recipe import Ground, fits
from pentathlon.events.judge.films.blocks.vocabulary import (
    ANIMALS,
    CRAFTED,
    MINERALS,
    PLACED,
    SOILS,
    WOODS,
    Deed,
    craft,
    step_words,
)
from pentathlon.worlds.blocks.land.kinds import kind_of
from pentathlon.worlds.blocks.life.mobs import mob_of

Deeds = tuple[Deed, ...]


@dataclass(frozen=True)
class Cast:
    """Blocks, items and animals; the land follows from its seed and the first ones."""

    split: str
    seed: int
    broken: tuple[str, ...]
    ores: tuple[str, ...]
    placed: tuple[str, ...]
    crafted: tuple[str, ...]
    animals: tuple[str, ...]

    @property
    def ground(self) -> Ground:
        """The land that has them."""
        wood, soil = sorted(self.broken, key=lambda name: name not in WOODS)
        return Ground(self.split, self.seed, wood, soil, self.ores)


def draw_cast(rng: np.random.Generator, split: str) -> Cast:
    """Draws two or three of everything."""

    def some(names: Sequence[str], count: int) -> tuple[str, ...]:
        return tuple(names[int(i)] for i in rng.choice(len(names), count, replace=False))

    seed = derive_seed("blocks", split, int(rng.integers(2**31))) % 2**31
    both = (*some(WOODS, 1), *some(SOILS, 1))
    broken = both if rng.random() < 0.6 else both[::-1]
    return Cast(split, seed, broken, some(MINERALS, 3), some(PLACED, 2), some(CRAFTED, 2), some(ANIMALS, 2))


def pattern_deeds(cast: Cast, pattern: Sequence[str]) -> Deeds:
    """Turns the actions of a released label, such as ``craft``, ``craft``, ``break``, into deeds with the cast.

    The same action again takes the next block or item; what is picked up is what the step before has left, or what an
    animal leaves.
    """
    found: list[Deed] = []
    turns = dict.fromkeys(("break", "mine", "place", "craft"), 0)
    for action in pattern:
        turn = turns.get(action, 0)
        turns[action] = turn + 1
        found.append(_deed(cast, action, turn, found))
    return tuple(found)


def _deed(cast: Cast, action: str, turn: int, done: Sequence[Deed]) -> Deed:
    if action == "break":
        return Deed("break", cast.broken[turn])
    if action == "mine":
        return Deed("mine", cast.ores[turn])
    if action == "place":
        return Deed("place", cast.placed[turn])
    if action == "craft":
        return craft(cast.crafted[turn])
    if action in ("find", "combat"):
        return Deed("find" if action == "find" else "attack", cast.animals[0])
    worked = [kind_of(deed.object).item for deed in done if deed.action in ("break", "mine")]
    if worked and not any(deed.object in cast.animals for deed in done):
        return Deed("pick up", worked[-1])
    return Deed("pick up", mob_of(cast.animals[0]).drop)


def possible(cast: Cast) -> Deeds:
    """Lists the deeds that a cast allows."""
    drops = [kind_of(name).item for name in (*cast.broken, *cast.ores)] + [mob_of(name).drop for name in cast.animals]
    return (
        *(Deed("break", name) for name in cast.broken),
        *(Deed("mine", name) for name in cast.ores),
        *(Deed("place", name) for name in cast.placed),
        *(craft(name) for name in cast.crafted),
        *(Deed("find", name) for name in cast.animals),
        *(Deed("attack", name) for name in cast.animals),
        *(Deed("pick up", name) for name in dict.fromkeys(drops)),
    )


def draw_task(rng: np.random.Generator, cast: Cast, length: int) -> Deeds | None:
    """Draws deeds that can follow each other, none of them twice; actions are equally likely."""
    deeds: Deeds = ()
    while len(deeds) < length:
        choices = [deed for deed in possible(cast) if deed not in deeds and fits([(*deeds, deed)])]
        actions = sorted({deed.action for deed in choices})
        if not actions:
            return None
        action = actions[int(rng.integers(len(actions)))]
        of_kind = [deed for deed in choices if deed.action == action]
        deeds = (*deeds, of_kind[int(rng.integers(len(of_kind)))])
    return deeds


def said(deeds: Sequence[Deed]) -> str:
    """The sentence of a task."""
    return describe([step_words(deed) for deed in deeds])
