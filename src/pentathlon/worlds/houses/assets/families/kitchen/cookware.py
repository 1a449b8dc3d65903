"""Things to cook with and to serve on."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Part, Receptacle
from pentathlon.worlds.houses.assets.effects import soiled, steam
from pentathlon.worlds.houses.assets.handheld import thing, vessel
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import arc, fillet, rounded_rectangle, spline
from pentathlon.worlds.modelling.materials import Look, look, wood
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.shapes import cylinder, lathe, torus
from pentathlon.worlds.modelling.sweeps import extrude, loft, sweep

SOUP = Colour("orange", (0.80, 0.42, 0.14))
DARK = Colour("black", (0.10, 0.10, 0.11))


def _enamel(rng: np.random.Generator, colour: str | None) -> Look:
    """Bare steel or coloured enamel."""
    tint = pick_colour(rng, colour, "silver", "red", "teal", "black", "cream", "silver")
    return look("metal", tint, rng, texture="brushed" if tint.name == "silver" else "")


@object_type("Pot", "tableware", "a cooking pot with two handles", rooms=("Kitchen",), shape="cube")
def pot(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A deep pot with a loop on each side, open on top."""
    radius, height = rng.uniform(0.095, 0.125), rng.uniform(0.105, 0.15)
    outside = [(radius - 0.012, 0), (radius, 0.012), (radius, height - 0.004), (radius + 0.004, height)]
    body = vessel(outside, 0.004, 0.006, segments=36, round_m=0.01)
    shell = _enamel(rng, colour)
    loops = []
    for side in (-1, 1):
        path = [
            (radius - 0.002, -0.04, 0),
            (radius + 0.030, -0.032, 0.003),
            (radius + 0.030, 0.032, 0.003),
            (radius - 0.002, 0.04, 0),
        ]
        loop = sweep(fillet(path, 0.02, 3), 0.0058, sides=8).moved(z=height * 0.78)
        loops.append(loop if side > 0 else loop.turned("z", 180))
    grips = look("metal", "silver", rng) if rng.random() < 0.5 else look("plastic", DARK)
    inner = lathe([(0, 0.0062), (radius - 0.008, 0.0062), (radius - 0.008, 0.0075), (0, 0.0075)], 28)
    soup = cylinder(radius - 0.005, 0.003, segments=32).moved(z=height * 0.7)
    return thing(
        [
            *soiled([Part(body, shell, fill=0.4), Part(inner, look("metal", "silver", rng))]),
            Part(merge(loops), grips),
            Part(soup, look("food", SOUP), when="filled"),
            steam((0, 0, height), 0.16),
        ],
        "heatable",
        "coolable",
        touch=[body, *loops],
        receptacles=(Receptacle("inside", "in", (0, 0, 0.008), (radius * 1.2, radius * 1.2), height),),
    )


@object_type("Pan", "tableware", "a frying pan with a long handle", rooms=("Kitchen",), shape="flat")
def pan(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A frying pan: low flared rim, dark inside, one long handle."""
    radius, height = rng.uniform(0.115, 0.145), rng.uniform(0.042, 0.055)
    outside = [(radius * 0.76, 0), (radius * 0.80, 0.004), (radius, height)]
    body = vessel(outside, 0.004, 0.005, segments=40, round_m=0.012)
    tint = pick_colour(rng, colour, "black", "grey", "red", "silver")
    coat = lathe([(0, 0.0052), (radius * 0.77, 0.0052), (radius * 0.77, 0.0062), (0, 0.0062)], 32)
    path = spline(
        [(radius - 0.004, 0, height * 0.8), (radius + 0.04, 0, height + 0.004), (radius + 0.17, 0, height + 0.022)], 5
    )
    section = np.array(
        [(0.0065 * math.cos(a), 0.0125 * math.sin(a)) for a in np.linspace(0, 2 * math.pi, 12, endpoint=False)]
    )
    grip = sweep(path, np.interp(np.arange(len(path)), (0, 2, len(path) - 1), (0.7, 0.85, 1.15)), outline=section)
    grip_look = wood(rng) if rng.random() < 0.4 else look("plastic", DARK)
    return thing(
        [
            *soiled(
                [
                    Part(body, look("metal", tint, rng, texture=""), fill=0.45),
                    Part(coat, look("metal", DARK, texture="")),
                ]
            ),
            Part(grip, grip_look),
        ],
        "heatable",
        touch=[body, grip],
        receptacles=(Receptacle("inside", "in", (0, 0, 0.007), (radius, radius), 0.2),),
    )


@object_type("Kettle", "appliance", "a kettle to boil water", rooms=("Kitchen",), shape="cube")
def kettle(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A stove kettle: round body, arched handle over the lid, short spout."""
    radius, height = rng.uniform(0.082, 0.098), rng.uniform(0.12, 0.14)
    shoulder = [
        (0, 0),
        (radius * 0.94, 0),
        (radius, 0.014),
        (radius * 0.93, height * 0.55),
        (radius * 0.42, height),
        (0, height),
    ]
    body = lathe(fillet(shoulder, (0, 0.01, 0.02, 0.05, 0.02, 0)), 36)
    lid = lathe(
        fillet(
            [
                (0, height - 0.002),
                (radius * 0.40, height - 0.002),
                (radius * 0.36, height + 0.010),
                (0, height + 0.018),
            ],
            0.006,
        ),
        24,
    )
    knob = lathe([(0, 0), (0.006, 0), (0.005, 0.010), (0.013, 0.018), (0.011, 0.027), (0, 0.030)], 14).moved(
        z=height + 0.015
    )
    spout_path = spline(
        [(radius * 0.80, 0, height * 0.45), (radius * 1.15, 0, height * 0.66), (radius * 1.55, 0, height * 0.96)], 5
    )
    spout = sweep(spout_path, np.linspace(0.024, 0.012, len(spout_path)), sides=14)
    mouth = cylinder(0.0095, 0.003, segments=14).turned("y", 40).moved(*spout_path[-1])
    posts = [(x, 0, height * 0.70) for x in (-radius * 0.80, radius * 0.80)]
    bow = [posts[0], (-radius * 0.86, 0, height + 0.07), (radius * 0.86, 0, height + 0.07), posts[1]]
    bail = sweep(fillet(bow, 0.055, 5), 0.0048, sides=8)
    grip = sweep([(-radius * 0.48, 0, height + 0.07), (radius * 0.48, 0, height + 0.07)], 0.0105, sides=12)
    dark = look("plastic", DARK)
    handle_look = wood(rng) if rng.random() < 0.5 else dark
    parts = [
        Part(merge([body, lid, spout, bail]), _enamel(rng, colour), fill=0.06),
        Part(merge([knob, grip]), handle_look),
        Part(mouth, dark),
    ]
    return thing(
        [*parts, steam((float(spout_path[-1][0]), 0, height), 0.12)], "heatable", touch=[body, merge([spout, grip])]
    )


@object_type("CuttingBoard", "tool", "a wooden board to cut on", rooms=("Kitchen",), shape="flat")
def cutting_board(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A chopping board with a hand hole drawn as a dark slot, or with a paddle handle."""
    width, depth, thick = rng.uniform(0.32, 0.40), rng.uniform(0.21, 0.26), rng.uniform(0.016, 0.024)
    timber = (
        look("plastic", pick_colour(rng, colour))
        if colour
        else wood(rng, ("oak", "cherry", "pine", "walnut")[int(rng.integers(4))])
    )
    slab = extrude(rounded_rectangle(width, depth, 0.022, 4), thick, bevel_m=0.003)
    dark = look("wood", Colour("black", (0.13, 0.10, 0.08)), texture="")
    if rng.random() < 0.5:
        slot = extrude(rounded_rectangle(0.022, 0.085, 0.010, 4), thick + 0.0006).moved(width * 0.41, 0, -0.0003)
        return thing([Part(slab, timber), Part(slot, dark)], receptacles=_top(width * 0.8, depth * 0.9, thick))
    paddle = extrude(
        [(0.0, -0.034), (0.10, -0.018), (0.135, -0.022), (0.15, 0.0), (0.135, 0.022), (0.10, 0.018), (0.0, 0.034)],
        thick,
        bevel_m=0.003,
    )
    hole = cylinder(0.008, thick + 0.0008, segments=16).moved(width / 2 + 0.118, 0, thick / 2)
    parts = [Part(merge([slab, paddle.moved(width / 2 - 0.006)]), timber), Part(hole, dark)]
    return thing(parts, receptacles=_top(width * 0.85, depth * 0.9, thick))


def _top(width: float, depth: float, height: float) -> tuple[Receptacle, ...]:
    return (Receptacle("top", "on", (0, 0, height), (width, depth), 0.4),)


@object_type("Tray", "tableware", "a tray with a raised rim", rooms=("Kitchen", "LivingRoom"), shape="flat")
def tray(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A serving tray: flat floor, raised rim, a grip at each end."""
    width, depth, rim = rng.uniform(0.38, 0.46), rng.uniform(0.26, 0.32), rng.uniform(0.032, 0.045)
    surface = (
        wood(rng)
        if colour is None and rng.random() < 0.5
        else look("plastic", pick_colour(rng, colour, "teal", "white", "red", "black"))
    )
    floor_mesh = extrude(rounded_rectangle(width - 0.018, depth - 0.018, 0.026, 4), 0.008)
    wall = _frame(width, depth, rim)
    grips = []
    for side in (-1, 1):
        bow = [(0, -0.055, rim - 0.004), (0, -0.048, rim + 0.026), (0, 0.048, rim + 0.026), (0, 0.055, rim - 0.004)]
        grips.append(sweep(fillet(bow, 0.02, 3), 0.0055, sides=8).moved(side * (width / 2 - 0.006)))
    metal = look("metal", pick_colour(rng, None, "gold", "black", "silver"), rng)
    return thing(
        [*soiled([Part(floor_mesh, surface)]), Part(wall, surface), Part(merge(grips), metal)],
        touch=[floor_mesh, *grips],
        receptacles=(Receptacle("top", "on", (0, 0, 0.008), (width - 0.05, depth - 0.05), 0.4),),
    )


def _frame(width: float, depth: float, height: float) -> Mesh:
    """An upright rim that leans out a little, as a closed ring."""

    def ring(grow: float, z: float) -> np.ndarray:
        flat = rounded_rectangle(width + 2 * grow, depth + 2 * grow, 0.03, 4)
        return np.column_stack([flat, np.full(len(flat), z)])

    rings = [ring(-0.008, 0.0), ring(0.0, height), ring(-0.008, height), ring(-0.016, 0.006)]
    return loft(rings, closed=True)


@object_type(
    "Teapot", "tableware", "a pot for tea with a spout and a handle", rooms=("Kitchen", "LivingRoom"), shape="cube"
)
def teapot(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A round teapot: belly, lid with a knob, curved spout, ear handle."""
    radius, height = rng.uniform(0.072, 0.085), rng.uniform(0.10, 0.12)
    belly = spline([(radius * 0.58, 0.004), (radius, height * 0.45), (radius * 0.55, height * 0.95)], 7)
    body = lathe([(0, 0), (radius * 0.55, 0), *belly, (0, height * 0.97)], 32, crease_deg=50)
    lid = lathe(
        spline([(radius * 0.56, height * 0.94), (radius * 0.40, height * 1.08), (0.0, height * 1.16)], 4),
        26,
        crease_deg=60,
    )
    knob = lathe(arc((0, 0.0), 0.011, -90, 90, 8), 14, crease_deg=70).moved(z=height * 1.16 + 0.008)
    spout_path = spline(
        [
            (radius * 0.85, 0, height * 0.28),
            (radius * 1.35, 0, height * 0.5),
            (radius * 1.55, 0, height * 0.82),
            (radius * 1.9, 0, height * 1.0),
        ],
        5,
    )
    spout = sweep(spout_path, np.linspace(0.019, 0.0085, len(spout_path)), sides=12)
    ear = [
        (-radius * 0.72, 0, height * 0.80),
        (-radius * 1.5, 0, height * 0.88),
        (-radius * 1.62, 0, height * 0.45),
        (-radius * 0.90, 0, height * 0.26),
    ]
    grip = sweep(spline(ear, 6), 0.0068, sides=10)
    glaze = look("ceramic", pick_colour(rng, colour, "white", "teal", "blue", "red", "cream", "green"))
    trim = glaze.tinted(pick_colour(rng, None, "gold", "white", "navy"))
    ring = torus(radius * 0.56, 0.0028, 28, 8).moved(z=height * 0.955)
    parts = [Part(merge([body, lid, spout, grip]), glaze, fill=0.22), Part(merge([ring, knob]), trim)]
    return thing(
        [*parts, steam((float(spout_path[-1][0]), 0, height), 0.10)],
        "heatable",
        "coolable",
        touch=[body, merge([spout, grip])],
    )
