"""Takes the facts of a house from its scene graph: as they are, as anyone can tell them, and as sight alone shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from pentathlon.events.explore.questions.facts import (
    TOO_HEAVY,
    Interval,
    Pair,
    SceneFacts,
    Thing,
    felt_mass,
    least_force_kgf,
)
from pentathlon.worlds.houses.graph.relations import STANDARD, build_graph
from pentathlon.worlds.houses.graph.scene_graph import Node, SceneGraph
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
from pentathlon.worlds.houses.scene.house_scene import HouseScene, compile_house

STORED = ("on", "in", "under", "near", "adjacent")
"""Relations that follow from places; comparisons follow from masses and sizes."""
CLEARLY_NEAR_M, CLEARLY_APART_M = 0.4, 0.6
"""Between them, people may or may not call two things near; the rule itself says 0.5 m."""


@dataclass(frozen=True)
class Survey:
    """The facts of a house.

    Attributes:
        facts: as they are.
        clear: the same, where what is a matter of opinion, or finer than an arm can feel, is unknown.
        by_sight: what one knows who has seen everything, and lifted and opened nothing.
        inside: what closed thing each hidden thing lies in.
    """

    facts: SceneFacts
    clear: SceneFacts
    by_sight: SceneFacts
    inside: Mapping[str, str] = field(default_factory=dict)


def facts_of(graph: SceneGraph) -> SceneFacts:
    """Returns all facts of a scene graph."""
    objects = [node for node in graph.nodes if node.kind == "object"]
    rooms = {node.id: node.type for node in graph.nodes if node.kind == "room"}
    return SceneFacts(
        things={node.id: _thing(node) for node in objects},
        rooms=rooms,
        relations={name: dict.fromkeys(_pairs(graph, name), True) for name in STORED},
    )


def survey(house: House) -> Survey:
    """Builds a house and takes its facts."""
    scene = compile_house(house, switchable=False)
    return survey_scene(scene, scene.new_data(), ObjectGeometry(scene))


def survey_scene(scene: HouseScene, data: Any, geometry: ObjectGeometry) -> Survey:
    """Takes the facts of a house in the state of a running simulation."""
    graph = build_graph(scene, data, geometry)
    facts = facts_of(graph)
    close, far = (
        build_graph(scene, data, geometry, thresholds=replace(STANDARD, near_m=near_m))
        for near_m in (CLEARLY_NEAR_M, CLEARLY_APART_M)
    )
    inside = hidden_things(graph)
    return Survey(
        facts, clear_facts(facts, facts_of(close), facts_of(far)), seen_facts(facts, frozenset(inside)), inside
    )


def clear_facts(facts: SceneFacts, close: SceneFacts, far: SceneFacts) -> SceneFacts:
    """Returns the facts that nobody would dispute.

    Args:
        facts: as they are.
        close: where only what is clearly near counts as near.
        far: where all that is not clearly apart does.
    """
    things = {key: replace(thing, mass_kg=_felt(thing)) for key, thing in facts.things.items()}
    relations = {name: _undisputed(facts, close, far, name) for name in STORED}
    return replace(facts, things=things, relations=relations, strict=True)


def seen_facts(facts: SceneFacts, hidden: frozenset[str]) -> SceneFacts:
    """Returns what one who looks everywhere knows: no mass, and nothing of what is hidden in closed things."""
    things = {key: replace(thing, mass_kg=None) for key, thing in facts.things.items() if key not in hidden}
    relations = {
        name: {pair: holds for pair, holds in pairs.items() if not hidden.intersection(pair)}
        for name, pairs in facts.relations.items()
    }
    return replace(facts, things=things, relations=relations)


def hidden_things(graph: SceneGraph) -> dict[str, str]:
    """Returns what lies in closed things, and what stands on or in that, each with the closed thing around it."""
    closed = {node.id for node in graph.nodes if "closed" in node.states}
    carried: dict[str, list[str]] = {}
    hidden: dict[str, str] = {}
    for name in ("on", "in"):
        for fact in graph.facts(name):
            carried.setdefault(fact.object, []).append(fact.subject)
            if name == "in" and fact.object in closed:
                hidden[fact.subject] = fact.object
    left = list(hidden)
    while left:
        around = left.pop()
        more = [key for key in carried.get(around, ()) if key not in hidden]
        hidden.update(dict.fromkeys(more, hidden[around]))
        left += more
    return hidden


def _thing(node: Node) -> Thing:
    return Thing(
        id=node.id,
        type=node.type,
        colours=frozenset(map(str, node.colours)),
        materials=frozenset(map(str, node.materials)),
        room=node.room,
        mass_kg=(node.mass_kg, node.mass_kg),
        size_m=node.size_m,
        shape=node.shape,
        portable=node.pickupable,
    )


def _felt(thing: Thing) -> Interval | None:
    """What trying forces tells of a mass; what cannot be lifted may be heavier or lighter for all one knows."""
    if not thing.portable or thing.mass_kg is None or thing.mass_kg[1] > TOO_HEAVY[0]:
        return None
    return felt_mass(least_force_kgf(thing.mass_kg[1]))


def _pairs(graph: SceneGraph, name: str) -> list[Pair]:
    nodes = graph.nodes
    places = np.argwhere(graph.relations[name])
    return [(nodes[i].id, nodes[j].id) for i, j in places if nodes[i].kind == "object" and nodes[j].kind == "object"]


def _undisputed(facts: SceneFacts, close: SceneFacts, far: SceneFacts, name: str) -> Mapping[Pair, bool | None]:
    tables = [each.relations[name] for each in (facts, close, far)]
    pairs = dict.fromkeys(pair for table in tables for pair in table)
    return {pair: True if all(pair in table for table in tables) else None for pair in pairs}
