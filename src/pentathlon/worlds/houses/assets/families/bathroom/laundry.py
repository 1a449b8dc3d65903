"""Hampers, drying racks and ironing boards."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.assembly import Assembly, post
from pentathlon.worlds.houses.assets.asset import Asset, Joint
from pentathlon.worlds.houses.assets.families.belongings.household import level_ring, tub
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import pick_colour
from pentathlon.worlds.modelling.curves import fillet, rounded_rectangle, spline
from pentathlon.worlds.modelling.materials import look, wood
from pentathlon.worlds.modelling.mesh import merge
from pentathlon.worlds.modelling.pictures import stripes
from pentathlon.worlds.modelling.shapes import box, cushion, cylinder, torus
from pentathlon.worlds.modelling.sweeps import extrude, loft, sheet, sweep


@object_type("LaundryHamper", "container", "a basket for laundry", "free", ("Bathroom", "Bedroom"))
def laundry_hamper(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A tall wicker hamper with a lid, or a cloth bag in a wooden frame with clothes on top."""
    work, height = Assembly(), rng.uniform(0.52, 0.62)
    if rng.random() < 0.55:
        reed = look("wicker", pick_colour(rng, colour, "beige", "brown", "white", "grey"), rng)
        outline = rounded_rectangle(rng.uniform(0.38, 0.46), rng.uniform(0.30, 0.36), 0.06, 4)
        rings = [(0.90, 0.0), (1.0, height), (0.96, height), (0.87, 0.012)]
        work.show(loft([level_ring(outline, s, z) for s, z in rings], crease_deg=40), reed, fill=0.9)
        size = outline.max(axis=0) * 2
        lid = loft(
            [
                level_ring(outline, s, z)
                for s, z in ((1.02, height + 0.002), (1.03, height + 0.02), (0.98, height + 0.04), (0.5, height + 0.05))
            ],
            crease_deg=40,
        )
        work.show(lid, reed, joint="lid", fill=0.4)
        work.touch((float(size[0]), float(size[1]), 0.04), (0, 0, height + 0.022), joint="lid")
        pull = sweep(
            fillet(
                [
                    (-0.05, 0, height + 0.04),
                    (-0.04, 0, height + 0.085),
                    (0.04, 0, height + 0.085),
                    (0.05, 0, height + 0.04),
                ],
                0.02,
                2,
            ),
            0.008,
            sides=7,
        )
        work.show(pull.moved(0, -float(size[1]) * 0.25), look("leather", "brown"), joint="lid")
        work.joints.append(
            Joint.hinge(
                "lid", (-1, 0, 0), (0, float(size[1]) / 2, height), 95, (0, -float(size[1]) * 0.25, height + 0.08)
            )
        )
        for s in (-1, 1):
            work.touch((0.03, float(size[1]) * 0.95, height), (s * float(size[0]) * 0.47, 0, height / 2))
            work.touch((float(size[0]) * 0.95, 0.03, height), (0, s * float(size[1]) * 0.47, height / 2))
        work.touch((float(size[0]) * 0.9, float(size[1]) * 0.9, 0.02), (0, 0, 0.01))
        work.hold("inside", "in", (0, 0, 0.02), (float(size[0]) * 0.7, float(size[1]) * 0.7), height - 0.1, door="lid")
        return work.asset(mass_kg=rng.uniform(2.0, 3.2))
    radius = rng.uniform(0.18, 0.22)
    cloth = look("fabric", pick_colour(rng, colour, "white", "grey", "navy", "beige", "pink"), rng)
    work.show(tub(radius * 0.95, radius, height, 0.012), cloth, fill=0.6)
    work.show(torus(radius + 0.003, 0.009, 36, 8).moved(z=height - 0.01), wood(rng))
    for s in (-1, 1):
        strap = [
            (s * (radius + 0.004), -0.07, height - 0.10),
            (s * (radius + 0.03), -0.05, height + 0.01),
            (s * (radius + 0.03), 0.05, height + 0.01),
            (s * (radius + 0.004), 0.07, height - 0.10),
        ]
        work.show(sweep(fillet(strap, 0.04, 3), 0.008, sides=7), look("fabric", "brown"))
    for i, name in enumerate(rng.choice(("white", "blue", "red", "grey", "green", "yellow", "pink"), 4, replace=False)):
        heap = cushion((radius * 1.25, radius * 0.9, 0.13), roundness=0.85, steps=5).turned("z", 85 * i)
        work.show(
            heap.moved(0.05 * math.cos(1.6 * i), 0.05 * math.sin(1.6 * i), height - 0.04 + 0.012 * i),
            look("fabric", str(name)),
            fill=0.3,
        )
    work.touch((2 * radius, 2 * radius, height), (0, 0, height / 2), kind="cylinder")
    return work.asset(mass_kg=rng.uniform(2.0, 3.5), colours=(cloth.colour.name,))


@object_type(
    "ClothesDryer",
    "furniture",
    "a folding rack with drying clothes",
    "free",
    ("Bathroom", "Bedroom"),
    noun="drying rack",
)
def clothes_dryer(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A drying rack on crossed legs with wires, towels and socks hung over them."""
    work, width, depth, height = Assembly(), rng.uniform(0.85, 1.05), 0.56, rng.uniform(0.88, 0.98)
    frame = look("metal", pick_colour(rng, colour, "white", "silver", "blue", "grey"), texture="")
    tubes = []
    for s in (-1, 1):
        x = s * width / 2
        tubes += [
            post((x, -depth / 2), (x, depth * 0.32), height, 0.010, 0.010, 8),
            post((x * 0.97, depth / 2), (x * 0.97, -depth * 0.32), height, 0.010, 0.010, 8),
        ]
        tubes.append(cylinder(0.010, width, segments=8).turned("y", 90).moved(0, s * depth * 0.33, height - 0.01))
        tubes.append(box((0.016, depth, 0.014)).moved(x, 0, height - 0.008))
        work.touch((0.03, depth, height), (x, 0, height / 2))
    rods = np.linspace(-depth / 2 + 0.03, depth / 2 - 0.03, 7)
    tubes += [cylinder(0.004, width, segments=6).turned("y", 90).moved(0, float(y), height) for y in rods]
    work.show(merge(tubes), frame, fill=0.25)
    for i, y in enumerate(rods[::2]):
        long, span = float(rng.uniform(0.28, 0.5)), float(rng.uniform(0.26, 0.5)) * width
        x0 = float(rng.uniform(-width / 2 + span / 2 + 0.03, width / 2 - span / 2 - 0.03))
        tint = pick_colour(rng, None, "white", "blue", "red", "yellow", "green", "pink", "navy")
        cloth = (
            look("fabric", "white", texture=stripes([tint, tint.darker(1.35)], 8))
            if i % 2
            else look("fabric", tint, texture="knit")
        )
        rows = []
        for u in np.linspace(-0.5, 0.5, 7):
            sway = 0.006 * math.sin(9 * u)
            drop = [(x0 + u * span, float(y) - 0.012 + sway, height - long * t) for t in (1.0, 0.5, 0.03)]
            rows.append(
                [
                    *drop,
                    (x0 + u * span, float(y), height + 0.010),
                    *((x0 + u * span, float(y) + 0.012 + sway, height - 0.8 * long * t) for t in (0.03, 0.5, 1.0)),
                ]
            )
        work.show(sheet(np.array(rows), 0.005, crease_deg=80), cloth, fill=0.6)
    work.touch((width, depth, 0.02), (0, 0, height))
    return work.asset(mass_kg=rng.uniform(5.0, 6.5), colours=(frame.colour.name,), materials=("metal", "fabric"))


@object_type("IroningBoard", "furniture", "an ironing board with an iron", "free", ("Bedroom",))
def ironing_board(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """An ironing board on crossed legs, pointed at one end, with an iron standing on it."""
    work, length, wide, height = Assembly(), rng.uniform(1.1, 1.3), rng.uniform(0.32, 0.38), rng.uniform(0.82, 0.92)
    tint = pick_colour(rng, colour, "blue", "teal", "grey", "pink", "green", "red")
    cover = (
        look("fabric", "white", texture=stripes([tint, tint.darker(1.25)], 14, tile_m=0.5))
        if rng.random() < 0.5
        else look("fabric", tint, rng)
    )
    half, w = length / 2, wide / 2
    outline = spline(
        [
            (half, -w * 0.85),
            (half, w * 0.85),
            (half - 0.1, w),
            (0, w),
            (-half * 0.6, w * 0.75),
            (-half * 0.9, w * 0.35),
            (-half, 0),
            (-half * 0.9, -w * 0.35),
            (-half * 0.6, -w * 0.75),
            (0, -w),
            (half - 0.1, -w),
        ],
        3,
        closed=True,
    )
    work.show(extrude(outline, 0.03, bevel_m=0.008).moved(z=height - 0.03), cover, fill=0.3)
    metal = look("metal", "silver", texture="")
    legs = []
    for s in (-1, 1):
        legs += [
            post((s * half * 0.75, 0), (-s * half * 0.55, 0), height - 0.03, 0.012, 0.012, 8).moved(y=0.03 * s),
            cylinder(0.012, 0.36, segments=8).turned("x", 90).moved(s * half * 0.75, 0, 0.012),
        ]
        work.touch((0.03, 0.36, 0.03), (s * half * 0.75, 0, 0.015))
    work.show(merge(legs), metal, fill=0.3)
    work.touch((0.12, 0.12, height - 0.04), (0, 0, height / 2 - 0.02))
    work.touch((length * 0.92, wide * 0.9, 0.03), (0.03, 0, height - 0.015))
    _iron(work, rng, half - 0.17, height)
    work.hold("board", "on", (-0.05, 0, height), (length * 0.5, wide * 0.6), 0.5)
    return work.asset(mass_kg=rng.uniform(5.5, 7.5), colours=(tint.name,), materials=("fabric", "metal"))


def _iron(work: Assembly, rng: np.random.Generator, x: float, z: float) -> None:
    """An iron that stands upright on its heel."""
    sole = spline(
        [(-0.055, 0.0), (0.055, 0.0), (0.055, 0.08), (0.03, 0.17), (0, 0.225), (-0.03, 0.17), (-0.055, 0.08)],
        3,
        closed=True,
    )
    plate = extrude(sole, 0.008).turned("x", 90).turned("z", 90)
    work.show(plate.moved(x - 0.03, 0, z), look("metal", "silver", texture=""))
    shell = look("plastic", pick_colour(rng, None, "blue", "white", "red", "purple", "teal"))
    body = extrude(sole * (0.9, 0.92), 0.05, bevel_m=0.003).turned("x", 90).turned("z", 90)
    grip = sweep(
        fillet(
            [(x + 0.01, 0, z + 0.02), (x + 0.075, 0, z + 0.03), (x + 0.075, 0, z + 0.15), (x + 0.01, 0, z + 0.17)],
            0.03,
            3,
        ),
        0.013,
        sides=9,
    )
    work.show(merge([body.moved(x - 0.02, 0, z + 0.006), grip]), shell, fill=0.4)
    work.touch((0.09, 0.11, 0.2), (x + 0.02, 0, z + 0.1))
