"""Small machines that stand on a worktop."""

from __future__ import annotations

import numpy as np

from pentathlon.worlds.houses.assets.assembly import Assembly
from pentathlon.worlds.houses.assets.asset import Asset
from pentathlon.worlds.houses.assets.families.kitchen.appliances import DARK, GLOW, dial, enamel
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import fillet
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.mesh import merge
from pentathlon.worlds.modelling.shapes import box, cylinder, lathe, rounded_box
from pentathlon.worlds.modelling.sweeps import extrude, sweep


@object_type("Toaster", "appliance", "a toaster with two slots", rooms=("Kitchen",), shape="cube")
def toaster(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A toaster: rounded metal body, two slots that glow, a lever, a browning dial."""
    work, width, depth, height = Assembly(), rng.uniform(0.26, 0.31), rng.uniform(0.16, 0.19), rng.uniform(0.17, 0.20)
    tint = pick_colour(rng, colour, "silver", "red", "cream", "black", "teal", "white")
    coat, black = enamel(tint), look("plastic", DARK)
    outline = np.array(
        [
            (-depth / 2, 0.012),
            (depth / 2, 0.012),
            (depth / 2, height * 0.62),
            (depth * 0.40, height * 0.9),
            (depth * 0.22, height),
            (-depth * 0.22, height),
            (-depth * 0.40, height * 0.9),
            (-depth / 2, height * 0.62),
        ]
    )
    body = (
        extrude(fillet(outline, 0.03, 3, closed=True), width, bevel_m=0.008, crease_deg=50)
        .moved(z=-width / 2)
        .turned("x", 90)
        .turned("z", 90)
    )
    work.show(body, coat, fill=0.15)
    work.show(rounded_box((width - 0.01, depth - 0.01, 0.016), 0.005, 1).moved(z=0.008), black, fill=0.5)
    slots = merge([box((width * 0.66, 0.028, 0.004)).moved(0, s * depth * 0.14, height) for s in (-1, 1)])
    work.show(slots, black, when="off")
    work.show(slots, look("plastic", GLOW, emission=1.0), when="on", fill=0.0)
    track = box((0.004, 0.012, height * 0.5)).moved(width / 2, 0, height * 0.5)
    lever = rounded_box((0.026, 0.045, 0.016), 0.006, 1)
    work.show(track, black)
    work.show(lever.moved(width / 2 + 0.012, 0, height * 0.68), black, when="off")
    work.show(lever.moved(width / 2 + 0.012, 0, height * 0.32), black, when="on", fill=0.0)
    work.show(dial(0.016, 0.012).turned("z", 90).moved(width / 2, -depth * 0.28, height * 0.3), look("metal", "silver"))
    toast = rounded_box((width * 0.42, 0.016, 0.09), 0.02, 2)
    bread = look("food", Colour("brown", (0.72, 0.48, 0.24)), texture="crumb")
    work.show(
        merge([toast.moved(0, s * depth * 0.14, height + 0.012) for s in (-1, 1)]), bread, when="filled", fill=0.4
    )
    work.touch((width, depth, height), (0, 0, height / 2))
    return work.asset("pickupable", "heats", mass_kg=rng.uniform(1.4, 2.2), colours=(tint.name,))


@object_type("CoffeeMachine", "appliance", "a filter coffee machine with a glass jug", rooms=("Kitchen",), shape="cube")
def coffee_machine(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A filter coffee machine: tower, overhang, warm plate and a jug that fills; a lamp shows that it is on."""
    work, width, depth, height = Assembly(), rng.uniform(0.19, 0.23), rng.uniform(0.24, 0.28), rng.uniform(0.32, 0.37)
    tint = pick_colour(rng, colour, "black", "silver", "red", "white")
    coat = look("plastic", tint) if tint.name != "silver" else enamel(tint)
    back = depth / 2
    work.block((width, depth, 0.04), (0, 0, 0.02), coat, radius_m=0.012, fill=0.3)
    work.block((width, depth * 0.38, height), (0, back - depth * 0.19, height / 2), coat, radius_m=0.018, fill=0.2)
    work.block(
        (width, depth * 0.92, height * 0.30), (0, back - depth * 0.46, height * 0.85), coat, radius_m=0.018, fill=0.2
    )
    jug_y, jug_z, r = -depth * 0.16, 0.043, min(width * 0.36, 0.072)
    h = height * 0.70 - jug_z - 0.03
    work.show(cylinder(r * 1.05, 0.006, segments=28).moved(0, jug_y, 0.041), look("metal", "grey"))
    outside = [
        (0, 0),
        (r * 0.85, 0),
        (r, h * 0.25),
        (r * 0.95, h * 0.6),
        (r * 0.70, h),
        (r * 0.67, h),
        (r * 0.92, h * 0.6),
        (r * 0.96, h * 0.25),
        (0, 0.004),
    ]
    work.show(lathe(outside, 28, crease_deg=60).moved(0, jug_y, jug_z), look("glass", "silver"))
    work.show(
        lathe([(0, 0.005), (r * 0.82, 0.005), (r * 0.94, h * 0.25), (r * 0.92, h * 0.55), (0, h * 0.55)], 24).moved(
            0, jug_y, jug_z
        ),
        look("food", Colour("brown", (0.16, 0.08, 0.04)), texture=""),
        when="filled",
        fill=0.0,
    )
    black = look("plastic", DARK)
    work.show(cylinder(r * 0.72, 0.016, bevel_m=0.005, segments=24).moved(0, jug_y, jug_z + h + 0.006), black)
    ear = [
        (r * 0.62, jug_y - 0.01, jug_z + h * 0.95),
        (r + 0.028, jug_y - 0.035, jug_z + h * 0.9),
        (r + 0.03, jug_y - 0.04, jug_z + h * 0.35),
        (r * 0.93, jug_y - 0.02, jug_z + h * 0.3),
    ]
    work.show(sweep(np.array(ear), 0.008, sides=8), black)
    lamp = cylinder(0.007, 0.006, segments=12).turned("x", 90).moved(width * 0.30, back - depth * 0.92, height * 0.80)
    work.show(lamp, look("plastic", "maroon"), when="off")
    work.show(lamp, look("plastic", "red", emission=1.0), when="on", fill=0.0)
    work.show(
        rounded_box((width * 0.9, depth * 0.30, 0.012), 0.005, 1).moved(0, back - depth * 0.2, height + 0.004), black
    )
    return work.asset("heats", mass_kg=rng.uniform(1.8, 2.8), colours=(tint.name,))
