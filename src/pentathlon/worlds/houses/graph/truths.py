"""Checks a scene graph against the geometry by other means than those that built it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import mujoco
import numpy as np

from pentathlon.worlds.houses.assets.to_mujoco import COLLISION_GROUP
from pentathlon.worlds.houses.graph.relations import STANDARD, Thresholds
from pentathlon.worlds.houses.graph.scene_graph import INVERSES, Fact, Node, SceneGraph
from pentathlon.worlds.houses.plan.polygons import contains_point
from pentathlon.worlds.houses.scene.house_scene import HouseScene

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
        if not _is_near(graph.node(fact.subject), graph.node(fact.object), thresholds):
            yield fact
    yield from _false_comparisons(graph, thresholds)
    yield from _broken_inverses(graph)
    for item in scene.house.objects:
        if item.support is not None and not graph.holds(item.id, item.support.relation, item.support.object):
            yield Fact(item.id, f"not {item.support.relation}", item.support.object)


def _stands_on(scene: HouseScene, data: Any, graph: SceneGraph, fact: Fact) -> bool:
    """A ray straight down from within the thing meets its support, or something else that stands there, at once."""
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
        if hit != index:
            return hit == graph.index[fact.object]
        start = start + down * (distance + 1e-4)
    return False


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


def _is_near(first: Node, second: Node, thresholds: Thresholds) -> bool:
    gaps = [
        max(a_low - b_high, b_low - a_high, 0.0)
        for a_low, a_high, b_low, b_high in zip(first.low_m, first.high_m, second.low_m, second.high_m, strict=True)
    ]
    return math.hypot(*gaps) <= thresholds.near_m or math.dist(first.centre_m, second.centre_m) <= thresholds.near_m


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
