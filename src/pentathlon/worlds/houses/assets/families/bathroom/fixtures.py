"""Bathroom fixtures."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from pentathlon.worlds.houses.assets.assembly import BOARD_M, Assembly, knob, timber, trim
from pentathlon.worlds.houses.assets.asset import Asset, Joint
from pentathlon.worlds.houses.assets.effects import running_water
from pentathlon.worlds.houses.assets.families.kitchen.sinks import tap_parts
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import ellipse, fillet, rounded_rectangle
from pentathlon.worlds.modelling.materials import Look, look
from pentathlon.worlds.modelling.mesh import Floats, merge
from pentathlon.worlds.modelling.shapes import box, cylinder, lathe, rounded_box
from pentathlon.worlds.modelling.sweeps import loft, sweep

WATER = Colour("cyan", (0.55, 0.80, 0.88))


def _level(outline: Floats, scale: float, y: float, z: float) -> Floats:
    return np.column_stack([outline[:, 0] * scale, outline[:, 1] * scale + y, np.full(len(outline), z)])


def chrome(rng: np.random.Generator) -> Look:
    """The bright metal of taps and rails."""
    return look("metal", pick_colour(rng, None, "silver", "silver", "silver", "gold", "black"), texture="")


def _egg(width: float, length: float, steps: int = 28) -> Floats:
    """The outline of a toilet seat: round to the front (-y), squarer to the back."""
    points = ellipse(width, length, steps, 2.2)
    back = points[:, 1] > 0
    points[back, 0] *= 1.0 - 0.10 * (points[back, 1] / (length / 2)) ** 2
    return points


@object_type("Toilet", "fixture", "a toilet with a cistern and a lid", "against_wall", ("Bathroom",))
def toilet(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A toilet: bowl, seat, a lid that opens, a cistern with a button."""
    work, width, length = Assembly(), rng.uniform(0.36, 0.39), rng.uniform(0.44, 0.49)
    rim_z, tank_h, depth = rng.uniform(0.39, 0.42), rng.uniform(0.34, 0.40), 0.70
    glaze = look("ceramic", pick_colour(rng, colour, "white", "white", "white", "cream", "pink"))
    seat_look = glaze if rng.random() < 0.7 else look("wood", Colour("brown", (0.55, 0.33, 0.18)))
    back = depth / 2
    y = back - 0.20 - length / 2
    egg = _egg(width, length)
    outer = [
        (0.52, 0.06, 0.0),
        (0.54, 0.06, 0.03),
        (0.46, 0.05, 0.14),
        (0.56, 0.03, 0.24),
        (0.88, 0.005, rim_z - 0.07),
        (0.98, 0, rim_z - 0.02),
        (0.96, 0, rim_z),
    ]
    inner = [(0.70, -0.01, rim_z), (0.68, -0.01, rim_z - 0.03), (0.48, -0.01, rim_z - 0.13), (0.22, 0.0, rim_z - 0.18)]
    work.show(loft([_level(egg, s, y + dy, z) for s, dy, z in outer + inner], crease_deg=50), glaze, fill=0.4)
    work.show(rounded_box((0.20, 0.24, rim_z - 0.02), 0.03).moved(0, back - 0.14, (rim_z - 0.02) / 2), glaze, fill=0.3)
    pool = loft([_level(egg, s, y - 0.01, z) for s, z in ((0.25, rim_z - 0.178), (0.36, rim_z - 0.155))])
    work.show(pool, look("water", WATER), fill=0.0)
    tank_w, tank_d = rng.uniform(0.36, 0.42), 0.17
    work.block(
        (tank_w, tank_d, tank_h), (0, back - tank_d / 2, rim_z + tank_h / 2 - 0.02), glaze, radius_m=0.03, fill=0.45
    )
    work.show(
        rounded_box((tank_w + 0.02, tank_d + 0.015, 0.03), 0.012).moved(0, back - tank_d / 2, rim_z + tank_h - 0.015),
        glaze,
        fill=0.6,
    )
    top = rim_z + tank_h
    work.show(cylinder(0.024, 0.012, bevel_m=0.003, segments=20).moved(0, back - tank_d / 2, top + 0.004), chrome(rng))
    ring = [
        (1.0, rim_z + 0.001),
        (1.01, rim_z + 0.012),
        (0.97, rim_z + 0.022),
        (0.72, rim_z + 0.020),
        (0.68, rim_z + 0.004),
        (1.0, rim_z + 0.001),
    ]
    work.show(loft([_level(egg, s, y, z) for s, z in ring[:-1]], closed=True, crease_deg=60), seat_look, fill=0.8)
    lid_z = rim_z + 0.024
    cover = loft(
        [
            _level(egg, s, y, z)
            for s, z in (
                (0.97, lid_z),
                (1.01, lid_z + 0.006),
                (0.98, lid_z + 0.018),
                (0.80, lid_z + 0.024),
                (0.3, lid_z + 0.026),
            )
        ],
        crease_deg=60,
    )
    work.show(cover, seat_look, joint="lid", fill=0.8)
    work.touch((width, length, 0.025), (0, y, lid_z + 0.013), joint="lid")
    hinge_y = y + length / 2 - 0.03
    work.show(
        merge(
            [cylinder(0.012, 0.05, segments=12).turned("y", 90).moved(s * 0.07, hinge_y + 0.02, lid_z) for s in (-1, 1)]
        ),
        seat_look,
    )
    work.joints.append(Joint.hinge("lid", (-1, 0, 0), (0, hinge_y, lid_z), 98, (0, y - length / 2, lid_z + 0.012)))
    work.touch((width * 0.62, length * 0.8, rim_z), (0, y + 0.04, rim_z / 2))
    work.touch((width, length, 0.03), (0, y, rim_z - 0.015 + 0.02))
    work.hold("cistern", "on", (0, back - tank_d / 2, top), (tank_w - 0.08, tank_d - 0.05), 0.4)
    work.touch((tank_w, tank_d, 0.03), (0, back - tank_d / 2, top - 0.015))
    return work.asset(mass_kg=rng.uniform(28, 36))


@object_type("Bathtub", "fixture", "a bathtub with a tap", "against_wall", ("Bathroom",))
def bathtub(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A bathtub, boxed in or standing on feet; its tap runs while on and it can be filled."""
    work, width, depth, height = Assembly(), rng.uniform(1.50, 1.70), rng.uniform(0.70, 0.78), rng.uniform(0.54, 0.60)
    glaze = look("ceramic", pick_colour(rng, colour, "white", "white", "white", "cream"))
    feet = bool(rng.random() < 0.45)
    rim = rounded_rectangle(width, depth, 0.30 if feet else 0.05, 6)
    hole = rounded_rectangle(width - 0.14, depth - 0.14, 0.26, 6)
    floor = 0.15
    if feet:
        outer = [
            (rim, 0.60, floor - 0.03),
            (rim, 0.74, floor),
            (rim, 0.88, 0.30),
            (rim, 0.955, height - 0.04),
            (rim, 1.0, height - 0.03),
            (rim, 1.0, height - 0.008),
            (rim, 0.985, height),
        ]
    else:
        outer = [
            (rim, 0.98, 0.0),
            (rim, 0.98, height - 0.04),
            (rim, 1.0, height - 0.038),
            (rim, 1.0, height - 0.008),
            (rim, 0.994, height),
        ]
    inner = [
        (hole, 1.01, height),
        (hole, 0.985, height - 0.02),
        (hole, 0.90, 0.30),
        (hole, 0.80, floor + 0.04),
        (hole, 0.66, floor + 0.01),
        (hole, 0.2, floor),
    ]
    work.show(loft([_level(o, s, 0, z) for o, s, z in outer + inner], crease_deg=40), glaze, fill=0.10)
    metal = chrome(rng)
    if feet:
        claw = lathe(fillet([(0, 0), (0.04, 0), (0.045, 0.03), (0.022, 0.06), (0.05, 0.20), (0, 0.22)], 0.012, 2), 14)
        for x in (-1, 1):
            for y in (-1, 1):
                work.show(claw.moved(x * width * 0.30, y * depth * 0.28, 0), metal)
    work.show(cylinder(0.03, 0.006, bevel_m=0.002, segments=20).moved(-width * 0.25, 0, floor + 0.006), metal)
    end = -width / 2 + 0.06
    for part in tap_parts(metal, 0.20, 0.15, 0.144 + height - floor - 0.03):
        work.parts.append(replace(part, mesh=part.mesh.turned("z", 90).moved(end - 0.015, 0, height)))
    pool = loft([_level(hole, s, 0, z) for s, z in ((0.70, floor + 0.02), (0.93, height * 0.68))])
    work.show(pool, look("water", WATER), when="filled", fill=0.0)
    for s in (-1, 1):
        work.touch((width, 0.08, height), (0, s * (depth / 2 - 0.04), height / 2))
        work.touch((0.10, depth, height), (s * (width / 2 - 0.05), 0, height / 2))
    work.touch((width, depth, floor), (0, 0, floor / 2))
    work.hold("inside", "in", (0.1, 0, floor), (width * 0.5, depth * 0.42), 0.5)
    return work.asset("cleans", mass_kg=rng.uniform(45, 80))


@object_type(
    "ShowerCabin", "fixture", "a glass shower with a shower head", "against_wall", ("Bathroom",), noun="shower"
)
def shower_cabin(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A shower: tray, glass walls, a hinged glass door, tap and a head from which water falls while on."""
    work, width, depth, height = Assembly(), rng.uniform(0.82, 0.95), rng.uniform(0.80, 0.90), rng.uniform(1.92, 2.05)
    glaze, metal, glass = (
        look("ceramic", "white"),
        look("metal", pick_colour(rng, colour, "silver", "silver", "black", "gold"), texture=""),
        look("glass", Colour("cyan", (0.72, 0.86, 0.88))),
    )
    tray_h, back = 0.10, depth / 2
    work.block((width, depth, tray_h - 0.03), (0, 0, (tray_h - 0.03) / 2), glaze, radius_m=0.01, fill=0.3)
    for s in (-1, 1):
        work.block((0.04, depth, 0.03), (s * (width / 2 - 0.02), 0, tray_h - 0.015), glaze)
        work.block((width - 0.08, 0.04, 0.03), (0, s * (depth / 2 - 0.02), tray_h - 0.015), glaze)
        work.show(
            box((0.006, depth - 0.03, height - tray_h)).moved(s * (width / 2 - 0.02), 0, (height + tray_h) / 2), glass
        )
        work.touch((0.02, depth, height), (s * (width / 2 - 0.02), 0, height / 2))
        for y in (-back + 0.015, back - 0.015):
            work.show(
                box((0.024, 0.024, height - tray_h)).moved(s * (width / 2 - 0.02), y, (height + tray_h) / 2),
                metal,
                fill=0.2,
            )
        work.show(box((0.022, depth - 0.03, 0.022)).moved(s * (width / 2 - 0.02), 0, height - 0.011), metal, fill=0.2)
        work.show(box((width - 0.04, 0.022, 0.022)).moved(0, s * (back - 0.015), height - 0.011), metal, fill=0.2)
    wall = look("ceramic", pick_colour(rng, None, "white", "blue", "teal", "grey", "green"), texture="tile")
    work.block((width - 0.02, 0.02, height - tray_h), (0, back - 0.01, (height + tray_h) / 2), wall, fill=0.3)
    door_w, y = width - 0.07, -back + 0.012
    work.show(
        box((door_w, 0.006, height - tray_h - 0.05)).moved(0, y, (height + tray_h) / 2 - 0.01), glass, joint="door"
    )
    pull = merge(
        [
            cylinder(0.009, 0.22, segments=10).moved(0, -0.035, 0),
            *(cylinder(0.007, 0.035, segments=8).turned("x", 90).moved(0, -0.018, s * 0.09) for s in (-1, 1)),
        ]
    )
    work.show(pull.moved(door_w / 2 - 0.06, y, 1.05), metal, joint="door")
    work.touch((door_w, 0.012, height - tray_h - 0.05), (0, y, (height + tray_h) / 2), joint="door")
    work.joints.append(Joint.hinge("door", (0, 0, -1), (-door_w / 2, y, 1.0), 95, (door_w / 2 - 0.06, y - 0.05, 1.05)))
    head_y, head_z = back - 0.26, height - 0.16
    rod = fillet(
        [
            (0, back - 0.05, 1.0),
            (0, back - 0.05, head_z + 0.06),
            (0, head_y, head_z + 0.06),
            (0, head_y, head_z + 0.01),
        ],
        0.08,
        4,
    )
    rose = lathe(fillet([(0, 0), (0.10, 0), (0.10, 0.012), (0.02, 0.03), (0, 0.03)], 0.004, 2), 28).moved(
        0, head_y, head_z - 0.015
    )
    valve = merge(
        [
            rounded_box((0.26, 0.05, 0.05), 0.02, 2).moved(0, back - 0.05, 1.02),
            *(knob(0.022).moved(s * 0.11, back - 0.075, 1.02) for s in (-1, 1)),
        ]
    )
    work.show(merge([sweep(rod, 0.011, sides=8), rose, valve]), metal, fill=0.5)
    streams = [
        running_water(
            (0.075 * math.cos(a), head_y + 0.075 * math.sin(a), head_z - 0.012), head_z - tray_h + 0.02, 0.004
        ).mesh
        for a in np.arange(0, 6.2, 0.785)
    ]
    work.show(merge(streams), look("water", "cyan", emission=0.25), when="on", fill=0.0)
    work.show(cylinder(0.035, 0.006, segments=18).moved(0, 0.1, tray_h - 0.028), metal)
    work.hold("tray", "in", (0, 0, tray_h - 0.03), (width * 0.6, depth * 0.5), 1.0, door="door")
    return work.asset(
        "cleans",
        mass_kg=rng.uniform(60, 85),
        colours=("white", metal.colour.name),
        materials=("glass", "metal", "ceramic"),
    )


@object_type(
    "BathroomSink", "fixture", "a washbasin in a vanity cabinet", "against_wall", ("Bathroom",), noun="washbasin"
)
def bathroom_sink(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A vanity: a basin sunk into a white top over a cupboard with two doors."""
    work, width, depth, height = Assembly(), rng.uniform(0.66, 0.90), rng.uniform(0.46, 0.52), rng.uniform(0.82, 0.87)
    surface, metal, glaze = timber(rng, colour, "white", "white", "navy", "grey"), trim(rng), look("ceramic", "white")
    foot, back, deep = 0.10, depth / 2, 0.13
    work.case(width, depth - 0.02, (foot, height - 0.06), surface, roof=False)
    work.block((width - 0.02, depth - 0.08, foot), (0, 0.02, foot / 2), surface, fill=0.1)
    # Between the doors and the top one would look onto the underside of the basin.
    work.show(box((width - 2 * BOARD_M, 0.018, 0.07)).moved(0, -back + 0.021, height - 0.085), surface)
    for s in (-1, 1):
        work.show(box((BOARD_M, depth - 0.02, 0.01)).moved(s * (width - BOARD_M) / 2, 0, height - 0.055), surface)
    rim = rounded_rectangle(width + 0.02, depth + 0.02, 0.03, 4)
    bowl = rounded_rectangle(min(0.5, width - 0.2), depth - 0.17, 0.13, 4)
    y = -0.035
    basin = [
        (bowl, 0.3, y, height - deep - 0.012),
        (bowl, 1.04, y, height - 0.055),
        (rim, 0.995, 0, height - 0.052),
        (rim, 1.0, 0, height - 0.045),
        (rim, 1.0, 0, height - 0.006),
        (rim, 0.992, 0, height),
    ]
    basin += [
        (bowl, 1.03, y, height),
        (bowl, 1.0, y, height - 0.008),
        (bowl, 0.9, y, height - deep * 0.65),
        (bowl, 0.66, y, height - deep * 0.94),
        (bowl, 0.2, y, height - deep),
    ]
    work.show(loft([_level(*item) for item in basin], crease_deg=35), glaze, fill=0.5)
    work.show(cylinder(0.022, 0.006, bevel_m=0.002, segments=16).moved(0, y, height - deep + 0.002), chrome(rng))
    bright = chrome(rng)
    for part in tap_parts(bright, 0.18, 0.15, 0.13 + deep - 0.018):
        work.parts.append(replace(part, mesh=part.mesh.moved(0, back - 0.06, height)))
    pool = loft([_level(bowl, s, y, z) for s, z in ((0.62, height - deep * 0.9), (0.92, height - deep * 0.5))])
    work.show(pool, look("water", WATER), when="filled", fill=0.0)
    for i, x in enumerate(((-width / 2 + BOARD_M, 0.0), (0.0, width / 2 - BOARD_M))):
        work.door(
            f"door_{i}",
            x,
            (foot + 0.004, height - 0.075),
            -depth / 2 + 0.01,
            surface,
            metal,
            side=2 * i - 1,
            front="shaker",
            grip=knob(0.014),
        )
        work.hold(
            f"inside_{i}",
            "in",
            ((x[0] + x[1]) / 2, 0, foot + BOARD_M),
            (width / 2 - 0.10, depth - 0.14),
            0.40,
            door=f"door_{i}",
        )
    bowl_w = min(0.5, width - 0.2)
    work.touch((bowl_w, depth - 0.17, 0.02), (0, y, height - deep - 0.01))
    work.touch((width, 0.10, 0.05), (0, back - 0.05, height - 0.025))
    work.touch((width, 0.04, 0.05), (0, -back + 0.02, height - 0.025))
    for s in (-1, 1):
        side = (width - bowl_w) / 2
        work.touch((side, depth, 0.05), (s * (width - side) / 2, 0, height - 0.025))
        work.hold(f"edge_{(s + 1) // 2}", "on", (s * (width - side) / 2, 0, height), (side - 0.01, depth - 0.1), 0.3)
    work.hold("bowl", "in", (0, y, height - deep), (bowl_w * 0.55, (depth - 0.17) * 0.55), 0.25)
    return work.asset("cleans")
