"""Uncommon things to play with, after PASTURE's list."""

from __future__ import annotations

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Part
from pentathlon.worlds.houses.assets.handheld import thing
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import fillet, rounded_rectangle, spline
from pentathlon.worlds.modelling.materials import look, wood
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.shapes import box, cylinder, ellipsoid, lathe, rounded_box, sphere, torus
from pentathlon.worlds.modelling.sweeps import extrude, sweep

DARK = Colour("black", (0.11, 0.11, 0.12))


@object_type(
    "ElectricGuitar",
    "toy",
    "an electric guitar on a stand",
    "against_wall",
    ("LivingRoom", "Bedroom"),
    noun="white electric guitar",
)
def electric_guitar(rng: np.random.Generator, *, colour: str = "white") -> Asset:
    """An electric guitar upright in a stand: horned body, pickguard, pickups, knobs, six strings."""
    scale = rng.uniform(0.95, 1.05)
    knots = [
        (0.0, 0.02),
        (0.10, 0.035),
        (0.165, 0.11),
        (0.155, 0.19),
        (0.115, 0.245),
        (0.125, 0.32),
        (0.155, 0.385),
        (0.125, 0.41),
        (0.075, 0.355),
        (0.035, 0.335),
        (-0.035, 0.335),
        (-0.075, 0.365),
        (-0.115, 0.435),
        (-0.155, 0.43),
        (-0.145, 0.34),
        (-0.118, 0.25),
        (-0.150, 0.19),
        (-0.165, 0.11),
        (-0.10, 0.035),
    ]
    outline = spline(np.array(knots), 3, closed=True)
    body = extrude(outline, 0.042, bevel_m=0.004, crease_deg=50).turned("x", 90).moved(0, 0.021)
    guard_knots = [
        (0.02, 0.09),
        (0.10, 0.10),
        (0.12, 0.16),
        (0.085, 0.22),
        (0.085, 0.30),
        (0.10, 0.345),
        (0.06, 0.325),
        (0.034, 0.31),
        (-0.034, 0.31),
        (-0.07, 0.325),
        (-0.06, 0.20),
        (-0.02, 0.11),
    ]
    guard = extrude(spline(np.array(guard_knots), 3, closed=True), 0.003).turned("x", 90).moved(0, -0.0205)
    neck = rounded_box((0.050, 0.020, 0.52), 0.008).moved(0, -0.018, 0.57)
    board = box((0.050, 0.005, 0.56)).moved(0, -0.030, 0.55)
    frets = [
        box((0.050, 0.0016, 0.0018)).moved(0, -0.0332, 0.83 - 0.50 * (1 - 2 ** (-i / 12)) * 1.32) for i in range(1, 18)
    ]
    dots = [
        cylinder(0.0045, 0.001, segments=10).turned("x", 90).moved(0, -0.0330, z)
        for z in (0.735, 0.672, 0.615, 0.565, 0.49)
    ]
    head_knots = [
        (-0.024, 0.82),
        (0.024, 0.82),
        (0.030, 0.86),
        (0.046, 0.97),
        (0.038, 0.995),
        (0.010, 0.99),
        (-0.020, 0.955),
        (-0.034, 0.90),
    ]
    headstock = extrude(spline(np.array(head_knots), 2, closed=True), 0.014).turned("x", 90).moved(0, -0.012)
    pegs = [
        cylinder(0.0045, 0.020, segments=10).turned("x", 90).moved(-0.022 + 0.0085 * i, -0.024, 0.875 + 0.0185 * i)
        for i in range(6)
    ]
    keys = [
        ellipsoid((0.016, 0.008, 0.012), 8).moved(-0.043 + 0.0085 * i, -0.018, 0.880 + 0.0185 * i) for i in range(6)
    ]
    pickups = [
        rounded_box((0.078, 0.008, 0.020), 0.003, 1).turned("y", a).moved(0, -0.026, z)
        for z, a in ((0.285, 0), (0.235, 0), (0.18, -8))
    ]
    bridge = merge(
        [
            box((0.075, 0.008, 0.040)).moved(0, -0.025, 0.125),
            sweep([(0.03, -0.03, 0.135), (0.07, -0.045, 0.16), (0.075, -0.042, 0.24)], 0.0025, sides=6),
        ]
    )
    knobs = [
        cylinder(0.011, 0.012, bevel_m=0.002, segments=16).turned("x", 90).moved(x, -0.028, z)
        for x, z in ((0.075, 0.185), (0.092, 0.145), (0.085, 0.105))
    ]
    strings = [
        sweep([((i - 2.5) * 0.0098, -0.0355, 0.13), ((i - 2.5) * 0.0068, -0.0355, 0.835)], 0.0008, sides=4)
        for i in range(6)
    ]
    lift = 0.07
    stand = [
        sweep(spline([(s * 0.03, 0.06, 0.36), (s * 0.09, 0.10, 0.18), (s * 0.17, 0.15, 0.012)], 3), 0.009, sides=8)
        for s in (-1, 1)
    ]
    stand += [
        sweep([(0, 0.05, 0.36), (0, -0.14, 0.012)], 0.009, sides=8),
        sweep([(-0.05, 0.06, 0.35), (0.05, 0.06, 0.35)], 0.011, sides=8),
    ]
    stand += [
        sweep(
            spline(
                [
                    (s * 0.05, 0.07, 0.20),
                    (s * 0.06, 0.0, lift + 0.012),
                    (s * 0.06, -0.05, lift + 0.005),
                    (s * 0.06, -0.055, lift + 0.03),
                ],
                3,
            ),
            0.008,
            sides=8,
        )
        for s in (-1, 1)
    ]
    tint = pick_colour(rng, colour)
    paint, chrome, dark = look("ceramic", tint), look("metal", "silver", texture=""), look("plastic", DARK)
    timber = wood(rng, "pine" if rng.random() < 0.5 else "cherry")
    upper = [
        (body, paint),
        (guard, look("plastic", pick_colour(rng, None, "black", "red", "white"))),
        (merge([neck, headstock]), timber),
        (board, wood(rng, "ebony")),
        (merge([*frets, *pegs, *keys, bridge, *strings]), chrome),
        (merge(dots), look("plastic", "white")),
        (merge([*pickups, *knobs]), look("plastic", "cream") if rng.random() < 0.5 else dark),
    ]
    parts = [Part(mesh.scaled(scale).moved(z=lift), surface, fill=0.6) for mesh, surface in upper]
    return thing(
        [*parts, Part(merge(stand), dark, fill=0.4)],
        touch=[body.moved(z=lift), merge([neck, headstock]).moved(z=lift), merge(stand[:3])],
        portable=False,
        mass_kg=float(rng.uniform(4.5, 5.5)),
        colours=(tint.name,),
        materials=("wood",),
    )


@object_type(
    "Tricycle",
    "toy",
    "a child's tricycle in red and blue",
    "free",
    ("LivingRoom", "Bedroom"),
    noun="red and blue tricycle",
)
def tricycle(rng: np.random.Generator) -> Asset:
    """A child's tricycle: red frame, blue seat and wheels, pedals, handlebar with tassels."""
    big, small = rng.uniform(0.13, 0.15), rng.uniform(0.085, 0.10)
    axle_y, rear_y, seat = -0.24, 0.24, rng.uniform(0.30, 0.34)
    top = (0.0, -0.16, 0.46)
    tubes = [sweep(spline([(0, -0.185, 0.36), (0, -0.05, 0.24), (0, rear_y - 0.03, small + 0.02)], 5), 0.017, sides=8)]
    tubes += [
        sweep([(s * 0.055, axle_y, big), (s * 0.045, axle_y + 0.045, big * 2 + 0.06)], 0.011, sides=8) for s in (-1, 1)
    ]
    tubes += [
        sweep([(-0.05, axle_y + 0.045, big * 2 + 0.055), (0.05, axle_y + 0.045, big * 2 + 0.055)], 0.013, sides=8),
        sweep([(0, axle_y + 0.045, big * 2 + 0.05), (0, top[1], top[2] + 0.03)], 0.014, sides=8),
    ]
    tubes += [
        sweep([(0, 0.05, 0.21), (0, 0.08, seat)], 0.014, sides=8),
        sweep([(-0.20, rear_y, small), (0.20, rear_y, small)], 0.012, sides=8),
    ]
    step = rounded_box((0.22, 0.10, 0.014), 0.005).moved(0, rear_y - 0.01, small + 0.022)
    bar = sweep(
        spline(
            [
                (-0.19, top[1] + 0.06, top[2] + 0.05),
                (-0.10, top[1], top[2] + 0.04),
                (0, top[1], top[2] + 0.02),
                (0.10, top[1], top[2] + 0.04),
                (0.19, top[1] + 0.06, top[2] + 0.05),
            ],
            4,
        ),
        0.010,
        sides=8,
    )
    grips = [
        sweep([(s * 0.19, top[1] + 0.06, top[2] + 0.05), (s * 0.25, top[1] + 0.10, top[2] + 0.055)], 0.016, sides=8)
        for s in (-1, 1)
    ]
    saddle = extrude(
        spline(
            [(-0.085, 0.09), (-0.03, -0.06), (0.0, -0.10), (0.03, -0.06), (0.085, 0.09), (0.0, 0.12)], 4, closed=True
        ),
        0.035,
        bevel_m=0.008,
    ).moved(0, 0.09, seat)
    tyres, rims, hubs = [], [], []
    for x, y, radius in ((0.0, axle_y, big), (-0.20, rear_y, small), (0.20, rear_y, small)):
        tyres.append(torus(radius - 0.018, 0.018, 30, 8).turned("y", 90).moved(x, y, radius))
        rims.append(
            lathe([(0, -0.010), (radius - 0.030, -0.012), (radius - 0.028, 0.012), (0, 0.010)], 32)
            .turned("y", 90)
            .moved(x, y, radius)
        )
        hubs.append(cylinder(0.022, 0.05, bevel_m=0.004, segments=14).turned("y", 90).moved(x, y, radius))
    cranks = [
        sweep(
            [
                (s * 0.02, axle_y, big),
                (s * 0.09, axle_y, big),
                (s * 0.09, axle_y, big + s * 0.07),
                (s * 0.11, axle_y, big + s * 0.07),
            ],
            0.007,
            sides=8,
        )
        for s in (-1, 1)
    ]
    pedals = [rounded_box((0.075, 0.050, 0.022), 0.005).moved(s * 0.13, axle_y, big + s * 0.07) for s in (-1, 1)]
    red = look("metal", Colour("red", (0.80, 0.11, 0.11)).shade(rng), texture="")
    blue = look("plastic", Colour("blue", (0.13, 0.30, 0.76)).shade(rng))
    parts = [
        (merge([*tubes, step]), red, 0.2),
        (merge([saddle, *rims, *grips]), blue, 0.3),
        (merge(tyres), look("rubber", DARK), 0.5),
        (merge([bar, *cranks]), look("metal", "silver", rng), 0.3),
        (merge(hubs), look("plastic", pick_colour(rng, None, "yellow", "white")), 0.5),
        (merge(pedals), look("plastic", pick_colour(rng, None, "yellow", "black", "white")), 0.6),
    ]
    return thing(
        [Part(mesh, surface, fill=fill) for mesh, surface, fill in parts],
        touch=[merge([saddle, *tubes]), tyres[1], tyres[2], tyres[0]],
        mass_kg=float(rng.uniform(3.4, 4.6)),
        colours=("red", "blue"),
        materials=("metal", "plastic"),
    )


@object_type(
    "ToyAirplane", "toy", "a toy airplane made of wood", rooms=("Bedroom", "LivingRoom"), noun="wooden toy airplane"
)
def toy_airplane(rng: np.random.Generator) -> Asset:
    """A wooden toy airplane: round fuselage, wings, tail, propeller and wheels, one part painted."""
    length, span = rng.uniform(0.22, 0.27), rng.uniform(0.25, 0.30)
    z = 0.062
    timber, pale = wood(rng, "pine" if rng.random() < 0.5 else "oak"), wood(rng, "ash")
    profile = spline(
        [
            (0.006, 0.0),
            (0.014, 0.02),
            (0.026, length * 0.5),
            (0.030, length * 0.8),
            (0.026, length * 0.97),
            (0.016, length),
        ],
        4,
    )
    hull = lathe([(0, 0), *profile, (0, length)], 24, crease_deg=60).turned("x", 90).moved(0, length * 0.62, z)

    def plank(width: float, chord: float, thick: float) -> Mesh:
        return extrude(rounded_rectangle(width, chord, chord * 0.40, 5), thick, bevel_m=0.0015)

    biplane = rng.random() < 0.5
    wings = [plank(span, 0.062, 0.009).moved(0, -length * 0.12, z - 0.022)]
    struts = []
    if biplane:
        wings.append(plank(span * 0.94, 0.058, 0.009).moved(0, -length * 0.12, z + 0.052))
        struts = [
            sweep(
                [(s * span * 0.32, -length * 0.12 + y, z - 0.016), (s * span * 0.32, -length * 0.12 + y, z + 0.054)],
                0.0035,
                sides=7,
            )
            for s in (-1, 1)
            for y in (-0.016, 0.016)
        ]
    tailplane = plank(span * 0.40, 0.040, 0.007).moved(0, length * 0.55, z - 0.002)
    fin = (
        extrude(fillet([(0, 0), (0.045, 0), (0.050, 0.050), (0.028, 0.052)], 0.010, 3, closed=True), 0.007)
        .turned("x", 90)
        .turned("z", 90)
        .moved(-0.0035, length * 0.45, z + 0.004)
    )
    nose = -length * 0.38
    spinner = (
        lathe(spline([(0.012, 0.0), (0.010, 0.010), (0.0, 0.018)], 3), 16, crease_deg=60)
        .turned("x", 90)
        .moved(0, nose - 0.006, z)
    )
    turn = rng.uniform(20, 70)
    prop = merge([ellipsoid((0.105, 0.005, 0.018), 14).turned("y", turn).moved(0, nose - 0.010, z)])
    wheels = [
        cylinder(0.022, 0.012, bevel_m=0.003, segments=22).turned("y", 90).moved(s * 0.055, -length * 0.14, 0.022)
        for s in (-1, 1)
    ]
    axle = sweep([(-0.055, -length * 0.14, 0.022), (0.055, -length * 0.14, 0.022)], 0.004, sides=8)
    legs = [
        sweep([(s * 0.034, -length * 0.14, 0.022), (s * 0.022, -length * 0.12, z - 0.015)], 0.004, sides=7)
        for s in (-1, 1)
    ]
    skid = sphere(0.009, 10).moved(0, length * 0.56, 0.009)
    stalk = sweep([(0, length * 0.56, 0.009), (0, length * 0.54, z)], 0.0035, sides=7)
    pilot = [
        sphere(0.015, 14).moved(0, -0.002, z + 0.034),
        cylinder(0.012, 0.02, segments=12).moved(0, -0.002, z + 0.018),
    ]
    paint = look("wood", pick_colour(rng, None, "red", "blue", "green", "yellow"), texture="")
    parts = [
        Part(merge([hull, *legs, axle, stalk]), timber),
        Part(merge([*wings, tailplane, *struts]), pale),
        Part(merge([fin, prop, spinner]), paint),
        Part(merge([*wheels, skid]), paint),
        Part(merge(pilot), pale),
    ]
    return thing(
        parts, mass_kg=float(rng.uniform(0.25, 0.45)), colours=("brown", paint.colour.name), materials=("wood",)
    )
