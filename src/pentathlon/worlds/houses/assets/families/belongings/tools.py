"""Tools for the house and garden."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Emitter, Part
from pentathlon.worlds.houses.assets.handheld import thing
from pentathlon.worlds.houses.assets.types import Room, object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import arc, fillet, rounded_rectangle, spline
from pentathlon.worlds.modelling.materials import look, wood
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.shapes import box, cylinder, lathe, rounded_box
from pentathlon.worlds.modelling.sweeps import extrude, sweep

SHED: tuple[Room, ...] = ("LivingRoom", "Bedroom", "Kitchen")
STEEL = Colour("silver", (0.66, 0.67, 0.70))


@object_type("Hammer", "tool", "a claw hammer", rooms=SHED, shape="long")
def hammer(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A claw hammer lying on its side: steel head with a claw, wooden or rubber handle."""
    length = rng.uniform(0.28, 0.33)
    face = cylinder(0.0145, 0.022, bevel_m=0.002, segments=20).turned("x", 90).moved(length, -0.044, 0.0145)
    neck = cylinder(0.010, 0.030, segments=16).turned("x", 90).moved(length, -0.024, 0.0145)
    cheek = rounded_box((0.028, 0.034, 0.026), 0.004).moved(length, 0, 0.0145)
    claws = []
    for side in (-1, 1):
        path = spline(
            [
                (length, 0.012, 0.0145 + side * 0.005),
                (length - 0.004, 0.040, 0.0145 + side * 0.007),
                (length - 0.022, 0.068, 0.0145 + side * 0.009),
            ],
            4,
        )
        claws.append(sweep(path, np.linspace(1.0, 0.35, len(path)), outline=rounded_rectangle(0.020, 0.0085, 0.003, 2)))
    path = spline(
        [(0, 0, 0.0145), (length * 0.3, 0, 0.0145), (length * 0.7, 0, 0.0145), (length + 0.012, 0, 0.0145)], 4
    )
    section = np.array([(0.0125 * c, 0.0165 * s) for c, s in arc((0, 0), 1.0, 0, 330, 11)])
    handle = sweep(
        path, np.interp(np.linspace(0, 1, len(path)), (0, 0.08, 0.5, 1), (0.9, 1.0, 0.72, 0.62)), outline=section
    )
    rubber = colour is not None or rng.random() < 0.5
    grip = look("rubber", pick_colour(rng, colour, "red", "blue", "yellow", "black")) if rubber else wood(rng)
    head = merge([face, neck, cheek, *claws])
    return thing(
        [Part(head, look("metal", STEEL, rng, texture="")), Part(handle, grip)],
        touch=[head, handle],
        mass_kg=float(rng.uniform(0.5, 0.8)),
    )


@object_type("Screwdriver", "tool", "a screwdriver", rooms=SHED, shape="long")
def screwdriver(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A screwdriver: ribbed two-colour handle, steel shaft with a flat tip."""
    grip, shaft = rng.uniform(0.095, 0.115), rng.uniform(0.09, 0.14)
    tint = pick_colour(rng, colour, "red", "yellow", "blue", "green", "orange")
    profile = spline(
        [
            (0.010, 0.0),
            (0.0155, 0.008),
            (0.0165, grip * 0.45),
            (0.0125, grip * 0.78),
            (0.0145, grip * 0.9),
            (0.010, grip),
        ],
        4,
    )
    handle = lathe([(0, 0), *profile, (0, grip)], 10, crease_deg=20)
    cap = lathe(fillet([(0, -0.006), (0.012, -0.006), (0.014, 0.006), (0, 0.006)], 0.003), 18)
    ring = cylinder(0.0150, 0.010, bevel_m=0.002, segments=18).moved(z=grip * 0.82)
    rod = lathe([(0.0032, grip - 0.004), (0.0032, grip + shaft - 0.012), (0.0030, grip + shaft - 0.010)], 12)
    tip = box((0.0085, 0.0020, 0.014)).tapered(0.75).moved(z=grip + shaft - 0.005)
    parts = [
        (handle, look("plastic", tint)),
        (merge([cap, ring]), look("rubber", "black")),
        (merge([rod, tip]), look("metal", STEEL, texture="")),
    ]
    return thing([Part(mesh.turned("y", 90), surface) for mesh, surface in parts], colours=(tint.name, "black"))


@object_type("Wrench", "tool", "an open-ended spanner", rooms=SHED, shape="long")
def wrench(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A spanner with an open jaw at each end."""
    length, jaw, small = rng.uniform(0.19, 0.25), rng.uniform(0.024, 0.029), rng.uniform(0.017, 0.021)

    def head(radius: float, tilt: float, at: float, flip: float) -> list[tuple[float, float]]:
        outer = [
            (radius * math.cos(math.radians(a)), radius * math.sin(math.radians(a))) for a in np.linspace(205, 330, 7)
        ]
        outer2 = [
            (radius * math.cos(math.radians(a)), radius * math.sin(math.radians(a))) for a in np.linspace(30, 155, 7)
        ]
        slot = [
            (radius * 0.88, -radius * 0.42),
            (-radius * 0.12, -radius * 0.42),
            (-radius * 0.30, -radius * 0.2),
            (-radius * 0.30, radius * 0.2),
            (-radius * 0.12, radius * 0.42),
            (radius * 0.88, radius * 0.42),
        ]
        points = np.array([*outer, *slot, *outer2])
        turn = math.radians(tilt)
        rotated = points @ np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
        return [(flip * x + at, flip * y) for x, y in rotated]

    ends = [
        extrude(head(jaw, 12, length / 2, 1), 0.008, bevel_m=0.0008),
        extrude(head(small, 12, -length / 2, -1), 0.007, bevel_m=0.0008),
    ]
    bar = extrude(
        fillet(
            [
                (-length / 2 + small * 0.6, -0.006),
                (length / 2 - jaw * 0.6, -0.008),
                (length / 2 - jaw * 0.6, 0.008),
                (-length / 2 + small * 0.6, 0.006),
            ],
            0.002,
            2,
            closed=True,
        ),
        0.006,
        bevel_m=0.001,
    )
    groove = extrude(rounded_rectangle(length * 0.5, 0.006, 0.0028, 3), 0.0068)
    tint = pick_colour(rng, colour, "silver", "silver", "grey", "black")
    steel = look("metal", tint, rng)
    return thing(
        [Part(merge([*ends, bar]), steel), Part(groove, steel.tinted(tint.darker(0.75)))], colours=(tint.name,)
    )


@object_type("Drill", "tool", "a cordless power drill", rooms=SHED, shape="cube", noun="power drill")
def drill(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A cordless drill standing on its battery: motor housing, grip with trigger, chuck and bit."""
    tint = pick_colour(rng, colour, "yellow", "teal", "red", "green", "orange", "blue")
    scale = rng.uniform(0.92, 1.08)
    z = 0.175
    motor = (
        lathe(
            fillet([(0, -0.085), (0.026, -0.085), (0.033, -0.06), (0.033, 0.03), (0.026, 0.045), (0, 0.045)], 0.008), 26
        )
        .turned("y", 90)
        .moved(0, 0, z)
    )
    grip = sweep(
        spline([(-0.030, 0, z - 0.015), (-0.034, 0, z - 0.06), (-0.040, 0, z - 0.125)], 5),
        1.0,
        outline=rounded_rectangle(0.046, 0.034, 0.013, 4),
    )
    battery = rounded_box((0.115, 0.068, 0.048), 0.008).moved(-0.022, 0, 0.024)
    collar = rounded_box((0.095, 0.058, 0.014), 0.005, 1).moved(-0.028, 0, 0.053)
    chuck = (
        lathe(
            fillet([(0, 0.043), (0.022, 0.043), (0.022, 0.070), (0.016, 0.085), (0.010, 0.092), (0, 0.092)], 0.002),
            18,
            crease_deg=25,
        )
        .turned("y", 90)
        .moved(0, 0, z)
    )
    bit = lathe([(0.0032, 0.09), (0.0032, 0.150), (0.0, 0.158)], 8, crease_deg=20).turned("y", 90).moved(0, 0, z)
    trigger = rounded_box((0.014, 0.018, 0.030), 0.005).moved(-0.006, 0, z - 0.050)
    vents = [box((0.003, 0.0672, 0.016)).moved(x, 0, z + 0.004) for x in (-0.066, -0.058, -0.050)]
    parts = [
        (merge([motor, grip]), look("plastic", tint)),
        (merge([battery, collar, trigger, *vents]), look("plastic", Colour("black", (0.12, 0.12, 0.13)))),
        (merge([chuck, bit]), look("metal", STEEL, rng, texture="")),
    ]
    battery_touch = merge([battery]).scaled(scale)
    return thing(
        [Part(mesh.scaled(scale), surface) for mesh, surface in parts],
        touch=[battery_touch, merge([motor, grip, chuck]).scaled(scale)],
        mass_kg=float(rng.uniform(1.2, 1.7)),
        colours=(tint.name, "black"),
    )


@object_type("Flashlight", "tool", "a torch that shines", rooms=SHED, shape="long")
def flashlight(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A torch lying on its side: knurled barrel, wide head with a lens that glows while on."""
    length, radius, head = rng.uniform(0.15, 0.19), rng.uniform(0.014, 0.017), rng.uniform(0.024, 0.030)
    tint = pick_colour(rng, colour, "black", "silver", "red", "yellow", "blue")
    body = lathe(
        fillet(
            [
                (0, 0),
                (radius * 0.95, 0),
                (radius, 0.006),
                (radius, length * 0.68),
                (head, length * 0.82),
                (head, length),
                (head * 0.86, length),
                (head * 0.80, length - 0.006),
                (0, length - 0.006),
            ],
            0.002,
        ),
        28,
    )
    rings = [cylinder(radius * 1.06, 0.006, segments=26).moved(z=length * s) for s in (0.08, 0.16, 0.24, 0.32, 0.40)]
    lens = lathe([(0, 0), (head * 0.82, 0), (head * 0.5, 0.003), (0, 0.0045)], 24, crease_deg=60).moved(
        z=length - 0.006
    )
    button = rounded_box((0.010, 0.008, 0.022), 0.003, 1).moved(0, -radius - 0.001, length * 0.55)

    def lay(mesh: Mesh) -> Mesh:
        return mesh.turned("x", 90).turned("z", 35)

    beam = lay(cylinder(0.001, 0.002, segments=4).moved(z=length))
    centre = (beam.bounds_m[0] + beam.bounds_m[1]) / 2
    forward = centre / np.linalg.norm(centre)
    shell = look("metal", tint, texture="") if tint.name in ("black", "silver") else look("plastic", tint)
    parts = [
        Part(lay(merge([body, *rings])), shell, fill=0.25),
        Part(lay(button), look("rubber", "red" if tint.name != "red" else "black")),
        Part(lay(lens), look("ceramic", Colour("white", (0.86, 0.88, 0.88))), when="off"),
        Part(lay(lens), look("plastic", Colour("yellow", (1.0, 0.96, 0.80)), emission=1.0), when="on"),
    ]
    light = Emitter(
        "beam",
        (float(centre[0]), float(centre[1]), float(centre[2])),
        (0.8, 0.75, 0.6),
        (float(forward[0]), float(forward[1]), 0.0),
        30.0,
        (1.0, 0.2, 0.2),
    )
    return thing(parts, emitters=(light,), mass_kg=float(rng.uniform(0.2, 0.4)), colours=(tint.name,))
