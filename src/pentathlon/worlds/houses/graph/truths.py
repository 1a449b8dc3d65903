"""Checks a scene graph against the geometry by other means than those that built it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.houses.assets.to_mujoco import COLLISION_GROUP
from pentathlon.worlds.houses.graph.relations import STANDARD, Thresholds
from pentathlon.worlds.houses.graph.scene_graph import INVERSES, Fact, Node, SceneGraph
from pentathlon.worlds.houses.plan.polygons import contains_point
from pentathlon.worlds.houses.scene.house_scene import HouseScene

Floats = NDArray[np.float64]
RAY_REACH_M = 0.09
SLACK_M = 0.03


def false_facts(scene: HouseScene, data: Any, graph: SceneGraph, thresholds: Thresholds = STANDARD) -> Iterator[Fact]:
    """Yields facts of the graph that the geometry denies, and declared supports that the graph misses."""
    for fact in graph.facts("on"):
        if not _stands_on(scene, data, graph, fact):
            yield fact
    for fact in graph.facts("in"):
        if not _is_inside(scene, graph.node(fact.subject), graph.node(fact.object)):
            yield fact
    for fact in graph.facts("under"):
        if not _is_below(graph.node(fact.subject), graph.node(fact.object)):
            yield fact
    for fact in graph.facts("near", "adjacent"):
        first, second = graph.node(fact.subject), graph.node(fact.object)
        if not is_near(first, second, thresholds) or _parted(scene, data, first, second):
            yield fact
    for fact in graph.facts("adjacent"):
        ends = graph.node(fact.subject), graph.node(fact.object)
        if not any(is_clear(scene, data, graph, *pair) for pair in (ends, ends[::-1])):
            yield fact
    yield from _false_comparisons(graph, thresholds)
    yield from _broken_inverses(graph)
    for item in scene.house.objects:
        if item.support is not None and not graph.holds(item.id, item.support.relation, item.support.object):
            yield Fact(item.id, f"not {item.support.relation}", item.support.object)


def _stands_on(scene: HouseScene, data: Any, graph: SceneGraph, fact: Fact) -> bool:
    """A ray straight down from within the thing meets its support at once.

    Loose things that lie on the same support may be between the legs of furniture: its middle is not where it stands.
    """
    thing = graph.node(fact.subject)
    index = graph.index[fact.subject]
    own = scene.body_id(fact.subject)
    groups = np.zeros(6, dtype=np.uint8)
    groups[COLLISION_GROUP] = 1
    geom = np.zeros(1, dtype=np.int32)
    height = thing.high_m[2] - thing.low_m[2]
    start = np.array([thing.centre_m[0], thing.centre_m[1], thing.low_m[2] + min(0.03, height / 2)])
    down = np.array([0.0, 0.0, -1.0])
    for _ in range(8):
        distance = mujoco.mj_ray(scene.model, data, start, down, groups, True, own, geom)
        if distance < 0 or thing.low_m[2] - (start[2] - distance) > RAY_REACH_M:
            return False
        hit = int(scene.object_of_geom[geom[0]])
        if hit != index and not (hit >= 0 and _lies_between(graph, graph.nodes[hit], thing, fact.object)):
            return hit == graph.index[fact.object]
        start = start + down * (distance + 1e-4)
    return False


def _lies_between(graph: SceneGraph, loose: Node, thing: Node, support: str) -> bool:
    return loose.pickupable and not thing.pickupable and graph.holds(loose.id, "on", support)


def _is_inside(scene: HouseScene, thing: Node, holder: Node) -> bool:
    if holder.kind == "room":
        return contains_point(scene.house.room(holder.id).outline_m, thing.centre_m[0], thing.centre_m[1])
    return all(
        low - SLACK_M <= middle <= high + SLACK_M
        for low, middle, high in zip(holder.low_m, thing.centre_m, holder.high_m, strict=True)
    )


def _is_below(thing: Node, cover: Node) -> bool:
    within = all(cover.low_m[axis] - SLACK_M <= thing.centre_m[axis] <= cover.high_m[axis] + SLACK_M for axis in (0, 1))
    return within and cover.high_m[2] > thing.high_m[2]


def is_near(first: Node, second: Node, thresholds: Thresholds) -> bool:
    """Tells whether boxes or their middles are near each other."""
    gaps = [
        max(a_low - b_high, b_low - a_high, 0.0)
        for a_low, a_high, b_low, b_high in zip(first.low_m, first.high_m, second.low_m, second.high_m, strict=True)
    ]
    return math.hypot(*gaps) <= thresholds.near_m or math.dist(first.centre_m, second.centre_m) <= thresholds.near_m


def meets_wall(scene: HouseScene, data: Any, start: Floats, end: Floats) -> bool:
    """Tells whether a straight line meets the walls or floors of the house, whatever else is in the way."""
    groups = np.zeros(6, dtype=np.uint8)
    groups[COLLISION_GROUP] = 1
    geom = np.zeros(1, dtype=np.int32)
    shell = scene.model.body("shell").id
    share = 0.0
    while share < 1.0:
        step = mujoco.mj_ray(scene.model, data, start + share * (end - start), end - start, groups, True, -1, geom)
        if step < 0 or share + step > 1.0:
            return False
        if scene.model.geom_bodyid[geom[0]] == shell:
            return True
        share += step + 1e-4
    return False


def is_clear(scene: HouseScene, data: Any, graph: SceneGraph, start: Node, end: Node) -> bool:
    """Tells whether a line from one middle to the other meets nothing else before the other thing."""
    own = {graph.index[start.id], graph.index[end.id]}
    groups = np.zeros(6, dtype=np.uint8)
    groups[COLLISION_GROUP] = 1
    geom = np.zeros(1, dtype=np.int32)
    origin, way = np.array(start.centre_m), np.array(end.centre_m) - np.array(start.centre_m)
    share = 0.0
    while share < 1.0:
        step = mujoco.mj_ray(scene.model, data, origin + share * way, way, groups, True, -1, geom)
        if step < 0 or share + step > 1.0:
            return True
        hit = int(scene.object_of_geom[geom[0]])
        if hit not in own:
            return False
        if hit == graph.index[end.id]:
            return True
        share += step + 1e-4
    return True


def _parted(scene: HouseScene, data: Any, first: Node, second: Node) -> bool:
    """Tells whether a wall is met both between the middles and where the boxes are closest."""
    if not meets_wall(scene, data, np.array(first.centre_m), np.array(second.centre_m)):
        return False
    corners = zip(first.low_m, first.high_m, second.low_m, second.high_m, strict=True)
    ends = [_closest(*four) for four in corners]
    start, end = (np.array([pair[side] for pair in ends]) for side in (0, 1))
    return meets_wall(scene, data, start, end)


def _closest(low: float, high: float, other_low: float, other_high: float) -> tuple[float, float]:
    if low > other_high:
        return low, other_high
    if other_low > high:
        return high, other_low
    middle = (max(low, other_low) + min(high, other_high)) / 2
    return middle, middle


def _false_comparisons(graph: SceneGraph, thresholds: Thresholds) -> Iterator[Fact]:
    for fact in graph.facts("heavier"):
        first, second = graph.node(fact.subject), graph.node(fact.object)
        if not 0 < second.mass_kg < first.mass_kg <= thresholds.heaviest_kg:
            yield fact
    for fact in graph.facts("larger", "longer"):
        first, second = graph.node(fact.subject), graph.node(fact.object)
        extents = {"cube": 3, "flat": 2, "long": 1}[first.shape or "long"]
        pairs = zip(sorted(first.size_m)[::-1][:extents], sorted(second.size_m)[::-1][:extents], strict=True)
        alike = first.shape == second.shape and (fact.relation == "longer") == (first.shape == "long")
        if not alike or not all(a > b for a, b in pairs):
            yield fact


def _broken_inverses(graph: SceneGraph) -> Iterator[Fact]:
    for inverse, name in INVERSES.items():
        for i, j in np.argwhere(graph.relations[inverse] != graph.relations[name].T):
            yield Fact(graph.nodes[i].id, inverse, graph.nodes[j].id)
