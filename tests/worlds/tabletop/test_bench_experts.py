"""Experts succeed, each style in its own way, and their recordings can be repeated with noise."""

from __future__ import annotations

import numpy as np
import pytest

from pentathlon.core.errors import UsageError
from pentathlon.worlds.tabletop import Setup, Sight
from pentathlon.worlds.tabletop.arm.model import LIMITS_RAD
from pentathlon.worlds.tabletop.arm.simulated import SimulatedRobot
from pentathlon.worlds.tabletop.experts.demonstrators import Recording, add_noise, blend_in, demonstrate, plan, replay
from pentathlon.worlds.tabletop.experts.paths import Waypoint, present_waypoint, tool_pose, trace, tremor

POUR = Setup("pour", "red_cup", "hazelnuts", "front_left", 1)
SCOOP = Setup("scoop", "white_bowl", "chickpeas", "front_centre", 1)
POUR_STYLE, SCOOP_STYLE = 3, 1


def test_the_pouring_expert_pours_nearly_all_and_its_replay_does_too(robot: SimulatedRobot) -> None:
    recording = demonstrate(POUR, POUR_STYLE, robot=robot)
    assert recording.joints.shape == recording.actions.shape
    assert recording.actions.dtype == np.float32
    assert recording.grams > 0.8 * 45.2
    assert (recording.actions >= LIMITS_RAD[:, 0]).all()
    assert (recording.actions <= LIMITS_RAD[:, 1]).all()
    again = replay(recording, POUR, 0.0, 0, robot=robot)
    assert again.grams > 0.8 * 45.2


def test_the_scooping_expert_lifts_some_and_is_watched_at_every_step(robot: SimulatedRobot) -> None:
    seen: list[Sight] = []
    recording = demonstrate(SCOOP, SCOOP_STYLE, robot=robot, watch=seen.append)
    assert recording.grams > 1.0
    np.testing.assert_array_equal(np.stack([sight.joints for sight in seen]), recording.joints)


def test_a_style_is_its_seed(robot: SimulatedRobot) -> None:
    robot.prepare(POUR)
    first, same, other = (plan(robot.bench, seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, same)
    assert len(other) != len(first) or np.abs(other - first).max() > 0.05


def test_a_stroke_begins_and_ends_at_rest_on_its_way_points() -> None:
    start, end = Waypoint((0.4, 0.0, 0.3), 0.0, 0.0, 0.0), Waypoint((0.6, 0.2, 0.2), 1.0, 0.5, 2.0, bow_m=0.05)
    rows, ends = trace([start, end])
    assert len(rows) == 61
    assert ends == {0, 60}
    np.testing.assert_allclose(rows[-1], end.row(), atol=1e-9)
    speed = np.linalg.norm(np.diff(rows[:, :3], axis=0), axis=1)
    assert speed[0] < 0.05 * speed.max() > speed[-1]
    middle = rows[30, :2] - (start.row()[:2] + end.row()[:2]) / 2
    assert np.linalg.norm(middle) == pytest.approx(0.05)


def test_poses_and_way_points_are_each_others_inverse() -> None:
    pivot = (0.03, 0.0, 0.10)
    row = np.array([0.5, 0.1, 0.3, 0.4, -0.2])
    np.testing.assert_allclose(present_waypoint(tool_pose(row, pivot), pivot).row(), row, atol=1e-12)


def test_tremor_fades_in_and_out() -> None:
    wobble = tremor(200, np.ones(5), np.random.default_rng(0))
    assert (wobble[[0, -1]] == 0).all()
    assert 0.3 < np.abs(wobble).max() <= 1.0


def test_noise_has_the_asked_size_begins_at_zero_and_keeps_the_limits() -> None:
    actions = np.zeros((4000, 7), np.float32)
    actions[:, 3] = LIMITS_RAD[3, 1]
    noisy = add_noise(actions, 0.02, 5)
    assert (noisy[0] == actions[0]).all()
    assert noisy[:, 0].std() == pytest.approx(0.02, rel=0.15)
    assert noisy[:, 3].max() <= np.float32(LIMITS_RAD[3, 1])
    np.testing.assert_array_equal(noisy, add_noise(actions, 0.02, 5))


def test_blending_begins_at_the_start_pose_and_ends_in_the_recording() -> None:
    actions = np.ones((60, 7), np.float32)
    blended = blend_in(actions, np.zeros(7, np.float32))
    assert (blended[0] == 0).all()
    assert (blended[30:] == 1).all()
    assert (np.diff(blended[:, 0]) >= 0).all()


def test_negative_noise_is_refused(robot: SimulatedRobot) -> None:
    recording = Recording(POUR, np.zeros((1, 7), np.float32), np.zeros((1, 7), np.float32), 0.0)
    with pytest.raises(UsageError, match="noise_rad"):
        replay(recording, POUR, -1.0, 0, robot=robot)
