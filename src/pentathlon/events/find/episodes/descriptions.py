"""Writes descriptions from the scene graph, in the three forms of the paper's section 5.1."""

from __future__ import annotations

import math

from pentathlon.events.find.episodes.claims import FLOOR, MADE_OF, Claim, is_small, stands_on_floor
from pentathlon.events.find.episodes.targets import noun_of
from pentathlon.worlds.houses.graph.scene_graph import Node, SceneGraph

MOST_COLOURS, MOST_NEAR = 2, 2
# What nobody would name to tell where something is, or what is not in sight.
UNNAMED = frozenset({
    "AirConditioner", "Blinds", "CeilingLamp", "Chandelier", "CoatHooks", "Curtains", "LightSwitch", "RangeHood",
    "ShowerCurtain", "ShowerHead", "WallClock",
})  # fmt: skip
WITHOUT_ARTICLE = frozenset({
    "aluminium foil", "blinds", "boots", "bread", "broccoli", "cheese", "coat hooks", "curtains", "headphones",
    "lettuce", "scissors", "shoes", "tape", "toilet paper", "toy blocks",
})  # fmt: skip


def appearance(node: Node) -> Claim:
    """What can be said of how a thing looks: "{size}, {colour}, {material} {object}"."""
    materials = [word for word in node.materials if word in MADE_OF]
    return Claim(
        noun_of(node.type),
        small=is_small(node),
        colours=node.colours[:MOST_COLOURS],
        materials=tuple(materials[:1]),
    )


def space(graph: SceneGraph, node: Node) -> Claim | None:
    """What can be said of where a thing is: "{object} on top of {x}, near {y}, {z}"; ``None`` if it hangs somewhere."""
    carrier = _carrier(graph, node)
    if carrier is None:
        return None
    relation, other = carrier
    return Claim(noun_of(node.type), relation=relation, other=other, near=_near(graph, node, other))


def hidden(graph: SceneGraph, node: Node) -> Claim | None:
    """What hides a thing: "{object} under/in {x}"; ``None`` if nothing does."""
    for relation in ("under", "in"):
        for other in graph.objects(node.id, relation):
            if other.kind == "object":
                return Claim(noun_of(node.type), relation=relation, other=noun_of(other.type))
    return None


def sentence(claim: Claim) -> str:
    """Writes a claim in words."""
    looks = ["small"] if claim.small else []
    looks += [" and ".join(claim.colours)] if claim.colours else []
    looks += [MADE_OF[material] for material in claim.materials]
    text = f"{', '.join(looks)} {claim.noun}" if looks else claim.noun
    text += _where(claim)
    return f"{text}, near {', '.join(with_article(noun) for noun in claim.near)}" if claim.near else text


def with_article(noun: str) -> str:
    """A noun with "a" or "an", where it takes one."""
    if noun in WITHOUT_ARTICLE:
        return noun
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def _where(claim: Claim) -> str:
    if not claim.relation:
        return ""
    if claim.other == FLOOR:
        return " on the floor"
    word = {"on": "on top of", "in": "in", "under": "under"}[claim.relation]
    return f" {word} {with_article(claim.other)}"


def _carrier(graph: SceneGraph, node: Node) -> tuple[str, str] | None:
    for relation in ("on", "in"):
        for other in graph.objects(node.id, relation):
            if other.kind == "object":
                return relation, noun_of(other.type)
    return ("on", FLOOR) if stands_on_floor(graph, node) else None


def _near(graph: SceneGraph, node: Node, carrier: str) -> tuple[str, ...]:
    """The nearest things in sight, each noun once."""
    inside = {fact.subject for fact in graph.facts("in") if graph.node(fact.object).kind == "object"}
    others = [
        other
        for other in graph.objects(node.id, "near")
        if other.kind == "object" and other.type not in UNNAMED and other.type != node.type and other.id not in inside
    ]
    others.sort(key=lambda other: (math.dist(other.centre_m, node.centre_m), other.id))
    nouns = dict.fromkeys(noun_of(other.type) for other in others)
    return tuple(noun for noun in nouns if noun != carrier)[:MOST_NEAR]
