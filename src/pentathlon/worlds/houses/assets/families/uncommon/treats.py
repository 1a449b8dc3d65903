"""Uncommon things to eat and drink, after PASTURE's list."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Part
from pentathlon.worlds.houses.assets.handheld import thing, vessel
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import fillet, spline
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.mesh import merge
from pentathlon.worlds.modelling.shapes import box, ellipsoid, lathe, sphere, torus
from pentathlon.worlds.modelling.sweeps import extrude, sweep

GINGER = Colour("brown", (0.58, 0.34, 0.16))


@object_type(
    "MateGourd", "tableware", "a gourd for maté with a metal straw", rooms=("Kitchen", "LivingRoom"), noun="maté gourd"
)
def mate_gourd(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A maté gourd: round brown calabash, silver rim, green leaves, the bombilla leaning out."""
    radius, height = rng.uniform(0.042, 0.050), rng.uniform(0.090, 0.110)
    knots = [(0.40, 0.0), (0.62, 0.03), (1.0, 0.38), (0.86, 0.68), (0.62, 0.90), (0.66, 1.0)]
    body = vessel(spline(np.array(knots) * (radius, height), 4), 0.006, 0.012, segments=26, crease_deg=60)
    mouth = radius * 0.66
    rim = lathe(
        [
            (mouth + 0.002, height * 0.88),
            (mouth + 0.0035, height * 0.96),
            (mouth + 0.004, height + 0.003),
            (mouth - 0.006, height + 0.004),
            (mouth - 0.007, height * 0.88),
            (mouth + 0.002, height * 0.88),
        ],
        30,
    )
    herb = lathe(
        spline([(mouth - 0.006, height * 0.86), (mouth * 0.5, height * 0.92), (0.0, height * 0.97)], 4),
        22,
        crease_deg=70,
    )
    lean = spline(
        [(0.004, 0, height * 0.55), (0.012, 0, height * 1.05), (0.040, 0, height * 1.62), (0.062, 0, height * 1.78)], 5
    )
    straw = sweep(lean, np.interp(np.arange(16), (0, 12, 15), (0.0034, 0.0034, 0.0048)), sides=10)
    bead = sphere(0.0065, 12).moved(*lean[8])
    foot = torus(radius * 0.50, 0.0045, 26, 8).moved(z=0.0045)
    tint = Colour("brown", (0.50, 0.28, 0.13)).shade(rng, 0.16) if colour is None else pick_colour(rng, colour)
    silver = look("metal", "silver", rng, texture="")
    gourd = look("leather", tint, rng) if rng.random() < 0.4 else look("wood", tint, texture="")
    parts = [
        Part(body, gourd),
        Part(merge([rim, straw, bead, foot]), silver, fill=0.5),
        Part(herb, look("plant", Colour("green", (0.38, 0.46, 0.18)), texture="speckle")),
    ]
    turned = [Part(part.mesh.turned("z", -20), part.look, fill=part.fill) for part in parts]
    return thing(
        turned,
        "heatable",
        touch=[turned[0].mesh],
        colours=("brown", "silver"),
        materials=("wood", "metal"),
        mass_kg=float(rng.uniform(0.15, 0.25)),
    )


@object_type("GingerbreadHouse", "food", "a little house of gingerbread with icing", rooms=("Kitchen", "LivingRoom"))
def gingerbread_house(rng: np.random.Generator) -> Asset:
    """A gingerbread house: brown walls, snowy icing along every edge, sweets on the roof, a chimney."""
    width, depth, wall = rng.uniform(0.15, 0.18), rng.uniform(0.16, 0.20), rng.uniform(0.085, 0.105)
    peak = wall + width * rng.uniform(0.55, 0.70)
    gable = (
        extrude([(-width / 2, 0), (width / 2, 0), (width / 2, wall), (0, peak), (-width / 2, wall)], depth)
        .turned("x", 90)
        .moved(0, depth / 2)
    )
    slope = math.atan2(peak - wall, width / 2)
    run = math.hypot(width / 2, peak - wall) + 0.022
    roofs, drops, icing = [], [], []
    for side in (-1, 1):
        slab = box((run, depth + 0.03, 0.010)).moved(run / 2 - 0.0, 0, 0.005).turned("y", math.degrees(slope))
        slab = (slab if side > 0 else slab.mirrored("x")).moved(z=peak)
        roofs.append(slab)
        for row in range(3):
            for column in range(4):
                along, across = run * (0.22 + 0.27 * row), (column - 1.5) * depth * 0.24 + (0.01 if row % 2 else -0.01)
                at = (side * along * math.cos(slope), across, peak - along * math.sin(slope) + 0.0135)
                drops.append(sphere(0.0085, 10).scaled(1, 1, 0.6).turned("y", side * math.degrees(slope)).moved(*at))
        eave = (side * (run - 0.002) * math.cos(slope), peak - (run - 0.002) * math.sin(slope) + 0.004)
        icing.append(
            sweep([(eave[0], -depth / 2 - 0.015, eave[1]), (eave[0], depth / 2 + 0.015, eave[1])], 0.0075, sides=8)
        )
        for y in np.linspace(-0.46, 0.46, 8):
            drip = rng.uniform(0.010, 0.022)
            icing.append(
                sweep([(eave[0], y * depth, eave[1]), (eave[0], y * depth, eave[1] - drip)], (0.005, 0.0022), sides=6)
            )
        for y in (-depth / 2 - 0.014, depth / 2 + 0.014):
            icing.append(sweep([(0, y, peak + 0.008), (eave[0], y, eave[1] + 0.004)], 0.0068, sides=8))
        icing.append(
            sweep([(side * width / 2, -depth / 2, 0.0), (side * width / 2, -depth / 2, wall)], 0.0055, sides=8)
        )
    icing.append(sweep([(0, -depth / 2 - 0.015, peak + 0.010), (0, depth / 2 + 0.015, peak + 0.010)], 0.009, sides=8))
    front = -depth / 2
    door = (
        extrude(fillet([(-0.020, 0), (0.020, 0), (0.020, 0.050), (0, 0.064), (-0.020, 0.050)], 0.008, 3), 0.006)
        .turned("x", 90)
        .moved(0, front + 0.001, 0.0)
    )
    door_trim = sweep(
        fillet(
            [
                (-0.022, front - 0.004, 0.004),
                (-0.022, front - 0.004, 0.050),
                (0, front - 0.004, 0.068),
                (0.022, front - 0.004, 0.050),
                (0.022, front - 0.004, 0.004),
            ],
            0.010,
            3,
        ),
        0.0035,
        sides=7,
    )
    panes = [box((0.028, 0.004, 0.028)).moved(s * width * 0.33, front - 0.001, wall * 0.62) for s in (-1, 1)] + [
        box((0.004, 0.030, 0.030)).moved(width / 2 + 0.001, y, wall * 0.55) for y in (-0.04, 0.04)
    ]
    frames = []
    for pane in panes:
        low, high = pane.bounds_m
        x, y, z = (low + high) / 2
        flat = np.array([(-0.016, -0.016), (0.016, -0.016), (0.016, 0.016), (-0.016, 0.016)])
        loop = (
            [(x + a, y - 0.003, z + b) for a, b in flat]
            if high[0] - low[0] > 0.01
            else [(x + 0.003, y + a, z + b) for a, b in flat]
        )
        frames.append(sweep(np.array(loop), 0.0028, sides=6, closed=True))
    chimney = box((0.030, 0.030, 0.055)).moved(width * 0.24, depth * 0.2, peak - 0.008)
    snow = merge([ellipsoid((0.040, 0.040, 0.018), 12).moved(width * 0.24, depth * 0.2, peak + 0.021)])
    button = sphere(0.010, 12).scaled(1, 0.5, 1).moved(0, front - 0.003, (wall + peak) / 2)
    ground = lathe(fillet([(0, -0.008), (width * 0.82, -0.008), (width * 0.80, 0.001), (0, 0.002)], 0.003), 36)
    candy = ("red", "green", "yellow", "blue", "orange")
    order = rng.permutation(5)
    ginger = look("food", GINGER.shade(rng, 0.1), rng, texture="crumb")
    dark = look("food", GINGER.darker(0.78), rng, texture="crumb")
    white = look("food", "white", texture="")
    parts = [
        Part(gable, ginger, fill=0.25),
        Part(merge(roofs), dark),
        Part(merge([*icing, door_trim, *frames, snow]), white),
        Part(ground, white, fill=0.5),
        Part(door, look("food", candy[int(order[0])], texture="")),
        Part(merge(panes), look("food", Colour("yellow", (0.98, 0.84, 0.35)), texture="")),
        Part(chimney, dark),
        Part(button, look("food", candy[int(order[1])], texture="")),
    ]
    parts += [Part(merge(drops[i::3]), look("plastic", candy[int(order[i])])) for i in range(3)]
    return thing(
        parts,
        touch=[gable, ground],
        mass_kg=float(rng.uniform(0.7, 1.1)),
        colours=("brown", "white"),
        materials=("food",),
    )
