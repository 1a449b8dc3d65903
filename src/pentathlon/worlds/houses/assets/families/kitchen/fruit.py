"""Fruit."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Collider, Part
from pentathlon.worlds.houses.assets.effects import steam
from pentathlon.worlds.houses.assets.handheld import reshaped, sliced_food
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import spline
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.mesh import Mesh, from_faces, merge
from pentathlon.worlds.modelling.pictures import fruit_skin
from pentathlon.worlds.modelling.shapes import ellipsoid, lathe, sphere
from pentathlon.worlds.modelling.slicing import slices
from pentathlon.worlds.modelling.sweeps import sheet, sweep

FLESH = Colour("cream", (0.96, 0.91, 0.72))


def _apple_body(radius: float, height: float) -> Mesh:
    """A turned body with a dimple at each end and five soft lobes underneath."""
    angle = np.linspace(0.0, math.pi, 20)
    across = radius * np.sin(angle) ** 0.85 * (1.0 - 0.10 * np.cos(angle))
    across[[0, -1]] = 0.0
    dimple = np.where(angle > 1.6, -0.30, 0.20) * height * np.exp(-((across / (0.36 * radius)) ** 2))
    body = lathe(np.stack([across, -0.5 * height * np.cos(angle) + dimple], axis=1), 22, crease_deg=80.0)
    points = body.vertices_m
    around = np.arctan2(points[:, 1], points[:, 0])
    low = np.clip(0.3 - points[:, 2] / height, 0.0, 1.0)
    lobed = points * np.stack([1 + 0.05 * low * np.cos(5 * around)] * 2 + [np.ones(len(points))], axis=1)
    return from_faces(lobed, body.faces, corner_uvs=body.with_unit_uvs().uvs[body.faces], crease_deg=80.0)


@object_type("Apple", "food", "a round fruit with a stem", rooms=("Kitchen",), shape="cube")
def apple(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """An apple: red, green or yellow, streaked; sliced it lies in four pieces."""
    radius = rng.uniform(0.034, 0.042)
    height = radius * rng.uniform(1.65, 1.9)
    tint = pick_colour(rng, colour, "red", "green", "red", "yellow", "red")
    blush = {"red": Colour("yellow", (0.88, 0.66, 0.25)), "green": Colour("lime", (0.75, 0.80, 0.30))}
    skin = look("food", "white", texture=fruit_skin(rng, tint, blush.get(tint.name, Colour("red", (0.85, 0.35, 0.20)))))
    body = _apple_body(radius, height)
    body = body.moved(z=-float(body.bounds_m[0][2]))
    top = float(body.bounds_m[1][2])
    bark = look("wood", Colour("brown", (0.36, 0.24, 0.13)), texture="")
    lean = rng.uniform(0.004, 0.010)
    stem = sweep([(0, 0, top * 0.78), (lean * 0.2, 0, top), (lean, 0, top + 0.014)], (0.0016, 0.0013, 0.002), sides=6)
    u, v = np.meshgrid(np.linspace(0, 1, 5), np.linspace(-1, 1, 5), indexing="ij")
    width = 0.010 * np.sin(np.pi * np.clip(u, 0.04, 0.96)) * v
    leaf = sheet(np.stack([0.028 * u, width, 0.010 * np.sin(2.4 * u) - 14 * width**2], axis=2), 0.0005)
    parts = [Part(body, skin, when="whole"), Part(stem, bark, when="whole")]
    if rng.random() < 0.6:
        green = look("plant", "green", texture="")
        parts.append(Part(leaf.turned("z", rng.uniform(0, 360)).moved(lean * 0.4, 0, top + 0.002), green, when="whole"))
    cuts = slices(body, "x", 4, radius * 0.40)
    flesh = look("food", FLESH, texture="")
    one = cuts[1].turned("y", 90.0)
    low = float(one.whole.bounds_m[0][2])
    one = one.moved(-float(one.whole.centroid_m[0]), -float(one.whole.centroid_m[1]), -low)
    piece = Asset(
        (Part(one.whole, flesh), Part(one.skin, skin, fill=0.0)),
        (Collider("box", tuple(one.whole.centroid_m.tolist()), tuple(one.whole.size_m.tolist())),),
        declared=frozenset({"pickupable", "heatable", "coolable"}),
        given_colours=(tint.name,),
    )
    return Asset(
        parts=(
            *parts,
            Part(merge([item.skin for item in cuts]), skin, when="sliced"),
            Part(merge([item.flesh for item in cuts]), flesh, when="sliced"),
            steam((0.0, 0.0, top), 0.10),
        ),
        colliders=(Collider("sphere", (0.0, 0.0, radius * 0.95), (radius * 1.9,) * 3),),
        declared=frozenset({"pickupable", "heatable", "coolable"}),
        piece=piece,
        given_colours=(tint.name,),
    )


def _turned_fruit(profile: list[tuple[float, float]], radius: float, height: float) -> Mesh:
    """A smooth body of revolution through knots of (radius, height) shares, with uvs for a skin."""
    curve = spline(np.array(profile) * (radius, height), 5)
    curve[:, 0] = np.maximum(curve[:, 0], 0.0)
    return lathe(curve, 24, crease_deg=80.0).with_unit_uvs()


@object_type("Orange", "food", "a round orange citrus fruit", rooms=("Kitchen",), shape="cube")
def orange(rng: np.random.Generator) -> Asset:
    """An orange: pitted peel, a green star where the stem was; sliced it shows pale pith."""
    radius = rng.uniform(0.036, 0.043)
    body = ellipsoid((2 * radius, 2 * radius, 1.88 * radius), 26).moved(z=0.94 * radius)
    peel = Colour("orange", (0.95, 0.50, 0.08)).shade(rng, 0.14)
    skin = look("food", peel, rng, texture="speckle")
    top = float(body.bounds_m[1][2])
    star = sphere(0.0035, 10).scaled(1, 1, 0.4).moved(z=top - 0.0004)
    flesh = look("food", Colour("orange", (0.98, 0.66, 0.20)), texture="")
    stem = Part(star, look("plant", "green"), when="whole")
    return sliced_food(body, skin, flesh, extras=[stem], touch="cylinder", colours=("orange",))


@object_type("Lemon", "food", "a yellow citrus fruit with pointed ends", rooms=("Kitchen",), shape="cube")
def lemon(rng: np.random.Generator) -> Asset:
    """A lemon lying on its side: a nipple at each end."""
    radius = rng.uniform(0.025, 0.030)
    knots = [
        (0, 0),
        (0.16, 0.02),
        (0.26, 0.07),
        (0.80, 0.25),
        (1.0, 0.5),
        (0.80, 0.75),
        (0.26, 0.93),
        (0.12, 0.98),
        (0, 1),
    ]
    body = _turned_fruit(knots, radius, radius * rng.uniform(2.7, 3.1)).turned("y", 90)
    skin = look("food", Colour("yellow", (0.97, 0.84, 0.18)).shade(rng, 0.12), rng, texture="speckle")
    flesh = look("food", Colour("yellow", (0.98, 0.93, 0.55)), texture="")
    return sliced_food(body, skin, flesh, gap_m=0.012, colours=("yellow",))


@object_type("Pear", "food", "a green fruit with a narrow neck", rooms=("Kitchen",), shape="cube")
def pear(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A pear: heavy below, a narrow neck and a long stem."""
    radius, height = rng.uniform(0.034, 0.039), rng.uniform(0.088, 0.105)
    knots = [(0, 0.03), (0.50, 0.0), (0.93, 0.18), (0.98, 0.36), (0.60, 0.64), (0.44, 0.82), (0.30, 0.97), (0, 0.98)]
    body = _turned_fruit(knots, radius, height)
    tint = pick_colour(rng, colour, "lime", "yellow", "lime", "olive")
    skin = look("food", "white", texture=fruit_skin(rng, tint, Colour("brown", (0.72, 0.52, 0.22)), streaks=0.3))
    stem = sweep(
        [(0, 0, height * 0.95), (0.001, 0, height + 0.008), (0.007, 0, height + 0.022)],
        (0.002, 0.0016, 0.0024),
        sides=6,
    )
    bark = Part(stem, look("wood", Colour("brown", (0.36, 0.24, 0.13)), texture=""), when="whole")
    flesh = look("food", FLESH, texture="")
    return sliced_food(body, skin, flesh, count=4, extras=[bark], touch="cylinder", colours=(tint.name,))


@object_type("Banana", "food", "a long curved yellow fruit", rooms=("Kitchen",), shape="long")
def banana(rng: np.random.Generator) -> Asset:
    """A banana lying on its side: five blunt edges, a stem, dark tips."""
    bend, thick = rng.uniform(0.085, 0.105), rng.uniform(0.0165, 0.020)
    angle = np.radians(np.linspace(-52, 52, 17))
    path = np.stack([bend * np.sin(angle), bend * (np.cos(angle) - 0.8), np.zeros(17)], axis=1)
    share = np.linspace(0, 1, 17)
    radii = thick * np.interp(share, (0, 0.05, 0.18, 0.5, 0.82, 0.93, 1.0), (0.25, 0.55, 0.9, 1.0, 0.88, 0.42, 0.30))
    around = np.linspace(0, 2 * math.pi, 15, endpoint=False)
    section = np.stack([np.cos(around), np.sin(around)], axis=1) * (1 + 0.05 * np.cos(5 * around))[:, None]
    tube = sweep(path, radii, outline=section)
    body = reshaped(tube, tube.vertices_m, crease_deg=75)
    tint = Colour("yellow", (0.96, 0.80, 0.16)).shade(rng, 0.16)
    skin = look("food", tint, rng)
    brown = look("plant", Colour("brown", (0.30, 0.21, 0.10)), texture="")
    tips = [sweep([path[0] + (path[0] - path[1]) * 0.35, path[1]], (radii[0] * 1.05, radii[0] * 1.1), sides=8)]
    tips.append(sweep([path[-2], path[-1] + (path[-1] - path[-2]) * 1.2], (radii[-1] * 1.1, radii[-1] * 1.2), sides=8))
    extras = [Part(merge(tips), brown, when="whole")]
    flesh = look("food", Colour("cream", (0.97, 0.91, 0.70)), texture="")
    return sliced_food(body, skin, flesh, count=7, gap_m=0.010, extras=extras, colours=("yellow",))
