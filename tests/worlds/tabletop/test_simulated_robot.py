"""The simulated robot keeps the contract: deterministic, calm, careful with bad input, and stoppable."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import threading

import numpy as np
import pytest

from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.worlds.tabletop import Robot, RobotStoppedError, Setup
from pentathlon.worlds.tabletop.arm.model import LIMITS_RAD
from pentathlon.worlds.tabletop.arm.simulated import SimulatedRobot
from pentathlon.worlds.tabletop.bench.bench import Bench, container_place_m
from pentathlon.worlds.tabletop.bench.settling import grains_in
from pentathlon.worlds.tabletop.bench.tables import JITTER_M, MATERIALS, Material, containers

POUR = Setup("pour", "red_cup", "hazelnuts", "front_left", 1)
SCOOP = Setup("scoop", "white_bowl", "chickpeas", "front_centre", 1)
STEPS = 12


def fingerprint(robot: SimulatedRobot, setup: Setup) -> str:
    """Hash of everything that a short motion shows."""
    robot.prepare(setup)
    content = hashlib.sha256()
    targets = robot.sense_joints()
    for step in range(STEPS):
        targets = targets + np.float32(0.02) * np.sin(np.arange(7) + step).astype(np.float32)
        robot.command(np.clip(targets, *LIMITS_RAD.T).astype(np.float32))
        content.update(robot.sense_joints().tobytes())
    sight = robot.sense()
    for part in (sight.image, sight.depth, robot.bench.data.qpos):
        content.update(np.ascontiguousarray(part).tobytes())
    return content.hexdigest() + f" {robot.weigh_g()!r}"


def in_source(bench: Bench) -> int:
    """How many grains lie in the vessel that they started in."""
    scene, data = bench.scene, bench.data
    return int(scene.source.holds(grains_in(scene, data, scene.source_pose(data))[:, :3], heap_m=0.02).sum())


def test_it_is_a_robot(robot: SimulatedRobot) -> None:
    assert isinstance(robot, Robot)
    assert robot.name == "sim"


def test_the_same_setup_and_targets_give_the_same_bytes_in_any_process(robot: SimulatedRobot) -> None:
    here = [fingerprint(robot, SCOOP), fingerprint(robot, POUR), fingerprint(robot, SCOOP)]
    assert here[0] == here[2] != here[1]
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); from test_simulated_robot import *;"
        "print(fingerprint(SimulatedRobot(image_size=(48, 64)), SCOOP))"
    )
    folder = __file__.rpartition("/")[0]
    there = subprocess.run([sys.executable, "-c", script, folder], capture_output=True, text=True, check=True)
    assert there.stdout.strip() == here[0]


def test_starts_differ_by_seed_but_not_by_what_stands_on_the_bench(robot: SimulatedRobot) -> None:
    starts = []
    for setup in (POUR, Setup("pour", "red_cup", "hazelnuts", "back_right", 1), Setup(*_with_seed(POUR, 2))):
        robot.prepare(setup)
        starts.append((robot.sense_joints(), robot.bench.scene.container_pose(robot.bench.data).position_m))
    np.testing.assert_allclose(starts[0][0], starts[1][0], atol=1e-3)
    assert np.abs(starts[0][0] - starts[2][0]).max() > 0.02
    assert np.abs(starts[0][1] - starts[2][1]).max() > 1e-3


def _with_seed(setup: Setup, seed: int) -> tuple[str, str, str, str, int]:
    return setup.task, setup.container, setup.material, setup.location, seed


def test_the_container_stands_where_the_setup_says(robot: SimulatedRobot) -> None:
    for seed in (1, 2):
        setup = Setup("pour", "blue_mug", "beans", "front_left", seed=seed)
        robot.prepare(setup)
        stands_m = robot.bench.scene.container_pose(robot.bench.data).position_m[:2]
        np.testing.assert_array_equal(stands_m, container_place_m(setup))
        assert 0.0 < np.abs(stands_m - [0.61, 0.22]).max() <= JITTER_M


def test_light_differs_by_seed(robot: SimulatedRobot) -> None:
    means = []
    for seed in (1, 2):
        robot.prepare(Setup(*_with_seed(POUR, seed)))
        means.append(robot.sense().image[:8, :8].mean(axis=(0, 1)))  # the wall, where nothing moves
    assert np.abs(means[0] - means[1]).max() > 2.0


@pytest.mark.parametrize("setup", [POUR, SCOOP], ids=["pour", "scoop"])
def test_grains_are_calm_at_the_start_and_stay_while_the_arm_moves_gently(robot: SimulatedRobot, setup: Setup) -> None:
    robot.prepare(setup)
    bench = robot.bench
    count = len(bench.scene.grain_bodies)
    assert in_source(bench) == count
    assert robot.weigh_g() == 0.0
    speeds = bench.data.qvel[7:].reshape(-1, 6)[:, :3]
    assert np.linalg.norm(speeds, axis=1).max() < 0.1
    start = robot.sense_joints()
    for step in range(45):
        robot.command(start + np.float32(0.10 * np.sin(step / 15.0)) * np.array([1, 0, 0, 0, 0, 0, 0], np.float32))
    assert in_source(bench) == count


@pytest.mark.parametrize("material", MATERIALS.values(), ids=lambda row: row.name)
def test_every_material_lies_below_the_rim_at_the_start(robot: SimulatedRobot, material: Material) -> None:
    robot.prepare(Setup(material.task, containers(material.task)[0].name, material.name, "back_centre", 4))
    scene, data = robot.bench.scene, robot.bench.data
    grains = grains_in(scene, data, scene.source_pose(data))[:, :3]
    assert len(grains) == material.count
    assert scene.source.holds(grains).all()


def test_joints_follow_their_targets(robot: SimulatedRobot) -> None:
    robot.prepare(SCOOP)
    wanted = robot.sense_joints() + np.float32(0.08)
    for _ in range(45):
        robot.command(wanted)
    np.testing.assert_allclose(robot.sense_joints(), wanted, atol=0.01)


def test_pictures_have_the_asked_size_and_metric_depth(robot: SimulatedRobot) -> None:
    robot.prepare(POUR)
    sight = robot.sense()
    assert sight.image.shape == (48, 64, 3)
    assert sight.image.dtype == np.uint8
    assert sight.depth.shape == (48, 64)
    assert sight.depth.dtype == np.float32
    assert 0.5 < np.median(sight.depth) < 3.5


@pytest.mark.parametrize(
    ("targets", "words"),
    [
        (np.full(7, np.nan), "finite"),
        (np.zeros(6), r"shape \(7,\), got \(6,\)"),
        (np.full(7, 9.0), "joint 1 between"),
        ("up", "numbers in radians"),
    ],
)
def test_bad_targets_are_refused_and_nothing_moves(robot: SimulatedRobot, targets: object, words: str) -> None:
    robot.prepare(POUR)
    before = robot.sense_joints()
    with pytest.raises(UsageError, match=words):
        robot.command(targets)  # type: ignore[arg-type]
    np.testing.assert_array_equal(robot.sense_joints(), before)


def test_an_unknown_container_is_refused(robot: SimulatedRobot) -> None:
    with pytest.raises(UnknownIdError, match="Did you mean 'red_cup'"):
        robot.prepare(Setup("pour", "read_cup", "beans", "front_left", 0))


def test_a_robot_without_a_setup_says_what_to_do() -> None:
    with pytest.raises(UsageError, match=r"Call prepare\(setup\) first"):
        SimulatedRobot().sense_joints()


def test_after_a_stop_from_another_thread_nothing_moves_until_prepared_again(robot: SimulatedRobot) -> None:
    robot.prepare(POUR)
    before = robot.sense_joints()
    stopper = threading.Thread(target=robot.stop)
    stopper.start()
    stopper.join()
    with pytest.raises(RobotStoppedError, match="Call prepare"):
        robot.command(before)
    np.testing.assert_array_equal(robot.sense_joints(), before)
    robot.prepare(POUR)
    robot.command(before)
