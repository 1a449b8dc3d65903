"""What food is wrapped in and thrown away with: a roll of foil, a filled rubbish bag."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Part
from pentathlon.worlds.houses.assets.handheld import lumpy, reshaped, thing
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.mesh import merge
from pentathlon.worlds.modelling.shapes import cylinder, lathe, sphere, torus
from pentathlon.worlds.modelling.sweeps import sheet

FOIL = Colour("silver", (0.80, 0.82, 0.85))


@object_type(
    "AluminumFoil", "container", "a roll of kitchen foil", rooms=("Kitchen",), shape="long", noun="aluminium foil"
)
def aluminum_foil(rng: np.random.Generator) -> Asset:
    """A roll of foil on a cardboard core, its end crumpled and lying flat before it."""
    length, radius = rng.uniform(0.28, 0.32), rng.uniform(0.024, 0.032)
    roll = lathe(
        [(0.014, -length / 2), (radius, -length / 2), (radius, length / 2), (0.014, length / 2), (0.014, -length / 2)],
        28,
    ).turned("y", 90)
    core = lathe(
        [(0.011, -length / 2 - 0.004), (0.0145, -length / 2 - 0.004), (0.0145, length / 2 + 0.004),
         (0.011, length / 2 + 0.004), (0.011, -length / 2 - 0.004)], 20,
    ).turned("y", 90)  # fmt: skip
    across, out = np.linspace(-0.5, 0.5, 17) * length * 0.98, np.linspace(0.0, 1.0, 9)
    tail_m = rng.uniform(0.09, 0.15)
    crumple = rng.normal(0.0, 0.0010, (len(across), len(out))) * (0.3 + out)
    points = np.array(
        [
            [(x, -0.3 * radius - tail_m * t, 0.0045 + abs(crumple[i, j]) * 1.5) for j, t in enumerate(out)]
            for i, x in enumerate(across)
        ]
    )
    tail = sheet(points, 0.0008, crease_deg=8)
    tail = tail if tail.volume_m3 > 0 else sheet(points[::-1], 0.0008, crease_deg=8)
    shine = look("metal", FOIL, rng)
    parts = [
        Part(merge([roll.moved(z=radius), tail]), shine, fill=0.15),
        Part(core.moved(z=radius), look("cardboard", "beige")),
    ]
    return thing(parts, touch=[roll.moved(z=radius)], mass_kg=0.35)


@object_type("GarbageBag", "container", "a tied rubbish bag", "free", ("Kitchen",), shape="cube", noun="rubbish bag")
def garbage_bag(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A full plastic bag, lumpy below, gathered and knotted at the top with a frill above the knot."""
    radius, height = rng.uniform(0.17, 0.22), rng.uniform(0.36, 0.44)
    ball = sphere(1.0, 36)
    points = ball.vertices_m.copy()
    share = (points[:, 2] + 1) / 2
    girth = np.interp(share, [0, 0.06, 0.35, 0.65, 0.86, 1.0], [0.55, 0.80, 1.0, 0.86, 0.42, 0.16])
    angle = np.arctan2(points[:, 1], points[:, 0])
    flat = np.hypot(points[:, 0], points[:, 1])
    pleat = 1 + 0.05 * np.cos(13 * angle) * np.clip(share - 0.45, 0, 1) * 2
    ring = np.where(flat > 1e-6, girth * radius * pleat / np.maximum(flat, 1e-6), 0.0)
    low_flat = np.clip(share, 0.0, 1.0) * height
    shaped = np.column_stack([points[:, 0] * ring, points[:, 1] * ring, low_flat])
    body = lumpy(reshaped(ball, shaped), rng, 0.05, 3.0)
    neck = cylinder(radius * 0.17, 0.05, segments=16).moved(z=height + 0.005)
    knot = torus(radius * 0.17, 0.012, 18, 8).moved(z=height + 0.005)
    steps = np.linspace(0, 2 * math.pi, 41)
    frill = np.array(
        [
            [
                ((radius * (0.15 + 0.28 * t) + 0.010 * t * math.cos(9 * a)) * math.cos(a),
                 (radius * (0.15 + 0.28 * t) + 0.010 * t * math.cos(9 * a)) * math.sin(a),
                 height + 0.02 + 0.075 * t)
                for t in (0.0, 0.35, 0.7, 1.0)
            ]
            for a in steps
        ]
    )  # fmt: skip
    top = sheet(frill, 0.002, crease_deg=60)
    top = top if top.volume_m3 > 0 else sheet(frill[::-1], 0.002, crease_deg=60)
    tint = pick_colour(rng, colour, "black", "black", "grey", "blue", "white")
    film = look("plastic", tint)
    return thing(
        [
            Part(merge([body, neck, top]), film, fill=0.04),
            Part(knot, look("plastic", "red" if tint.name != "red" else "white")),
        ],
        touch="cylinder",
        mass_kg=float(rng.uniform(1.5, 3.5)),
        colours=(tint.name,),
    )
