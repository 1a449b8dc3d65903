"""Ornaments for shelves and tables."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Emitter, Part
from pentathlon.worlds.houses.assets.handheld import thing, vessel
from pentathlon.worlds.houses.assets.types import Room, object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import spline
from pentathlon.worlds.modelling.materials import look, wood
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.pictures import landscape, picture
from pentathlon.worlds.modelling.prints import blank, disc, ink, world_map
from pentathlon.worlds.modelling.shapes import box, cylinder, ellipsoid, lathe, rounded_box, sphere
from pentathlon.worlds.modelling.sweeps import panel, sweep
from pentathlon.worlds.modelling.textures import Texture

SHELF: tuple[Room, ...] = ("LivingRoom", "Bedroom")


@object_type("Candle", "lighting", "a wax candle", rooms=("LivingRoom", "Bedroom", "Bathroom"), shape="long")
def candle(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A pillar candle on a dish or a taper in a holder; the flame burns while on."""
    pillar = rng.random() < 0.5
    radius, height = (
        (rng.uniform(0.030, 0.038), rng.uniform(0.10, 0.15)) if pillar else (0.011, rng.uniform(0.17, 0.22))
    )
    foot = 0.010 if pillar else 0.075
    tint = pick_colour(rng, colour, "cream", "white", "red", "green", "purple", "yellow")
    drips = [
        sweep(
            [(radius * 0.98, 0, height), (radius, 0, height - rng.uniform(0.012, 0.05))], (0.0045, 0.0035), sides=7
        ).turned("z", a)
        for a in rng.uniform(0, 360, 5 if pillar else 3)
    ]
    rim = radius * 0.8
    body = lathe(
        [(0, 0), (radius, 0), (radius, height), (rim, height), (rim * 0.6, height - 0.004), (0, height - 0.005)], 26
    )
    wax = merge([body, *drips]).moved(z=foot)
    wick = sweep(
        [(0, 0, foot + height - 0.006), (0.001, 0, foot + height + 0.004), (0.003, 0, foot + height + 0.010)],
        0.0012,
        sides=6,
    )
    metal = look("metal", pick_colour(rng, None, "gold", "bronze", "silver", "black"), rng)
    dish = (
        vessel([(0.045, 0), (0.056, 0.012)], 0.003, 0.010, segments=30)
        if pillar
        else lathe(
            spline(
                [
                    (0.045, 0.0),
                    (0.046, 0.006),
                    (0.012, 0.018),
                    (0.009, 0.040),
                    (0.016, 0.052),
                    (0.010, 0.060),
                    (0.016, 0.080),
                ],
                4,
            ),
            26,
            crease_deg=50,
        )
    )
    flame = lathe(spline([(0.0015, 0.0), (0.0062, 0.010), (0.0045, 0.022), (0.0, 0.036)], 4), 14, crease_deg=70).moved(
        z=foot + height + 0.006
    )
    top = foot + height + 0.022
    glow = Emitter("flame", (0, 0, top + 0.02), (0.42, 0.30, 0.14), attenuation=(1.0, 0.6, 1.2))
    fire = look("plastic", Colour("yellow", (1.0, 0.72, 0.25)), emission=1.0)
    return thing(
        [
            Part(wax, look("wax", tint)),
            Part(wick, look("fabric", "black", texture="")),
            Part(dish, metal, fill=0.3),
            Part(flame, fire, when="on"),
        ],
        touch="cylinder",
        emitters=(glow,),
        colours=(tint.name,),
        materials=("wax",),
    )


@object_type("Globe", "decor", "a globe of the earth on a stand", rooms=SHELF, shape="cube")
def globe(rng: np.random.Generator) -> Asset:
    """A globe: the map of the earth on a tilted ball, a half ring, a turned foot."""
    radius = rng.uniform(0.10, 0.13)
    z = radius * 1.55
    ball = sphere(radius, 36).with_unit_uvs().turned("z", rng.uniform(0, 360)).turned("y", 23).moved(z=z)
    arc_angle = np.radians(np.linspace(-90, 90, 17) + 23)
    reach = radius * 1.09
    # The ring stands beside the ball, from pole to pole along the tilted axis.
    half = np.stack([np.cos(arc_angle) * reach, np.zeros(17), np.sin(arc_angle) * reach], axis=1)
    tilted = half @ np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1]])
    ring = sweep(np.array([0.0, 0.0, z]) + tilted * np.array([-1.0, 1, 1]), 0.0055, sides=8)
    pins = [
        sphere(0.008, 10).moved(s * math.sin(math.radians(23)) * reach, 0, z + s * math.cos(math.radians(23)) * reach)
        for s in (-1, 1)
    ]
    foot = lathe(
        spline(
            [
                (radius * 0.62, 0.0),
                (radius * 0.62, 0.010),
                (radius * 0.22, 0.024),
                (0.010, 0.034),
                (0.010, z - reach + 0.002),
            ],
            4,
        ),
        28,
        crease_deg=50,
    )
    stand = look("metal", pick_colour(rng, None, "gold", "silver", "black"), rng) if rng.random() < 0.5 else wood(rng)
    earth = look("plastic", Colour("white", (1.0, 1.0, 1.0)).shade(rng, 0.1), texture=world_map())
    return thing(
        [Part(ball, earth, fill=0.06), Part(merge([ring, *pins, foot]), stand, fill=0.35)],
        touch="cylinder",
        colours=("blue", "green"),
        materials=("plastic",),
    )


def _portrait(rng: np.random.Generator) -> Texture:
    """A photograph of one or two people before a plain ground."""
    image, draw = blank(rng.uniform(0.55, 0.9, 3).tolist(), 200, 260)
    skins, hairs = (
        ((0.93, 0.76, 0.62), (0.70, 0.48, 0.34), (0.45, 0.30, 0.21)),
        ((0.15, 0.10, 0.07), (0.45, 0.28, 0.12), (0.80, 0.65, 0.35)),
    )
    people = int(rng.integers(1, 3))
    for i in range(people):
        x, tone, hair = 200 * (i + 1) / (people + 1), skins[int(rng.integers(3))], hairs[int(rng.integers(3))]
        draw.ellipse((x - 62, 175, x + 62, 330), fill=ink(rng.uniform(0.1, 0.8, 3)))
        disc(draw, x, 112, 46, hair)
        draw.rectangle((x - 14, 145, x + 14, 190), fill=ink(tone))
        draw.ellipse((x - 35, 82, x + 35, 168), fill=ink(tone))
        for side in (-1, 1):
            disc(draw, x + side * 13, 118, 4, (0.1, 0.1, 0.1))
        draw.arc((x - 15, 124, x + 15, 152), 20, 160, fill=(150, 50, 50), width=4)
    return picture(image)


@object_type("PhotoFrame", "decor", "a framed photograph that stands", rooms=SHELF, shape="flat")
def photo_frame(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A standing picture frame with a mat, a portrait or a landscape, and a strut behind."""
    upright = rng.random() < 0.6
    width, height = (
        (rng.uniform(0.14, 0.17), rng.uniform(0.19, 0.23))
        if upright
        else (rng.uniform(0.20, 0.25), rng.uniform(0.15, 0.18))
    )
    rail = rng.uniform(0.014, 0.022)
    bars = [rounded_box((width, 0.016, rail), 0.003, 1).moved(z=s * (height - rail) / 2) for s in (-1, 1)]
    bars += [
        rounded_box((rail, 0.016, height - 2 * rail + 0.004), 0.003, 1).moved(s * (width - rail) / 2) for s in (-1, 1)
    ]
    mat = box((width - 0.01, 0.006, height - 0.01))
    inner = (width - 2 * rail - 0.024, height - 2 * rail - 0.024)
    photo = panel(*inner, 0.001).moved(0, -0.0038)
    image = _portrait(rng) if upright else landscape(rng, aspect=inner[0] / inner[1])
    tint = pick_colour(rng, colour, "gold", "black", "white", "silver", "brown")
    surface = wood(rng) if colour is None and rng.random() < 0.4 else look("wood", tint, texture="")
    lean = 12.0

    def tilt(mesh: Mesh) -> Mesh:
        return mesh.turned("x", -lean).moved(z=height / 2 * math.cos(math.radians(lean)))

    strut = sweep(
        [(0, 0.010, height * 0.72), (0, height * 0.34, 0.003)],
        1.0,
        outline=np.array([(-0.003, -0.016), (0.003, -0.016), (0.003, 0.016), (-0.003, 0.016)]),
    )
    frame = tilt(merge(bars))
    low = float(frame.bounds_m[0][2])
    parts = [
        Part(frame.moved(z=-low), surface),
        Part(tilt(mat).moved(z=-low), look("paper", "white")),
        Part(tilt(photo).moved(z=-low), look("paper", "white", texture=image)),
        Part(strut.moved(z=0.0), surface),
    ]
    return thing(parts, colours=(surface.colour.name,), materials=("wood",))


@object_type("Cactus", "decor", "a small cactus in a pot", rooms=("LivingRoom", "Bedroom", "Kitchen"), shape="cube")
def cactus(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A ribbed cactus, with arms or round with a flower, in a clay pot."""
    pot_r, pot_h = rng.uniform(0.045, 0.058), rng.uniform(0.065, 0.080)
    pot = vessel(
        [(pot_r * 0.74, 0), (pot_r * 0.94, pot_h * 0.78), (pot_r * 1.04, pot_h * 0.79), (pot_r * 1.08, pot_h)],
        0.005,
        0.008,
        segments=28,
    )
    soil = cylinder(pot_r * 0.98, 0.004, segments=24).moved(z=pot_h * 0.86)
    clay = look(
        "ceramic",
        Colour("orange", (0.76, 0.42, 0.26)).shade(rng)
        if colour is None and rng.random() < 0.6
        else pick_colour(rng, colour, "white", "teal", "yellow", "grey"),
    )
    green = look("plant", Colour("green", (0.24, 0.46, 0.22)).shade(rng, 0.15), rng)
    around = np.linspace(0, 2 * math.pi, 21)[:-1]
    rib = np.stack([np.cos(around), np.sin(around)], axis=1) * (1 + 0.13 * np.cos(10 * around))[:, None]
    columns, blossoms = [], []
    if rng.random() < 0.6:
        height = rng.uniform(0.11, 0.16)
        paths = [([(0, 0, pot_h * 0.8), (0, 0, pot_h + height * 0.5), (0, 0, pot_h + height)], 0.026)]
        for side in (-1, 1):
            z = pot_h + height * rng.uniform(0.3, 0.55)
            paths.append(
                (
                    spline(
                        [
                            (0, 0, z),
                            (side * 0.045, 0, z + 0.004),
                            (side * 0.055, 0, z + 0.030),
                            (side * 0.055, 0, z + height * 0.34),
                        ],
                        3,
                    ).tolist(),
                    0.014,
                )
            )
        for path, radius in paths:
            line = spline(path, 3)
            share = np.linspace(0, 1, len(line))
            columns.append(
                sweep(
                    line,
                    radius * np.clip(np.sqrt(np.maximum(1 - ((share - 0.72) / 0.28).clip(0) ** 2, 0.02)), 0.15, 1),
                    outline=rib,
                )
            )
        tip = pot_h + height
    else:
        size = pot_r * rng.uniform(0.85, 0.98)
        heights = np.linspace(-0.9, 1.0, 11)
        line = np.stack([np.zeros(11), np.zeros(11), pot_h + size * (0.75 + heights * 0.85)], axis=1)
        columns.append(sweep(line, size * np.sqrt(np.maximum(1 - heights**2, 0.01)), outline=rib))
        tip = float(line[-1][2])
    petals = [
        ellipsoid((0.009, 0.020, 0.006), 6).moved(0, 0.010).turned("x", 35).turned("z", 45 * k).moved(z=tip)
        for k in range(8)
    ]
    blossoms = [
        Part(merge(petals), look("plant", pick_colour(rng, None, "pink", "red", "yellow"), texture="")),
        Part(sphere(0.006, 8).moved(z=tip + 0.003), look("plant", "yellow", texture="")),
    ]
    return thing(
        [
            Part(pot, clay),
            Part(soil, look("stone", Colour("brown", (0.25, 0.17, 0.11)), texture="speckle")),
            Part(merge(columns), green, fill=0.5),
            *blossoms,
        ],
        touch="cylinder",
        colours=("green", clay.colour.name),
    )
