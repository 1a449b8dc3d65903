"""What hangs on a bathroom's walls."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pentathlon.worlds.houses.assets.assembly import Assembly, timber
from pentathlon.worlds.houses.assets.asset import Asset
from pentathlon.worlds.houses.assets.families.bathroom.fixtures import chrome
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.colours import colour as named_colour
from pentathlon.worlds.modelling.curves import arc, fillet, rounded_rectangle, spline
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.pictures import stripes
from pentathlon.worlds.modelling.shapes import box, cylinder, lathe, rounded_box
from pentathlon.worlds.modelling.sweeps import extrude, loft, sheet, sweep

WATER = Colour("cyan", (0.55, 0.80, 0.88))


@object_type("Mirror", "decor", "a mirror in a frame", "on_wall", ("Bathroom", "Bedroom"))
def mirror(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A wall mirror: a flat pane with a glint, upright or square, in a wooden or metal frame."""
    work = Assembly()
    width = rng.uniform(0.48, 0.66)
    height = width * rng.uniform(1.0, 1.5)
    frame = (
        timber(rng, colour, "white", "black")
        if rng.random() < 0.5
        else look("metal", pick_colour(rng, colour, "gold", "silver", "black"), texture="")
    )
    outline = rounded_rectangle(width, height, 0.02, 3)
    band = rng.uniform(0.03, 0.05)
    inner = outline * ((width - 2 * band) / width, (height - 2 * band) / height)
    rings = [
        (outline, 0.0),
        (outline, 0.018),
        (outline * 0.985, 0.025),
        (inner * 1.01, 0.025),
        (inner, 0.018),
        (inner, 0.0),
    ]
    ring = loft([np.column_stack([o, np.full(len(o), z)]) for o, z in rings], closed=True, crease_deg=35)
    work.show(ring.turned("x", 90), frame)
    pane = (width - 2 * band) * 1.01, (height - 2 * band) * 1.01
    work.show(box((pane[0], 0.008, pane[1])).moved(y=-0.008), look("mirror", Colour("silver", (0.30, 0.35, 0.38))))
    work.show(_glints(*pane).moved(y=-0.0125), replace(look("water", "white"), emission=0.5), fill=0.0)
    work.touch((width, 0.025, height), (0, -0.0125, 0))
    return work.asset(materials=("mirror", frame.material.name))


def _glints(width: float, height: float) -> Mesh:
    """Two slanting streaks of light in an upper corner, by which a mirror is known where it does not reflect."""
    made = []
    for start, wide in ((0.10, 0.030), (0.17, 0.012)):
        left, top = -width / 2 + 0.02, height / 2 - 0.02
        low = [(left, top - start - 0.16), (left, top - start - 0.16 - wide)]
        high = [(left + start + 0.16 + wide, top), (left + start + 0.16, top)]
        made.append(extrude(np.array([*low, *high]), 0.0004).turned("x", 90))
    return merge(made)


@object_type("TowelHolder", "bathroom", "a rail with a towel", "on_wall", ("Bathroom",))
def towel_holder(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A rail on the wall with a towel folded over it."""
    work, width = Assembly(), rng.uniform(0.50, 0.65)
    metal, bar_y = chrome(rng), -0.07
    ends = [
        lathe(fillet([(0, 0), (0.026, 0), (0.026, 0.008), (0.011, 0.014), (0.011, 0.07), (0, 0.07)], 0.004, 2), 18)
        .turned("x", 90)
        .moved(s * width / 2)
        for s in (-1, 1)
    ]
    rod = cylinder(0.009, width + 0.03, segments=12).turned("y", 90).moved(0, bar_y)
    top = 0.22
    work.show(merge([rod, *ends]).moved(z=top), metal)
    tint = pick_colour(rng, colour, "white", "blue", "teal", "pink", "yellow", "green", "red", "grey", "navy")
    band = bool(rng.random() < 0.5)
    cloth = (
        look("fabric", "white", texture=stripes([tint] * 5 + [named_colour("white")], 12))
        if band
        else look("fabric", tint, texture="knit")
    )
    long, short = rng.uniform(0.38, 0.46), rng.uniform(0.24, 0.36)
    line = np.vstack(
        [
            [(bar_y - 0.018, top - long), (bar_y - 0.017, top - long / 2), (bar_y - 0.015, top)],
            arc((bar_y, top), 0.0135, 160, 20, 5),
            [(bar_y + 0.014, top - 0.02), (bar_y + 0.013, top - short)],
        ]
    )
    across = np.linspace(-0.5, 0.5, 11) * width * rng.uniform(0.55, 0.75)
    ripple = 0.004 * np.sin(np.linspace(0, 9, 11))
    points = np.array([[(x, y + r * (z < top), z) for y, z in line] for x, r in zip(across, ripple, strict=True)])
    work.show(sheet(points, 0.005), cloth, fill=0.8)
    work.touch((width, 0.10, 0.05), (0, -0.05, top))
    work.touch((width * 0.65, 0.035, long), (0, bar_y, top - long / 2))
    return work.asset(colours=(tint.name,), materials=("fabric", "metal"))


@object_type(
    "ToiletPaperHanger",
    "bathroom",
    "a holder with a roll of toilet paper",
    "on_wall",
    ("Bathroom",),
    noun="toilet paper holder",
)
def toilet_paper_hanger(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A wall bracket with a roll of paper whose end hangs down."""
    work, metal = Assembly(), look("metal", pick_colour(rng, colour, "silver", "silver", "gold", "black"), texture="")
    radius, wide, y = rng.uniform(0.045, 0.06), 0.10, -0.075
    plate = rounded_box((0.055, 0.008, 0.055), 0.006, 1).moved(-wide / 2 - 0.02, -0.004, 0.02)
    arm = fillet(
        [
            (-wide / 2 - 0.02, -0.004, 0.02),
            (-wide / 2 - 0.02, y, 0.02),
            (wide / 2 + 0.02, y, 0.02),
            (wide / 2 + 0.02, y, 0.03),
        ],
        0.02,
        3,
    )
    work.show(merge([plate, sweep(arm, 0.006, sides=8)]), metal)
    roll = (
        lathe([(0.02, -wide / 2), (radius, -wide / 2), (radius, wide / 2), (0.02, wide / 2), (0.02, -wide / 2)], 32)
        .turned("y", 90)
        .moved(0, y, 0.006)
    )
    paper = look("paper", "white")
    tail = np.array(
        [
            [(x, y - radius - 0.001 - 0.003 * t, 0.01 - t * 0.11) for t in np.linspace(0, 1, 5)]
            for x in np.linspace(wide / 2, -wide / 2, 4)
        ]
    )
    work.show(merge([roll, sheet(tail[::-1], 0.0015)]), paper, fill=0.35)
    if rng.random() < 0.5:
        lid = np.array(
            [
                [
                    (x, yy, z)
                    for yy, z in spline(
                        [(0.0, 0.075), (-0.03, 0.078), (y - 0.03, 0.066), (y - radius - 0.015, 0.02)], 3
                    )
                ]
                for x in np.linspace(-wide / 2 - 0.008, wide / 2 + 0.008, 4)
            ]
        )
        work.show(sheet(lid[::-1], 0.002), metal)
    work.touch((wide + 0.04, 2 * radius, 2 * radius), (0, y, 0.006))
    return work.asset(colours=("white", metal.colour.name), materials=("paper", "metal"))
