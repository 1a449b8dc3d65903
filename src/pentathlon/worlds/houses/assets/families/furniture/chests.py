"""Safes, chests and racks."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.assembly import Assembly, corners, post, timber, trim
from pentathlon.worlds.houses.assets.asset import Asset, Joint
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import pick_colour
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.shapes import box, cylinder, lathe, rounded_box, torus
from pentathlon.worlds.modelling.sweeps import handle, sweep


@object_type("Safe", "container", "a steel safe with a dial", "against_wall", ("Bedroom", "LivingRoom"))
def safe(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A steel safe: thick door, dial, three-spoked wheel, a shelf inside."""
    work, size, height = Assembly(), rng.uniform(0.38, 0.48), rng.uniform(0.42, 0.58)
    steel = look("metal", pick_colour(rng, colour, "grey", "black", "green", "navy"), texture="")
    bright, depth, wall = look("metal", "silver", rng), size * 0.95, 0.035
    foot = 0.03
    work.case(size, depth, (foot, height), steel, board_m=wall, fill=0.3)
    for x, y in corners(size - 0.08, depth - 0.08):
        work.show(cylinder(0.022, foot, segments=14).moved(x, y, foot / 2), look("rubber", "black"))
        work.touch((0.044, 0.044, foot), (x, y, foot / 2))
    y, middle = -depth / 2, (height + foot) / 2
    door = rounded_box((size - 0.01, 0.05, height - foot - 0.01), 0.012, 2).moved(0, y - 0.026, middle)
    plate = rounded_box((size - 0.10, 0.012, height - foot - 0.10), 0.006, 1).moved(0, y - 0.054, middle)
    work.show(door, steel, joint="door", fill=0.4)
    work.show(plate, steel.tinted(steel.colour.darker(1.25)), joint="door")
    dial = lathe([(0, 0), (0.036, 0), (0.034, 0.014), (0.016, 0.016), (0.013, 0.034), (0, 0.036)], 24).turned("x", 90)
    ticks = merge([box((0.0025, 0.002, 0.008)).moved(0, -0.012, 0.030).turned("y", a) for a in range(0, 360, 30)])
    work.show(dial.moved(0, y - 0.06, middle + 0.085), look("metal", "black", texture=""), joint="door")
    work.show(ticks.moved(0, y - 0.063, middle + 0.085), look("plastic", "white"), joint="door")
    hub = [
        torus(0.05, 0.007, 24, 8).turned("x", 90).moved(0, -0.035),
        cylinder(0.014, 0.05, segments=14).turned("x", 90).moved(0, -0.02),
    ]
    hub += [
        sweep([(0, -0.035, 0), (0.05 * math.sin(a), -0.035, 0.05 * math.cos(a))], 0.006, sides=8)
        for a in (0, 2.09, 4.19)
    ]
    work.show(merge(hub).moved(0, y - 0.06, middle - 0.06), bright, joint="door")
    work.show(
        merge(
            [
                cylinder(0.012, 0.07, segments=12).moved(-size / 2 - 0.002, y - 0.03, middle + s * height * 0.28)
                for s in (-1, 1)
            ]
        ),
        bright,
    )
    work.touch((size, 0.06, height - foot), (0, y - 0.03, middle), joint="door")
    work.joints.append(
        Joint.hinge("door", (0, 0, -1), (-size / 2, y - 0.03, middle), 115, (0.05, y - 0.1, middle - 0.06))
    )
    inner = size - 2 * wall
    work.block((inner, depth - 0.06, 0.012), (0, 0.01, middle), bright, fill=0.3)
    for i, z in enumerate((foot + wall, middle + 0.006)):
        work.hold(
            f"shelf_{i}", "in", (0, 0, z), (inner - 0.05, depth - 0.14), (height - foot) / 2 - wall - 0.03, door="door"
        )
    return work.asset(mass_kg=rng.uniform(35, 60))


@object_type("StorageBox", "container", "a box with a hinged lid", "free", ("Bedroom", "LivingRoom"))
def storage_box(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A chest or plastic box whose lid opens on hinges at the back."""
    work, width, depth, height = Assembly(), rng.uniform(0.50, 0.75), rng.uniform(0.36, 0.45), rng.uniform(0.32, 0.42)
    wooden = bool(rng.random() < 0.6)
    surface = (
        timber(rng, colour, "white", "blue", "red", "green")
        if wooden
        else look("plastic", pick_colour(rng, colour, "blue", "green", "red", "yellow", "teal", "orange"))
    )
    metal, wall, lid_z = trim(rng), 0.016, height - 0.05
    for side in (-1, 1):
        work.block((wall, depth, lid_z), (side * (width - wall) / 2, 0, lid_z / 2), surface)
        work.block((width - 2 * wall, wall, lid_z), (0, side * (depth - wall) / 2, lid_z / 2), surface)
        grip = handle(0.12, 0.022, 0.006, steps=2, sides=6).turned("z", 90 * side)
        work.show(grip.moved(side * width / 2, 0, lid_z * 0.72), metal if wooden else surface)
    work.block((width - 2 * wall, depth - 2 * wall, wall), (0, 0, wall / 2), surface)
    lid = rounded_box((width + 0.02, depth + 0.02, 0.05), 0.014 if wooden else 0.022, 2).moved(z=lid_z + 0.026)
    work.show(
        lid,
        surface if wooden else look("plastic", pick_colour(rng, None, "white", "grey", "blue")),
        joint="lid",
        fill=0.4,
    )
    work.touch((width, depth, 0.048), (0, 0, lid_z + 0.026), joint="lid")
    bands = [box((0.035, 0.004, lid_z)).moved(x, -depth / 2 - 0.001, lid_z / 2) for x in (-width * 0.3, width * 0.3)]
    latch = rounded_box((0.05, 0.012, 0.06), 0.004, 1).moved(0, -depth / 2 - 0.014, lid_z + 0.01)
    if wooden:
        work.show(merge(bands), metal)
    work.show(latch, metal, joint="lid")
    work.joints.append(Joint.hinge("lid", (-1, 0, 0), (0, depth / 2, lid_z), 100, (0, -depth / 2 - 0.02, lid_z + 0.01)))
    work.hold("inside", "in", (0, 0, wall), (width - 0.10, depth - 0.10), lid_z - 0.04, door="lid")
    return work.asset()


@object_type("ShoeRack", "furniture", "a low rack of slats for shoes", "against_wall", ("LivingRoom", "Bedroom"))
def shoe_rack(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A rack of two or three slatted shelves with a pair of shoes."""
    work, width, depth, count = Assembly(), rng.uniform(0.62, 0.80), rng.uniform(0.28, 0.32), int(rng.integers(2, 4))
    surface, pitch = timber(rng, colour, "white", "black"), 0.20
    height = 0.06 + count * pitch
    for x, y in corners(width, depth):
        work.show(post((x, y), (x, y), height, 0.016, 0.016, 4), surface)
        work.touch((0.03, 0.03, height), (x, y, height / 2))
    for i in range(count):
        z = 0.08 + i * pitch
        slats = [box((width, 0.035, 0.012)).moved(0, (k - 2) * depth / 5, z) for k in range(5)]
        ends = [box((0.014, depth, 0.03)).moved(s * (width / 2 - 0.01), 0, z - 0.015) for s in (-1, 1)]
        work.show(merge(slats + ends), surface)
        work.touch((width, depth, 0.012), (0, 0, z))
        work.hold(f"shelf_{i}", "on", (width * 0.12, 0, z + 0.006), (width * 0.62, depth - 0.05), pitch - 0.04)
    leather = look("leather", pick_colour(rng, None, "brown", "black", "red", "white", "blue"), rng)
    for x in (-width * 0.36, -width * 0.36 + 0.105):
        work.show(_shoe().moved(x, 0.02, 0.086), leather, fill=0.25)
        work.show(rounded_box((0.088, 0.265, 0.014), 0.006, 1).moved(x, 0.02, 0.093), look("rubber", "white"), fill=0.5)
    return work.asset()


def _shoe() -> Mesh:
    toe = rounded_box((0.082, 0.15, 0.055), 0.026, 3).moved(0, -0.052, 0.038)
    heel = rounded_box((0.076, 0.14, 0.10), 0.03, 3).moved(0, 0.055, 0.06)
    return merge([toe, heel])
