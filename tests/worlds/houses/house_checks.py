"""What must hold in every house, however it was made."""

from __future__ import annotations

import mujoco
import numpy as np

from pentathlon.worlds.houses.graph.relations import build_graph
from pentathlon.worlds.houses.graph.truths import false_facts
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
from pentathlon.worlds.houses.scene.house_scene import compile_house


def check_at_rest_with_a_true_graph(house: House) -> None:
    scene = compile_house(house)
    data = scene.new_data()
    graph = build_graph(scene, data, ObjectGeometry(scene))
    assert list(false_facts(scene, data, graph)) == []
    bodies = [scene.body_id(item.id) for item in house.objects]
    before = data.xpos[bodies].copy()
    mujoco.mj_step(scene.model, data, nstep=round(1.0 / scene.model.opt.timestep))
    assert np.linalg.norm(data.xpos[bodies] - before, axis=1).max() < 0.02
