"""An espresso machine."""

from __future__ import annotations

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Part
from pentathlon.worlds.houses.assets.handheld import thing, vessel
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import fillet, rounded_rectangle, spline
from pentathlon.worlds.modelling.materials import look, wood
from pentathlon.worlds.modelling.mesh import merge
from pentathlon.worlds.modelling.shapes import box, cylinder, lathe, rounded_box, sphere
from pentathlon.worlds.modelling.sweeps import sweep

DARK = Colour("black", (0.11, 0.11, 0.12))


@object_type("EspressoMachine", "appliance", "a steel machine for espresso", rooms=("Kitchen",), shape="cube")
def espresso_machine(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """An espresso machine: back tower, head with a portafilter, steam wand, gauge, drip tray, cups on top."""
    width, depth, height = rng.uniform(0.24, 0.29), rng.uniform(0.27, 0.31), rng.uniform(0.30, 0.34)
    tint = pick_colour(rng, colour, "silver", "silver", "red", "black", "cream")
    shell = look("metal", tint, rng, texture="brushed" if tint.name == "silver" else "")
    chrome, dark = look("metal", "silver", texture=""), look("plastic", DARK)
    tower = rounded_box((width, depth * 0.52, height * 0.92), 0.012, 1).moved(0, depth * 0.24, height * 0.48)
    head = rounded_box((width, depth * 0.88, height * 0.26), 0.012).moved(0, 0.0 + depth * 0.02, height * 0.83)
    base = rounded_box((width, depth, height * 0.16), 0.010).moved(z=height * 0.08 + 0.006)
    grid = [
        box((width * 0.80, 0.005, 0.004)).moved(0, -depth * 0.42 + i * depth * 0.055, height * 0.165 + 0.006)
        for i in range(8)
    ]
    well = box((width * 0.84, depth * 0.44, 0.004)).moved(0, -depth * 0.24, height * 0.160 + 0.006)
    x, y = -width * 0.10, -depth * 0.24
    group = lathe(fillet([(0, 0), (0.034, 0), (0.036, 0.030), (0, 0.030)], 0.003), 20).moved(x, y, height * 0.64)
    basket = lathe(fillet([(0, 0), (0.024, 0), (0.032, 0.012), (0.032, 0.026), (0, 0.026)], 0.002), 24).moved(
        x, y, height * 0.56
    )
    spouts = [
        sweep(
            spline([(x, y, height * 0.565), (x + s * 0.012, y, height * 0.545), (x + s * 0.014, y, height * 0.525)], 3),
            0.005,
            sides=8,
        )
        for s in (-1, 1)
    ]
    grip = sweep(
        spline([(x, y - 0.03, height * 0.60), (x, y - 0.08, height * 0.595), (x, y - 0.145, height * 0.575)], 4),
        np.interp(np.arange(9), (0, 2, 7, 8), (0.006, 0.012, 0.014, 0.010)),
        sides=12,
    )
    wand_x = width * 0.36
    wand = sweep(
        spline(
            [
                (wand_x, y, height * 0.70),
                (wand_x + 0.004, y - 0.01, height * 0.55),
                (wand_x + 0.02, y - 0.03, height * 0.30),
            ],
            5,
        ),
        0.0048,
        sides=8,
    )
    tip = sphere(0.0075, 10).moved(wand_x + 0.02, y - 0.03, height * 0.30)
    front = depth * 0.02 - depth * 0.44
    gauge = (
        lathe([(0, 0), (0.026, 0), (0.026, 0.008), (0.022, 0.010), (0, 0.010)], 26)
        .turned("x", 90)
        .moved(0, front, height * 0.84)
    )
    dial_face = cylinder(0.021, 0.001, segments=26).turned("x", 90).moved(0, front - 0.0105, height * 0.84)
    needle = box((0.003, 0.001, 0.020)).turned("y", 40).moved(0.004, front - 0.0115, height * 0.845)
    knobs = [
        lathe(fillet([(0, 0), (0.019, 0), (0.016, 0.020), (0, 0.020)], 0.003), 18)
        .turned("x", 90)
        .moved(s * width * 0.36, front, height * 0.84)
        for s in (-1, 1)
    ]
    lamp = cylinder(0.006, 0.004, segments=14).turned("x", 90).moved(-width * 0.17, front - 0.001, height * 0.84)
    rail = sweep(
        np.column_stack([rounded_rectangle(width * 0.94, depth * 0.84, 0.02, 3), np.full(16, height + 0.020)])
        + np.array([0, depth * 0.04, 0]),
        0.004,
        sides=6,
        closed=True,
    )
    posts = [
        cylinder(0.004, 0.060, segments=8).moved(sx * width * 0.45, sy * depth * 0.38 + depth * 0.04, height * 0.99)
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    cups = [
        vessel([(0.020, 0), (0.026, 0.02), (0.030, 0.055)], 0.003, 0.006, segments=14).moved(
            cx, depth * 0.14, height * 0.958
        )
        for cx in (-0.07, 0.0, 0.07)
    ]
    cup = vessel([(0.018, 0), (0.026, 0.02), (0.029, 0.050)], 0.003, 0.006, segments=14).moved(x, y, height * 0.185)
    coffee = cylinder(0.024, 0.002, segments=18).moved(x, y, height * 0.185 + 0.040)
    brown = look("food", Colour("brown", (0.24, 0.12, 0.05)), texture="")
    streams = [cylinder(0.0022, height * 0.22, segments=8).moved(x + s * 0.014, y, height * 0.415) for s in (-1, 1)]
    feet = [
        cylinder(0.014, 0.008, segments=12).moved(sx * width * 0.4, sy * depth * 0.4, 0.004)
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    handle_look = wood(rng, "walnut") if rng.random() < 0.5 else dark
    parts = [
        Part(merge([tower, head, base]), shell, fill=0.02),
        Part(merge([group, basket, *spouts, wand, tip, *grid, rail, *posts, gauge]), chrome, fill=0.2),
        Part(merge([well, *knobs, *feet]), dark, fill=0.3),
        Part(grip, handle_look),
        Part(dial_face, look("paper", "white")),
        Part(needle, look("plastic", "red")),
        Part(lamp, look("plastic", "maroon"), when="off"),
        Part(lamp, look("plastic", Colour("green", (0.3, 1.0, 0.4)), emission=1.0), when="on"),
        Part(merge(streams), brown, when="on", fill=0.0),
        Part(coffee, brown, when="on", fill=0.0),
        Part(merge([*cups, cup]), look("ceramic", "white"), fill=0.6),
    ]
    return thing(
        parts,
        touch=[base, tower, head],
        portable=False,
        mass_kg=float(rng.uniform(7, 9)),
        colours=(tint.name,),
        materials=("metal",),
    )
