"""Fridges."""

from __future__ import annotations

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Collider, Joint, Part, Receptacle
from pentathlon.worlds.houses.assets.families.furniture.drawers import tray
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import pick_colour
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.shapes import box, rounded_box
from pentathlon.worlds.modelling.sweeps import handle

WALL_M = 0.045
DOOR_M = 0.055


def _shell(width: float, depth: float, low: float, high: float) -> list[Mesh]:
    """Walls, floor and roof of one compartment, open to the front."""
    middle, tall = (low + high) / 2, high - low
    return [
        box((width, WALL_M, tall)).moved(0, depth / 2 - WALL_M / 2, middle),
        *(box((WALL_M, depth - WALL_M, tall)).moved(s * (width - WALL_M) / 2, -WALL_M / 2, middle) for s in (-1, 1)),
        *(
            box((width - 2 * WALL_M, depth - WALL_M, WALL_M)).moved(0, -WALL_M / 2, z)
            for z in (low + WALL_M / 2, high - WALL_M / 2)
        ),
    ]


def _bin(width: float, y: float, z: float) -> Mesh:
    """A rack on the inside of a door."""
    return tray(width, 0.09, 0.075, 0.006).moved(0, y, z)


@object_type("Fridge", "appliance", "a refrigerator with a freezer and shelves inside", "against_wall", ("Kitchen",))
def fridge(rng: np.random.Generator, *, colour: str | None = None, freezer: str | None = None) -> Asset:
    """A fridge with the freezer above or below, two hinged doors, glass shelves and a crisper."""
    width, height = rng.uniform(0.62, 0.76), rng.uniform(1.65, 1.82)
    depth = rng.uniform(0.56, 0.62)
    tint = pick_colour(rng, colour, "silver", "white", "silver", "black", "cream", "red", "teal")
    coat = look("metal", tint, rng) if tint.name in ("silver", "black") else look("metal", tint, texture="")
    white, glass = look("plastic", "white"), look("glass", "silver")
    bar = look("metal", "grey" if tint.name == "silver" else "silver", rng)
    place = freezer if freezer is not None else ("above", "below")[int(rng.integers(2))]
    foot, share = 0.05, rng.uniform(0.30, 0.36)
    split = height - share * (height - foot) if place == "above" else foot + share * (height - foot)
    cold, frost = ((foot, split), (split, height)) if place == "above" else ((split, height), (foot, split))
    left_hinge = rng.random() < 0.5
    side = -1.0 if left_hinge else 1.0
    front = -depth / 2
    parts = [
        Part(
            merge(
                [
                    *_shell(width - 0.004, depth - 0.004, foot, split),
                    *_shell(width - 0.004, depth - 0.004, split, height),
                ]
            ),
            white,
            fill=0.05,
        ),
        Part(merge(_wrap(width, depth, foot, height)), coat, fill=0.4),
        Part(box((width - 0.06, depth - 0.08, foot)).moved(0, 0.02, foot / 2), look("plastic", "black"), fill=0.1),
    ]
    colliders = [
        Collider("box", (0, depth / 2 - WALL_M / 2, height / 2), (width, WALL_M, height)),
        *(Collider("box", (s * (width - WALL_M) / 2, 0, height / 2), (WALL_M, depth, height)) for s in (-1, 1)),
        *(Collider("box", (0, 0, z), (width, depth, WALL_M)) for z in (foot + WALL_M / 2, split, height - WALL_M / 2)),
    ]
    joints, receptacles = [], [Receptacle("top", "on", (0, 0.02, height), (width - 0.1, depth - 0.12), 0.4)]
    inner_w, inner_d = width - 2 * WALL_M - 0.01, depth - WALL_M - 0.06
    for name, (low, high), count in (("door", cold, 4), ("freezer_door", frost, 2)):
        levels = np.linspace(low + WALL_M, high - WALL_M, count + 1)
        for i in range(count):
            if i:
                parts.append(Part(box((inner_w, inner_d, 0.006)).moved(0, -0.005, levels[i] - 0.003), glass))
                colliders.append(Collider("box", (0, -0.005, levels[i] - 0.003), (inner_w, inner_d, 0.006)))
            free = float(levels[i + 1] - levels[i]) - 0.02
            receptacles.append(
                Receptacle(
                    f"{name}_shelf_{i}",
                    "in",
                    (0, -0.005, float(levels[i])),
                    (inner_w - 0.06, inner_d - 0.06),
                    free,
                    door=name,
                )
            )
        tall, middle, y = high - low - 0.008, (low + high) / 2, front - DOOR_M / 2 - 0.004
        grip_z = high - 0.30 * tall if low == foot else low + 0.30 * tall
        grip = (
            handle(min(0.42, tall * 0.55), 0.045, 0.010)
            .turned("y", 90)
            .moved(-side * (width / 2 - 0.05), y - DOOR_M / 2, grip_z)
        )
        racks = [_bin(width - 2 * WALL_M - 0.06, front + 0.048, z) for z in np.arange(low + 0.10, high - 0.25, 0.30)]
        parts += [
            Part(rounded_box((width, DOOR_M, tall), 0.014).moved(0, y, middle), coat, joint=name, fill=0.1),
            Part(
                merge([box((width - 0.09, 0.012, tall - 0.09)).moved(0, front - 0.001, middle), *racks]),
                white,
                joint=name,
                fill=0.5,
            ),
            Part(grip, bar, joint=name),
        ]
        colliders.append(Collider("box", (0, y, middle), (width, DOOR_M, tall), joint=name))
        joints.append(
            Joint.hinge(
                name, (0, 0, side), (side * width / 2, y, middle), 120, (-side * (width / 2 - 0.05), y - 0.07, grip_z)
            )
        )
    crisper = tray(inner_w - 0.02, inner_d - 0.06, 0.15, 0.006).moved(0, -0.02, cold[0] + WALL_M + 0.001)
    parts.append(Part(crisper, look("glass", "white")))
    return Asset(
        tuple(parts),
        tuple(colliders),
        tuple(joints),
        tuple(receptacles),
        declared=frozenset({"cools"}),
        given_mass_kg=110.0 * width * depth * height,
        given_colours=(tint.name,),
        given_materials=("metal",),
    )


def _wrap(width: float, depth: float, foot: float, height: float) -> list[Mesh]:
    """The painted outside: two sides, a roof and a back, 2 mm thick."""
    tall = height - foot
    return [
        *(box((0.002, depth, tall)).moved(s * (width / 2), 0, (height + foot) / 2) for s in (-1, 1)),
        box((width, depth, 0.002)).moved(z=height),
        box((width, 0.002, tall)).moved(0, depth / 2, (height + foot) / 2),
    ]
