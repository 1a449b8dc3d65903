"""What moves, warms or cleans the air and the floor."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.assembly import Assembly
from pentathlon.worlds.houses.assets.asset import Asset
from pentathlon.worlds.houses.assets.families.decor.plants import leaf
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import arc, fillet, spline
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.mesh import merge
from pentathlon.worlds.modelling.shapes import box, cylinder, lathe, rounded_box, torus
from pentathlon.worlds.modelling.sweeps import extrude, panel, sweep


@object_type("Fan", "appliance", "an electric fan on a stand", "free", ("LivingRoom", "Bedroom"), shape="long")
def fan(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A pedestal fan: round foot, pole, blades in a wire cage; a lamp shows that it is on."""
    work, height, radius = Assembly(), rng.uniform(0.95, 1.20), rng.uniform(0.19, 0.23)
    case = look("plastic", pick_colour(rng, colour, "white", "black", "grey", "blue"))
    wire, top = look("metal", "silver" if case.colour.name != "grey" else "black", texture=""), height - radius
    work.show(
        lathe(
            fillet([(0, 0), (0.19, 0), (0.19, 0.02), (0.03, 0.045), (0.018, 0.09), (0.018, top), (0, top)], 0.008, 2),
            30,
        ),
        case,
        fill=0.2,
    )
    work.show(rounded_box((0.12, 0.17, 0.12), 0.05, 3).moved(0, 0.06, top), case, fill=0.5)
    blade = leaf(radius * 0.86, radius * 0.6, 0.0, 0.0, steps=5, fold=0.0).turned("x", 22)
    blades = merge(
        [
            cylinder(0.035, 0.05, bevel_m=0.01, segments=18),
            *(blade.turned("z", a) for a in range(0, 360, 90 if rng.random() < 0.5 else 120)),
        ]
    )
    tint = look(
        "plastic", Colour("cyan", (0.55, 0.75, 0.85)) if case.colour.name == "white" else case.colour.darker(1.6)
    )
    work.show(blades.turned("x", 90).moved(0, -0.06, top), tint, fill=0.5)
    cage = [
        torus(radius, 0.005, 36, 6),
        torus(radius * 0.97, 0.003, 36, 5).moved(z=0.045),
        torus(radius * 0.97, 0.003, 36, 5).moved(z=-0.045),
    ]
    for a in range(0, 360, 20):
        for s in (-1, 1):
            rib = spline([(0.03, 0, s * 0.06), (radius * 0.7, 0, s * 0.058), (radius, 0, 0)], 2)
            cage.append(sweep(rib, 0.0016, sides=4).turned("z", a))
    work.show(
        merge([*cage, cylinder(0.04, 0.01, segments=18).moved(z=0.06)]).turned("x", 90).moved(0, -0.06, top),
        wire,
        fill=0.6,
    )
    lamp = cylinder(0.008, 0.01, segments=10).turned("x", 90).moved(0, -0.018, top * 0.55)
    work.show(rounded_box((0.05, 0.03, 0.10), 0.008, 1).moved(0, -0.004, top * 0.52), case)
    work.show(lamp, look("plastic", "maroon"), when="off")
    work.show(lamp, look("plastic", "lime", emission=1.0), when="on", fill=0.0)
    work.touch((0.38, 0.38, 0.04), (0, 0, 0.02), kind="cylinder")
    work.touch((0.05, 0.05, top), (0, 0, top / 2), kind="cylinder")
    work.touch((2 * radius, 0.20, 2 * radius), (0, 0, top))
    return work.asset(mass_kg=rng.uniform(5.2, 7.0))


@object_type("AirConditioner", "appliance", "an air conditioner on the wall", "on_wall", ("LivingRoom", "Bedroom"))
def air_conditioner(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A split air conditioner: a long rounded box with louvres and a display that lights up."""
    work, width, height, depth = Assembly(), rng.uniform(0.75, 0.92), rng.uniform(0.26, 0.30), rng.uniform(0.19, 0.22)
    case = look("plastic", pick_colour(rng, colour, "white", "white", "white", "silver", "black"))
    section = np.vstack(
        [
            [(0, -height / 2)],
            [(-depth * 0.55, -height / 2)],
            arc((-depth + 0.06, -height * 0.22), 0.06, 215, 160, 4),
            arc((-depth + 0.03, height / 2 - 0.03), 0.03, 170, 90, 3),
            [(0, height / 2)],
        ]
    )
    body = extrude(section[::-1], width, bevel_m=0.006, crease_deg=35).turned("x", 90).turned("z", 90).moved(-width / 2)
    low, high = body.bounds_m
    work.show(body.moved(-(low[0] + high[0]) / 2, -high[1], -(low[2] + high[2]) / 2), case, fill=0.15)
    dark = look("plastic", "grey")
    louvres = [
        box((width * 0.86, 0.035, 0.004)).turned("x", 38).moved(0, -depth * 0.72 + 0.02 * i, -height * 0.40 - 0.006 * i)
        for i in range(3)
    ]
    work.show(merge(louvres), case.tinted(case.colour.darker(0.85)))
    work.show(box((width * 0.9, 0.003, 0.004)).moved(0, -depth * 0.998, height * 0.08), dark)
    shade = panel(0.06, 0.022).moved(width * 0.32, -depth * 1.0 - 0.001, 0.06)
    work.show(shade, dark, when="off")
    work.show(shade, look("plastic", "cyan", emission=1.0), when="on", fill=0.0)
    work.touch((width, depth, height), (0, -depth / 2, 0))
    return work.asset("cools", mass_kg=rng.uniform(9, 12))


@object_type("Radiator", "fixture", "a ribbed radiator", "against_wall")
def radiator(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A column radiator with feet and a valve."""
    work, count, height = Assembly(), int(rng.integers(8, 15)), rng.uniform(0.55, 0.68)
    paint = look("metal", pick_colour(rng, colour, "white", "white", "white", "grey", "silver"), texture="")
    pitch, deep, foot = 0.058, 0.13, 0.09
    width = count * pitch
    columns = []
    for i in range(count):
        x = (i - (count - 1) / 2) * pitch
        columns += [
            rounded_box((0.044, 0.05, height - foot), 0.021, 1).moved(x, s * 0.036, (height + foot) / 2)
            for s in (-1, 1)
        ]
    bars = [
        cylinder(0.016, width - 0.02, segments=10).turned("y", 90).moved(0, 0, z) for z in (foot + 0.05, height - 0.05)
    ]
    feet = [box((0.03, 0.10, foot + 0.03)).moved(s * (width / 2 - pitch / 2), 0, (foot + 0.03) / 2) for s in (-1, 1)]
    work.show(merge([*columns, *bars, *feet]), paint, fill=0.12)
    valve = merge(
        [
            cylinder(0.010, 0.05, segments=10).turned("y", 90).moved(width / 2 + 0.01, 0, foot + 0.05),
            cylinder(0.022, 0.05, bevel_m=0.006, segments=14).moved(width / 2 + 0.035, 0, foot + 0.085),
        ]
    )
    work.show(valve, look("plastic", "white" if paint.colour.name != "white" else "grey"))
    work.touch((width, deep, height), (0, 0, height / 2))
    return work.asset(mass_kg=count * rng.uniform(1.8, 2.4))


@object_type("VacuumCleaner", "appliance", "a vacuum cleaner with a hose", "free", ("LivingRoom", "Bedroom"))
def vacuum_cleaner(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A canister vacuum cleaner: round body on wheels, a ribbed hose up to a tube with a floor head."""
    work, tint = Assembly(), pick_colour(rng, colour, "red", "blue", "teal", "yellow", "purple", "orange")
    shell, black, steel = look("plastic", tint), look("plastic", "black"), look("metal", "silver")
    body = rounded_box((0.26, 0.36, 0.20), 0.09, 4).moved(0.10, 0.05, 0.14)
    work.show(body, shell, fill=0.3)
    work.show(rounded_box((0.27, 0.34, 0.05), 0.024, 2).moved(0.10, 0.05, 0.10), black, fill=0.3)
    wheels = [
        cylinder(0.075, 0.03, bevel_m=0.01, segments=22).turned("y", 90).moved(0.10 + s * 0.13, 0.14, 0.075)
        for s in (-1, 1)
    ]
    work.show(merge([*wheels, cylinder(0.028, 0.03, segments=14).turned("y", 90).moved(0.10, -0.09, 0.028)]), black)
    grip = sweep(
        fillet([(0.10, -0.02, 0.23), (0.10, 0.0, 0.29), (0.10, 0.13, 0.29), (0.10, 0.15, 0.22)], 0.03, 3),
        0.012,
        sides=8,
    )
    work.show(grip, black)
    tall = rng.uniform(0.80, 0.95)
    bottom, top = np.array([-0.16, -0.26, 0.06]), np.array([-0.16, 0.02, tall])
    work.show(sweep([bottom, top], 0.016, sides=12), steel, fill=0.2)
    handle_line = spline([tuple(top), (-0.16, 0.06, tall + 0.06), (-0.14, 0.16, tall + 0.06)], 4)
    hose = spline(
        [
            (-0.14, 0.16, tall + 0.06),
            (-0.08, 0.34, tall * 0.72),
            (0.02, 0.34, 0.34),
            (0.10, 0.06, 0.26),
            (0.10, -0.14, 0.20),
        ],
        9,
    )
    ripple = 0.017 + 0.002 * np.cos(np.arange(len(hose)) * math.pi)
    work.show(merge([sweep(handle_line, 0.018, sides=10), sweep(hose, ripple, sides=10)]), black, fill=0.3)
    work.show(rounded_box((0.28, 0.10, 0.05), 0.02, 2).moved(-0.16, -0.28, 0.025), shell, fill=0.5)
    work.touch((0.26, 0.36, 0.22), (0.10, 0.05, 0.11))
    work.touch((0.28, 0.10, 0.05), (-0.16, -0.28, 0.025))
    work.touch((0.05, 0.34, tall), (-0.16, -0.12, tall / 2 + 0.03))
    return work.asset(mass_kg=rng.uniform(5.5, 7.5), colours=(tint.name, "black"))
