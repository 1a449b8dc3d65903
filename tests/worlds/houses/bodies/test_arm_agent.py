from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest

from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.worlds.houses.bodies.arm import ArmAgent
from pentathlon.worlds.houses.bodies.arm_actions import (
    ARM_ACTIONS,
    FORCE_STEP_KGF,
    HINGES,
    LIFTS,
    SHIFTS,
    ArmAction,
    ArmSettings,
)
from pentathlon.worlds.houses.bodies.arm_motion import FIRST_HINGE, LIFT, ArmMotion
from pentathlon.worlds.houses.bodies.arm_scene import compile_with_arm
from pentathlon.worlds.houses.bodies.arm_script import (
    least_force_kgf,
    lifts,
    reach_handle,
    stand_and_reach,
    stand_and_reach_handle,
)
from pentathlon.worlds.houses.bodies.arm_touch import mass_kg
from pentathlon.worlds.houses.graph.relations import AGENT, build_graph
from pentathlon.worlds.houses.house import Box, House, PlacedObject
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry

FREE = (1.0, 2.2, 0.0)
BEFORE_THE_TABLE = (2.5, 1.98, -90.0)


@pytest.fixture(scope="module")
def agent(kitchen_house: House) -> Iterator[ArmAgent]:
    made = ArmAgent(compile_with_arm(kitchen_house), ArmSettings(size_px=(64, 48), segmentation=True))
    yield made
    made.close()


def position(agent: ArmAgent, object_id: str) -> np.ndarray:
    found: np.ndarray = agent.motion.data.xpos[agent.scene.house_scene.body_id(object_id)].copy()
    return found


def opening(agent: ArmAgent, joint: str) -> float:
    return float(agent.motion.data.qpos[agent.scene.model.joint(joint).qposadr[0]])


@pytest.mark.parametrize("object_id", ["apple", "knife", "mug", "plate", "bottle", "vase"])
def test_an_object_is_lifted_exactly_when_the_force_is_at_least_its_weight(agent: ArmAgent, object_id: str) -> None:
    enough = least_force_kgf(agent, object_id)
    assert enough - FORCE_STEP_KGF < mass_kg(agent.scene, object_id) <= enough
    assert stand_and_reach(agent, object_id)
    if enough > 1.5 * FORCE_STEP_KGF:
        assert not lifts(agent, object_id, enough - FORCE_STEP_KGF)
        assert agent.held is None
        assert stand_and_reach(agent, object_id)
    assert lifts(agent, object_id, enough)
    assert agent.held == object_id


def test_the_base_moves_and_turns_by_its_steps(agent: ArmAgent) -> None:
    agent.place(*FREE)
    assert agent.act("MoveAhead").ok
    assert agent.pose == pytest.approx((1.25, 2.2, 0.0))
    assert agent.act("RotateLeft").ok
    assert agent.act("MoveBack").ok
    turn = math.radians(15.0)
    assert agent.pose == pytest.approx((1.25 - 0.25 * math.cos(turn), 2.2 - 0.25 * math.sin(turn), 15.0))


@pytest.mark.parametrize("action", [*HINGES, *LIFTS])
def test_a_hinge_turns_15_degrees_and_the_lift_moves_5_cm(agent: ArmAgent, action: ArmAction) -> None:
    agent.place(*FREE)
    before = agent.motion.posture
    assert agent.act(action).ok
    change = agent.motion.posture - before
    place, size = (LIFT, 0.05) if action in LIFTS else (FIRST_HINGE + HINGES[action][0], math.radians(15.0))
    assert abs(change[place]) == pytest.approx(size)
    assert np.count_nonzero(np.abs(change) > 1e-9) == 1


@pytest.mark.parametrize("action", SHIFTS)
def test_the_gripper_moves_5_cm_along_the_agents_axes(agent: ArmAgent, action: ArmAction) -> None:
    agent.place(1.0, 2.2, 90.0)
    before = agent.motion.grasp_point_m
    assert agent.act(action).ok
    ahead, left, up = SHIFTS[action]
    expected = 0.05 * np.array([-left, ahead, up])
    assert agent.motion.grasp_point_m - before == pytest.approx(expected, abs=0.006)


def test_blocked_moves_change_nothing_and_name_what_is_in_the_way(agent: ArmAgent) -> None:
    agent.place(*BEFORE_THE_TABLE)
    results = [agent.act("MoveAhead") for _ in range(3)]
    pose = agent.pose
    assert not results[-1].ok
    assert "table" in results[-1].reason
    assert agent.pose == pose
    agent.place(0.6, 2.0, 180.0)
    assert [agent.act("MoveAhead") for _ in range(3)][-1].reason == "MoveAhead is blocked by shell."


def test_the_arm_does_not_pass_through_the_table(agent: ArmAgent) -> None:
    agent.place(*BEFORE_THE_TABLE)
    reasons = [agent.act("LowerArm").reason for _ in range(20)]
    assert any("blocked by table" in reason for reason in reasons)


def test_joints_stop_at_their_limits(agent: ArmAgent) -> None:
    agent.place(*FREE)
    reasons = [agent.act("RaiseArm").reason for _ in range(20)]
    assert "RaiseArm is beyond the arm's reach." in reasons
    assert agent.motion.posture[LIFT] == pytest.approx(1.25)


def test_what_is_held_goes_with_the_hand_and_falls_when_released(agent: ArmAgent) -> None:
    assert stand_and_reach(agent, "apple")
    assert lifts(agent, "apple", 5.0)
    before = position(agent, "apple") - agent.motion.grasp_point_m
    for action in ("RaiseArm", "RotateLeft", "RaiseArm"):
        assert agent.act(action).ok
    assert position(agent, "apple") - agent.motion.grasp_point_m == pytest.approx(before, abs=0.01)
    height = float(position(agent, "apple")[2])
    assert agent.act("Release").ok
    agent.motion.wait(0.5)
    assert agent.held is None
    assert float(position(agent, "apple")[2]) < height - 0.1


def test_what_is_held_is_in_the_way_too(agent: ArmAgent) -> None:
    assert stand_and_reach(agent, "bottle")
    assert lifts(agent, "bottle", 5.0)
    for _ in range(12):
        result = agent.act("LowerArm")
    assert "blocked by table" in result.reason
    assert agent.held == "bottle"


def test_grasping_is_refused_with_the_reason(agent: ArmAgent) -> None:
    agent.place(*FREE)
    assert "Nothing to grasp" in agent.act("Grasp", 1.0).reason
    assert "holds nothing" in agent.act("Release").reason
    assert stand_and_reach(agent, "mug")
    assert "slips" in agent.act("Grasp", FORCE_STEP_KGF).reason
    assert agent.act("Grasp", 5.0).ok
    assert "already holds mug" in agent.act("Grasp", 5.0).reason


@pytest.mark.parametrize("force_kgf", [0.0, -0.05, 0.07, math.nan, math.inf])
def test_grasp_forces_are_positive_multiples_of_the_step(agent: ArmAgent, force_kgf: float) -> None:
    with pytest.raises(UsageError, match="multiple of 0.05"):
        agent.act("Grasp", force_kgf)


def test_a_drawer_opens_and_closes_at_its_handle_and_takes_its_contents_along(agent: ArmAgent) -> None:
    agent.place(*FREE)
    assert "No handle" in agent.act("Open").reason
    assert stand_and_reach_handle(agent, "counter", "drawer_0")
    before = position(agent, "spoon")
    assert agent.act("Open").ok
    reach = agent.scene.house_scene.placed["counter"].asset.joint("drawer_0").reach
    assert opening(agent, "counter/drawer_0") > 0.5 * reach
    assert position(agent, "spoon")[1] < before[1] - 0.3 * reach
    assert agent.act("MoveBack").ok
    assert reach_handle(agent, "counter", "drawer_0")
    assert agent.act("Close").ok
    assert opening(agent, "counter/drawer_0") < 0.1 * reach
    assert position(agent, "spoon")[1] > before[1] - 0.2 * reach


@pytest.mark.parametrize("covered", [False, True])
def test_nothing_is_grasped_through_a_board(agent: ArmAgent, kitchen_house: House, covered: bool) -> None:
    agent.place(*FREE)
    x, y, z = (float(value) for value in agent.motion.grasp_point_m)
    cube = Box((0.1, 0.1, 0.2), 0.5, "red", pickupable=True)
    stand, board = Box((0.1, 0.1, z - 0.24), 5.0), Box((0.2, 0.2, 0.005), 1.0)
    objects = [
        PlacedObject("stand", "Stand", "kitchen", (x, y, 0.0), box=stand),
        PlacedObject("cube", "Cube", "kitchen", (x, y, z - 0.24), box=cube),
        PlacedObject("board", "Board", "kitchen", (x, y, z - 0.035), box=board),
    ]
    house = House(name="boards", rooms=kitchen_house.rooms, objects=tuple(objects if covered else objects[:2]))
    other = ArmAgent(compile_with_arm(house), ArmSettings(size_px=(64, 48)))
    other.place(*FREE)
    assert other.act("Grasp", 1.0).ok is not covered
    other.close()


def test_a_full_hand_opens_nothing(agent: ArmAgent) -> None:
    assert stand_and_reach(agent, "apple")
    assert agent.act("Grasp", 5.0).ok
    assert agent.act("Open").reason == "The hand holds apple and cannot open anything."


def test_place_puts_the_house_back(agent: ArmAgent) -> None:
    agent.place(*FREE)
    start = position(agent, "apple")
    assert stand_and_reach(agent, "apple")
    assert lifts(agent, "apple", 5.0)
    agent.place(*FREE)
    assert agent.held is None
    assert position(agent, "apple") == pytest.approx(start, abs=0.002)


def test_a_start_inside_furniture_is_refused(agent: ArmAgent) -> None:
    with pytest.raises(UsageError, match="inside"):
        agent.place(0.5, 3.5, 0.0)


@pytest.mark.parametrize("place", [(math.nan, 2.2, 0.0), (1.0, math.inf, 0.0), (1.0, 2.2, math.nan)])
def test_a_place_that_is_no_number_is_refused(agent: ArmAgent, place: tuple[float, float, float]) -> None:
    with pytest.raises(UsageError, match="finite"):
        agent.place(*place)


@pytest.mark.parametrize("place", [(1e5, 0.0, 0.0), (-3.0, 1.0, 0.0)])
def test_a_place_outside_is_refused_and_changes_nothing(agent: ArmAgent, place: tuple[float, float, float]) -> None:
    agent.place(*FREE)
    with pytest.raises(UsageError, match="in one of the"):
        agent.place(*place)
    assert agent.pose == pytest.approx(FREE)


def test_the_camera_tilts_in_steps_and_sees_what_is_held(agent: ArmAgent) -> None:
    assert stand_and_reach(agent, "bottle")
    assert agent.act("Grasp", 5.0).ok
    assert [agent.act("LookDown").ok for _ in range(6)] == [True] * 5 + [False]
    agent.pitch_deg = 30.0
    sight = agent.look()
    assert sight.rgb.shape == (48, 64, 3)
    assert sight.object_index is not None
    names = [item.id for item in agent.scene.house_scene.house.objects]
    assert (sight.object_index == names.index("bottle")).any()


def test_the_scene_graph_knows_what_the_agent_holds_and_sees(agent: ArmAgent) -> None:
    assert stand_and_reach(agent, "bottle")
    assert agent.act("Grasp", 5.0).ok
    agent.pitch_deg = 30.0
    house = agent.scene.house_scene
    graph = build_graph(house, agent.motion.data, ObjectGeometry(house), agent=agent.as_node())
    assert [node.id for node in graph.objects(AGENT, "holds")] == ["bottle"]
    assert "bottle" in {node.id for node in graph.objects(AGENT, "sees")}
    assert not graph.holds(AGENT, "sees", "lamp")


def test_impossible_settings_are_refused() -> None:
    with pytest.raises(UsageError, match="arm_step_m"):
        ArmSettings(arm_step_m=0.0)


def test_unknown_actions_are_named(agent: ArmAgent) -> None:
    with pytest.raises(UnknownIdError, match="MoveAhead"):
        agent.act("MoveAhed")  # type: ignore[arg-type]
    assert len(ARM_ACTIONS) == len(set(ARM_ACTIONS)) == 31


def test_done_changes_nothing(agent: ArmAgent) -> None:
    agent.place(*FREE)
    before = agent.motion.data.qpos.copy()
    assert agent.act("Done").ok
    assert np.array_equal(agent.motion.data.qpos, before)


def test_two_runs_of_the_same_actions_are_the_same(agent: ArmAgent) -> None:
    def run() -> np.ndarray:
        assert stand_and_reach(agent, "mug")
        assert lifts(agent, "mug", 5.0)
        found: np.ndarray = agent.motion.data.qpos.copy()
        return found

    assert np.array_equal(run(), run())


def test_motions_share_one_scene_without_disturbing_each_other(agent: ArmAgent) -> None:
    agent.place(*FREE)
    before = agent.motion.data.qpos.copy()
    ArmMotion(agent.scene).wait(0.1)
    assert np.array_equal(agent.motion.data.qpos, before)
