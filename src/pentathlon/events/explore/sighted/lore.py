"""What is known of object types beforehand: what they are called, how large they are, and how they hold things.

``lore.json`` tells the size, the levels that hold things and the handles of one training variant of each type, as
shares of its box; no house of val or test holds that variant.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pentathlon.events.explore.questions.words import ADJECTIVES, ROOMS
from pentathlon.learning.detectors.vocabulary import UNCOMMON
from pentathlon.worlds.houses.assets.catalogue import catalogue
from pentathlon.worlds.houses.assets.types import ShapeClass
from pentathlon.worlds.modelling.colours import COLOURS

Point = tuple[float, float, float]
FILE = Path(__file__).with_name("lore.json")


class Kind(NamedTuple):
    """A type of things.

    Attributes:
        name: of the type.
        noun: by which the network knows it.
        size_m: width, depth and height of one such thing, whose front is a long side.
        portable: whether the arm may lift one.
        shape: class within which sizes are compared.
        on: heights, as shares of its own, at which things lie on it.
        inside: the same for things in it.
        handles: where it is pulled open: shares of its width, its depth from the front, and its height.
    """

    name: str
    noun: str
    size_m: Point
    portable: bool
    shape: ShapeClass | None
    on: tuple[float, ...]
    inside: tuple[float, ...]
    handles: tuple[Point, ...]


@cache
def kinds() -> tuple[Kind, ...]:
    """Returns the types whose names the network has read in training."""
    rows: dict[str, dict[str, Any]] = json.loads(FILE.read_text())
    return tuple(_kind(name, row) for name, row in rows.items() if name not in UNCOMMON and name in catalogue())


def _kind(name: str, row: dict[str, Any]) -> Kind:
    known = catalogue()[name]
    return Kind(
        name=name,
        noun=known.noun,
        size_m=tuple(row["size_m"]),
        portable=bool(row["portable"]),
        shape=known.shape,
        on=tuple(row.get("on", ())),
        inside=tuple(row.get("in", ())),
        handles=tuple(tuple(handle) for handle in row.get("handles", ())),
    )


@cache
def largest_m() -> npt.NDArray[np.float64]:
    """Returns the longest side, along the floor, and the height of one thing of each type."""
    found = np.array([(max(kind.size_m[0], kind.size_m[1]), kind.size_m[2]) for kind in kinds()])
    return found


COLOUR_WORDS = tuple(COLOURS)
MATERIAL_WORDS = tuple(name for name in ADJECTIVES if name not in ("foam", "wax"))
"""Materials that the network's training said."""
ROOM_TYPES = tuple(ROOMS)


def look_sentences(noun: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is asked of a thing's colours and materials."""
    colours = tuple(f"{word} {noun}" for word in COLOUR_WORDS)
    return colours, tuple(f"{ADJECTIVES[name]} {noun}" for name in MATERIAL_WORDS)


def room_sentences() -> tuple[str, ...]:
    """What is asked of a place's room."""
    return tuple(f"thing in the {word}" for word in ROOMS.values())
