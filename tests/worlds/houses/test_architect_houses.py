from __future__ import annotations

import mujoco
import numpy as np
import pytest

from pentathlon.core import UnknownIdError
from pentathlon.worlds.houses.architect import NAMES, PRACTICE, TEST, architect_house
from pentathlon.worlds.houses.graph.relations import build_graph
from pentathlon.worlds.houses.graph.truths import false_facts
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
from pentathlon.worlds.houses.scene.house_scene import compile_house
from pentathlon.worlds.houses.ways.navigation import NavigationMap


def test_nine_houses_for_testing_and_one_for_practice() -> None:
    assert len(TEST) == 9
    assert PRACTICE not in TEST
    plans = {tuple(room.outline_m for room in architect_house(name).rooms) for name in NAMES}
    assert len(plans) == 10


@pytest.mark.parametrize("name", NAMES)
def test_every_room_is_furnished_and_reachable(name: str) -> None:
    house = architect_house(name)
    ways = NavigationMap.of_house(house)
    assert all(ways.reaches(room) for room in house.rooms)
    assert house.start is not None
    assert ways.is_free(*house.start.position_m)
    for room in house.rooms:
        assert sum(item.room == room.id for item in house.objects) >= 3


@pytest.mark.parametrize("name", NAMES)
def test_at_rest_with_a_true_graph(name: str) -> None:
    house = architect_house(name)
    scene = compile_house(house)
    data = scene.new_data()
    graph = build_graph(scene, data, ObjectGeometry(scene))
    assert list(false_facts(scene, data, graph)) == []
    bodies = [scene.body_id(item.id) for item in house.objects]
    before = data.xpos[bodies].copy()
    mujoco.mj_step(scene.model, data, nstep=round(1.0 / scene.model.opt.timestep))
    assert np.linalg.norm(data.xpos[bodies] - before, axis=1).max() < 0.02


def test_an_unknown_house_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownIdError, match="studio"):
        architect_house("stodio")
