"""Gripper poses and joints agree both ways, and the controller keeps its speed limit."""

from __future__ import annotations

import numpy as np
import pytest

from pentathlon.core.errors import UsageError
from pentathlon.worlds.tabletop import CONTROL_HZ, Setup
from pentathlon.worlds.tabletop.arm.control import SPEED_RAD_S, EndEffectorController
from pentathlon.worlds.tabletop.arm.kinematics import REST_RAD, ArmKinematics, Pose
from pentathlon.worlds.tabletop.arm.model import LIMITS_RAD
from pentathlon.worlds.tabletop.arm.simulated import SimulatedRobot
from pentathlon.worlds.tabletop.bench.tables import Location, locations
from pentathlon.worlds.tabletop.bench.tools import CUP, SPOON, Tool


@pytest.fixture(scope="module")
def kinematics() -> ArmKinematics:
    return ArmKinematics()


def test_solved_joints_bring_the_gripper_where_it_was_asked_to_be(kinematics: ArmKinematics) -> None:
    generator = np.random.default_rng(0)
    for _ in range(20):
        wanted = kinematics.forward(REST_RAD + generator.uniform(-0.3, 0.3, 7))
        found = kinematics.forward(kinematics.solve(wanted))
        np.testing.assert_allclose(found.position_m, wanted.position_m, atol=2e-3)
        np.testing.assert_allclose(found.rotation, wanted.rotation, atol=1e-2)


@pytest.mark.parametrize("tool", [CUP, SPOON], ids=["cup", "spoon"])
@pytest.mark.parametrize("location", locations(), ids=lambda row: row.name)
def test_a_level_tool_reaches_over_every_location(kinematics: ArmKinematics, tool: Tool, location: Location) -> None:
    joints = kinematics.solve(tool.gripper_for(Pose(np.array([location.x_m, location.y_m, 0.20]), np.eye(3))))
    assert (joints > LIMITS_RAD[:, 0]).all()
    assert (joints < LIMITS_RAD[:, 1]).all()


def test_a_pose_out_of_reach_is_refused(kinematics: ArmKinematics) -> None:
    with pytest.raises(UsageError, match="within reach"):
        kinematics.solve(Pose(np.array([1.5, 0.0, 0.2]), np.diag([1.0, -1.0, -1.0])))


def test_the_model_of_the_bench_and_the_kinematics_agree(robot: SimulatedRobot, kinematics: ArmKinematics) -> None:
    robot.prepare(Setup("pour", "red_cup", "hazelnuts", "front_left", 2))
    data = robot.bench.data
    site = data.site("grip")
    pose = kinematics.forward(robot.bench.joints_rad)
    # The state is one physics step ahead of the frames that were computed from it.
    np.testing.assert_allclose(site.xpos, pose.position_m, atol=1e-4)
    np.testing.assert_allclose(site.xmat.reshape(3, 3), pose.rotation, atol=1e-3)


def test_the_controller_arrives_without_exceeding_its_speed(kinematics: ArmKinematics) -> None:
    controller = EndEffectorController(REST_RAD)
    start = controller.gripper
    wanted = Pose(start.position_m + np.array([0.05, 0.10, 0.05]), start.rotation)
    path = np.stack([REST_RAD, *(controller.follow(wanted) for _ in range(40))])
    assert np.abs(np.diff(path, axis=0)).max() <= SPEED_RAD_S / CONTROL_HZ + 1e-6
    np.testing.assert_allclose(kinematics.forward(path[-1]).position_m, wanted.position_m, atol=1e-3)


def test_the_controller_refuses_a_pose_that_is_not_finite() -> None:
    with pytest.raises(UsageError, match="finite gripper pose"):
        EndEffectorController(REST_RAD).follow(Pose(np.array([np.nan, 0.0, 0.3]), np.eye(3)))
