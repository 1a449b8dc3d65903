"""Facts of a built house: those of its graph, those that are clear, and those that sight shows."""

from __future__ import annotations

import pytest

from pentathlon.events.explore.questions.survey import Survey, hidden_things, survey
from pentathlon.worlds.houses.graph.scene_graph import Node, SceneGraph
from small_house import make_small_house


@pytest.fixture(scope="module")
def small() -> Survey:
    return survey(make_small_house())


def test_facts_are_those_of_the_house(small: Survey) -> None:
    mug = small.facts.things["left mug"]
    assert (mug.type, mug.room, mug.portable, mug.shape) == ("Mug", "kitchen", True, "cube")
    assert small.facts.rooms == {"kitchen": "Kitchen", "bedroom": "Bedroom"}
    assert small.facts.relations["on"] == {("left mug", "table"): True, ("right mug", "table"): True}
    assert ("left mug", "right mug") in small.facts.relations["near"]


def test_clear_masses_are_steps_of_the_arm_and_only_of_what_it_lifts(small: Survey) -> None:
    clear = small.clear.things
    true_kg = small.facts.things["apple"].mass_kg
    felt = clear["apple"].mass_kg
    assert true_kg is not None
    assert felt is not None
    assert felt[0] < true_kg[0] <= felt[1]
    assert felt[1] - felt[0] == pytest.approx(0.05)
    assert clear["fridge"].mass_kg is None


def test_sight_shows_no_mass(small: Survey) -> None:
    assert all(thing.mass_kg is None for thing in small.by_sight.things.values())
    assert small.by_sight.things.keys() == small.facts.things.keys()


def test_what_lies_in_a_closed_thing_is_hidden_with_all_that_it_carries() -> None:
    import numpy as np

    low, high = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
    names = ("fridge", "plate", "cake", "mug")
    states = {"fridge": frozenset({"closed"})}
    nodes = tuple(Node(name, "object", "Box", low, high, states=states.get(name, frozenset())) for name in names)
    inside, on = np.zeros((2, 4, 4), dtype=bool)
    inside[1, 0] = on[2, 1] = on[3, 0] = True
    assert hidden_things(SceneGraph(nodes, {"in": inside, "on": on})) == {"plate": "fridge", "cake": "fridge"}


def test_near_is_clear_within_40_and_beyond_60_centimetres(small: Survey) -> None:
    from pentathlon.events.explore.questions.survey import CLEARLY_APART_M, CLEARLY_NEAR_M

    assert (CLEARLY_NEAR_M, CLEARLY_APART_M) == (0.4, 0.6)
    near = small.clear.relations["near"]
    assert near["left mug", "right mug"] is True
    assert set(small.facts.relations["near"]) <= set(near)
