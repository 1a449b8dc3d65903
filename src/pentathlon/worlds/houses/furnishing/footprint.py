"""The room that an asset takes up and what it carries, without its meshes and textures: what the furnisher needs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Collider, Receptacle, scaled_point
from pentathlon.worlds.houses.assets.catalogue import STORE as ASSETS
from pentathlon.worlds.houses.assets.catalogue import catalogue, variant
from pentathlon.worlds.houses.assets.types import ObjectType, Placement
from pentathlon.worlds.houses.furnishing.footprint_store import RecordStore
from pentathlon.worlds.houses.furnishing.steadiness import stands_still
from pentathlon.worlds.houses.furnishing.sweep import passed_through
from pentathlon.worlds.houses.plan.polygons import Rect
from pentathlon.worlds.modelling.mesh import Floats, rotation

VARIANTS_PER_TYPE = 12
SHARDS_M = 0.012


class Solid(NamedTuple):
    """An upright box around one collider, in the asset's or the house's frame."""

    rect: Rect
    bottom: float
    top: float


@dataclass(frozen=True)
class Footprint:
    """An asset seen from the furnisher's side, joints closed.

    Attributes:
        low_m: lower corner of the bounds of all that shows or collides.
        high_m: upper corner of those bounds.
        solids: what it collides with.
        abilities: what can be done with it.
        opening: what its doors, drawers and lids pass through outside of the bounds when they open.
        shards: bounds on the floor of its pieces when it is broken; ``None`` for what does not break.
        steady: whether it stays where it is put.
    """

    type_name: str
    low_m: tuple[float, float, float]
    high_m: tuple[float, float, float]
    solids: tuple[Solid, ...]
    receptacles: tuple[Receptacle, ...]
    pickupable: bool
    emits_light: bool
    abilities: frozenset[str] = frozenset()
    opening: tuple[Solid, ...] = ()
    shards: Rect | None = None
    steady: bool = True

    @property
    def type(self) -> ObjectType:
        """Its object type."""
        return catalogue()[self.type_name]

    @property
    def placement(self) -> Placement:
        """Where it goes."""
        return self.type.placement

    @property
    def left_on(self) -> bool:
        """Whether people leave it switched on: lamps and screens, but no microwave or stove."""
        return self.emits_light and self.type.category != "appliance"

    @property
    def rect(self) -> Rect:
        """Bounds on the floor, in the asset's frame."""
        return Rect(self.low_m[0], self.low_m[1], self.high_m[0], self.high_m[1])

    @property
    def height_m(self) -> float:
        """Top of the bounds above the asset's origin."""
        return self.high_m[2]


STORE: RecordStore[Footprint] = RecordStore(Footprint)


@contextmanager
def passing_variants() -> Iterator[None]:
    """Keeps nothing on disk of the variants that are built meanwhile: for those who go through thousands once."""
    with ASSETS.unkept(), STORE.unkept():
        yield


def known(type_name: str) -> bool:
    """Tells whether the catalogue has the type."""
    return type_name in catalogue()


@cache
def footprint(type_name: str, seed: int) -> Footprint:
    """Returns the footprint of one variant of a type."""
    name = f"{type_name}-{seed}"
    stored = STORE.get(name)
    if stored is None:
        stored = footprint_of(variant(type_name, seed))
        STORE.put(name, stored)
    return stored


def footprint_of(asset: Asset) -> Footprint:
    """Returns the footprint of a built asset."""
    solids = tuple(_solid(collider) for collider in asset.colliders)
    low = np.minimum(asset.bounds_m[0], np.min([(s.rect.x0, s.rect.y0, s.bottom) for s in solids], axis=0))
    high = np.maximum(asset.bounds_m[1], np.max([(s.rect.x1, s.rect.y1, s.top) for s in solids], axis=0))
    return Footprint(
        type_name=asset.type_name,
        low_m=(float(low[0]), float(low[1]), float(low[2])),
        high_m=(float(high[0]), float(high[1]), float(high[2])),
        solids=solids,
        receptacles=tuple(_plain(receptacle) for receptacle in asset.receptacles),
        pickupable="pickupable" in asset.abilities,
        emits_light=bool(asset.emitters),
        abilities=frozenset(asset.abilities),
        opening=tuple(_box(*corners) for corners in passed_through(asset, low, high)),
        shards=_shards(asset),
        steady="pickupable" not in asset.abilities or stands_still(asset),
    )


def in_pieces(view: Footprint) -> Footprint:
    """Returns the footprint of the same asset broken: shards that lie flat; itself if it does not break."""
    if view.shards is None:
        return view
    flat = Solid(view.shards, 0.0, SHARDS_M)
    low, high = (view.shards.x0, view.shards.y0, 0.0), (view.shards.x1, view.shards.y1, SHARDS_M)
    return replace(view, low_m=low, high_m=high, solids=(flat,), opening=(), receptacles=())


def resized(view: Footprint, factors: tuple[float, float, float]) -> Footprint:
    """Returns the footprint of the same asset at another size."""
    fx, fy, fz = factors

    def solid(item: Solid) -> Solid:
        rect = item.rect
        return Solid(Rect(rect.x0 * fx, rect.y0 * fy, rect.x1 * fx, rect.y1 * fy), item.bottom * fz, item.top * fz)

    return replace(
        view,
        low_m=scaled_point(view.low_m, factors),
        high_m=scaled_point(view.high_m, factors),
        solids=tuple(map(solid, view.solids)),
        opening=tuple(map(solid, view.opening)),
        receptacles=tuple(item.scaled(factors) for item in view.receptacles),
    )


def _shards(asset: Asset) -> Rect | None:
    for part in asset.parts:
        if part.when == "broken":
            return _box(*part.mesh.bounds_m).rect
    return None


def turned(rect: Rect, yaw_deg: float, x: float = 0.0, y: float = 0.0) -> Rect:
    """Returns the bounds of a rectangle after turning it about the origin and moving the origin to (x, y)."""
    cosine, sine = math.cos(math.radians(yaw_deg)), math.sin(math.radians(yaw_deg))
    px, py = (rect.x0 + rect.x1) / 2, (rect.y0 + rect.y1) / 2
    half_x, half_y = (rect.x1 - rect.x0) / 2, (rect.y1 - rect.y0) / 2
    wide, deep = abs(cosine) * half_x + abs(sine) * half_y, abs(sine) * half_x + abs(cosine) * half_y
    x, y = x + cosine * px - sine * py, y + sine * px + cosine * py
    return Rect(x - wide, y - deep, x + wide, y + deep)


def moved(point: tuple[float, float], yaw_deg: float, x: float, y: float) -> tuple[float, float]:
    """Turns a point of the asset's frame and moves it into the house's."""
    cosine, sine = math.cos(math.radians(yaw_deg)), math.sin(math.radians(yaw_deg))
    return x + cosine * point[0] - sine * point[1], y + sine * point[0] + cosine * point[1]


def _plain(receptacle: Receptacle) -> Receptacle:
    """The same with plain floats in place of numpy's, which files cannot hold."""
    x, y, z = (float(value) for value in receptacle.centre_m)
    width, depth = (float(value) for value in receptacle.size_m)
    return replace(receptacle, centre_m=(x, y, z), size_m=(width, depth), clearance_m=float(receptacle.clearance_m))


def _solid(collider: Collider) -> Solid:
    if collider.kind == "hull":
        assert collider.mesh is not None
        low, high = collider.mesh.bounds_m
    else:
        turn = (
            rotation("x", collider.angle_deg[0])
            @ rotation("y", collider.angle_deg[1])
            @ rotation("z", collider.angle_deg[2])
        )
        half = np.abs(turn) @ (np.array(collider.size_m) / 2)
        low, high = np.array(collider.centre_m) - half, np.array(collider.centre_m) + half
    return _box(low, high)


def _box(low: Floats, high: Floats) -> Solid:
    return Solid(Rect(float(low[0]), float(low[1]), float(high[0]), float(high[1])), float(low[2]), float(high[2]))
