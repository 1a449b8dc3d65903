"""What all objects of a kind have in common: glass and china break, food and cloths get dirty, hot things steam."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from pentathlon.worlds.houses.assets.asset import PLAIN, Asset, Collider, Part
from pentathlon.worlds.houses.assets.effects import steam
from pentathlon.worlds.modelling.colours import Colour
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.shapes import ellipsoid
from pentathlon.worlds.modelling.sweeps import extrude

BRITTLE = frozenset({"ceramic", "glass"})
# Kinds that are themselves of what shows most of them; soap and toothbrushes only stand in a dish or cup of it.
BREAKING = frozenset({"container", "decor", "lighting", "tableware", "toy"})
SOILABLE = frozenset({"food", "textile"})
SHARDS, SHARD_M = 14, 0.004
SPOTS = 12
MUD = Colour("brown", (0.27, 0.17, 0.09))


def finished(asset: Asset, category: str, rng: np.random.Generator) -> Asset:
    """Return the asset with the looks that every object of its kind can take on."""
    if "pickupable" not in asset.abilities:
        return asset
    whens = {part.when for part in asset.parts}
    more: list[Part] = []
    if category in BREAKING and asset.materials[0] in BRITTLE:
        more.append(_shards(asset, rng))
    if category in SOILABLE and "dirty" not in whens:
        more.append(_spots(asset, rng))
    if "heatable" in asset.abilities and "hot" not in whens:
        more.append(steam((0.0, 0.0, float(asset.bounds_m[1][2])), 0.10))
    return replace(asset, parts=(*asset.parts, *more))


def shattered(asset: Asset) -> Asset:
    """Return the asset as it collides when it is broken: its shards lie flat; itself if it does not break."""
    for part in asset.parts:
        if part.when == "broken":
            (x0, y0, _), (x1, y1, top) = (corner.tolist() for corner in part.mesh.bounds_m)
            flat = Collider("box", ((x0 + x1) / 2, (y0 + y1) / 2, top / 4), (x1 - x0, y1 - y0, top / 2))
            return replace(asset, colliders=(flat,), receptacles=())
    return asset


def _largest(asset: Asset) -> Part:
    return max((part for part in asset.parts if PLAIN.shows(part.when)), key=lambda part: part.mesh.area_m2)


def _shards(asset: Asset, rng: np.random.Generator) -> Part:
    """Splinters that lie about where it stood."""
    width, depth, height = asset.size_m.tolist()
    reach = 0.5 * max(width, depth) + 0.35 * height
    made = []
    for i in range(SHARDS):
        size = reach * rng.uniform(0.10, 0.32)
        corners = np.sort(rng.uniform(0.0, 2 * math.pi, int(rng.integers(3, 6))))
        # Evenly spread corners alone would all look alike; random ones alone could all lie on one side.
        corners = 0.5 * corners + 0.5 * np.linspace(0.0, 2 * math.pi, len(corners), endpoint=False)
        flat = extrude(size * np.column_stack([np.cos(corners), np.sin(corners)]), SHARD_M)
        angle, far = 2.4 * i, reach * math.sqrt((i + 0.5) / SHARDS)
        tilted = flat.turned("x", float(rng.uniform(-18, 18))).turned("z", float(rng.uniform(0, 360)))
        low = float(tilted.bounds_m[0][2])
        made.append(tilted.moved(far * math.cos(angle), far * math.sin(angle), -low))
    return Part(merge(made), _largest(asset).look, when="broken", fill=0.0)


def _spots(asset: Asset, rng: np.random.Generator) -> Part:
    """Spots of mud on what shows of it."""
    mesh = _largest(asset).mesh
    low, high = mesh.bounds_m
    size = float(np.sort(high - low)[1:].mean())
    upper = np.flatnonzero((mesh.normals[:, 2] > 0.15) & (mesh.vertices_m[:, 2] > low[2] + 0.2 * (high - low)[2]))
    places = rng.choice(upper if len(upper) else np.arange(len(mesh.vertices_m)), SPOTS)
    spots = [_spot(mesh, int(place), size * float(rng.uniform(0.07, 0.17))) for place in places]
    return Part(merge(spots), look("food", MUD, texture=""), when="dirty", fill=0.0)


def _spot(mesh: Mesh, vertex: int, radius_m: float) -> Mesh:
    x, y, z = mesh.normals[vertex].tolist()
    disc = ellipsoid((2 * radius_m, 1.6 * radius_m, min(0.35 * radius_m, 0.004)), 10)
    polar, azimuth = math.degrees(math.acos(max(-1.0, min(1.0, z)))), math.degrees(math.atan2(y, x))
    return disc.turned("y", polar).turned("z", azimuth).moved(*mesh.vertices_m[vertex].tolist())
