"""Fruit."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Collider, Part
from pentathlon.worlds.houses.assets.colours import Colour, pick_colour
from pentathlon.worlds.houses.assets.effects import steam
from pentathlon.worlds.houses.assets.materials import look
from pentathlon.worlds.houses.assets.mesh import Mesh, from_faces, merge
from pentathlon.worlds.houses.assets.pictures import fruit_skin
from pentathlon.worlds.houses.assets.shapes import lathe
from pentathlon.worlds.houses.assets.slicing import slices
from pentathlon.worlds.houses.assets.sweeps import sheet, sweep
from pentathlon.worlds.houses.assets.types import object_type

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
