"""The sighted agent's eyes on a picture of a small house, and what its spec asks for."""

from __future__ import annotations

import math
from contextlib import closing

import numpy as np
import pytest

from pentathlon.core.specs import compare_specs
from pentathlon.events.explore.protocol import PRIVILEGED, make_protocol
from pentathlon.events.explore.sighted.agent import USED, SightedAgent, make_sighted
from pentathlon.events.explore.sighted.glances import Sight
from pentathlon.events.explore.sighted.memory import SightedMemory
from pentathlon.events.explore.sighted.network import builtin_network
from pentathlon.events.explore.world import ExploreWorld, Start
from pentathlon.models.navigation.back_projection import Camera, MapPose
from pentathlon.worlds.houses.assets.catalogue import variant
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry


@pytest.fixture(scope="module")
def kitchen(small_house: House) -> tuple[SightedMemory, dict[str, tuple[np.ndarray, np.ndarray]]]:
    """A memory of two looks into the kitchen of the small house, and the true boxes of its things."""
    network, memory = builtin_network(), SightedMemory(network=builtin_network())
    sight = Sight(network)
    with closing(ExploreWorld(small_house, make_protocol("generated", "full"))) as world:
        camera = Camera(world.agent.settings.camera_height_m, world.agent.settings.fovy_deg)
        scene = world.agent.scene.house_scene
        low, high = ObjectGeometry(scene).bounds(world.agent.motion.data)
        boxes = {item.id: (low[i], high[i]) for i, item in enumerate(small_house.objects)}
        for x_m, y_m, yaw_deg in ((1.0, 1.0, 45.0), (3.2, 1.2, 90.0)):
            world.enter(Start(x_m, y_m, yaw_deg))
            pose = MapPose(x_m, y_m, math.radians(yaw_deg), 0.0)
            memory.see(sight, world.observe(("rgb", "depth_m")), pose, camera)
    memory.believe(1.0)
    return memory, boxes


def test_furniture_is_found_by_type_with_its_box(
    kitchen: tuple[SightedMemory, dict[str, tuple[np.ndarray, np.ndarray]]],
) -> None:
    memory, boxes = kitchen
    for key, type_name in (("table", "DiningTable"), ("fridge", "Fridge")):
        low, high = boxes[key]
        near = [
            sighting
            for sighting in memory.first.values()
            if sighting.thing.type == type_name and np.linalg.norm(np.array(sighting.middle_m) - (low + high) / 2) < 0.4
        ]
        assert len(near) == 1, [sighting.thing.type for sighting in memory.first.values()]
        sides = np.array(near[0].high_m) - np.array(near[0].low_m)
        assert np.abs(sides - (high - low)).max() < 0.45


def test_its_mass_and_what_is_in_the_fridge_are_not_seen(
    kitchen: tuple[SightedMemory, dict[str, tuple[np.ndarray, np.ndarray]]],
) -> None:
    memory, _ = kitchen
    assert all(sighting.thing.mass_kg is None for sighting in memory.first.values())
    fridges = {key for key, sighting in memory.first.items() if sighting.thing.type == "Fridge"}
    assert fridges <= memory.facts().unopened


def test_colours_and_rooms_are_read_by_words(
    kitchen: tuple[SightedMemory, dict[str, tuple[np.ndarray, np.ndarray]]],
) -> None:
    memory, _ = kitchen
    (fridge,) = (sighting for sighting in memory.first.values() if sighting.thing.type == "Fridge")
    asset = variant("Fridge", 0)
    assert fridge.thing.colours is not None
    assert fridge.thing.colours & set(asset.colours)
    assert fridge.room_type in ("Kitchen", "DiningRoom"), "a kitchen with a dining table and little else"


def test_it_asks_for_no_true_sight_hand_or_objects() -> None:
    agent = make_sighted()
    wanted = {array.name for array in SightedAgent.spec.observations}
    assert wanted == set(USED)
    assert wanted & set(PRIVILEGED) == {"true_pose", "true_plans", "true_programs"}
    compare_specs(make_protocol("architect", "full").spec, agent.spec)
