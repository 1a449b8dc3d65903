"""What the arm agent can learn of a house: found by plans, pulls and rays, in a house made for it."""

from __future__ import annotations

import msgspec
import pytest

from pentathlon.worlds.houses.bodies.arm import ArmAgent
from pentathlon.worlds.houses.bodies.arm_actions import ArmSettings
from pentathlon.worlds.houses.bodies.arm_planner import WIDE_OPEN
from pentathlon.worlds.houses.bodies.arm_scene import compile_with_arm
from pentathlon.worlds.houses.bodies.scope import Scope, spread
from pentathlon.worlds.houses.furnishing.footprint import footprint
from pentathlon.worlds.houses.house import House, PlacedObject, Support
from small_house import make_small_house


def with_fridge(x_m: float, y_m: float, yaw_deg: float) -> House:
    """The small house, its fridge somewhere with an egg on a shelf in it, and a mug out of the arm's reach."""
    small = make_small_house()
    shelves = [spot for spot in footprint("Fridge", 0).receptacles if spot.relation == "in"]
    shelf = min(shelves, key=lambda spot: abs(spot.centre_m[2] - 1.0))
    z_m = shelf.centre_m[2] + 0.0005
    kept = tuple(item for item in small.objects if item.id != "fridge")
    fridge = PlacedObject("fridge", "Fridge", "kitchen", (x_m, y_m, 0.0), yaw_deg=yaw_deg)
    egg = PlacedObject("egg", "Egg", "kitchen", (x_m, y_m, z_m), support=Support("in", "fridge"))
    high = PlacedObject("high mug", "Mug", "kitchen", (2.6, 1.0, 2.3))
    return msgspec.structs.replace(small, objects=(*kept, fridge, egg, high))


def scope_of(house: House) -> Scope:
    return Scope.of_agent(ArmAgent(compile_with_arm(house), ArmSettings(size_px=(8, 8))), {"egg": "fridge"})


@pytest.fixture(scope="module")
def open_fridge() -> Scope:
    return scope_of(with_fridge(0.7, 3.6, 0.0))


@pytest.fixture(scope="module")
def blocked_fridge() -> Scope:
    return scope_of(with_fridge(0.7, 3.6, 180.0))


def test_what_stands_on_a_table_can_be_weighed_and_what_hangs_high_cannot(open_fridge: Scope) -> None:
    assert open_fridge.weighs("left mug")
    assert open_fridge.sees("left mug")
    assert open_fridge.sees("high mug")
    assert not open_fridge.weighs("high mug")
    assert not open_fridge.weighs("table")


def test_what_is_in_a_fridge_is_seen_once_it_is_open(open_fridge: Scope) -> None:
    assert open_fridge.opens("fridge")
    assert open_fridge.sees("egg")


def test_a_door_is_pulled_from_where_the_agent_is_not_in_its_way(open_fridge: Scope) -> None:
    assert open_fridge.opens("fridge")
    open_fridge._enter("fridge")
    scene, data = open_fridge._scene, open_fridge._motion.data
    for joint, name in scene.placed["fridge"].joints.items():
        opening = data.qpos[scene.model.joint(name).qposadr[0]] / scene.placed["fridge"].asset.joint(joint).reach
        assert opening >= WIDE_OPEN
    open_fridge._enter("")
    before = open_fridge._arm.swing("fridge", "door", (0.7, 2.9, 90.0))
    assert before < WIDE_OPEN < open_fridge._arm.swing("fridge", "door", (2.6, 1.0, 90.0))


def test_a_fridge_before_a_wall_opens_to_nobody(blocked_fridge: Scope) -> None:
    assert not blocked_fridge.opens("fridge")
    assert not blocked_fridge.sees("egg")
    assert not blocked_fridge.weighs("egg")


def test_the_order_of_what_is_asked_changes_nothing() -> None:
    house = with_fridge(0.7, 3.6, 0.0)
    keys = ("left mug", "egg", "apple", "lost mug")
    first, second = scope_of(house), scope_of(house)
    told = [(first.sees(key), first.weighs(key)) for key in keys]
    assert told == [(second.sees(key), second.weighs(key)) for key in reversed(keys)][::-1]


def test_places_are_spread_in_their_order() -> None:
    import numpy as np

    points = np.array([[0.0, 0.0], [0.1, 0.0], [0.5, 0.0], [1.0, 0.0]])
    assert list(spread(points, 0.4, 9)) == [(0.0, 0.0), (0.5, 0.0), (1.0, 0.0)]
    assert list(spread(points, 0.4, 1)) == [(0.0, 0.0)]
