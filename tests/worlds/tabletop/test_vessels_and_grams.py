"""Vessels know what is inside them, and known numbers of grains weigh known grams."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest

from pentathlon.worlds.tabletop import Setup
from pentathlon.worlds.tabletop.arm.simulated import SimulatedRobot
from pentathlon.worlds.tabletop.bench.bench import Bench
from pentathlon.worlds.tabletop.bench.tables import CONTAINERS
from pentathlon.worlds.tabletop.bench.vessels import Vessel

POUR = Setup("pour", "red_cup", "hazelnuts", "front_left", 1)
SCOOP = Setup("scoop", "white_bowl", "chickpeas", "front_centre", 1)
HAZELNUT_G = 640.0 * 4 / 3 * math.pi * 0.0075**3 * 1000
CHICKPEA_G = 1150.0 * 4 / 3 * math.pi * 0.0068**3 * 1000


def test_a_vessel_holds_points_inside_its_walls_and_below_its_rim() -> None:
    cone = Vessel(((0.02, 0.0), (0.04, 0.10)), sides=16)
    points = np.array(
        [
            [0.0, 0.0, 0.05],  # middle
            [0.035, 0.0, 0.09],  # near the wide rim
            [0.035, 0.0, 0.01],  # the same radius, but low: outside the wall
            [0.0, 0.0, 0.105],  # above the rim
            [0.0, 0.0, -0.02],  # under the floor
        ]
    )
    assert cone.holds(points).tolist() == [True, True, False, False, False]
    assert cone.holds(points, heap_m=0.01).tolist() == [True, True, False, True, False]


def test_a_square_vessel_reaches_into_its_corners() -> None:
    square = Vessel(((0.04, 0.0), (0.04, 0.10)), sides=4)
    turned = math.pi / 4  # the middle of its first side
    corner = 0.05 * np.array([[1.0, 0.0, 0.0]]) + [0.0, 0.0, 0.05]
    side = 0.05 * np.array([[math.cos(turned), math.sin(turned), 0.0]]) + [0.0, 0.0, 0.05]
    assert square.holds(corner).all()
    assert not square.holds(side).any()


@pytest.mark.parametrize("container", sorted(CONTAINERS))
def test_the_drawn_vessel_is_closed_and_encloses_its_walls(container: str) -> None:
    row = CONTAINERS[container]
    mesh = Vessel(row.profile_m, row.sides).mesh()
    assert mesh.is_closed()
    assert mesh.volume_m3 > 0
    assert mesh.size_m[2] == pytest.approx(row.height_m + 0.005)


def _put_grains(bench: Bench, places_m: np.ndarray) -> None:
    """Puts the first grains at places and the others far away, without moving anything else."""
    grains = bench.data.qpos[bench.scene.grain_start :].reshape(-1, 7)
    grains[:, :3] = [2.0, 2.0, 0.5]
    grains[: len(places_m), :3] = places_m
    mujoco.mj_forward(bench.scene.model, bench.data)


@pytest.mark.parametrize("count", [0, 1, 7, 40])
def test_known_grains_in_the_cup_weigh_known_grams(robot: SimulatedRobot, count: int) -> None:
    robot.prepare(POUR)
    inside = robot.bench.scene.container_pose(robot.bench.data).position_m + np.array([0.0, 0.0, 0.05])
    _put_grains(robot.bench, np.repeat(inside[None], count, axis=0))
    assert robot.weigh_g() == pytest.approx(count * HAZELNUT_G, rel=1e-6)


@pytest.mark.parametrize(("height_m", "counted"), [(0.20, 5), (0.03, 0)])
def test_grains_in_the_spoon_count_once_they_are_lifted(robot: SimulatedRobot, height_m: float, counted: int) -> None:
    robot.prepare(SCOOP)
    bench = robot.bench
    tool = bench.scene.tool_pose(bench.data)
    bench.scene.model.body("container").pos[2] = tool.position_m[2] - height_m  # lowers or raises the bowl instead
    _put_grains(bench, np.repeat((tool.position_m + tool.rotation @ [0.0, 0.0, 0.007])[None], 5, axis=0))
    grams = robot.weigh_g()
    bench.scene.model.body("container").pos[2] = bench.scene.container.floor_m
    assert grams == pytest.approx(counted * CHICKPEA_G, rel=1e-6)


def test_grains_beside_the_spoon_do_not_count(robot: SimulatedRobot) -> None:
    robot.prepare(SCOOP)
    tool = robot.bench.scene.tool_pose(robot.bench.data)
    _put_grains(robot.bench, np.repeat((tool.position_m + np.array([0.0, 0.05, 0.007]))[None], 5, axis=0))
    assert robot.weigh_g() == 0.0
