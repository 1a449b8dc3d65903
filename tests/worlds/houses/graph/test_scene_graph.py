from __future__ import annotations

import msgspec
import mujoco
import pytest

from pentathlon.core import UnknownIdError
from pentathlon.worlds.houses.graph.relations import AgentState, Thresholds, build_graph
from pentathlon.worlds.houses.graph.scene_graph import RELATIONS, Fact, SceneGraph
from pentathlon.worlds.houses.graph.truths import false_facts
from pentathlon.worlds.houses.graph.visibility import Viewpoint
from pentathlon.worlds.houses.house import House, PlacedObject, State, Support
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
from pentathlon.worlds.houses.scene.house_scene import HouseScene, compile_house

EYE = Viewpoint((2.0, 0.6, 1.3), 90.0, 20.0)


@pytest.fixture(scope="module")
def graph(small_scene: HouseScene, small_geometry: ObjectGeometry) -> SceneGraph:
    agent = AgentState(EYE, (1.82, 0.42, 0.0), (2.18, 0.78, 1.4), held="lost mug")
    return build_graph(
        small_scene, small_scene.new_data(), small_geometry, agent=agent, thresholds=Thresholds(see_m=3.0)
    )


TRUE = [
    ("left mug", "on", "table"),
    ("right mug", "on", "table"),
    ("apple", "under", "table"),
    ("left mug", "in", "kitchen"),
    ("kitchen", "contains", "fridge"),
    ("lost mug", "in", "bedroom"),
    ("agent", "in", "kitchen"),
    ("left mug", "near", "right mug"),
    ("left mug", "adjacent", "right mug"),
    ("agent", "sees", "left mug"),
    ("agent", "holds", "lost mug"),
    ("agent", "touches", "lost mug"),
    ("agent", "touches", "table"),
    ("left mug", "left", "right mug"),
    ("right mug", "right", "left mug"),
    ("apple", "below", "left mug"),
    ("left mug", "above", "apple"),
    ("left mug", "front", "fridge"),
    ("fridge", "behind", "left mug"),
]
FALSE = [
    ("table", "on", "left mug"),
    ("apple", "on", "table"),
    ("apple", "in", "table"),
    ("lost mug", "in", "kitchen"),
    ("lost mug", "near", "table"),
    ("agent", "sees", "lost mug"),
    ("agent", "holds", "left mug"),
    ("right mug", "left", "left mug"),
    ("left mug", "left", "lost mug"),
    ("fridge", "heavier", "left mug"),
]


@pytest.mark.parametrize("fact", TRUE, ids=" ".join)
def test_holds(graph: SceneGraph, fact: tuple[str, str, str]) -> None:
    assert graph.holds(*fact)


@pytest.mark.parametrize("fact", FALSE, ids=" ".join)
def test_does_not_hold(graph: SceneGraph, fact: tuple[str, str, str]) -> None:
    assert not graph.holds(*fact)


def test_masses_and_sizes_compare_by_what_the_nodes_say(graph: SceneGraph) -> None:
    light, heavy = sorted(("left mug", "right mug"), key=lambda name: graph.node(name).mass_kg)
    assert graph.holds(heavy, "heavier", light)
    assert graph.holds(light, "lighter", heavy)
    assert graph.node("fridge").mass_kg > 5.0
    assert not graph.objects("fridge", "heavier")


def test_nodes_carry_their_attributes(graph: SceneGraph) -> None:
    fridge, mug = graph.node("fridge"), graph.node("left mug")
    assert fridge.openable
    assert "closed" in fridge.states
    assert not fridge.pickupable
    assert mug.pickupable
    assert mug.colours
    assert "ceramic" in mug.materials
    assert 0.1 < mug.mass_kg < 1.0
    assert graph.node("kitchen").type == "Kitchen"


def test_an_opened_door_shows_in_the_states(small_scene: HouseScene, small_geometry: ObjectGeometry) -> None:
    data = small_scene.new_data()
    placed = small_scene.placed["fridge"]
    joint = next(iter(placed.joints))
    address = small_scene.model.joint(placed.joints[joint]).qposadr[0]
    for opening, word in ((0.04, "closed"), (0.3, "partly open"), (0.9, "open")):
        data.qpos[address] = opening * placed.asset.joint(joint).reach
        mujoco.mj_forward(small_scene.model, data)
        assert word in build_graph(small_scene, data, small_geometry).node("fridge").states


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (State(), {"clean", "empty", "intact"}),
        (State(filled=True, hot=True), {"clean", "filled", "intact", "hot"}),
        (State(dirty=True, cold=True), {"dirty", "empty", "intact", "cold"}),
        (State(broken=True), {"clean", "empty", "broken"}),
    ],
)
def test_states_have_words(
    small_scene: HouseScene, small_geometry: ObjectGeometry, state: State, words: set[str]
) -> None:
    graph = build_graph(small_scene, small_scene.new_data(), small_geometry, states={"left mug": state})
    assert graph.node("left mug").states == words


def test_relations_follow_a_thing_that_moves(small_scene: HouseScene, small_geometry: ObjectGeometry) -> None:
    data = small_scene.new_data()
    address = small_scene.model.joint(small_scene.placed["left mug"].free_joint).qposadr[0]
    data.qpos[address : address + 3] = (5.5, 2.5, 0.0005)
    mujoco.mj_forward(small_scene.model, data)
    graph = build_graph(small_scene, data, small_geometry)
    assert not graph.holds("left mug", "on", "table")
    assert graph.holds("left mug", "in", "bedroom")


def test_the_graph_is_true_and_the_check_can_fail(small_scene: HouseScene, graph: SceneGraph) -> None:
    data = small_scene.new_data()
    assert list(false_facts(small_scene, data, graph)) == []
    lie = {name: matrix.copy() for name, matrix in graph.relations.items()}
    mug, fridge = graph.index["left mug"], graph.index["fridge"]
    for relation in ("on", "under", "near", "heavier"):
        lie[relation][mug, fridge] = True
    denied = {fact[:3] for fact in false_facts(small_scene, data, SceneGraph(graph.nodes, lie))}
    for relation in ("on", "under", "near", "heavier"):
        assert ("left mug", relation, "fridge") in denied


def test_facts_list_every_edge_once(graph: SceneGraph) -> None:
    facts = list(graph.facts())
    assert len(facts) == len(set(facts)) == sum(int(graph.relations[name].sum()) for name in RELATIONS)
    assert Fact("left mug", "on", "table") in facts


def test_unknown_names_are_refused(graph: SceneGraph) -> None:
    with pytest.raises(UnknownIdError, match="left mug"):
        graph.node("left mugg")
    with pytest.raises(UnknownIdError, match="near"):
        graph.holds("apple", "neer", "table")


def test_a_thing_thinner_than_the_rays_margin_lies_under_its_cover(small_house: House) -> None:
    card = PlacedObject("card", "CreditCard", "kitchen", (2.0, 2.4, 0.0005), support=Support("under", "table"))
    table = small_house.object("table")
    scene = compile_house(msgspec.structs.replace(small_house, objects=(table, card)))
    data = scene.new_data()
    geometry = ObjectGeometry(scene)
    low, high = geometry.bounds(data)
    assert (high - low)[1, 2] < 0.002
    found = build_graph(scene, data, geometry)
    assert found.holds("card", "under", "table")
    assert list(false_facts(scene, data, found)) == []
