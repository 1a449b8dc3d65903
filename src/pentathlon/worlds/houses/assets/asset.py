"""One built object: its parts, colliders, joints, receptacles and lights.

Frame of every asset: metres, z up, the floor (or supporting surface) at z = 0 under the middle of the footprint,
the front towards -y. Wall-mounted things have their back at y = 0 and their middle at z = 0; ceiling-mounted
things hang down from z = 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from pentathlon.core.errors import UsageError
from pentathlon.worlds.houses.house import State, When
from pentathlon.worlds.modelling.materials import Look
from pentathlon.worlds.modelling.mesh import Floats, Mesh

Point = tuple[float, float, float]
Ability = Literal[
    "pickupable", "openable", "toggleable", "sliceable", "dirtyable", "heatable", "coolable", "fillable",
    "breakable", "heats", "cools", "cleans", "cuts",
]  # fmt: skip
SALIENT_SHARE = 0.2


PLAIN = State()


def scaled_point(point: Point, factors: Point) -> Point:
    """Return a point of an asset of another width, depth and height."""
    return point[0] * factors[0], point[1] * factors[1], point[2] * factors[2]


@dataclass(frozen=True, eq=False)
class Part:
    """One visible mesh with one surface.

    Attributes:
        mesh: In the asset's frame, joints closed.
        look: Its surface.
        joint: Name of the joint that it moves with; empty for the fixed body.
        when: The condition under which it shows.
        fill: Share of the mesh's volume that is solid matter; cupboards and appliances are mostly air.
    """

    mesh: Mesh
    look: Look
    joint: str = ""
    when: When = "always"
    fill: float = 1.0

    @property
    def mass_kg(self) -> float:
        """Mass of the part."""
        return abs(self.mesh.volume_m3) * self.look.material.density_kg_m3 * self.fill


@dataclass(frozen=True)
class Joint:
    """A hinge or slide between the fixed body and some parts; 0 is closed.

    Attributes:
        name: Unique within the asset, such as "door" or "drawer_2".
        kind: hinge (radians) or slide (metres).
        axis: Unit direction; positive positions open.
        anchor_m: A point on the hinge's axis.
        reach: Position when fully open, in radians or metres.
        handle_m: Where a hand pulls, with the joint closed.
        leader: The joint together with which a hand moves it; empty for one that is moved by itself.
    """

    name: str
    kind: Literal["hinge", "slide"]
    axis: Point
    anchor_m: Point
    reach: float
    handle_m: Point
    leader: str = ""

    @classmethod
    def hinge(cls, name: str, axis: Point, anchor_m: Point, reach_deg: float, handle_m: Point) -> Joint:
        """Return a hinge whose reach is given in degrees."""
        return cls(name, "hinge", axis, anchor_m, math.radians(reach_deg), handle_m)

    def scaled(self, factors: Point) -> Joint:
        """Return it in an asset of another width, depth and height."""
        along = float(np.linalg.norm(np.array(self.axis) * np.array(factors)))
        return replace(
            self,
            anchor_m=scaled_point(self.anchor_m, factors),
            handle_m=scaled_point(self.handle_m, factors),
            reach=self.reach * (along if self.kind == "slide" else 1.0),
        )


@dataclass(frozen=True, eq=False)
class Collider:
    """A cheap solid for physics.

    Attributes:
        kind: box (size is full extents), cylinder (diameter, diameter, height), sphere (diameter x 3) or hull.
        centre_m: Middle of the solid.
        size_m: Full extents.
        joint: As in Part.
        angle_deg: Turn of the solid about its own x, y and z axes, in that order.
        mesh: Points whose convex hull collides, for kind hull.
    """

    kind: Literal["box", "cylinder", "sphere", "hull"]
    centre_m: Point = (0.0, 0.0, 0.0)
    size_m: Point = (0.0, 0.0, 0.0)
    joint: str = ""
    angle_deg: Point = (0.0, 0.0, 0.0)
    mesh: Mesh | None = None


@dataclass(frozen=True)
class Receptacle:
    """A level rectangle that other things stand on or in.

    Attributes:
        name: Unique within the asset, such as "top" or "shelf_1".
        relation: Whether things are "on" or "in" the asset there.
        centre_m: Middle of the rectangle, at the height of its surface.
        size_m: Width (x) and depth (y).
        clearance_m: Free height above it.
        door: Joint that must be open to reach it; empty if always open.
        joint: Joint that it moves with (drawers); empty for the fixed body.
    """

    name: str
    relation: Literal["on", "in"]
    centre_m: Point
    size_m: tuple[float, float]
    clearance_m: float
    door: str = ""
    joint: str = ""

    def scaled(self, factors: Point) -> Receptacle:
        """Return it in an asset of another width, depth and height."""
        return replace(
            self,
            centre_m=scaled_point(self.centre_m, factors),
            size_m=(self.size_m[0] * factors[0], self.size_m[1] * factors[1]),
            clearance_m=self.clearance_m * factors[2],
        )


@dataclass(frozen=True)
class Emitter:
    """A light source that shines while the asset is on.

    Attributes:
        name: Unique within the asset.
        position_m: Where it is.
        rgb: Diffuse light, 0..1.
        direction: Where a spot points.
        cutoff_deg: Half-angle of the spot; 180 shines all around.
        attenuation: Constant, linear and quadratic fall-off with metres.
        joint: As in Part.
    """

    name: str
    position_m: Point
    rgb: Point = (0.55, 0.47, 0.34)
    direction: Point = (0.0, 0.0, -1.0)
    cutoff_deg: float = 180.0
    attenuation: Point = (1.0, 0.25, 0.25)
    joint: str = ""

    def scaled(self, factors: Point) -> Emitter:
        """Return it in an asset of another width, depth and height; it shines as before."""
        return replace(self, position_m=scaled_point(self.position_m, factors))


@dataclass(frozen=True, eq=False)
class Asset:
    """One built object: shape, matter, joints, and what can be done with it.

    Attributes:
        parts: What is seen.
        colliders: What is touched.
        joints: What opens.
        receptacles: What holds other things.
        emitters: What shines while on.
        declared: Abilities that do not follow from the parts ("pickupable", "heats"...).
        piece: One slice as an object of its own, for sliceable things.
        given_mass_kg: Mass that replaces the sum over parts, where parts only show an outside.
        given_colours: Salient colours that replace those of the largest parts (for pictures and patterns).
        given_materials: Salient materials that replace those of the largest parts.
        type_name: Its object type; `ObjectType.build` fills it in.
    """

    parts: tuple[Part, ...]
    colliders: tuple[Collider, ...]
    joints: tuple[Joint, ...] = ()
    receptacles: tuple[Receptacle, ...] = ()
    emitters: tuple[Emitter, ...] = ()
    declared: frozenset[Ability] = frozenset()
    piece: Asset | None = None
    given_mass_kg: float | None = None
    given_colours: tuple[str, ...] = ()
    given_materials: tuple[str, ...] = ()
    type_name: str = ""

    def __post_init__(self) -> None:
        if not self.parts or not self.colliders:
            raise UsageError(
                f"{self.type_name}: an asset needs parts and colliders, got {len(self.parts)}, {len(self.colliders)}."
            )
        known = {"", *(joint.name for joint in self.joints)}
        riders: Iterable[Part | Collider | Receptacle | Emitter] = (
            *self.parts, *self.colliders, *self.receptacles, *self.emitters,
        )  # fmt: skip
        used = {rider.joint for rider in riders} | {receptacle.door for receptacle in self.receptacles}
        if not used <= known:
            raise UsageError(
                f"{self.type_name}: unknown joints {sorted(used - known)}; it declares {sorted(known - {''})}."
            )

        still = known - {part.joint for part in self.parts}
        if still:
            raise UsageError(f"{self.type_name}: each joint and the fixed body need a part; {sorted(still)} have none.")

    @cached_property
    def bounds_m(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds of what shows in the plain state, joints closed."""
        shown = [part.mesh.bounds_m for part in self.parts if PLAIN.shows(part.when)]
        return np.min([low for low, _ in shown], axis=0), np.max([high for _, high in shown], axis=0)

    @property
    def size_m(self) -> Floats:
        """Width (x), depth (y) and height (z)."""
        low, high = self.bounds_m
        return high - low

    @cached_property
    def mass_kg(self) -> float:
        """Mass of the object in its plain state."""
        if self.given_mass_kg is not None:
            return self.given_mass_kg
        return sum(part.mass_kg for part in self.parts if PLAIN.shows(part.when))

    @cached_property
    def colours(self) -> tuple[str, ...]:
        """Salient colours for language, most salient first."""
        return self.given_colours or self._salient(lambda surface: surface.colour.name)

    @cached_property
    def materials(self) -> tuple[str, ...]:
        """Salient materials for language, most salient first."""
        return self.given_materials or self._salient(lambda surface: surface.material.name)

    def _salient(self, name_of: Callable[[Look], str]) -> tuple[str, ...]:
        areas: dict[str, float] = {}
        for part in self.parts:
            if PLAIN.shows(part.when):
                name = name_of(part.look)
                areas[name] = areas.get(name, 0.0) + part.mesh.area_m2
        ranked = sorted(areas, key=lambda name: -areas[name])
        total = sum(areas.values())
        return tuple(name for name in ranked if areas[name] >= SALIENT_SHARE * total)

    @cached_property
    def abilities(self) -> frozenset[Ability]:
        """Everything that can be done with it: what is declared and what its parts show."""
        conditions = {part.when for part in self.parts} | ({"on"} if self.emitters else set())
        follows: dict[Ability, bool] = {
            "openable": bool(self.joints),
            "toggleable": "on" in conditions,
            "sliceable": "sliced" in conditions,
            "dirtyable": "dirty" in conditions,
            "fillable": "filled" in conditions,
            "breakable": "broken" in conditions,
        }
        return self.declared | {ability for ability, holds in follows.items() if holds}

    def joint(self, name: str) -> Joint:
        """Return the named joint."""
        return next(joint for joint in self.joints if joint.name == name)

    def scaled(self, factor: float) -> Asset:
        """Return the asset at another size, uniformly, with mass following the volume."""
        factors = (factor, factor, factor)
        return replace(
            self,
            parts=tuple(replace(part, mesh=part.mesh.scaled(factor)) for part in self.parts),
            colliders=tuple(
                replace(
                    item,
                    centre_m=scaled_point(item.centre_m, factors),
                    size_m=scaled_point(item.size_m, factors),
                    mesh=None if item.mesh is None else item.mesh.scaled(factor),
                )
                for item in self.colliders
            ),
            joints=tuple(item.scaled(factors) for item in self.joints),
            receptacles=tuple(item.scaled(factors) for item in self.receptacles),
            emitters=tuple(item.scaled(factors) for item in self.emitters),
            piece=None if self.piece is None else self.piece.scaled(factor),
            given_mass_kg=None if self.given_mass_kg is None else self.given_mass_kg * factor**3,
        )

    def with_mass(self, mass_kg: float) -> Asset:
        """Return the asset with another mass."""
        return replace(self, given_mass_kg=mass_kg)
