"""What a description says of a thing, as parts: how it looks, what carries or covers it, what it is near."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pentathlon.events.find.episodes.targets import noun_of
from pentathlon.worlds.houses.graph.scene_graph import Node, SceneGraph
from pentathlon.worlds.modelling.materials import MATERIAL_WORDS

SMALL_M = 0.35
"""Things whose box has a shorter diagonal are called small: 47 % of the paper's objects, about as many of ours."""
UNSAID = ("cardboard", "foam", "wax")
MADE_OF = {material: word for material, word in MATERIAL_WORDS.items() if material not in UNSAID}
"""The word for each material that a description may name; food and plants go without saying."""
FLOOR = "floor"
# Level with the floor, or with a rug on it.
ON_FLOOR_M = 0.06


@dataclass(frozen=True)
class Claim:
    """A description, taken apart.

    Attributes:
        noun: what the thing is called.
        small: whether it is said to be small.
        colours: that it is said to have.
        materials: that it is said to be made of.
        relation: ``on``, ``in`` or ``under``; empty where nothing is said.
        other: noun of what it stands in that relation to, or ``floor``.
        near: nouns of what it is said to be near.
    """

    noun: str
    small: bool = False
    colours: tuple[str, ...] = ()
    materials: tuple[str, ...] = ()
    relation: str = ""
    other: str = ""
    near: tuple[str, ...] = ()


def is_small(node: Node) -> bool:
    """Tells whether a thing is called small."""
    return math.hypot(*node.size_m) < SMALL_M


def holds(claim: Claim, graph: SceneGraph, node: Node) -> bool:
    """Tells whether all that is claimed is true of a thing."""
    if node.kind != "object" or noun_of(node.type) != claim.noun or (claim.small and not is_small(node)):
        return False
    if not set(claim.colours) <= set(node.colours) or not set(claim.materials) <= set(node.materials):
        return False
    if claim.relation and not _relates(claim, graph, node):
        return False
    around = {noun_of(other.type) for other in graph.objects(node.id, "near") if other.kind == "object"}
    return set(claim.near) <= around


def fitting(claim: Claim, graph: SceneGraph) -> list[str]:
    """Returns the ids of all things of which a claim is true."""
    return [node.id for node in graph.nodes if holds(claim, graph, node)]


def _relates(claim: Claim, graph: SceneGraph, node: Node) -> bool:
    if claim.other == FLOOR:
        return stands_on_floor(graph, node)
    others = (other for other in graph.objects(node.id, claim.relation) if other.kind == "object")
    return any(noun_of(other.type) == claim.other for other in others)


def stands_on_floor(graph: SceneGraph, node: Node) -> bool:
    """Tells whether nothing but the floor carries a thing."""
    carried = any(other.kind == "object" for word in ("on", "in") for other in graph.objects(node.id, word))
    return node.low_m[2] < ON_FLOOR_M and not carried
