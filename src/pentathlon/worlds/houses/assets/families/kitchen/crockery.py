"""Plates, bowls, cups and shakers."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Part, Receptacle
from pentathlon.worlds.houses.assets.effects import soiled, steam
from pentathlon.worlds.houses.assets.handheld import thing, vessel
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import spline
from pentathlon.worlds.modelling.materials import look, wood
from pentathlon.worlds.modelling.mesh import merge
from pentathlon.worlds.modelling.shapes import cylinder, lathe, torus
from pentathlon.worlds.modelling.sweeps import sweep

GLAZES = ("white", "cream", "white", "blue", "teal", "green", "grey", "red", "navy", "yellow")
STEW = Colour("brown", (0.55, 0.28, 0.12))


@object_type("Bowl", "tableware", "a round bowl", rooms=("Kitchen", "LivingRoom"), shape="cube")
def bowl(rng: np.random.Generator, *, colour: str | None = None, material: str | None = None) -> Asset:
    """A bowl on a foot ring, glazed, wooden or steel, often with a coloured rim."""
    radius, height = rng.uniform(0.075, 0.105), rng.uniform(0.055, 0.075)
    foot = radius * rng.uniform(0.42, 0.55)
    outside = [(foot, 0), (foot, 0.006), *spline([(foot, 0.007), (radius * 0.86, height * 0.48), (radius, height)], 4)]
    body = vessel(outside, 0.0045, 0.010, segments=30, crease_deg=60)
    kind = (
        material if material is not None else ("ceramic", "ceramic", "ceramic", "wood", "metal")[int(rng.integers(5))]
    )
    if kind == "wood" and colour is None:
        shell = wood(rng)
    else:
        usual = ("silver",) if kind == "metal" else GLAZES
        shell = look(kind, pick_colour(rng, colour, *usual), rng)
    parts = [Part(body, shell, fill=0.3 if kind == "metal" else 1.0)]
    if kind == "ceramic" and rng.random() < 0.6:
        parts.append(
            Part(
                torus(radius - 0.0022, 0.0028, 30, 6).moved(z=height),
                shell.tinted(pick_colour(rng, None, "blue", "brown", "gold", "teal")),
            )
        )
    stew = cylinder(radius * 0.82, 0.003, segments=28).moved(z=height * 0.62)
    return thing(
        [*soiled(parts), Part(stew, look("food", STEW), when="filled"), steam((0, 0, height), 0.10)],
        "heatable",
        "coolable",
        touch="cylinder",
        receptacles=(Receptacle("inside", "in", (0, 0, 0.010), (radius * 0.9, radius * 0.9), 0.2),),
    )


@object_type("Plate", "tableware", "a round dinner plate", rooms=("Kitchen",), shape="flat")
def plate(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A dinner plate: flat middle, sloping rim, often with coloured rings."""
    radius, height = rng.uniform(0.115, 0.138), rng.uniform(0.018, 0.024)
    well = radius * rng.uniform(0.60, 0.68)
    outside = [(well * 0.92, 0), (well, 0.004), (radius * 0.80, height * 0.62), (radius, height)]
    body = vessel(outside, 0.005, 0.0055, segments=44, crease_deg=55)
    glaze = look("ceramic", pick_colour(rng, colour, *GLAZES))
    ring_tint = pick_colour(rng, None, "blue", "gold", "teal", "red", "grey")
    rings = [torus(radius - 0.003, 0.0022, 44, 6).moved(z=height + 0.0004)]
    if rng.random() < 0.5:
        rings.append(torus(radius * 0.86, 0.0012, 44, 6).moved(z=height * 0.79))
    return thing(
        soiled([Part(body, glaze), Part(merge(rings), glaze.tinted(ring_tint))]),
        touch="cylinder",
        receptacles=(Receptacle("top", "on", (0, 0, 0.0056), (well * 1.35, well * 1.35), 0.3),),
    )


@object_type("Cup", "tableware", "a tea cup on a saucer", rooms=("Kitchen", "LivingRoom"), shape="cube")
def cup(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A tea cup with a thin ear, on its saucer."""
    radius, height = rng.uniform(0.040, 0.047), rng.uniform(0.055, 0.066)
    saucer = vessel([(0.030, 0), (0.036, 0.003), (0.074, 0.015)], 0.0035, 0.004, segments=28, crease_deg=50)
    outside = [(0.019, 0.0), *spline([(0.020, 0.003), (radius * 0.88, height * 0.45), (radius, height)], 5)]
    body = vessel(outside, 0.0026, 0.006, segments=24, crease_deg=60).moved(z=0.0045)
    ear = [
        (radius * 0.97, 0, height * 0.90),
        (radius * 1.50, 0, height * 0.90),
        (radius * 1.42, 0, height * 0.5),
        (radius * 0.88, 0, height * 0.42),
    ]
    grip = sweep(spline(ear, 5), 0.0034, sides=8).moved(z=0.0045)
    glaze = look("ceramic", pick_colour(rng, colour, *GLAZES))
    gilt = glaze.tinted(pick_colour(rng, None, "gold", "blue", "pink", "green"))
    rims = merge(
        [torus(radius - 0.001, 0.0016, 24, 5).moved(z=height + 0.0045), torus(0.0725, 0.0016, 28, 5).moved(z=0.0153)]
    )
    tea = cylinder(radius * 0.90, 0.002, segments=24).moved(z=height * 0.84)
    return thing(
        [
            *soiled([Part(merge([body, grip, saucer]), glaze), Part(rims, gilt)]),
            Part(tea, look("food", Colour("brown", (0.42, 0.20, 0.06)), texture=""), when="filled"),
            steam((0, 0, height), 0.09),
        ],
        "heatable",
        "coolable",
        touch=[saucer, body],
    )


def _shaker(rng: np.random.Generator, content: Colour, letter_holes: int, colour: str | None) -> Asset:
    """A glass shaker with its content seen through the wall and a pierced metal cap."""
    radius, height = rng.uniform(0.019, 0.023), rng.uniform(0.062, 0.078)
    sides = int(rng.choice((8, 24)))
    jar = lathe([(radius, 0), (radius * 1.02, height * 0.3), (radius * 0.82, height * 0.72)], sides, crease_deg=35)
    # The content lies a hair outside the glass, whose sheen would wash it out.
    level = rng.uniform(0.40, 0.58)
    top = radius * float(np.interp(level, (0.3, 0.72), (1.02, 0.82))) + 0.0003
    inside = lathe([(radius + 0.0003, 0.003), (radius * 1.02 + 0.0003, height * 0.3), (top, height * level)], sides)
    cap = lathe(
        spline(
            [
                (radius * 0.88, height * 0.70),
                (radius * 0.86, height * 0.88),
                (radius * 0.45, height * 0.985),
                (0, height),
            ],
            4,
        ),
        20,
        crease_deg=50,
    )
    holes = [
        cylinder(0.0014, 0.002, segments=8).moved(0.006 * math.cos(a), 0.006 * math.sin(a), height * 0.985)
        for a in np.linspace(0, 2 * math.pi, letter_holes, endpoint=False)
    ]
    metal = look("metal", pick_colour(rng, colour, "silver", "silver", "gold", "black"), rng)
    return thing(
        [
            Part(jar, look("glass", "white"), fill=0.3),
            Part(inside, look("food", content, rng, texture="speckle")),
            Part(cap, metal, fill=0.1),
            Part(merge(holes), look("plastic", "black")),
        ],
        touch="cylinder",
        colours=(content.name, metal.colour.name),
    )


@object_type("SaltShaker", "tableware", "a shaker of white salt", rooms=("Kitchen",), shape="long")
def salt_shaker(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A salt shaker: white grains behind glass."""
    return _shaker(rng, Colour("white", (0.97, 0.97, 0.97)), 5, colour)


@object_type("PepperShaker", "tableware", "a wooden pepper mill", rooms=("Kitchen",), shape="long")
def pepper_shaker(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A turned pepper mill with a knob on top, or a shaker with black pepper."""
    if rng.random() < 0.35:
        return _shaker(rng, Colour("black", (0.12, 0.10, 0.09)), 3, colour)
    height, radius = rng.uniform(0.15, 0.21), rng.uniform(0.026, 0.030)
    knots = [(1.0, 0.0), (1.0, 0.10), (0.62, 0.34), (0.55, 0.48), (0.80, 0.62), (0.60, 0.70)]
    low = lathe(spline([(r * radius, z * height) for r, z in knots], 4), 24, crease_deg=50)
    head = lathe(
        spline([(0.62, 0.71), (0.92, 0.78), (0.86, 0.88), (0.40, 0.94), (0.30, 0.95)], 4) * (radius, height),
        24,
        crease_deg=50,
    )
    nut = lathe([(0, 0), (0.006, 0.001), (0.007, 0.007), (0, 0.011)], 12).moved(z=height * 0.945)
    timber = wood(rng) if colour is None else look("wood", pick_colour(rng, colour), rng)
    ring = cylinder(radius * 0.60, height * 0.02, segments=20).moved(z=height * 0.705)
    return thing(
        [Part(merge([low, head]), timber, fill=0.7), Part(merge([nut, ring]), look("metal", "silver", rng))],
        touch="cylinder",
    )
