"""The recipe of a film of a voxel world: everything that its pixels depend on, as plain values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

import msgspec

from pentathlon.events.judge.data.problem_sets import Clip
from pentathlon.events.judge.films.blocks.situation import follow
from pentathlon.events.judge.films.blocks.vocabulary import MINERALS, SOILS, WOODS, Deed
from pentathlon.events.judge.films.shooting import recipe_clip
from pentathlon.worlds.blocks.looks.display import SLOTS, Stack

WORLD: Literal["blocks"] = "blocks"
MAKER = "pentathlon.events.judge.films.blocks.making:make_film"
VERSION = "blocks-film-v1"
SIDE_PX, FPS = 224, 12


class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What makes a film.

    Attributes:
        seed: of the land.
        wood: of the tree that is worked on.
        soil: of the heap.
        ores: of the rock.
        deeds: what is done, in order.
        carried: items in the bar at first, with their numbers.
        lying: items that lie about at first.
        quick: a few small frames in place of a film, for rehearsals.
    """

    split: str
    seed: int
    wood: str
    soil: str
    ores: tuple[str, ...]
    deeds: tuple[Deed, ...]
    carried: tuple[Stack, ...]
    lying: tuple[str, ...] = ()
    quick: bool = False
    side_px: int = SIDE_PX
    fps: int = FPS
    version: str = VERSION


class Ground(msgspec.Struct, frozen=True):
    """What films of a set share: the land, and what it is made of where work is done."""

    split: str
    seed: int
    wood: str = WOODS[0]
    soil: str = SOILS[0]
    ores: tuple[str, ...] = MINERALS[:3]


def write_recipes(ground: Ground, tasks: Sequence[tuple[Deed, ...]]) -> list[Recipe]:
    """Writes the recipes of films that begin alike: all carry what any of them needs."""
    followed = [follow(deeds) for deeds in tasks]
    needs: Counter[str] = Counter()
    for situation in followed:
        assert situation is not None, tasks
        needs |= situation.needs
    carried = tuple(sorted(needs.items()))
    return [
        Recipe(
            split=ground.split, seed=ground.seed, wood=ground.wood, soil=ground.soil, ores=ground.ores, deeds=deeds,
            carried=carried, lying=tuple(situation.at_start),
        )
        for deeds, situation in zip(tasks, followed, strict=True) if situation is not None
    ]  # fmt: skip


def fits(tasks: Sequence[tuple[Deed, ...]]) -> bool:
    """Whether tasks can be done, and the bar has room for everything."""
    followed = [follow(deeds) for deeds in tasks]
    carried = {item for one in followed if one for item in one.needs}
    return all(one is not None and len(carried | set(one.gained)) <= SLOTS for one in followed)


def clip_of(recipe: Recipe, labels: tuple[str, ...], miss: str = "") -> Clip:
    """The clip that a recipe makes."""
    return recipe_clip(WORLD, recipe, labels, miss)
