"""Plants in pots."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.assembly import Assembly, pick
from pentathlon.worlds.houses.assets.asset import Asset
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import spline
from pentathlon.worlds.modelling.materials import Look, look
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.shapes import lathe, sphere
from pentathlon.worlds.modelling.sweeps import extrude, sheet, sweep

GREENS = (Colour("green", (0.16, 0.42, 0.15)), Colour("green", (0.24, 0.52, 0.20)), Colour("green", (0.34, 0.56, 0.26)))
SOIL = Colour("brown", (0.20, 0.13, 0.09))


def leaf(length: float, width: float, rise: float, droop: float, *, steps: int = 6, fold: float = 0.25) -> Mesh:
    """A pointed leaf that starts at the origin, leans out along x, rises and then droops."""
    t = np.linspace(0.0, 1.0, steps + 1)
    half = width / 2 * np.sin(math.pi * np.clip(t, 0.0, 1.0) ** 0.75) + 0.002
    out = length * t * math.cos(rise)
    up = length * (t * math.sin(rise) - droop * t**2)
    points = np.empty((3, steps + 1, 3))
    for row, side in enumerate((1.0, 0.0, -1.0)):
        points[row] = np.stack([out, side * half, up + fold * half * abs(side)], axis=1)
    return sheet(points[::-1], 0.0015, crease_deg=60)


def pot(radius: float, height: float) -> Mesh:
    """A flower pot with a rim, standing on z = 0, hollow at the top."""
    outside = [(0, 0), (radius * 0.70, 0), (radius * 0.93, height * 0.80), (radius, height * 0.81), (radius, height)]
    inside = [(radius * 0.90, height), (radius * 0.88, height * 0.9), (0, height * 0.9)]
    return lathe([*outside, *inside], 28)


def _spiky(rng: np.random.Generator, size: float) -> tuple[list[Mesh], list[Mesh]]:
    """Stiff upright blades, as a snake plant has."""
    blades = []
    for _ in range(int(rng.integers(10, 16))):
        blade = leaf(size * rng.uniform(0.6, 1.0), size * 0.09, math.radians(rng.uniform(76, 89)), 0.0, fold=0.35)
        x, y = rng.uniform(-0.03, 0.03, 2)
        blades.append(blade.turned("z", float(rng.uniform(0, 360))).moved(x, y))
    return blades, []


def _bushy(rng: np.random.Generator, size: float) -> tuple[list[Mesh], list[Mesh]]:
    """Broad leaves on thin stalks all around."""
    leaves, stalks = [], []
    for i in range(int(rng.integers(22, 30))):
        turn, lift = i * 137.5, rng.uniform(0.25, 1.0)
        reach = size * rng.uniform(0.18, 0.34) * (1.25 - 0.6 * lift)
        top = np.array([reach, 0.0, size * (0.15 + 0.62 * lift)])
        stalks.append(
            sweep(spline([(0, 0, -0.03), tuple(top * (0.35, 1, 0.6)), tuple(top)], 2), 0.004, sides=4).turned("z", turn)
        )
        blade = leaf(
            size * rng.uniform(0.24, 0.34), size * rng.uniform(0.13, 0.18), math.radians(rng.uniform(0, 40)), 0.45
        )
        leaves.append(blade.moved(*top).turned("z", turn))
    return leaves, stalks


def _palm(rng: np.random.Generator, size: float) -> tuple[list[Mesh], list[Mesh]]:
    """Feathered fronds that arch from short stems."""
    leaves, stalks = [], []
    for i in range(int(rng.integers(8, 11))):
        turn, out, tall = i * 137.5, size * rng.uniform(0.28, 0.45), size * rng.uniform(0.7, 0.98)
        line = spline(
            [(0, 0, -0.03), (out * 0.15, 0, tall * 0.6), (out * 0.6, 0, tall), (out * 1.1, 0, tall * 0.86)], 5
        )
        stalks.append(sweep(line, np.linspace(0.007, 0.002, len(line)), sides=5).turned("z", turn))
        for k in range(5, len(line)):
            for side in (-1, 1):
                long = size * 0.21 * (1.15 - k / len(line) * 0.6)
                blade = extrude([(0, 0), (0.35 * long, -size * 0.018), (long, 0), (0.35 * long, size * 0.018)], 0.0015)
                leaves.append(blade.turned("y", 18).turned("z", side * 58).moved(*line[k]).turned("z", turn))
    return leaves, stalks


def _tree(rng: np.random.Generator, size: float) -> tuple[list[Mesh], list[Mesh]]:
    """A slim trunk with a round crown of leaves about a dark heart."""
    leaves = []
    bend = rng.uniform(-0.05, 0.05, 2)
    trunk = sweep(
        spline([(0, 0, -0.03), (bend[0], bend[1], size * 0.4), (0, 0, size * 0.72)], 4),
        np.linspace(0.018, 0.012, 9),
        sides=8,
    )
    crown, radius = np.array([0, 0, size * 0.76]), size * 0.21
    for i in range(72):
        z = 1 - 2 * (i + 0.5) / 72
        turn, ring = i * 137.5, math.sqrt(1 - z * z)
        at = crown + radius * rng.uniform(0.65, 1.0) * np.array([ring, 0, z])
        leaves.append(leaf(size * 0.14, size * 0.085, math.radians(60 * z), 0.3, steps=3).moved(*at).turned("z", turn))
    leaves.append(sphere(radius * 0.72, 12).moved(*crown))
    return leaves, [trunk]


KINDS = {"snake": _spiky, "bush": _bushy, "palm": _palm, "tree": _tree}


def _pot_look(rng: np.random.Generator, colour: str | None) -> Look:
    if colour is None and rng.random() < 0.3:
        return look("ceramic", Colour("orange", (0.72, 0.38, 0.24)), texture="plaster")
    if colour is None and rng.random() < 0.25:
        return look("wicker", pick_colour(rng, None, "beige", "brown"), rng)
    return look("ceramic", pick_colour(rng, colour, "white", "grey", "black", "teal", "yellow", "blue"))


@object_type("HousePlant", "decor", "a green plant in a pot", "free", shape="long")
def house_plant(rng: np.random.Generator, *, colour: str | None = None, kind: str | None = None) -> Asset:
    """A house plant: a snake plant, a broad-leaved bush, a palm or a small tree; `colour` is the pot's."""
    chosen = kind if kind is not None else pick(rng, *KINDS)
    radius, high = rng.uniform(0.12, 0.17), rng.uniform(0.20, 0.28)
    size = rng.uniform(0.45, 0.65) if chosen == "snake" else rng.uniform(0.6, 0.95)
    work, clay = Assembly(), _pot_look(rng, colour)
    work.show(pot(radius, high), clay, fill=0.25)
    work.show(
        lathe([(0, high * 0.88), (radius * 0.9, high * 0.88), (radius * 0.85, high * 0.93), (0, high * 0.95)], 20),
        look("food", SOIL, texture="speckle"),
        fill=0.3,
    )
    leaves, stalks = KINDS[chosen](rng, size)
    green = GREENS[int(rng.integers(len(GREENS)))].shade(rng)
    for share, tint in ((0, green), (1, green.darker(1.2))):
        work.show(merge(leaves[share::2]).moved(z=high * 0.93), look("plant", tint))
    if stalks:
        bark = look("wood", "brown") if chosen == "tree" else look("plant", green.darker(0.9))
        work.show(merge(stalks).moved(z=high * 0.93), bark)
    work.touch((1.9 * radius, 1.9 * radius, high), (0, 0, high / 2), kind="cylinder")
    work.touch((0.24, 0.24, size * 0.7), (0, 0, high + size * 0.35), kind="cylinder")
    return work.asset(
        mass_kg=rng.uniform(4, 8), colours=("green", clay.colour.name), materials=("plant", clay.material.name)
    )


@object_type("FlowerPot", "decor", "flowers in a small pot", rooms=("Kitchen", "LivingRoom", "Bedroom"), shape="cube")
def flower_pot(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A small pot of blooming flowers; `colour` is the blossoms'."""
    work, radius, high = Assembly(), rng.uniform(0.05, 0.065), rng.uniform(0.09, 0.12)
    clay, size = _pot_look(rng, None), rng.uniform(0.16, 0.22)
    work.show(pot(radius, high), clay, fill=0.3)
    work.show(
        lathe([(0, high * 0.88), (radius * 0.9, high * 0.88), (0, high * 0.94)], 16),
        look("food", SOIL, texture="speckle"),
        fill=0.3,
    )
    blossom = pick_colour(rng, colour, "red", "pink", "yellow", "purple", "white", "orange")
    stems, petals, hearts, greens = [], [], [], []
    for i in range(int(rng.integers(5, 8))):
        turn, out = i * 137.5, rng.uniform(0.015, 0.07) if i else 0.0
        tall = size * rng.uniform(0.65, 1.0)
        stems.append(
            sweep(spline([(0, 0, 0), (out * 0.5, 0, tall * 0.5), (out, 0, tall)], 3), 0.0022, sides=5).turned("z", turn)
        )
        flower = merge([leaf(0.032, 0.022, 0.35, 0.1, steps=3).turned("z", a) for a in range(0, 360, 45)])
        petals.append(flower.moved(out, 0, tall).turned("z", turn))
        hearts.append(sphere(0.009, 8).moved(out, 0, tall + 0.004).turned("z", turn))
        greens.append(leaf(size * 0.5, 0.035, 0.8, 0.6, steps=4).turned("z", turn + 60))
    base = high * 0.92
    work.show(merge(stems + greens).moved(z=base), look("plant", GREENS[1]))
    work.show(merge(petals).moved(z=base), look("plant", blossom, texture=""))
    work.show(
        merge(hearts).moved(z=base),
        look(
            "plant",
            Colour("yellow", (0.95, 0.75, 0.15)) if blossom.name != "yellow" else Colour("brown", (0.45, 0.28, 0.12)),
            texture="",
        ),
    )
    work.touch((2 * radius, 2 * radius, high), (0, 0, high / 2), kind="cylinder")
    return work.asset(
        "pickupable",
        mass_kg=rng.uniform(0.5, 0.9),
        colours=(blossom.name, "green"),
        materials=("plant", clay.material.name),
    )
