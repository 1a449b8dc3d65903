"""Vegetables that can be sliced."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Part
from pentathlon.worlds.houses.assets.handheld import lumpy, sliced_food
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import spline
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.shapes import ellipsoid, lathe, sphere
from pentathlon.worlds.modelling.sweeps import sheet, sweep

LEAF = Colour("green", (0.25, 0.50, 0.18))


@object_type("Tomato", "food", "a round red vegetable with a green star", rooms=("Kitchen",), shape="cube")
def tomato(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A tomato: flattened, faintly ribbed, with a green star of leaves."""
    radius = rng.uniform(0.033, 0.041)
    height = radius * rng.uniform(1.35, 1.8)
    curve = spline(
        np.array([(0, 0.02), (0.6, 0.06), (1.0, 0.48), (0.72, 0.88), (0.25, 0.98), (0, 0.93)]) * (radius, height), 5
    )
    curve[:, 0] = np.maximum(curve[:, 0], 0)
    body = lathe(curve, 26, crease_deg=80)
    tint = pick_colour(rng, colour, "red", "red", "orange")
    green = look("plant", LEAF, texture="")
    crown = merge([_sepal(0.017).turned("z", 72 * i + 10).moved(z=height * 0.955) for i in range(5)])
    stem = sweep(
        [(0, 0, height * 0.93), (0.001, 0, height * 1.03), (0.004, 0.001, height * 1.1)],
        (0.0022, 0.0018, 0.0024),
        sides=6,
    )
    flesh = look("food", Colour("red", (0.88, 0.32, 0.22)), texture="")
    extras = [Part(merge([crown, stem]), green, when="whole")]
    return sliced_food(body, look("food", tint, texture=""), flesh, extras=extras, touch="cylinder")


def _sepal(length: float) -> Mesh:
    u, v = np.meshgrid(np.linspace(0, 1, 5), np.linspace(-1, 1, 3), indexing="ij")
    width = 0.20 * length * np.sin(math.pi * np.clip(0.25 + 0.72 * u, 0, 0.97)) * v
    return sheet(np.stack([length * u, width, length * (0.18 * np.sin(3.0 * u) - 0.12 * u**2)], axis=2), 0.0006)


@object_type("Potato", "food", "a lumpy brown tuber", rooms=("Kitchen",), shape="cube")
def potato(rng: np.random.Generator) -> Asset:
    """A potato: an irregular oval with freckled skin and a few eyes."""
    size = rng.uniform((0.085, 0.055, 0.048), (0.115, 0.068, 0.056))
    body = lumpy(ellipsoid(size.tolist(), 24), rng, 0.07, 2.2)
    tint = Colour("brown", (0.74, 0.58, 0.36)).shade(rng, 0.12)
    eyes = []
    for point in body.vertices_m[rng.choice(len(body.vertices_m), 7, replace=False)]:
        eyes.append(sphere(0.0024, 8).scaled(1.2, 1.2, 0.7).moved(*(point * 0.985)))
    spots = Part(merge(eyes), look("plant", tint.darker(0.6), texture=""), when="whole")
    flesh = look("food", Colour("cream", (0.95, 0.88, 0.60)), texture="")
    return sliced_food(body, look("food", tint, rng, texture="speckle"), flesh, extras=[spots], colours=("brown",))


def _frilled_leaf(radius: float, height: float, flare: float, phase: float) -> Mesh:
    """A cupped leaf about the z axis that bends outwards at its wavy edge."""
    u, v = np.meshgrid(np.linspace(0.0, 1.0, 7), np.linspace(1, -1, 13), indexing="ij")
    span = np.radians(64) * np.sin(math.pi * (0.18 + 0.62 * u)) * v
    frill = u**3 * np.sin(4.5 * math.pi * v / 2 + phase)
    reach = radius * (0.30 + 0.72 * np.sin(1.9 * u) + flare * u**4 + 0.10 * frill)
    level = height * (u - 0.16 * u**4 * (1 + flare) - 0.10 * u**2 * v**2) + 0.05 * radius * frill
    return sheet(np.stack([reach * np.cos(span), reach * np.sin(span), level], axis=2), 0.0012, crease_deg=70)


@object_type("Lettuce", "food", "a head of green leaves", rooms=("Kitchen",), shape="cube")
def lettuce(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A head of lettuce: a pale heart wrapped in frilled leaves."""
    radius = rng.uniform(0.058, 0.070)
    body = lumpy(sphere(radius * 0.86, 22), rng, 0.035, 5.0).moved(z=radius * 0.86)
    tone = pick_colour(rng, colour) if colour is not None else Colour("green", (0.40, 0.62, 0.20)).shade(rng, 0.15)
    pale = Colour(tone.name, (0.66, 0.80, 0.36))
    outer = []
    for i in range(5):
        leaf = _frilled_leaf(radius, radius * rng.uniform(1.25, 1.75), rng.uniform(0.3, 0.6), rng.uniform(0, 6))
        outer.append(leaf.turned("z", 72 * i + rng.uniform(-10, 10)))
    inner = [_frilled_leaf(radius * 0.84, radius * 2.0, 0.1, i).turned("z", 120 * i + 30) for i in range(3)]
    extras = [
        Part(merge(outer), look("plant", tone, rng), when="whole"),
        Part(merge(inner), look("plant", pale, rng), when="whole"),
    ]
    flesh = look("food", Colour("lime", (0.88, 0.93, 0.62)), rng)
    skin = look("plant", pale, rng)
    return sliced_food(body, skin, flesh, count=6, extras=extras, touch="cylinder", fill=0.5, colours=("green",))


@object_type("Carrot", "food", "a long orange root with green leaves", rooms=("Kitchen",), shape="long")
def carrot(rng: np.random.Generator) -> Asset:
    """A carrot lying on its side: ringed root that tapers, tufts of green."""
    length, thick = rng.uniform(0.15, 0.20), rng.uniform(0.015, 0.020)
    share = np.linspace(0, 1, 22)
    radii = thick * (1 - share) ** 0.55 * (1 + 0.05 * np.where(np.arange(22) % 3 == 0, -1.0, 0.4))
    radii[0], radii[-1] = thick * 0.45, thick * 0.06
    path = np.stack([length * share, np.zeros(22), np.full(22, thick)], axis=1)
    body = sweep(path, radii, sides=14)
    stalks = []
    for _ in range(7):
        tip = (-rng.uniform(0.05, 0.09), rng.uniform(-0.03, 0.03), thick + rng.uniform(-0.008, 0.02))
        middle = (tip[0] * 0.5, tip[1] * 0.3, thick + 0.008)
        stalks.append(sweep(spline([(0.002, 0, thick), middle, tip], 3), np.linspace(0.0024, 0.0012, 7), sides=6))
        stalks += [
            ellipsoid((0.016, 0.008, 0.005), 8)
            .turned("z", rng.uniform(0, 180))
            .moved(*(np.array(tip) * f + (0, 0, thick * (1 - f))))
            for f in (0.7, 0.85, 1.0)
        ]
    greens = Part(merge(stalks), look("plant", LEAF.shade(rng, 0.1), texture=""), when="whole")
    tint = Colour("orange", (0.94, 0.46, 0.10)).shade(rng)
    flesh = look("food", Colour("orange", (0.97, 0.58, 0.22)), texture="")
    return sliced_food(
        body, look("food", tint, texture=""), flesh, count=8, gap_m=0.010, extras=[greens], colours=("orange",)
    )


@object_type("Broccoli", "food", "a green tree-like vegetable", rooms=("Kitchen",), shape="cube")
def broccoli(rng: np.random.Generator) -> Asset:
    """A floret of broccoli: a pale branching stalk under a dome of dark green buds."""
    dome, stalk = rng.uniform(0.045, 0.056), rng.uniform(0.045, 0.058)
    body = lathe(
        spline(
            [
                (0.014, 0.0),
                (0.013, stalk * 0.5),
                (0.020, stalk * 0.8),
                (dome * 0.55, stalk * 1.05),
                (dome * 0.5, stalk * 1.3),
                (0.0, stalk * 1.5),
            ],
            4,
        ),
        18,
        crease_deg=70,
    )
    buds, limbs = [], []
    for i in range(15):
        tilt, turn = math.radians(78) * math.sqrt((i + 0.3) / 15), 2.4 * i
        at = np.array(
            [
                dome * 0.78 * math.sin(tilt) * math.cos(turn),
                dome * 0.78 * math.sin(tilt) * math.sin(turn),
                stalk + dome * 0.72 * math.cos(tilt),
            ]
        )
        buds.append(lumpy(sphere(dome * rng.uniform(0.30, 0.38), 12), rng, 0.10, 6.0).moved(*at))
        if i > 8:
            limbs.append(sweep(np.stack([(0, 0, stalk * 0.5), at * (0.8, 0.8, 0.96)]), (0.007, 0.006), sides=7))
    extras = [
        Part(
            merge(buds),
            look("plant", Colour("green", (0.15, 0.40, 0.13)).shade(rng, 0.1), rng, texture="speckle"),
            when="whole",
            fill=0.5,
        ),
        Part(merge(limbs), look("plant", Colour("lime", (0.58, 0.70, 0.36)), texture=""), when="whole"),
    ]
    skin = look("plant", Colour("lime", (0.58, 0.70, 0.36)), rng)
    flesh = look("food", Colour("lime", (0.80, 0.86, 0.58)), texture="")
    return sliced_food(body, skin, flesh, count=4, gap_m=0.010, extras=extras, touch="cylinder", colours=("green",))
