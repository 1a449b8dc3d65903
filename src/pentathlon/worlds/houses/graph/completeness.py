"""Finds what a scene graph leaves unsaid: facts that the geometry shows by other means than those that built it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.houses.assets.to_mujoco import COLLISION_GROUP
from pentathlon.worlds.houses.graph.relations import STANDARD, Thresholds
from pentathlon.worlds.houses.graph.scene_graph import Fact, Node, SceneGraph
from pentathlon.worlds.houses.graph.truths import is_clear, is_near, meets_wall
from pentathlon.worlds.houses.scene.house_scene import NO_OBJECT, HouseScene

Floats = NDArray[np.float64]
# How far a thing that stands through a rug, or sinks into it, is below its top.
THROUGH_M = 0.015
INSET_M = 0.01
FLAT = mujoco.mjtGeom.mjGEOM_BOX, mujoco.mjtGeom.mjGEOM_CYLINDER


def missed_facts(scene: HouseScene, data: Any, graph: SceneGraph, thresholds: Thresholds = STANDARD) -> Iterator[Fact]:
    """Yields facts among objects that hold in the geometry and that the graph lacks."""
    objects = [node for node in graph.nodes if node.kind == "object"]
    for thing in objects:
        carrier = _carrier(scene, data, graph, thing, thresholds)
        if carrier is not None and not any(graph.holds(thing.id, word, carrier) for word in ("on", "in")):
            yield Fact(thing.id, "on", carrier)
    for first, second in combinations(objects, 2):
        yield from _missed_near(scene, data, graph, first, second, thresholds)
        yield from _missed_comparison(graph, first, second, thresholds)
        yield from _missed_comparison(graph, second, first, thresholds)


def _carrier(scene: HouseScene, data: Any, graph: SceneGraph, thing: Node, thresholds: Thresholds) -> str | None:
    """Returns what a thing's middle stands on: the owner of the highest level top at or below its underside."""
    model, index = scene.model, graph.index[thing.id]
    best, highest = NO_OBJECT, -math.inf
    for geom in np.flatnonzero(model.geom_group == COLLISION_GROUP):
        owner = int(scene.object_of_geom[geom])
        if model.geom_type[geom] not in FLAT or owner == index or _lies_between(graph, owner, thing):
            continue
        top = _top_below(model, data, int(geom), thing)
        if top is not None and highest < top <= thing.low_m[2] + THROUGH_M:
            best, highest = owner, top
    if best == NO_OBJECT or thing.low_m[2] - highest > thresholds.rest_above_m - INSET_M:
        return None
    carrier = graph.nodes[best]
    return carrier.id if thing.pickupable or _covers_half(carrier, thing) else None


def _lies_between(graph: SceneGraph, owner: int, thing: Node) -> bool:
    """Furniture does not stand on a loose thing under it."""
    return owner != NO_OBJECT and graph.nodes[owner].pickupable and not thing.pickupable


def _covers_half(carrier: Node, thing: Node) -> bool:
    """What is fixed may reach over the edge of a rug and not stand on it; where it does, most of it is over it."""
    shared, own = 1.0, 1.0
    for axis in (0, 1):
        overlap = min(carrier.high_m[axis], thing.high_m[axis]) - max(carrier.low_m[axis], thing.low_m[axis])
        shared, own = shared * max(overlap, 0.0), own * (thing.high_m[axis] - thing.low_m[axis])
    return shared >= own / 2


def _top_below(model: Any, data: Any, geom: int, thing: Node) -> float | None:
    """Height of an upright geom's top where the thing's middle is over it."""
    turn = data.geom_xmat[geom].reshape(3, 3)
    if abs(turn[2, 2]) < 0.9999:
        return None
    x, y, _ = turn.T @ (np.array(thing.centre_m) - data.geom_xpos[geom])
    size = model.geom_size[geom]
    if model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_CYLINDER:
        over, half_height = math.hypot(x, y) <= size[0] - INSET_M, size[1]
    else:
        over, half_height = abs(x) <= size[0] - INSET_M and abs(y) <= size[1] - INSET_M, size[2]
    return float(data.geom_xpos[geom][2] + half_height) if over else None


def _missed_near(
    scene: HouseScene, data: Any, graph: SceneGraph, first: Node, second: Node, thresholds: Thresholds
) -> Iterator[Fact]:
    if not is_near(first, second, thresholds):
        return
    middles = np.array(first.centre_m), np.array(second.centre_m)
    if meets_wall(scene, data, *middles):
        return
    for subject, other in ((first, second), (second, first)):
        if not graph.holds(subject.id, "near", other.id):
            yield Fact(subject.id, "near", other.id)
        if not graph.holds(subject.id, "adjacent", other.id) and is_clear(scene, data, graph, other, subject):
            yield Fact(subject.id, "adjacent", other.id)


def _missed_comparison(graph: SceneGraph, first: Node, second: Node, thresholds: Thresholds) -> Iterator[Fact]:
    if 0 < second.mass_kg < first.mass_kg <= thresholds.heaviest_kg and not graph.holds(first.id, "heavier", second.id):
        yield Fact(first.id, "heavier", second.id)
    if first.shape is None or first.shape != second.shape:
        return
    extents = {"cube": 3, "flat": 2, "long": 1}[first.shape]
    pairs = zip(sorted(first.size_m)[::-1][:extents], sorted(second.size_m)[::-1][:extents], strict=True)
    word = "longer" if first.shape == "long" else "larger"
    if all(a > b for a, b in pairs) and not graph.holds(first.id, word, second.id):
        yield Fact(first.id, word, second.id)
