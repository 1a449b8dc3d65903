"""Shoes and boots, in pairs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Part
from pentathlon.worlds.houses.assets.handheld import thing
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import pick_colour
from pentathlon.worlds.modelling.curves import ellipse, spline
from pentathlon.worlds.modelling.materials import Look, look
from pentathlon.worlds.modelling.mesh import Floats, Mesh, merge
from pentathlon.worlds.modelling.shapes import cylinder
from pentathlon.worlds.modelling.sweeps import loft, sweep


def _foot(length: float, width: float, height: float) -> tuple[Mesh, Mesh]:
    """Sole and upper of a left shoe, toe towards -y."""
    knots = [(0.0, -0.36), (0.22, -0.40), (0.45, -0.33), (0.72, -0.50), (0.92, -0.36), (1.0, -0.02), (0.93, 0.34),
             (0.72, 0.47), (0.45, 0.36), (0.20, 0.40), (0.0, 0.34), (-0.04, 0.0)]  # fmt: skip
    flat = spline(np.array(knots) * (length, width), 3, closed=True) - (length * 0.45, 0.0)

    def ring(scale: float, z: float) -> Floats:
        return np.column_stack([flat * scale, np.full(len(flat), z)])

    sole = loft([ring(1.0, 0.0), ring(1.03, 0.006), ring(1.03, 0.020), ring(1.0, 0.024)])
    rings = [ring(0.97, 0.022), ring(0.98, 0.032)]
    for share in np.linspace(0.15, 1.0, 7):
        toe_cut = float(np.interp(share, (0.0, 0.45, 0.75, 1.0), (0.52, 0.36, 0.06, -0.06))) * length
        x = np.minimum(flat[:, 0] * 0.96, toe_cut + 0.02 * flat[:, 1])
        level = 0.032 + share * height + 0.012 * np.clip(-x / (length * 0.16), 0, 1) * share
        rings.append(np.column_stack([x, flat[:, 1] * (0.96 - 0.19 * share), level]))
    return sole.turned("z", -90), loft(rings, crease_deg=65).turned("z", -90)


def _pair(left: list[tuple[Mesh, Look]], gap: float, turn_deg: float, mass_kg: float) -> Asset:
    """A left shoe and its mirror image beside it."""
    parts = [Part(mesh.moved(-gap), surface) for mesh, surface in left]
    parts += [Part(mesh.mirrored("x").turned("z", turn_deg).moved(gap), surface) for mesh, surface in left]
    return thing(parts, mass_kg=mass_kg, colours=(left[1][1].colour.name,))


@object_type("Shoe", "textile", "a pair of sneakers", rooms=("Bedroom", "LivingRoom"), shape="cube", noun="shoes")
def shoe(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A pair of sneakers: white soles, laces across the front."""
    length, width = rng.uniform(0.26, 0.285), rng.uniform(0.092, 0.102)
    sole, upper = _foot(length, width, rng.uniform(0.068, 0.082))
    laces = []
    for i in range(5):
        y, z = -length * (0.06 + 0.05 * i), 0.108 - 0.0125 * i
        laces.append(sweep([(-0.024, y, z - 0.008), (0, y, z), (0.024, y, z - 0.008)], 0.0034, sides=6))
    top = float(upper.bounds_m[1][2])
    mouth = (
        cylinder(0.5, 0.002, segments=24).scaled(width * 0.62, length * 0.28, 1).moved(0, length * 0.24, top - 0.006)
    )
    tint = pick_colour(rng, colour, "red", "blue", "black", "white", "green", "grey", "pink")
    contrast = tint.name != "white"
    left = [
        (sole, look("rubber", "white" if contrast else "grey")),
        (upper, look("fabric", tint, rng)),
        (merge(laces), look("fabric", "white" if contrast else "navy")),
        (mouth, look("fabric", tint.darker(0.35))),
    ]
    return _pair(left, width * 0.62, rng.uniform(-4, 4), float(rng.uniform(0.5, 0.8)))


@object_type("Boots", "textile", "a pair of rubber boots", rooms=("Bedroom", "LivingRoom"), shape="long")
def boots(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A pair of wellington boots: tall shafts with a band at the top."""
    length, width, top = rng.uniform(0.26, 0.29), rng.uniform(0.095, 0.105), rng.uniform(0.29, 0.36)
    sole, upper = _foot(length, width, 0.085)
    heel = length * 0.26

    def ring(across: float, along: float, z: float) -> Floats:
        return np.column_stack([ellipse(width * across, length * along, 24) + np.array([0.0, heel]), np.full(24, z)])

    shaft = loft([ring(0.80, 0.38, 0.05), ring(0.80, 0.40, 0.12), ring(1.05, 0.44, top)], crease_deg=60)
    cuff = loft(
        [ring(1.10, 0.46, top - 0.022), ring(1.12, 0.465, top), ring(1.00, 0.42, top), ring(0.98, 0.41, top - 0.022)],
        closed=True,
    )
    hollow = loft([ring(1.00, 0.42, top), ring(1.00, 0.42, top + 0.0015)])
    tint = pick_colour(rng, colour, "yellow", "green", "red", "blue", "black", "pink")
    rubber, dark = look("plastic", tint), look("rubber", tint.darker(0.6))
    left = [(sole, dark), (merge([upper, shaft]), rubber), (cuff, dark), (hollow, look("fabric", tint.darker(0.25)))]
    pair = _pair(left, width * 0.66, rng.uniform(-5, 5), float(rng.uniform(1.4, 1.9)))
    return replace(pair, given_materials=("rubber",))
