"""Object types: a name, what it is, where it goes, and the function that builds one."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from pentathlon.core.errors import UnknownIdError
from pentathlon.worlds.houses.assets.asset import Asset, Part
from pentathlon.worlds.houses.assets.finishing import finished
from pentathlon.worlds.modelling.mesh import merge

Placement = Literal["small", "free", "against_wall", "on_wall", "ceiling"]
ShapeClass = Literal["cube", "flat", "long"]
Category = Literal[
    "appliance", "bathroom", "container", "decor", "electronics", "fixture", "food", "furniture", "lighting",
    "sport", "stationery", "tableware", "textile", "tool", "toy",
]  # fmt: skip
Room = Literal["Kitchen", "LivingRoom", "Bedroom", "Bathroom"]
ALL_ROOMS: tuple[Room, ...] = ("Kitchen", "LivingRoom", "Bedroom", "Bathroom")


@dataclass(frozen=True)
class ObjectType:
    """A kind of object that a house may hold.

    Attributes:
        name: In AI2-THOR's style, such as "FloorLamp".
        category: The family it belongs to in tables.
        description: One line saying what it looks like.
        placement: Whether it stands on things ("small"), on the floor, against or on a wall, or hangs from the ceiling.
        rooms: Rooms where it belongs.
        shape: The class within which sizes are compared ("cube", "flat" or "long"), if any.
        noun: What people call it.
        builder: Function of a random generator and optional keyword parameters.
    """

    name: str
    category: Category
    description: str
    placement: Placement
    rooms: tuple[Room, ...]
    shape: ShapeClass | None
    noun: str
    builder: Callable[..., Asset]

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of the keyword parameters that `build` accepts."""
        kinds = inspect.signature(self.builder).parameters.values()
        return tuple(kind.name for kind in kinds if kind.kind is kind.KEYWORD_ONLY)

    def build(self, rng: np.random.Generator, **parameters: object) -> Asset:
        """Build one object; what the parameters leave open is drawn from the generator."""
        for name in parameters:
            if name not in self.parameters:
                raise UnknownIdError(f"parameter of {self.name}", name, self.parameters)
        asset = finished(self.builder(rng, **parameters), self.category, rng)
        piece = None if asset.piece is None else finished(asset.piece, self.category, rng)
        piece = None if piece is None else replace(piece, type_name=f"{self.name}Sliced", parts=_joined(piece.parts))
        return replace(asset, type_name=self.name, piece=piece, parts=_joined(asset.parts))


def _joined(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Merge parts that always look and move alike, so that a model holds few geoms."""
    alike: dict[tuple[object, ...], list[Part]] = {}
    for part in parts:
        alike.setdefault((part.look.key, part.joint, part.when, part.fill), []).append(part)
    return tuple(replace(group[0], mesh=merge([part.mesh for part in group])) for group in alike.values())


def object_type(
    name: str,
    category: Category,
    description: str,
    placement: Placement = "small",
    rooms: tuple[Room, ...] = ALL_ROOMS,
    *,
    shape: ShapeClass | None = None,
    noun: str | None = None,
) -> Callable[[Callable[..., Asset]], ObjectType]:
    """Turn a builder function into an object type; the catalogue finds it in its module."""

    def wrap(builder: Callable[..., Asset]) -> ObjectType:
        words = noun if noun is not None else " ".join(re.findall("[A-Z]+(?![a-z])|[A-Z][a-z0-9]*", name)).lower()
        return ObjectType(name, category, description, placement, rooms, shape, words, builder)

    return wrap
