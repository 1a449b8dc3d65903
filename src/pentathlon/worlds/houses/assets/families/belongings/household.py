"""Bins, baskets, racks and other things that stand about the house."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.assembly import Assembly, corners, pick, trim
from pentathlon.worlds.houses.assets.asset import Asset, Joint
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import pick_colour
from pentathlon.worlds.modelling.curves import fillet
from pentathlon.worlds.modelling.materials import look, wood
from pentathlon.worlds.modelling.mesh import Floats, Mesh, merge
from pentathlon.worlds.modelling.shapes import box, cushion, cylinder, lathe, rounded_box, torus
from pentathlon.worlds.modelling.sweeps import sweep


def tub(low_r: float, high_r: float, height: float, wall: float = 0.004) -> Mesh:
    """A round open vessel with a rolled rim."""
    rim = [(high_r, height - 0.004), (high_r + 0.006, height), (high_r - wall, height)]
    return lathe([(0, 0), (low_r, 0), *rim, (low_r - wall, 0.006), (0, 0.006)], 32)


def level_ring(outline: Floats, scale: float, z: float) -> Floats:
    """An outline laid level at a height, scaled about the z axis."""
    return np.column_stack([outline * scale, np.full(len(outline), z)])


@object_type("GarbageCan", "container", "a bin for rubbish", "free", shape="long", noun="garbage can")
def garbage_can(rng: np.random.Generator, *, colour: str | None = None, style: str | None = None) -> Asset:
    """A bin: an open waste bin with a bag, a pedal bin with a lid, or a swing-top bin."""
    kind = style if style is not None else pick(rng, "open", "pedal", "pedal", "swing")
    work = Assembly()
    if kind == "open":
        low, high, height = rng.uniform(0.10, 0.125), rng.uniform(0.135, 0.16), rng.uniform(0.28, 0.36)
        tint = pick_colour(rng, colour, "white", "blue", "grey", "green", "red")
        metal = bool(rng.random() < 0.35)
        work.show(tub(low, high, height), look("metal", tint, texture="") if metal else look("plastic", tint), fill=0.9)
        fold = [
            (high + 0.002, -0.026),
            (high + 0.008, -0.024),
            (high + 0.009, 0.003),
            (high - 0.004, 0.005),
            (high + 0.003, 0.0),
        ]
        bag = lathe([*fold, fold[0]], 32).moved(z=height)
        work.show(bag, look("plastic", "white" if tint.name != "white" else "grey"), fill=0.5)
        paper = [
            cushion((0.11, 0.10, 0.09), roundness=0.9, steps=3)
            .turned("x", 40 * i)
            .turned("z", 70 * i)
            .moved(0.055 * math.cos(1.6 * i), 0.055 * math.sin(1.6 * i), height - 0.045 + 0.02 * (i % 2))
            for i in range(4)
        ]
        work.show(merge(paper), look("paper", "white"), fill=0.1)
        work.touch((2 * high, 2 * high, height), (0, 0, height / 2), kind="cylinder")
        return work.asset(mass_kg=rng.uniform(0.7, 1.5), colours=(tint.name,))
    radius, height = rng.uniform(0.135, 0.17), rng.uniform(0.42, 0.62)
    tint = pick_colour(rng, colour, "silver", "silver", "grey", "red", "white", "teal")
    coat = look("metal", tint, rng) if tint.name == "silver" else look("metal", tint, texture="")
    black, wall = look("plastic", "black"), 0.006
    body = [
        (radius - wall, 0.04),
        (radius - wall, 0.03),
        (radius, 0.03),
        (radius, height),
        (radius - wall, height),
        (radius - wall, 0.04),
    ]
    work.show(lathe(body, 32), coat, fill=0.5)
    work.show(
        lathe(fillet([(0, 0), (radius * 1.03, 0), (radius * 1.03, 0.035), (0, 0.035)], 0.006, 2), 32), black, fill=0.4
    )
    for angle in range(0, 360, 45):
        x, y = radius * math.cos(math.radians(angle)), radius * math.sin(math.radians(angle))
        work.touch((0.012, radius * 0.84, height), (x, y, height / 2), angle_deg=(0, 0, angle))
    work.touch((1.8 * radius, 1.8 * radius, 0.04), (0, 0, 0.02), kind="cylinder")
    dome = fillet(
        [
            (0, 0),
            (radius * 1.02, 0),
            (radius * 1.02, 0.02),
            (radius * 0.7, 0.06 if kind == "pedal" else 0.12),
            (0, 0.07 if kind == "pedal" else 0.14),
        ],
        0.03,
        3,
    )
    work.show(
        lathe(dome, 32, crease_deg=50).moved(z=height + 0.002),
        coat if kind == "pedal" else black,
        joint="lid",
        fill=0.15,
    )
    work.touch((2 * radius, 2 * radius, 0.05), (0, 0, height + 0.027), joint="lid", kind="cylinder")
    work.show(rounded_box((0.09, 0.03, 0.03), 0.01, 1).moved(0, radius * 0.98, height), black)
    if kind == "pedal":
        work.show(rounded_box((0.07, 0.05, 0.010), 0.004, 1).moved(0, -radius - 0.02, 0.016), coat)
    else:
        work.show(
            rounded_box((radius * 0.9, 0.012, 0.06), 0.005, 1)
            .turned("x", -50)
            .moved(0, -radius * 0.86, height + 0.075),
            look("plastic", "grey"),
            joint="lid",
        )
    work.joints.append(Joint.hinge("lid", (-1, 0, 0), (0, radius, height), 80, (0, -radius, height + 0.02)))
    work.hold("inside", "in", (0, 0, 0.04), (radius, radius), height - 0.1, door="lid")
    return work.asset(mass_kg=rng.uniform(2.5, 4.5), colours=(tint.name,))


@object_type("Basket", "container", "a wicker basket with handles", "free", ("LivingRoom", "Bedroom", "Bathroom"))
def basket(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A round wicker basket, open at the top, with two loop handles and a band."""
    work, radius, height = Assembly(), rng.uniform(0.18, 0.25), rng.uniform(0.20, 0.30)
    reed = look("wicker", pick_colour(rng, colour, "beige", "brown", "white"), rng)
    wall, low = 0.014, radius * rng.uniform(0.78, 0.95)
    work.show(
        lathe(
            fillet(
                [(0, 0), (low, 0), (radius, height), (radius - wall, height), (low - wall, 0.014), (0, 0.014)],
                (0, 0.02, 0.005, 0.005, 0.02, 0),
                2,
            ),
            32,
        ),
        reed,
        fill=0.7,
    )
    work.show(torus(radius - wall / 2, 0.012, 36, 8).moved(z=height), reed.tinted(reed.colour.darker(0.8)))
    for s in (-1, 1):
        loop = [
            (s * radius, -0.06, height - 0.01),
            (s * (radius + 0.025), -0.05, height + 0.07),
            (s * (radius + 0.025), 0.05, height + 0.07),
            (s * radius, 0.06, height - 0.01),
        ]
        work.show(sweep(fillet(loop, 0.04, 3), 0.009, sides=8), look("leather", "brown"))
    for angle in range(0, 360, 45):
        x, y = (radius - wall) * math.cos(math.radians(angle)), (radius - wall) * math.sin(math.radians(angle))
        work.touch((0.02, radius * 0.82, height), (x, y, height / 2), angle_deg=(0, 0, angle))
    work.touch((1.8 * low, 1.8 * low, 0.014), (0, 0, 0.007), kind="cylinder")
    work.hold("inside", "in", (0, 0, 0.014), (low * 1.1, low * 1.1), 0.35)
    return work.asset("pickupable", mass_kg=rng.uniform(0.8, 1.6))


@object_type("Cart", "furniture", "a trolley on wheels", "free", ("Kitchen", "LivingRoom"), noun="serving cart")
def cart(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A serving trolley: two or three trays between bent tubes, on four castors."""
    work, width, depth, height = Assembly(), rng.uniform(0.55, 0.72), rng.uniform(0.36, 0.42), rng.uniform(0.74, 0.84)
    frame = trim(rng)
    tray = (
        look("metal", pick_colour(rng, colour, "teal", "white", "red", "black", "yellow"), texture="")
        if rng.random() < 0.6
        else wood(rng)
    )
    for x, y in corners(width - 0.02, depth - 0.02):
        work.show(cylinder(0.011, height - 0.06, segments=10).moved(x, y, (height + 0.06) / 2), frame, fill=0.3)
        work.show(
            merge(
                [
                    cylinder(0.03, 0.022, bevel_m=0.006, segments=16).turned("x", 90).moved(x, y, 0.03),
                    cylinder(0.008, 0.03, segments=8).moved(x, y, 0.06),
                ]
            ),
            look("rubber", "black"),
        )
        work.touch((0.03, 0.03, height), (x, y, height / 2))
    count = int(rng.integers(2, 4))
    levels = np.linspace(0.15, height - 0.10, count)
    for i, z in enumerate(levels):
        z = float(z)
        work.block((width - 0.03, depth - 0.02, 0.014), (0, 0, z), tray)
        rim = [box((width - 0.03, 0.008, 0.045)).moved(0, s * (depth / 2 - 0.012), z + 0.02) for s in (-1, 1)]
        rim += [box((0.008, depth - 0.03, 0.045)).moved(s * (width / 2 - 0.015), 0, z + 0.02) for s in (-1, 1)]
        work.show(merge(rim), tray)
        free = float(levels[1] - levels[0]) - 0.06 if i + 1 < count else 0.5
        work.hold(f"tray_{i}", "on", (0, 0, z + 0.007), (width - 0.10, depth - 0.10), free)
    bar = fillet(
        [
            (width / 2 - 0.01, -depth / 2 + 0.01, height),
            (width / 2 + 0.06, -depth / 2 + 0.01, height + 0.05),
            (width / 2 + 0.06, depth / 2 - 0.01, height + 0.05),
            (width / 2 - 0.01, depth / 2 - 0.01, height),
        ],
        0.03,
        3,
    )
    work.show(sweep(bar, 0.011, sides=8), frame, fill=0.3)
    return work.asset()
