"""Balls, bats and other things for sport."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Part
from pentathlon.worlds.houses.assets.handheld import thing
from pentathlon.worlds.houses.assets.types import Room, object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import ellipse, fillet, rounded_rectangle, spline
from pentathlon.worlds.modelling.materials import look, wood
from pentathlon.worlds.modelling.mesh import merge
from pentathlon.worlds.modelling.prints import ball_seams, patches
from pentathlon.worlds.modelling.shapes import cylinder, lathe, rounded_box, sphere, torus
from pentathlon.worlds.modelling.sweeps import loft, sweep

PLAY: tuple[Room, ...] = ("Bedroom", "LivingRoom")


@object_type("BasketBall", "sport", "an orange ball with black seams", rooms=PLAY, shape="cube", noun="basketball")
def basket_ball(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A basketball: pebbled orange rubber, black seams, turned any way."""
    ball = sphere(rng.uniform(0.112, 0.122), 36).with_unit_uvs()
    ball = ball.turned("x", rng.uniform(-50, 50)).turned("y", rng.uniform(-50, 50)).turned("z", rng.uniform(0, 360))
    tint = Colour("orange", (0.85, 0.40, 0.13)).shade(rng, 0.12) if colour is None else pick_colour(rng, colour)
    return thing(
        [Part(ball, look("rubber", "white", texture=ball_seams(tint)))],
        touch="sphere",
        mass_kg=0.6,
        colours=(tint.name,),
    )


@object_type("SoccerBall", "sport", "a white football with dark patches", rooms=PLAY, shape="cube", noun="soccer ball")
def soccer_ball(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A football of white hexagons and dark pentagons, turned any way."""
    ball = sphere(rng.uniform(0.105, 0.111), 36).with_unit_uvs()
    ball = ball.turned("x", rng.uniform(0, 90)).turned("y", rng.uniform(0, 90))
    dark = pick_colour(rng, colour, "black", "black", "navy", "red")
    skin = look("leather", "white", texture=patches(Colour("white", (0.96, 0.96, 0.95)), dark))
    return thing([Part(ball, skin)], touch="sphere", mass_kg=0.43, colours=("white", dark.name))


@object_type(
    "Football", "sport", "a pointed leather ball with laces", rooms=PLAY, shape="long", noun="american football"
)
def football(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """An American football: brown leather, white laces and rings."""
    length, radius = rng.uniform(0.27, 0.285), rng.uniform(0.082, 0.088)
    share = np.linspace(-1, 1, 19)
    across = radius * np.maximum(1 - np.abs(share) ** 1.9, 0.0) ** 0.72
    body = lathe(np.stack([across, share * length / 2], axis=1), 28, crease_deg=80).turned("y", 90)

    def hoop(x: float) -> tuple[float, float]:
        return float(np.interp(x, share, across)) + 0.0012, x * length / 2

    stripes = []
    for side in (-1, 1):
        (r0, z0), (r1, z1) = sorted((hoop(side * 0.56), hoop(side * 0.66)), key=lambda point: point[1])
        stripes.append(
            lathe([(r0 - 0.004, z0), (r0, z0), (r1, z1), (r1 - 0.004, z1), (r0 - 0.004, z0)], 28).turned("y", 90)
        )
    laces = [
        sweep([(x, -0.012, radius - 0.0012), (x, 0.012, radius - 0.0012)], 0.0032, sides=6)
        for x in np.linspace(-0.04, 0.04, 7)
    ]
    laces.append(sweep([(-0.05, 0, radius + 0.0006), (0.05, 0, radius + 0.0006)], 0.0026, sides=6))
    tint = Colour("brown", (0.47, 0.24, 0.12)).shade(rng, 0.1) if colour is None else pick_colour(rng, colour)
    white = look("leather", "white", texture="")
    tilt = rng.uniform(-25, 25)
    parts = [Part(body, look("leather", tint, rng)), Part(merge([*stripes, *laces]).turned("x", 20 + tilt), white)]
    return thing(parts, mass_kg=0.41, colours=(tint.name, "white"))


@object_type("BaseballBat", "sport", "a wooden bat", rooms=PLAY, shape="long")
def baseball_bat(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A baseball bat lying down: thick barrel, thin wrapped handle, knob."""
    length, barrel = rng.uniform(0.80, 0.88), rng.uniform(0.031, 0.035)
    knots = [
        (0.020, 0.0),
        (0.025, 0.008),
        (0.022, 0.018),
        (0.0135, 0.032),
        (0.0125, 0.20),
        (0.016, 0.42),
        (barrel * 0.92, 0.68),
        (barrel, 0.80),
        (barrel * 0.97, 0.96),
        (barrel * 0.7, 0.992),
    ]
    profile = [(radius, share * length) for radius, share in knots]
    body = lathe(spline([(0.0, 0.0), *profile, (0.0, length)], 3), 22, crease_deg=60).turned("y", 90)
    grip = lathe([(0.0142, 0.035 * length), (0.0136, 0.20 * length), (0.0150, 0.32 * length)], 18).turned("y", 90)
    tint = pick_colour(rng, colour) if colour is not None else None
    bare = wood(rng, ("ash", "pine", "oak", "cherry")[int(rng.integers(4))])
    surface = look("wood", tint, rng) if tint is not None else bare
    tape = look("rubber", pick_colour(rng, None, "black", "red", "navy", "white"))
    mark = cylinder(barrel * 1.003, 0.05, segments=22).turned("y", 90).moved(length * 0.72 + 0.05)
    band = Part(mark, look("plastic", pick_colour(rng, None, "red", "black", "blue", "gold")), fill=0.0)
    return thing(
        [Part(body, surface, fill=0.75), Part(grip, tape, fill=0.2), band],
        colours=(surface.colour.name,),
        materials=("wood",),
    )


@object_type("TennisRacket", "sport", "a racket with strings", rooms=PLAY, shape="long")
def tennis_racket(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A tennis racket lying flat: oval frame, strings, throat, wrapped handle."""
    wide, high, shaft = rng.uniform(0.235, 0.26), rng.uniform(0.31, 0.34), rng.uniform(0.33, 0.36)
    oval = np.column_stack([ellipse(high, wide, 40), np.full(40, 0.012)])
    frame = sweep(oval, 1.0, outline=rounded_rectangle(0.014, 0.022, 0.004, 2), closed=True)
    lines = []
    for share in np.linspace(-0.86, 0.86, 15):
        half = math.sqrt(1 - share**2)
        lines.append(
            sweep(
                [(-half * high / 2, share * wide / 2, 0.012), (half * high / 2, share * wide / 2, 0.012)],
                0.0009,
                sides=4,
            )
        )
        lines.append(
            sweep(
                [(share * high / 2, -half * wide / 2, 0.012), (share * high / 2, half * wide / 2, 0.012)],
                0.0009,
                sides=4,
            )
        )
    arms = [
        sweep(
            spline(
                [
                    (-high * 0.42, s * wide * 0.27, 0.012),
                    (-high * 0.62, s * 0.022, 0.012),
                    (-high * 0.74, s * 0.007, 0.013),
                ],
                4,
            ),
            0.008,
            sides=8,
        )
        for s in (-1, 1)
    ]
    start = -high * 0.70
    stick = loft(
        [
            np.column_stack([np.full(8, x), ellipse(0.030, 0.026, 8) * scale + np.array([0, 0.014])])
            for x, scale in ((start - shaft, 1.12), (start - shaft + 0.02, 1.0), (start, 0.85))
        ][::1],
        crease_deg=30,
    )
    tint = pick_colour(rng, colour, "red", "blue", "black", "green", "yellow", "orange")
    grip = look("rubber", pick_colour(rng, None, *(n for n in ("black", "white", "navy") if n != tint.name)))
    parts = [
        Part(merge([frame, *arms]), look("plastic", tint), fill=0.5),
        Part(merge(lines), look("plastic", "cream")),
        Part(stick, grip, fill=0.5),
    ]
    return thing(parts, colours=(tint.name,))


@object_type("Dumbbell", "sport", "a hand weight", rooms=PLAY, shape="long")
def dumbbell(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A dumbbell: two hexagonal or round heads on a knurled bar."""
    length, radius, head = rng.uniform(0.19, 0.23), rng.uniform(0.038, 0.046), rng.uniform(0.050, 0.062)
    sides = int(rng.choice((6, 32)))
    heads = []
    for side in (-1, 1):
        block = lathe(
            fillet(
                [(0, 0), (radius * 0.82, 0), (radius, 0.010), (radius, head - 0.010), (radius * 0.82, head), (0, head)],
                0.002,
            ),
            sides,
            crease_deg=30,
        )
        heads.append(
            block.turned("z", 30).moved(z=length / 2 - head if side > 0 else -length / 2).turned("y", 90).turned("x", 0)
        )
    bar = lathe(spline([(0.014, -length / 2), (0.0155, 0.0), (0.014, length / 2)], 4), 16, crease_deg=60).turned(
        "y", 90
    )
    tint = pick_colour(rng, colour, "black", "pink", "teal", "purple", "blue", "red")
    lift = radius * (math.sqrt(3) / 2 if sides == 6 else 1.0)
    parts = [
        Part(merge(heads).moved(z=lift), look("rubber", tint)),
        Part(bar.moved(z=lift), look("metal", "silver", rng)),
    ]
    return thing(parts, mass_kg=float(rng.uniform(1.0, 4.0)), colours=(tint.name, "silver"))


@object_type("Frisbee", "sport", "a plastic throwing disc", rooms=PLAY, shape="flat")
def frisbee(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A flying disc lying upright: domed top with rings, a rolled rim."""
    radius, height = rng.uniform(0.115, 0.137), rng.uniform(0.026, 0.032)
    outside = spline(
        [
            (radius * 0.985, 0.0),
            (radius, height * 0.4),
            (radius * 0.90, height * 0.86),
            (radius * 0.6, height),
            (0.0, height * 1.02),
        ],
        4,
    )
    body = lathe(
        [
            (radius * 0.95, 0.0),
            *outside,
            (0, height * 0.9),
            (radius * 0.86, height * 0.75),
            (radius * 0.95, height * 0.3),
            (radius * 0.95, 0.0),
        ],
        40,
        crease_deg=50,
    )
    tint = pick_colour(rng, colour, "red", "yellow", "blue", "lime", "orange", "pink", "white")
    rings = [
        torus(radius * share, 0.0012, 40, 5).moved(z=height * z)
        for share, z in ((0.80, 0.93), (0.74, 0.955), (0.68, 0.975))
    ]
    other = pick_colour(rng, None, *(n for n in ("white", "navy", "yellow") if n != tint.name))
    star = [cylinder(radius * 0.34, 0.0012, segments=5).turned("z", turn).moved(z=height * 1.012) for turn in (0, 36)]
    return thing(
        [Part(body, look("plastic", tint), fill=0.8), Part(merge([*rings, *star]), look("plastic", other))],
        touch="cylinder",
        colours=(tint.name, other.name),
    )


@object_type("Skateboard", "sport", "a board on four wheels", rooms=PLAY, shape="long")
def skateboard(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A skateboard: deck with upturned ends, grip tape, two axles, coloured wheels."""
    length, width, lift = rng.uniform(0.74, 0.80), rng.uniform(0.19, 0.21), 0.085
    sections = []
    for share in np.linspace(-1, 1, 17):
        half = width / 2 * math.sqrt(max(1 - max(abs(share) - 0.72, 0.0) ** 2 / 0.28**2, 0.03))
        rise = 0.075 * max(abs(share) - 0.66, 0.0) ** 1.5 / 0.34**1.5
        ring = [(-half, -0.005), (half, -0.005), (half, 0.005), (-half, 0.005)]
        sections.append(np.array([(share * length / 2, y, lift + rise + z) for y, z in ring]))
    deck = loft(sections, crease_deg=30)
    tape_mesh = loft(
        [
            section * np.array([0.992, 0.97, 1.0]) + np.array([0, 0, 0.0042])
            for section in [s * (1, 1, 1) for s in sections]
        ],
        crease_deg=30,
    )
    wheels, trucks = [], []
    for x in (-0.29, 0.29):
        trucks.append(sweep([(x * length, -width * 0.42, 0.030), (x * length, width * 0.42, 0.030)], 0.006, sides=8))
        trucks.append(rounded_box((0.055, 0.06, 0.048), 0.008, 1).tapered(0.9).moved(x * length, 0, 0.056))
        wheels += [
            cylinder(0.029, 0.032, bevel_m=0.006, segments=22)
            .turned("x", 90)
            .moved(x * length, s * width * 0.40, 0.029)
            for s in (-1, 1)
        ]
    tint = pick_colour(rng, colour, "red", "blue", "lime", "orange", "purple", "yellow")
    wheel_tint = pick_colour(rng, None, *(n for n in ("white", "red", "cyan", "yellow") if n != tint.name))
    return thing(
        [
            Part(deck, look("wood", tint, rng), fill=0.9),
            Part(tape_mesh, look("rubber", "black", texture="speckle"), fill=0.2),
            Part(merge(trucks), look("metal", "silver", rng), fill=0.5),
            Part(merge(wheels), look("plastic", wheel_tint)),
        ],
        mass_kg=float(rng.uniform(2.2, 3.0)),
        colours=(tint.name, "black"),
    )
