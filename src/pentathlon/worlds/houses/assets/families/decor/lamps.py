"""Lamps."""

from __future__ import annotations

import numpy as np

from pentathlon.worlds.houses.assets.assembly import post
from pentathlon.worlds.houses.assets.asset import Asset, Collider, Emitter, Part
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import fillet
from pentathlon.worlds.modelling.materials import look, wood
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.shapes import cylinder, lathe, sphere
from pentathlon.worlds.modelling.sweeps import sweep

WARM = Colour("white", (1.0, 0.80, 0.54))


def shade(low_radius: float, high_radius: float, height: float) -> Mesh:
    """An open lampshade standing on z = 0, with thin rims."""
    wall = 0.003
    outside = [(low_radius, 0.0), (high_radius, height)]
    inside = [(high_radius - wall, height), (low_radius - wall, 0.0)]
    return lathe([*outside, *inside, outside[0]], 32)


def _tripod(height: float) -> Mesh:
    feet = [(0.24 * np.cos(a), 0.24 * np.sin(a)) for a in np.radians((90, 210, 330))]
    return merge([post((x, y), (0.125 * x, 0.125 * y), height, 0.011, 0.015) for x, y in feet])


@object_type(
    "FloorLamp", "lighting", "a tall lamp with a shade on a stand", "free", ("LivingRoom", "Bedroom"), shape="long"
)
def floor_lamp(rng: np.random.Generator, *, colour: str | None = None, stand: str | None = None) -> Asset:
    """A floor lamp on a metal pole or a wooden tripod."""
    kind = stand if stand is not None else ("pole", "tripod")[int(rng.integers(2))]
    height, drop = rng.uniform(1.45, 1.65), rng.uniform(0.24, 0.32)
    low, high = rng.uniform(0.18, 0.23), rng.uniform(0.12, 0.17)
    neck = height - drop - 0.03
    cloth = look("fabric", pick_colour(rng, colour, "cream", "white", "beige", "grey", "teal"), rng)
    metal = look("metal", pick_colour(rng, None, "gold", "black", "silver", "bronze"), rng)
    foot = fillet(
        [(0, 0), (0.145, 0), (0.145, 0.014), (0.05, 0.030), (0.014, 0.045), (0, 0.045)],
        (0, 0.004, 0.008, 0.02, 0.01, 0),
    )
    stem = cylinder(0.011, neck + 0.12 - 0.03, segments=14).moved(z=(neck + 0.12 + 0.03) / 2)
    if kind == "tripod":
        stem = cylinder(0.011, 0.16, segments=14).moved(z=neck + 0.04)
        base = Part(_tripod(neck + 0.02), wood(rng))
        hub = Part(merge([stem, cylinder(0.042, 0.03, bevel_m=0.006).moved(z=neck + 0.02)]), metal)
    else:
        base = Part(lathe(foot, 32), metal)
        hub = Part(stem, metal, fill=0.3)
    screen = shade(low, high, drop).moved(z=height - drop)
    spokes = [
        sweep([(0, 0, neck + 0.11), (high * c, high * s, height - 0.02)], 0.0025, sides=6)
        for c, s in ((1, 0), (-0.5, 0.87), (-0.5, -0.87))
    ]
    bulb = sphere(0.034, 16).scaled(1, 1, 1.25).moved(z=neck + 0.15)
    glow = Colour(
        cloth.colour.name, tuple(np.minimum(1.0, np.array(cloth.colour.rgb) * 0.3 + np.array(WARM.rgb) * 0.7).tolist())
    )
    return Asset(
        parts=(
            base,
            hub,
            Part(merge(spokes), metal),
            Part(screen, cloth, when="off"),
            Part(screen, cloth.tinted(glow).glowing(0.75), when="on"),
            Part(
                bulb,
                look("glass", "white", texture="").tinted(Colour("white", (0.93, 0.92, 0.88))),
                when="off",
                fill=0.1,
            ),
            Part(bulb, look("plastic", WARM, emission=1.0), when="on"),
        ),
        colliders=(
            Collider("cylinder", (0, 0, 0.02), (0.30, 0.30, 0.04)),
            Collider("cylinder", (0, 0, neck / 2), (0.05, 0.05, neck)),
            Collider("cylinder", (0, 0, height - drop / 2), (2 * low, 2 * low, drop)),
        ),
        emitters=(Emitter("bulb", (0, 0, neck + 0.15)),),
    )
