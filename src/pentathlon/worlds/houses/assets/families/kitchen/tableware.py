"""Tableware."""

from __future__ import annotations

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Collider, Part
from pentathlon.worlds.houses.assets.effects import soiled, steam
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import fillet, spline
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.mesh import merge
from pentathlon.worlds.modelling.shapes import cylinder, lathe
from pentathlon.worlds.modelling.sweeps import sweep

COFFEE = Colour("brown", (0.20, 0.11, 0.06))
MUG_COLOURS = ("white", "red", "blue", "teal", "yellow", "green", "black", "orange", "cream", "navy")


@object_type("Mug", "tableware", "a cup with a handle", rooms=("Kitchen", "LivingRoom", "Bedroom"), shape="cube")
def mug(rng: np.random.Generator, *, colour: str | None = None, material: str = "ceramic") -> Asset:
    """A mug: straight, flared or bellied, glazed in one colour, often pale inside."""
    height, radius = rng.uniform(0.085, 0.105), rng.uniform(0.037, 0.044)
    foot, belly = rng.uniform(0.80, 0.98), rng.uniform(0.98, 1.08)
    wall = 0.0035
    outside = [
        (foot * radius * 0.9, 0.0),
        (foot * radius, 0.002),
        (belly * radius, height * 0.45),
        (radius, height - 0.004),
    ]
    rim = [(radius - wall * 0.4, height), (radius - wall, height - 0.003)]
    inside = [(belly * radius - wall, height * 0.45), (foot * radius - wall, 0.009), (0.0, 0.006)]
    profile = fillet([(0.0, 0.0), *outside, *rim, *inside], (0, 0, 0, 0.02, 0.0, 0.0, 0, 0.02, 0.010, 0), steps=2)
    reach, top, low = rng.uniform(0.026, 0.034), height * 0.82, height * 0.22
    grip = [
        (radius - 0.003, 0, top),
        (radius + reach * 0.75, 0, top + 0.002),
        (radius + reach, 0, (top + low) / 2),
        (radius + reach * 0.7, 0, low),
        (radius * foot * 1.02 - 0.003, 0, low - 0.004),
    ]
    ear = sweep(spline(grip, 6), 0.0052, sides=8).scaled(1.0, 1.3, 1.0)
    tint = pick_colour(rng, colour, *MUG_COLOURS)
    glaze = look(material, tint)
    liner = lathe(
        [
            (0.0, 0.0063),
            (foot * radius - wall - 0.004, 0.0095),
            (belly * radius - wall - 0.0004, height * 0.45),
            (radius - wall - 0.0003, height - 0.004),
            (radius - wall - 0.0008, height - 0.004),
            (belly * radius - wall - 0.0009, height * 0.45),
            (0.0, 0.0075),
        ],
        20,
    )
    inner = look(material, "white" if rng.random() < 0.6 else tint)
    coffee = cylinder(radius * belly * 0.9, 0.002).moved(z=height * 0.78)
    return Asset(
        parts=(
            *soiled([Part(merge([lathe(profile, 24, crease_deg=50.0), ear]), glaze), Part(liner, inner)]),
            Part(coffee, look("food", COFFEE, texture=""), when="filled"),
            steam((0.0, 0.0, height), 0.10),
        ),
        colliders=(
            Collider("cylinder", (0.0, 0.0, height / 2), (2 * radius, 2 * radius, height)),
            Collider("box", (radius + reach / 2, 0.0, height / 2), (reach, 0.011, height * 0.6)),
        ),
        declared=frozenset({"pickupable", "heatable", "coolable"}),
    )
