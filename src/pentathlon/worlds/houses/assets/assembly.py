"""A workbench where furniture is put together: boards, legs, doors and drawers, seen and touched alike."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from pentathlon.worlds.houses.assets.asset import (
    Ability,
    Asset,
    Collider,
    Emitter,
    Joint,
    Part,
    Point,
    Receptacle,
)
from pentathlon.worlds.houses.house import When
from pentathlon.worlds.modelling.colours import pick_colour
from pentathlon.worlds.modelling.curves import ellipse
from pentathlon.worlds.modelling.materials import Look, look, wood
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.shapes import box, lathe, rounded_box
from pentathlon.worlds.modelling.sweeps import handle, loft

Size = tuple[float, float, float]
Span = tuple[float, float]
Front = Literal["plain", "shaker", "glass", "louvre"]
BOARD_M = 0.018
LEAF_M = 0.020


def corners(width_m: float, depth_m: float) -> list[tuple[float, float]]:
    """The four corners of a rectangle about the origin."""
    return [(x * width_m / 2, y * depth_m / 2) for x in (-1, 1) for y in (-1, 1)]


def timber(rng: np.random.Generator, colour: str | None, *painted: str) -> Look:
    """A wooden surface: of the wanted colour, else bare wood or one of the paints."""
    if colour is not None:
        return look("wood", pick_colour(rng, colour), rng)
    if painted and rng.random() < len(painted) / (len(painted) + 4):
        return look("wood", pick_colour(rng, None, *painted), texture="")
    return wood(rng)


def trim(rng: np.random.Generator) -> Look:
    """The metal of handles and feet."""
    return look("metal", pick_colour(rng, None, "silver", "black", "gold", "bronze"), rng)


def pick(rng: np.random.Generator, *choices: str) -> str:
    """One of the names."""
    return choices[int(rng.integers(len(choices)))]


def post(foot: Span, top: Span, height_m: float, foot_r: float, top_r: float, sides: int = 10) -> Mesh:
    """A leg from a foot on z = 0 to a top at the height, slanted as they lie, with level ends."""
    turn = 45.0 if sides == 4 else 0.0
    ring = ellipse(2.0, 2.0, sides) @ _turn(turn)
    ends = ((foot, foot_r, 0.0), (top, top_r, height_m))
    return loft(
        [np.column_stack([ring * r + at, np.full(sides, z)]) for at, r, z in ends], crease_deg=60 if sides > 5 else 30
    )


def _turn(angle_deg: float) -> np.ndarray:
    c, s = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    return np.array([[c, s], [-s, c]])


def knob(radius_m: float = 0.016) -> Mesh:
    """A round knob on a surface at y = 0, reaching to the front."""
    profile = [(0, 0), (0.45, 0), (0.38, 0.75), (1.0, 1.25), (0.88, 1.75), (0, 1.95)]
    return lathe(np.array(profile) * radius_m, 14, crease_deg=50).turned("x", 90)


def leaf(width_m: float, height_m: float, front: Front = "plain", thickness_m: float = LEAF_M) -> Mesh:
    """A door or drawer front, centred, its front towards -y; a glass front is the frame alone."""
    if front == "plain":
        return rounded_box((width_m, thickness_m, height_m), 0.004, 1)
    rail = min(0.06, 0.22 * min(width_m, height_m))
    frame = [
        *(box((rail, thickness_m, height_m)).moved(s * (width_m - rail) / 2) for s in (-1, 1)),
        *(box((width_m - 2 * rail, thickness_m, rail)).moved(z=s * (height_m - rail) / 2) for s in (-1, 1)),
    ]
    inner_w, inner_h = width_m - 2 * rail, height_m - 2 * rail
    if front == "shaker":
        frame.append(box((inner_w, thickness_m * 0.5, inner_h)).moved(y=thickness_m * 0.2))
    if front == "louvre":
        count = max(3, round(inner_h / 0.045))
        slat = box((inner_w, 0.005, inner_h / count * 1.15)).turned("x", -28)
        frame += [slat.moved(z=(i - (count - 1) / 2) * inner_h / count) for i in range(count)]
    return merge(frame)


@dataclass
class Assembly:
    """What has been put together so far; `asset` finishes it."""

    parts: list[Part] = field(default_factory=list)
    colliders: list[Collider] = field(default_factory=list)
    joints: list[Joint] = field(default_factory=list)
    receptacles: list[Receptacle] = field(default_factory=list)
    emitters: list[Emitter] = field(default_factory=list)

    def show(self, mesh: Mesh, surface: Look, *, joint: str = "", when: When = "always", fill: float = 1.0) -> None:
        """Add something that is only seen."""
        self.parts.append(Part(mesh, surface, joint, when, fill))

    def touch(
        self,
        size_m: Size,
        at_m: Point,
        *,
        joint: str = "",
        kind: Literal["box", "cylinder", "sphere"] = "box",
        angle_deg: Point = (0.0, 0.0, 0.0),
    ) -> None:
        """Add something that is only touched."""
        self.colliders.append(Collider(kind, at_m, size_m, joint, angle_deg))

    def block(
        self, size_m: Size, at_m: Point, surface: Look, *, radius_m: float = 0.0, joint: str = "", fill: float = 1.0
    ) -> None:
        """Add a board or block that is seen and touched."""
        mesh = rounded_box(size_m, radius_m, 1 if radius_m < 0.012 else 2) if radius_m > 0 else box(size_m)
        self.show(mesh.moved(*at_m), surface, joint=joint, fill=fill)
        self.touch(size_m, at_m, joint=joint)

    def hold(
        self,
        name: str,
        relation: Literal["on", "in"],
        at_m: Point,
        size_m: Span,
        clearance_m: float,
        *,
        door: str = "",
        joint: str = "",
    ) -> None:
        """Add a place where things stand."""
        self.receptacles.append(Receptacle(name, relation, at_m, size_m, clearance_m, door, joint))

    def hold_behind(self, door: str, at_m: Point, size_m: Span, clearance_m: float) -> None:
        """Add a place inside that only its open door lets a hand reach."""
        self.hold(f"inside_{door}", "in", at_m, size_m, clearance_m, door=door)

    def legs(
        self,
        width_m: float,
        depth_m: float,
        height_m: float,
        surface: Look,
        *,
        style: str = "square",
        thickness_m: float = 0.04,
        inset_m: float = 0.0,
    ) -> None:
        """Add four legs under a rectangle: square, round, tapered or splayed."""
        half = thickness_m / 2
        for x, y in corners(width_m - 2 * inset_m - thickness_m, depth_m - 2 * inset_m - thickness_m):
            if style == "square":
                mesh = box((thickness_m, thickness_m, height_m)).moved(x, y, height_m / 2)
            elif style == "splayed":
                foot = (x + math.copysign(inset_m + 0.01, x), y + math.copysign(inset_m + 0.01, y))
                mesh = post(foot, (x, y), height_m, half * 0.55, half)
            else:
                mesh = post((x, y), (x, y), height_m, half * (0.55 if style == "tapered" else 1.0), half, 12)
            self.show(mesh, surface)
            self.touch((thickness_m, thickness_m, height_m), (x, y, height_m / 2))

    def case(
        self,
        width_m: float,
        depth_m: float,
        z: Span,
        surface: Look,
        *,
        x_m: float = 0.0,
        board_m: float = BOARD_M,
        inside: Look | None = None,
        roof: bool = True,
        fill: float = 1.0,
    ) -> None:
        """Add a box of boards about x, open to the front (and upwards, without a roof)."""
        low, high = z
        middle, tall = (low + high) / 2, high - low
        for side in (-1, 1):
            self.block((board_m, depth_m, tall), (x_m + side * (width_m - board_m) / 2, 0, middle), surface, fill=fill)
        for level in (low + board_m / 2, high - board_m / 2)[: 2 if roof else 1]:
            self.block((width_m - 2 * board_m, depth_m, board_m), (x_m, 0, level), surface, fill=fill)
        self.block(
            (width_m - 2 * board_m, 0.008, tall - 2 * board_m),
            (x_m, depth_m / 2 - 0.004, middle),
            inside or surface,
            fill=fill,
        )

    def door(
        self,
        name: str,
        x: Span,
        z: Span,
        front_y: float,
        surface: Look,
        metal: Look,
        *,
        side: int,
        front: Front = "plain",
        grip: Mesh | None = None,
        reach_deg: float = 110.0,
        fill: float = 1.0,
    ) -> None:
        """Add a hinged door before the plane y = front; it hangs on the left (side -1) or the right (1)."""
        width, height, y = x[1] - x[0] - 0.004, z[1] - z[0] - 0.004, front_y - LEAF_M / 2 - 0.001
        middle = ((x[0] + x[1]) / 2, y, (z[0] + z[1]) / 2)
        self.show(leaf(width, height, front).moved(*middle), surface, joint=name, fill=fill)
        if front == "glass":
            pane = box((width - 0.08, 0.004, height - 0.08)).moved(*middle)
            self.show(pane, look("glass", "silver"), joint=name)
        self.touch((width, LEAF_M, height), middle, joint=name)
        edge = x[1] if side > 0 else x[0]
        pull_x = (x[0] + 0.035) if side > 0 else (x[1] - 0.035)
        pull = (
            grip
            if grip is not None
            else handle(min(0.16, height * 0.5), 0.028, 0.005, steps=2, sides=6).turned("y", 90)
        )
        pull_at = (pull_x, y - LEAF_M / 2, middle[2])
        self.show(pull.moved(*pull_at), metal, joint=name)
        hand = (pull_x, y - LEAF_M / 2 - 0.03, middle[2])
        self.joints.append(Joint.hinge(name, (0, 0, side), (edge, y, middle[2]), reach_deg, hand))

    def drawer(
        self,
        name: str,
        x: Span,
        z: Span,
        depth_m: float,
        front_y: float,
        surface: Look,
        metal: Look,
        *,
        front: Front = "plain",
        grip: Mesh | None = None,
        inside: Look | None = None,
    ) -> None:
        """Add a sliding drawer whose face covers the opening in the plane y = front."""
        width, height, y = x[1] - x[0] - 0.004, z[1] - z[0] - 0.004, front_y - LEAF_M / 2 - 0.001
        middle = ((x[0] + x[1]) / 2, y, (z[0] + z[1]) / 2)
        self.show(leaf(width, height, front).moved(*middle), surface, joint=name)
        self.touch((width, LEAF_M, height), middle, joint=name)
        tray_w, tray_d, tray_h = width - 0.05, depth_m - 0.05, height * 0.65
        low, back_y = z[0] + 0.022, front_y + tray_d / 2
        tray = [
            box((tray_w, tray_d, 0.008)).moved(z=0.004),
            *(box((0.008, tray_d, tray_h)).moved(s * (tray_w / 2 - 0.004), 0, tray_h / 2 + 0.008) for s in (-1, 1)),
            box((tray_w - 0.016, 0.008, tray_h)).moved(0, tray_d / 2 - 0.004, tray_h / 2 + 0.008),
        ]
        self.show(merge(tray).moved(middle[0], back_y, low), inside or look("wood", "cream"), joint=name)
        self.touch((tray_w, tray_d, 0.008), (middle[0], back_y, low + 0.004), joint=name)
        pull = grip if grip is not None else handle(min(0.16, width * 0.4), 0.028, 0.005, steps=2, sides=6)
        self.show(pull.moved(middle[0], y - LEAF_M / 2, middle[2]), metal, joint=name)
        hand = (middle[0], y - LEAF_M / 2 - 0.03, middle[2])
        self.joints.append(Joint(name, "slide", (0, -1, 0), middle, tray_d * 0.8, hand))
        self.hold(
            name,
            "in",
            (middle[0], back_y, low + 0.008),
            (tray_w - 0.04, tray_d - 0.04),
            max(tray_h - 0.01, 0.03),
            door=name,
            joint=name,
        )

    def moved(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Assembly:
        """Return all of it shifted."""

        def shift(point: Point) -> Point:
            return (point[0] + x, point[1] + y, point[2] + z)

        return Assembly(
            [replace(item, mesh=item.mesh.moved(x, y, z)) for item in self.parts],
            [replace(item, centre_m=shift(item.centre_m)) for item in self.colliders],
            [replace(item, anchor_m=shift(item.anchor_m), handle_m=shift(item.handle_m)) for item in self.joints],
            [replace(item, centre_m=shift(item.centre_m)) for item in self.receptacles],
            [replace(item, position_m=shift(item.position_m)) for item in self.emitters],
        )

    def asset(
        self,
        *declared: Ability,
        mass_kg: float | None = None,
        colours: tuple[str, ...] = (),
        materials: tuple[str, ...] = (),
    ) -> Asset:
        """Return the finished object."""
        return Asset(
            tuple(self.parts),
            tuple(self.colliders),
            tuple(self.joints),
            tuple(self.receptacles),
            tuple(self.emitters),
            declared=frozenset(declared),
            given_mass_kg=mass_kg,
            given_colours=colours,
            given_materials=materials,
        )
