"""Descriptions from a hand-made graph, and their reading back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pentathlon.core.errors import DataError
from pentathlon.events.find.episodes.claims import fitting, holds
from pentathlon.events.find.episodes.descriptions import appearance, hidden, sentence, space
from pentathlon.events.find.episodes.reading import read_claim
from pentathlon.worlds.houses.graph.scene_graph import RELATIONS, Node, SceneGraph


def thing(name: str, kind: str, x_m: float, z_m: float = 0.7, size_m: float = 0.1, **facts: Any) -> Node:
    low, high = (x_m, 0.0, z_m), (x_m + size_m, size_m, z_m + size_m)
    return Node(name, "object", kind, low, high, (size_m,) * 3, **facts)


def graph(nodes: tuple[Node, ...], facts: tuple[tuple[str, str, str], ...]) -> SceneGraph:
    index = {node.id: i for i, node in enumerate(nodes)}
    matrices = {name: np.zeros((len(nodes), len(nodes)), dtype=bool) for name in RELATIONS}
    for subject, relation, other in facts:
        matrices[relation][index[subject], index[other]] = True
    return SceneGraph(nodes, matrices)


@pytest.fixture(scope="module")
def scene() -> SceneGraph:
    nodes = (
        thing("mug", "Mug", 0.0, colours=("red", "white"), materials=("ceramic",)),
        thing("other mug", "Mug", 3.0, colours=("blue",), materials=("ceramic",)),
        thing("desk", "Desk", 0.0, 0.0, 1.2, colours=("brown",), materials=("wood",)),
        thing("apple", "Apple", 0.2, colours=("green",), materials=("food",)),
        thing("laptop", "Laptop", 0.4, size_m=0.4, colours=("silver",), materials=("metal", "plastic")),
        thing("clock", "WallClock", 0.3),
        thing("plant", "HousePlant", 5.0, 0.0, 0.9, colours=("green",), materials=("plant", "wicker")),
        thing("vase", "Vase", 0.1, 0.0, 0.3),
        thing("bed", "Bed", 3.0, 0.0, 2.0),
    )
    facts = (
        ("mug", "on", "desk"),
        ("mug", "near", "laptop"),
        ("mug", "near", "apple"),
        ("mug", "near", "clock"),
        ("mug", "near", "desk"),
        ("other mug", "under", "bed"),
        ("other mug", "near", "bed"),
        ("plant", "near", "bed"),
    )
    return graph(nodes, facts)


def test_appearance_names_size_colours_and_material(scene: SceneGraph) -> None:
    words = {name: sentence(appearance(scene.node(name))) for name in ("mug", "apple", "laptop", "plant", "desk")}
    assert words == {
        "mug": "small, red and white, ceramic mug",
        "apple": "small, green apple",
        "laptop": "silver, metal laptop",
        "plant": "green, wicker house plant",
        "desk": "brown, wooden desk",
    }


def test_space_names_the_carrier_and_the_nearest_in_sight(scene: SceneGraph) -> None:
    told = space(scene, scene.node("mug"))
    assert told is not None
    assert sentence(told) == "mug on top of a desk, near an apple, a laptop"
    plant = space(scene, scene.node("plant"))
    assert plant is not None
    assert sentence(plant) == "house plant on the floor, near a bed"
    assert space(scene, scene.node("apple")) is None, "nothing carries it, and it is not on the floor"


def test_hidden_names_what_covers(scene: SceneGraph) -> None:
    told = hidden(scene, scene.node("other mug"))
    assert told is not None
    assert sentence(told) == "mug under a bed"
    assert hidden(scene, scene.node("mug")) is None


def test_claims_fit_what_they_are_true_of(scene: SceneGraph) -> None:
    assert fitting(read_claim("mug"), scene) == ["mug", "other mug"]
    assert fitting(read_claim("ceramic mug"), scene) == ["mug", "other mug"]
    assert fitting(read_claim("red mug"), scene) == ["mug"]
    assert fitting(read_claim("mug under a bed"), scene) == ["other mug"]
    assert fitting(read_claim("mug on top of a bed"), scene) == []
    assert not holds(read_claim("small, silver laptop"), scene, scene.node("laptop"))


@pytest.mark.parametrize(
    "text",
    [
        "small, red and white, ceramic mug",
        "mug on top of a desk, near an apple, a laptop",
        "house plant on the floor, near a bed",
        "vase in a bathtub",
        "red and blue tricycle",
        "green plastic crate",
        "whiteboard saying CVPR",
    ],
)
def test_sentences_read_back_as_they_were_written(text: str) -> None:
    assert sentence(read_claim(text)) == text


@pytest.mark.parametrize("text", ["", "flurble", "spotted mug", "mug on top of a flurble", "mug, near a flurble"])
def test_what_names_nothing_known_is_refused(text: str) -> None:
    with pytest.raises(DataError, match="Expected"):
        read_claim(text)
