"""What a graph must say and must not say: rugs, walls, and everything that another way of looking finds."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from pentathlon.worlds.houses.graph.completeness import missed_facts
from pentathlon.worlds.houses.graph.relations import build_graph
from pentathlon.worlds.houses.graph.scene_graph import Fact, Node, SceneGraph
from pentathlon.worlds.houses.graph.sizes import size_word
from pentathlon.worlds.houses.graph.truths import false_facts
from pentathlon.worlds.houses.house import House, PlacedObject, State
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
from pentathlon.worlds.houses.scene.house_scene import HouseScene, compile_house


def graph_of(house: House) -> tuple[HouseScene, SceneGraph]:
    scene = compile_house(house)
    return scene, build_graph(scene, scene.new_data(), ObjectGeometry(scene))


def without(graph: SceneGraph, *facts: Fact) -> SceneGraph:
    relations = {name: matrix.copy() for name, matrix in graph.relations.items()}
    for subject, relation, other in facts:
        relations[relation][graph.index[subject], graph.index[other]] = False
    return SceneGraph(graph.nodes, relations)


@pytest.fixture(scope="module")
def rug_house(small_house: House) -> House:
    """A turned rug in the bedroom with a chair, a mug and a box on it, and a mug at either side of the inner wall."""
    from pentathlon.worlds.houses.furnishing.footprint import footprint

    top = footprint("Rug", 0).height_m + 0.0005
    objects = (
        PlacedObject("rug", "Rug", "bedroom", (5.6, 2.2, 0.0), 20.0),
        PlacedObject("chair", "Chair", "bedroom", (5.4, 2.4, 0.0)),
        PlacedObject("mug", "Mug", "bedroom", (6.0, 2.0, top)),
        PlacedObject("here", "Mug", "kitchen", (3.85, 3.5, 0.0005)),
        PlacedObject("there", "Mug", "bedroom", (4.15, 3.5, 0.0005)),
        PlacedObject("doorway", "Mug", "kitchen", (3.85, 0.7, 0.0005)),
        PlacedObject("beyond", "Mug", "bedroom", (4.15, 0.7, 0.0005)),
    )
    return msgspec.structs.replace(small_house, objects=objects)


def test_things_on_a_rug_are_on_it(rug_house: House) -> None:
    scene, graph = graph_of(rug_house)
    assert {node.id for node in graph.subjects("on", "rug")} == {"chair", "mug"}
    data = scene.new_data()
    assert list(missed_facts(scene, data, graph)) == []
    assert list(false_facts(scene, data, graph)) == []


@pytest.mark.parametrize("between", ["CellPhone", "Laptop"])
def test_furniture_is_on_a_rug_whatever_lies_between_its_legs(rug_house: House, between: str) -> None:
    chair = next(item for item in rug_house.objects if item.id == "chair")
    x, y, _ = chair.position_m
    mug = next(item for item in rug_house.objects if item.id == "mug")
    item = PlacedObject("between", between, "bedroom", (x, y, mug.position_m[2]), state=State(open=0.7))
    scene, graph = graph_of(msgspec.structs.replace(rug_house, objects=(*rug_house.objects, item)))
    assert graph.holds("chair", "on", "rug")
    assert not graph.holds("chair", "on", "between")
    data = scene.new_data()
    assert list(missed_facts(scene, data, graph)) == []
    assert list(false_facts(scene, data, graph)) == []


def test_furniture_whose_body_begins_where_a_rug_ends_is_on_it(rug_house: House) -> None:
    objects = (
        PlacedObject("rug", "Rug", "bedroom", (5.2, 2.4, 0.0), 180.0, variant=8),
        PlacedObject("dresser", "Dresser", "bedroom", (6.06, 1.94, 0.0), 270.0, variant=2),
    )
    scene, graph = graph_of(msgspec.structs.replace(rug_house, objects=objects))
    assert graph.holds("dresser", "on", "rug")
    assert list(missed_facts(scene, scene.new_data(), graph)) == []


def test_furniture_in_the_pile_of_a_mat_is_on_it(rug_house: House) -> None:
    objects = (
        PlacedObject("mat", "BathMat", "bedroom", (5.6, 2.2, 0.0), variant=5),
        PlacedObject("hamper", "LaundryHamper", "bedroom", (5.6, 2.2, 0.0), variant=4),
    )
    scene, graph = graph_of(msgspec.structs.replace(rug_house, objects=objects))
    assert graph.holds("hamper", "on", "mat")
    assert list(missed_facts(scene, scene.new_data(), graph)) == []


def test_a_hot_thing_is_no_taller_for_its_steam(small_house: House) -> None:
    heights = []
    for state in (State(), State(hot=True)):
        mug = msgspec.structs.replace(small_house.objects[1], state=state)
        scene = compile_house(msgspec.structs.replace(small_house, objects=(mug,)))
        low, high = ObjectGeometry(scene).bounds(scene.new_data())
        heights.append(float(high[0, 2] - low[0, 2]))
    assert heights[0] == heights[1]


def test_thin_things_on_the_floor_are_not_near_through_walls(rug_house: House) -> None:
    cards = (
        PlacedObject("card here", "CreditCard", "kitchen", (3.85, 3.0, 0.0005)),
        PlacedObject("card there", "CreditCard", "bedroom", (4.15, 3.0, 0.0005)),
    )
    scene, graph = graph_of(msgspec.structs.replace(rug_house, objects=(*rug_house.objects, *cards)))
    assert not graph.holds("card here", "near", "card there")
    assert list(false_facts(scene, scene.new_data(), graph)) == []


def test_nearness_does_not_go_through_walls_but_through_doorways(rug_house: House) -> None:
    _, graph = graph_of(rug_house)
    for relation in ("near", "adjacent"):
        assert not graph.holds("here", relation, "there")
        assert not graph.holds("there", relation, "here")
        assert graph.holds("doorway", relation, "beyond")


def test_nearness_through_a_wall_is_denied(rug_house: House) -> None:
    scene, graph = graph_of(rug_house)
    relations = {name: matrix.copy() for name, matrix in graph.relations.items()}
    relations["near"][graph.index["here"], graph.index["there"]] = True
    lie = SceneGraph(graph.nodes, relations)
    assert Fact("here", "near", "there") in set(false_facts(scene, scene.new_data(), lie))


@pytest.mark.parametrize(
    "fact",
    [
        Fact("mug", "on", "rug"),
        Fact("doorway", "near", "beyond"),
        Fact("beyond", "adjacent", "doorway"),
    ],
    ids=lambda fact: " ".join(fact),
)
def test_what_is_left_unsaid_is_found(rug_house: House, fact: Fact) -> None:
    scene, graph = graph_of(rug_house)
    assert set(missed_facts(scene, scene.new_data(), without(graph, fact))) == {fact}


def test_comparisons_left_unsaid_are_found(small_scene: HouseScene, small_geometry: ObjectGeometry) -> None:
    data = small_scene.new_data()
    graph = build_graph(small_scene, data, small_geometry)
    heavier = next(graph.facts("heavier"))
    larger = next(graph.facts("larger"))
    assert set(missed_facts(small_scene, data, without(graph, heavier, larger))) == {heavier, larger}


def test_generated_houses_have_whole_graphs(generated_house: House) -> None:
    scene, graph = graph_of(generated_house)
    data = scene.new_data()
    assert list(missed_facts(scene, data, graph)) == []
    assert list(false_facts(scene, data, graph)) == []


def test_size_words_compare_with_the_same_type(small_scene: HouseScene, small_geometry: ObjectGeometry) -> None:
    graph = build_graph(small_scene, small_scene.new_data(), small_geometry)
    mug = graph.node("left mug")

    def word(factor: float) -> str:
        size = np.array(mug.size_m) * factor
        return size_word(Node(mug.id, "object", "Mug", mug.low_m, mug.high_m, tuple(size), shape=mug.shape))

    words = [word(factor) for factor in (0.6, 0.8, 1.0, 1.3, 1.7)]
    assert words == sorted(words, key=("small", "medium", "large").index)
    assert {words[0], words[-1]} == {"small", "large"}
    assert size_word(graph.node("kitchen")) == ""


def test_long_things_are_short_or_long() -> None:
    low = high = (0.0, 0.0, 0.0)
    words = [
        size_word(Node("it", "object", "Pencil", low, high, (length, 0.01, 0.01), shape="long"))
        for length in (0.05, 0.5)
    ]
    assert words == ["short", "long"]
