"""Statues and trophies."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Part
from pentathlon.worlds.houses.assets.handheld import thing
from pentathlon.worlds.houses.assets.types import Room, object_type
from pentathlon.worlds.modelling.colours import pick_colour
from pentathlon.worlds.modelling.curves import spline
from pentathlon.worlds.modelling.materials import look, wood
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.shapes import cylinder, ellipsoid, lathe, rounded_box, sphere
from pentathlon.worlds.modelling.sweeps import sweep

SHELF: tuple[Room, ...] = ("LivingRoom", "Bedroom")


@object_type("Statue", "decor", "a small statue", rooms=SHELF, shape="long")
def statue(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A bust of a person or a sitting cat, on a plinth."""
    tint = pick_colour(rng, colour, "white", "bronze", "grey", "gold")
    metal = tint.name in ("bronze", "gold")
    stone = look("metal", tint, rng, texture="") if metal else look("stone", tint, rng)
    figure = _bust() if rng.random() < 0.5 else _cat()
    scale = rng.uniform(0.9, 1.15)
    plinth = merge(
        [
            rounded_box((0.13, 0.11, 0.018), 0.003, 1).moved(z=0.009),
            rounded_box((0.11, 0.09, 0.020), 0.003, 1).moved(z=0.028),
        ]
    )
    base = wood(rng, "walnut") if metal else look("stone", "black", rng)
    return thing(
        [
            Part(figure.moved(z=0.037).scaled(scale), stone, fill=0.12 if metal else 0.45),
            Part(plinth.scaled(scale), base),
        ],
        colours=(tint.name,),
        materials=("metal" if metal else "stone",),
    )


def _bust() -> Mesh:
    shoulders = lathe(
        spline(
            [
                (0.034, 0.0),
                (0.030, 0.018),
                (0.058, 0.045),
                (0.072, 0.068),
                (0.060, 0.090),
                (0.030, 0.104),
                (0.0, 0.106),
            ],
            4,
        ),
        26,
        crease_deg=60,
    ).scaled(1, 0.62, 1)
    neck = cylinder(0.021, 0.05, top_radius_m=0.019, segments=18).moved(0, -0.002, 0.118)
    head = ellipsoid((0.066, 0.080, 0.092), 22).moved(0, -0.006, 0.178)
    jaw = ellipsoid((0.046, 0.050, 0.050), 16).moved(0, -0.020, 0.155)
    nose = ellipsoid((0.011, 0.022, 0.026), 10).moved(0, -0.048, 0.176)
    brow = ellipsoid((0.050, 0.014, 0.009), 10).moved(0, -0.041, 0.192)
    lips = ellipsoid((0.020, 0.010, 0.009), 10).moved(0, -0.043, 0.154)
    curls = [
        sphere(0.013, 8).moved(
            0.033 * math.sin(t) * math.cos(p), 0.004 + 0.038 * math.sin(t) * math.sin(p), 0.186 + 0.042 * math.cos(t)
        )
        for t in np.radians((20, 52, 84))
        for p in np.radians(np.linspace(-20, 200, 7))
    ]
    ears = [ellipsoid((0.007, 0.014, 0.022), 10).moved(s * 0.033, 0.0, 0.172) for s in (-1, 1)]
    return merge([shoulders, neck, head, jaw, nose, brow, lips, *curls, *ears])


def _cat() -> Mesh:
    body = lathe(
        spline([(0.0, 0.0), (0.046, 0.004), (0.050, 0.040), (0.034, 0.090), (0.022, 0.120), (0.0, 0.130)], 4),
        24,
        crease_deg=70,
    ).scaled(0.95, 1.05, 1)
    head = ellipsoid((0.054, 0.050, 0.046), 20).moved(0, -0.012, 0.143)
    muzzle = ellipsoid((0.026, 0.022, 0.018), 12).moved(0, -0.036, 0.136)
    ears = [
        lathe([(0.0, 0.0), (0.012, 0.0), (0.0, 0.026)], 10, crease_deg=60)
        .scaled(1, 0.5, 1)
        .turned("y", s * 14)
        .moved(s * 0.017, -0.010, 0.157)
        for s in (-1, 1)
    ]
    legs = [
        sweep(
            spline([(s * 0.016, -0.030, 0.085), (s * 0.018, -0.046, 0.045), (s * 0.018, -0.048, 0.008)], 4),
            np.linspace(0.013, 0.010, 9),
            sides=10,
        )
        for s in (-1, 1)
    ]
    paws = [ellipsoid((0.024, 0.032, 0.016), 12).moved(s * 0.018, -0.054, 0.008) for s in (-1, 1)]
    haunches = [ellipsoid((0.036, 0.065, 0.056), 14).moved(s * 0.036, 0.004, 0.030) for s in (-1, 1)]
    tail = sweep(
        spline([(0.02, 0.048, 0.010), (0.058, 0.034, 0.008), (0.062, -0.012, 0.009), (0.046, -0.034, 0.010)], 4),
        0.0075,
        sides=8,
    )
    return merge([body, head, muzzle, *ears, *legs, *paws, *haunches, tail])


@object_type("Trophy", "decor", "a golden cup with two handles", rooms=SHELF, shape="long")
def trophy(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A winner's cup: bowl with two ears on a stem, on a dark plinth with a plate."""
    height, radius = rng.uniform(0.20, 0.28), rng.uniform(0.050, 0.062)
    tint = pick_colour(rng, colour, "gold", "gold", "silver", "bronze")
    base = 0.045
    bowl = spline(
        [(0.012, height * 0.42), (radius * 0.75, height * 0.55), (radius, height * 0.78), (radius * 1.02, height)], 4
    )
    stem = spline(
        [
            (0.036, 0.0),
            (0.034, 0.008),
            (0.012, 0.022),
            (0.009, height * 0.22),
            (0.016, height * 0.30),
            (0.009, height * 0.36),
            (0.012, height * 0.42),
        ],
        3,
    )
    inner = (bowl - np.array([0.003, -0.003]))[::-1][:-1]
    cup = lathe([(0, 0), *stem, *bowl[1:], *inner, (0.0, height * 0.47)], 28, crease_deg=50).moved(z=base)
    ears = [
        sweep(
            spline(
                [
                    (s * radius * 0.98, 0, height * 0.94),
                    (s * radius * 1.65, 0, height * 0.98),
                    (s * radius * 1.55, 0, height * 0.68),
                    (s * radius * 0.80, 0, height * 0.58),
                ],
                4,
            ),
            0.0048,
            sides=8,
        ).moved(z=base)
        for s in (-1, 1)
    ]
    plinth = cylinder(0.048, base, bevel_m=0.003, segments=28).moved(z=base / 2)
    plate = rounded_box((0.036, 0.004, 0.018), 0.001, 1).moved(0, -0.047, base / 2)
    metal = look("metal", tint, texture="")
    return thing(
        [Part(merge([cup, *ears]), metal, fill=0.3), Part(plate, metal, fill=0.31), Part(plinth, wood(rng, "ebony"))],
        touch="cylinder",
        colours=(tint.name, "black"),
    )
