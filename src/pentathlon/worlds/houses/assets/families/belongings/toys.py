"""Toys."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Part
from pentathlon.worlds.houses.assets.handheld import reshaped, thing
from pentathlon.worlds.houses.assets.types import Room, object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import fillet, spline
from pentathlon.worlds.modelling.materials import Look, look, wood
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.pictures import label
from pentathlon.worlds.modelling.shapes import box, cylinder, ellipsoid, lathe, rounded_box, sphere, torus
from pentathlon.worlds.modelling.sweeps import extrude, panel, sweep

PLAY: tuple[Room, ...] = ("Bedroom", "LivingRoom")
BRIGHT = ("red", "blue", "yellow", "green", "orange", "purple")


def _shuffled(rng: np.random.Generator, *names: str) -> list[str]:
    return [names[int(i)] for i in rng.permutation(len(names))]


@object_type("TeddyBear", "toy", "a plush bear", rooms=("Bedroom", "LivingRoom"), shape="cube")
def teddy_bear(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A sitting teddy bear: round belly, legs to the front, pale muzzle and soles, a ribbon."""
    size = rng.uniform(0.85, 1.1)
    tint = pick_colour(rng, colour, "brown", "beige", "cream", "brown", "grey")
    tint = Colour("brown", (0.60, 0.40, 0.22)).shade(rng, 0.12) if tint.name == "brown" and colour is None else tint
    plush = [
        ellipsoid((0.15, 0.13, 0.18), 18).moved(z=0.10),
        ellipsoid((0.145, 0.13, 0.125), 20).moved(0, -0.012, 0.235),
        *(ellipsoid((0.055, 0.032, 0.055), 14).moved(s * 0.058, -0.005, 0.292) for s in (-1, 1)),
        *(
            ellipsoid((0.058, 0.062, 0.125), 14).turned("y", s * 28).turned("x", -22).moved(s * 0.088, -0.035, 0.135)
            for s in (-1, 1)
        ),
        *(ellipsoid((0.072, 0.135, 0.072), 14).turned("z", s * 20).moved(s * 0.062, -0.085, 0.037) for s in (-1, 1)),
    ]
    pale = [
        ellipsoid((0.066, 0.05, 0.052), 14).moved(0, -0.072, 0.218),
        *(ellipsoid((0.036, 0.016, 0.036), 12).moved(s * 0.058, -0.016, 0.292) for s in (-1, 1)),
        *(ellipsoid((0.052, 0.016, 0.052), 12).turned("z", s * 20).moved(s * 0.084, -0.146, 0.037) for s in (-1, 1)),
        ellipsoid((0.095, 0.04, 0.12), 16).moved(0, -0.050, 0.098),
    ]
    black = [
        ellipsoid((0.026, 0.018, 0.018), 10).moved(0, -0.096, 0.230),
        *(sphere(0.0085, 10).moved(s * 0.030, -0.070, 0.256) for s in (-1, 1)),
    ]
    bow = [ellipsoid((0.05, 0.018, 0.034), 12).turned("y", s * 18).moved(s * 0.026, -0.066, 0.176) for s in (-1, 1)] + [
        sphere(0.010, 10).moved(0, -0.074, 0.176)
    ]
    fur = look("fabric", tint, rng)
    parts = [
        Part(merge(plush).scaled(size), fur, fill=0.25),
        Part(merge(pale).scaled(size), look("fabric", Colour("cream", (0.93, 0.84, 0.68)), rng), fill=0.25),
        Part(merge(black).scaled(size), look("plastic", "black")),
        Part(merge(bow).scaled(size), look("fabric", pick_colour(rng, None, "red", "blue", "green", "pink"), rng)),
    ]
    return thing(parts, colours=(tint.name,), mass_kg=float(rng.uniform(0.2, 0.4)))


@object_type("ToyCar", "toy", "a small toy car", rooms=PLAY, shape="cube")
def toy_car(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A toy car: bright body, dark windows, four wheels, lamps in front and behind."""
    length, width = rng.uniform(0.15, 0.19), rng.uniform(0.072, 0.085)
    roof = rng.uniform(0.068, 0.080)
    tint = pick_colour(rng, colour, "red", "blue", "yellow", "green", "orange", "white")
    half = length / 2
    lower = [
        (-half, 0.018),
        (half, 0.018),
        (half, 0.040),
        (half * 0.92, 0.046),
        (half * 0.40, 0.050),
        (-half * 0.92, 0.050),
        (-half, 0.044),
    ]
    cabin = [(-half * 0.72, 0.046), (half * 0.46, 0.046), (half * 0.14, roof), (-half * 0.52, roof)]
    body = extrude(fillet(lower, 0.008, 3, closed=True), width, bevel_m=0.0012).turned("x", 90).moved(0, width / 2)
    top = (
        extrude(fillet(cabin, 0.008, 3, closed=True), width * 0.86, bevel_m=0.0015)
        .turned("x", 90)
        .moved(0, width * 0.43)
    )
    glass_outline = [
        (-half * 0.62, 0.051),
        (half * 0.37, 0.051),
        (half * 0.10, roof - 0.007),
        (-half * 0.48, roof - 0.007),
    ]
    side_glass = (
        extrude(fillet(glass_outline, 0.004, 2, closed=True), width * 0.87).turned("x", 90).moved(0, width * 0.435)
    )
    pillar = box((0.006, width * 0.875, roof - 0.05)).moved(-half * 0.12, 0, (roof + 0.044) / 2)
    slope = math.degrees(math.atan2(half * 0.32, roof - 0.046))
    wind = (
        rounded_box((0.004, width * 0.70, 0.024), 0.001, 1)
        .turned("y", -slope)
        .moved(half * 0.315, 0, (roof + 0.046) / 2)
    )
    rear = (
        rounded_box((0.004, width * 0.70, 0.020), 0.001, 1).turned("y", 32).moved(-half * 0.632, 0, (roof + 0.046) / 2)
    )
    tyres, hubs = [], []
    for x in (-0.58, 0.60):
        for side in (-1, 1):
            tyres.append(
                cylinder(0.0185, 0.016, bevel_m=0.003, segments=22)
                .turned("x", 90)
                .moved(x * half, side * width * 0.46, 0.0185)
            )
            hubs.append(
                cylinder(0.0095, 0.0175, bevel_m=0.001, segments=16)
                .turned("x", 90)
                .moved(x * half, side * width * 0.46, 0.0185)
            )
    lamps = [sphere(0.0065, 10).scaled(0.6, 1, 1).moved(half - 0.001, s * width * 0.33, 0.034) for s in (-1, 1)]
    tails = [box((0.003, 0.012, 0.007)).moved(-half, s * width * 0.34, 0.036) for s in (-1, 1)]
    paint = look("plastic", tint)
    parts = [
        (merge([body, top, pillar]), paint),
        (merge([side_glass, wind, rear]), look("ceramic", Colour("black", (0.12, 0.16, 0.20)))),
        (merge(tyres), look("rubber", "black")),
        (merge(hubs), look("metal", "silver", texture="")),
        (merge(lamps), look("plastic", "cream")),
        (merge(tails), look("plastic", "maroon")),
    ]
    return thing([Part(mesh.turned("z", -25), surface, fill=0.25) for mesh, surface in parts], colours=(tint.name,))


@object_type("ToyBlocks", "toy", "a pile of wooden building blocks", rooms=PLAY, shape="cube")
def toy_blocks(rng: np.random.Generator) -> Asset:
    """Five lettered cubes in two layers with a roof on top."""
    side = rng.uniform(0.042, 0.050)
    names = _shuffled(rng, *BRIGHT)
    letters = _shuffled(rng, *"ABCDEFGH")
    spots = [(-0.62, 0.05, 0), (0.55, -0.08, 0), (0.0, 0.95, 0), (0.0, -0.02, 1)]
    parts = []
    for i, (x, y, level) in enumerate(spots):
        turn = rng.uniform(-18, 18)
        tint = pick_colour(rng, names[i])
        face_look = look(
            "wood",
            "white",
            texture=label(letters[i], Colour("white", (0.98, 0.96, 0.90)), tint, aspect=1.0, height=0.72),
        )
        cube = rounded_box((side, side, side), 0.003, 1)
        faces = [
            panel(side * 0.80, side * 0.80, 0.0008).moved(0, -side / 2 - 0.0004).turned("z", 90 * k) for k in range(4)
        ]
        at = (x * side, y * side, side * (level + 0.5))
        parts += [
            Part(cube.turned("z", turn).moved(*at), look("wood", Colour("beige", (0.90, 0.76, 0.54)), rng)),
            Part(merge(faces).turned("z", turn).moved(*at), face_look, fill=0.0),
        ]
    roof = (
        extrude([(-side * 0.6, 0), (side * 0.6, 0), (0, side * 0.6)], side).turned("x", 90).moved(0, side / 2, side * 2)
    )
    parts.append(Part(roof.turned("z", rng.uniform(-15, 15)), look("wood", names[5], rng, texture="")))
    rod = (
        cylinder(side * 0.32, side * 1.5, segments=20)
        .turned("y", 90)
        .turned("z", rng.uniform(20, 50))
        .moved(side * 1.1, -side * 1.1, side * 0.32)
    )
    parts.append(Part(rod, look("wood", names[4], rng, texture="")))
    return thing(parts, colours=tuple(names[:3]), materials=("wood",))


@object_type("RubberDuck", "toy", "a yellow bath duck", rooms=("Bathroom", "Bedroom"), shape="cube")
def rubber_duck(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A rubber duck: round body with a cocked tail, head, orange bill, black eyes."""
    size = rng.uniform(0.85, 1.15)
    tint = pick_colour(rng, colour, "yellow")
    body = ellipsoid((0.072, 0.098, 0.058), 22).moved(z=0.027)
    points = body.vertices_m.copy()
    points[:, 2] += 0.028 * np.clip((points[:, 1] - 0.012) / 0.04, 0, 1) ** 2
    points[:, 2] = np.maximum(points[:, 2], 0.003)
    head = sphere(0.026, 20).moved(0, -0.020, 0.074)
    wings = [ellipsoid((0.014, 0.056, 0.034), 14).turned("x", 18).moved(s * 0.034, 0.010, 0.034) for s in (-1, 1)]
    bill = [
        ellipsoid((0.026, 0.026, 0.008), 14).turned("x", a).moved(0, -0.050, z) for a, z in ((-12, 0.073), (10, 0.067))
    ]
    eyes = [sphere(0.0048, 10).moved(s * 0.011, -0.0405, 0.083) for s in (-1, 1)]
    tuft = sweep(
        spline([(0, -0.012, 0.098), (0, -0.004, 0.108), (0, 0.006, 0.108)], 3), np.linspace(0.007, 0.002, 7), sides=8
    )
    parts = [
        (merge([reshaped(body, points, crease_deg=80), head, *wings, tuft]), look("plastic", tint)),
        (merge(bill), look("plastic", "orange")),
        (merge(eyes), look("plastic", "black")),
    ]
    return thing(
        [Part(mesh.scaled(size), surface, fill=0.2) for mesh, surface in parts],
        colours=(tint.name,),
        materials=("rubber",),
    )


@object_type("RubiksCube", "toy", "a cube puzzle of coloured squares", rooms=PLAY, shape="cube", noun="rubik's cube")
def rubiks_cube(rng: np.random.Generator) -> Asset:
    """A scrambled puzzle cube, often with its top layer half turned."""
    side = rng.uniform(0.054, 0.060)
    cell = side / 3
    twist = rng.choice((0.0, 0.0, 25.0, 40.0))
    names = ("white", "yellow", "red", "orange", "blue", "green")
    stickers: dict[str, list[Mesh]] = {name: [] for name in names}
    plate = box((cell * 0.86, 0.0014, cell * 0.86))
    for turn in range(4):
        for i in range(3):
            for row in range(3):
                tile = plate.moved((i - 1) * cell, -side / 2, (row + 0.5) * cell).turned("z", 90 * turn)
                stickers[names[int(rng.integers(6))]].append(tile.turned("z", twist) if row == 2 else tile)
    for i in range(9):
        tile = plate.turned("x", 90).moved((i % 3 - 1) * cell, (i // 3 - 1) * cell, side)
        stickers[names[int(rng.integers(6))]].append(tile.turned("z", twist))
    core = rounded_box((side, side, cell * 2), 0.002, 1).moved(z=cell)
    lid = rounded_box((side, side, cell), 0.002, 1).moved(z=cell * 2.5).turned("z", twist)
    parts = [Part(merge([core, lid]), look("plastic", "black"), fill=0.4)]
    parts += [
        Part(merge(group), look("plastic", Colour(name, (0.95, 0.45, 0.08)) if name == "orange" else name))
        for name, group in stickers.items()
        if group
    ]
    return thing(
        [Part(part.mesh.turned("z", 8), part.look, fill=part.fill) for part in parts],
        colours=("white", "red", "blue"),
    )


@object_type("PiggyBank", "toy", "a china pig for coins", rooms=PLAY, shape="cube")
def piggy_bank(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A piggy bank: round body, snout, ears, curly tail, a slot on its back."""
    size = rng.uniform(0.85, 1.15)
    tint = pick_colour(rng, colour, "pink", "pink", "blue", "white", "gold")
    body = [
        ellipsoid((0.115, 0.155, 0.110), 24).moved(z=0.078),
        sphere(0.040, 18).moved(0, -0.062, 0.090),
        cylinder(0.021, 0.024, bevel_m=0.004, segments=20).turned("x", 90).moved(0, -0.103, 0.086),
    ]
    body += [
        cylinder(0.017, 0.045, bevel_m=0.003, segments=14).moved(sx * 0.032, y, 0.0225)
        for sx in (-1, 1)
        for y in (-0.04, 0.042)
    ]
    for side in (-1, 1):
        ear = lathe([(0.0, 0.0), (0.019, 0.0), (0.011, 0.022), (0.0, 0.034)], 12, crease_deg=60).scaled(1, 0.45, 1)
        body.append(ear.turned("y", side * 28).turned("x", 20).moved(side * 0.026, -0.058, 0.118))
    angle = np.linspace(0, 3.4 * math.pi, 20)
    tail = sweep(
        np.stack([0.010 * np.cos(angle), 0.072 + 0.0016 * angle * 1.5, 0.088 + 0.010 * np.sin(angle)], axis=1),
        0.0032,
        sides=6,
    )
    slot = rounded_box((0.006, 0.036, 0.004), 0.0018, 1).moved(0, 0.004, 0.1325)
    eyes = [sphere(0.0055, 10).moved(s * 0.019, -0.091, 0.106) for s in (-1, 1)]
    nostrils = [sphere(0.0038, 8).moved(s * 0.008, -0.115, 0.087) for s in (-1, 1)]
    glaze = look("ceramic", tint)
    parts = [
        (merge([*body, tail]), glaze),
        (merge([slot, *eyes]), look("ceramic", "black")),
        (merge(nostrils), look("ceramic", tint.darker(0.6))),
    ]
    return thing([Part(mesh.scaled(size), surface, fill=0.16) for mesh, surface in parts], colours=(tint.name,))


@object_type("ChessPiece", "toy", "a large chess king or pawn", rooms=PLAY, shape="long")
def chess_piece(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A turned chess piece: a pawn, a rook or a king, in pale or dark wood."""
    kind = ("pawn", "rook", "king")[int(rng.integers(3))]
    scale = rng.uniform(0.9, 1.2)
    base = [(0.0, 0.0), (0.020, 0.0), (0.020, 0.006), (0.016, 0.011), (0.017, 0.015), (0.010, 0.022), (0.0075, 0.040)]
    tops = {
        "pawn": [(0.0115, 0.044), (0.0075, 0.047), (0.0105, 0.054), (0.0115, 0.060), (0.009, 0.066), (0.0, 0.070)],
        "rook": [(0.010, 0.048), (0.014, 0.052), (0.014, 0.068), (0.010, 0.068), (0.010, 0.062), (0.0, 0.062)],
        "king": [(0.0085, 0.052), (0.0135, 0.056), (0.0095, 0.060), (0.0140, 0.080), (0.009, 0.084), (0.0, 0.087)],
    }
    body = lathe(fillet([*base, *tops[kind]], 0.0015, 2), 26, crease_deg=45)
    extras = []
    if kind == "king":
        extras = [box((0.004, 0.004, 0.016)).moved(z=0.094), box((0.012, 0.004, 0.004)).moved(z=0.096)]
    if kind == "rook":
        extras = [
            box((0.0065, 0.0065, 0.006)).moved(0.0115 * math.cos(a), 0.0115 * math.sin(a), 0.070)
            for a in np.radians(np.arange(0, 360, 60))
        ]
    timber: Look = (
        look("wood", pick_colour(rng, colour), rng)
        if colour
        else wood(rng, ("ash", "ebony", "cherry", "walnut")[int(rng.integers(4))])
    )
    felt = cylinder(0.0195, 0.0012, segments=24).moved(z=-0.0003)
    return thing(
        [Part(merge([body, *extras]).scaled(scale), timber), Part(felt.scaled(scale), look("fabric", "green"))],
        touch="cylinder",
        colours=(timber.colour.name,),
    )


@object_type("ToyRobot", "toy", "a tin toy robot", rooms=PLAY, shape="cube")
def toy_robot(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A tin robot: square body and head, round eyes, coil arms, dials on its chest."""
    tint = pick_colour(rng, colour, "silver", "red", "teal", "yellow", "blue")
    scale = rng.uniform(0.9, 1.2)
    tin = [
        rounded_box((0.085, 0.055, 0.085), 0.006).moved(z=0.105),
        rounded_box((0.062, 0.050, 0.050), 0.006).moved(z=0.182),
    ]
    tin += [rounded_box((0.030, 0.060, 0.026), 0.004, 1).moved(s * 0.022, -0.006, 0.013) for s in (-1, 1)]
    grey = [cylinder(0.010, 0.045, segments=14).moved(s * 0.022, 0, 0.045) for s in (-1, 1)] + [
        cylinder(0.012, 0.014, segments=16).moved(z=0.153)
    ]
    for side in (-1, 1):
        turn = np.linspace(0, 10 * math.pi, 60)
        coil = np.stack(
            [side * (0.050 + 0.010 * np.cos(turn)), 0.010 * np.sin(turn), 0.130 - 0.055 * turn / turn[-1]], axis=1
        )
        grey.append(sweep(coil, 0.0022, sides=5))
        grey.append(torus(0.010, 0.0035, 16, 6).turned("y", 90).turned("z", 90).moved(side * 0.050, 0, 0.063))
        grey.append(cylinder(0.008, 0.010, segments=14).turned("y", 90).moved(side * 0.036, 0, 0.182))
    grey += [sweep([(0, 0, 0.205), (0, 0, 0.228)], 0.0018, sides=6)]
    red = [
        sphere(0.0055, 10).moved(z=0.230),
        cylinder(0.008, 0.004, segments=16).turned("x", 90).moved(-0.020, -0.028, 0.125),
    ]
    eyes = [
        cylinder(0.0095, 0.006, bevel_m=0.001, segments=18).turned("x", 90).moved(s * 0.014, -0.026, 0.190)
        for s in (-1, 1)
    ]
    mouth = box((0.030, 0.003, 0.008)).moved(0, -0.0255, 0.169)
    plate = rounded_box((0.060, 0.003, 0.050), 0.001, 1).moved(0, -0.0275, 0.105)
    dials = [cylinder(0.006, 0.004, segments=14).turned("x", 90).moved(x, -0.030, 0.092) for x in (-0.018, 0.0, 0.018)]
    parts = [
        (tin, look("metal", tint, texture="")),
        (grey, look("metal", Colour("grey", (0.45, 0.46, 0.48)), texture="")),
        (red, look("plastic", "red" if tint.name != "red" else "yellow")),
        ([*eyes], look("plastic", Colour("yellow", (1.0, 0.90, 0.45)), emission=0.3)),
        ([mouth, plate], look("plastic", Colour("black", (0.14, 0.15, 0.17)))),
        (dials, look("plastic", "cyan")),
    ]
    return thing(
        [Part(merge(meshes).scaled(scale), surface, fill=0.08) for meshes, surface in parts],
        colours=(tint.name,),
        materials=("metal",),
    )
