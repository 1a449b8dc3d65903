"""Dead reckoning and the check for actions that failed."""

import math

import numpy as np
import pytest

from pentathlon.models.navigation.odometry import Odometry, seems_failed
from pentathlon.worlds.houses.bodies.navigator import Action

ROOM = np.linspace(1.0, 4.0, 100, dtype=np.float32).reshape(10, 10)


def test_an_unchanged_picture_means_a_failed_action() -> None:
    assert seems_failed(ROOM, ROOM, 0.005)
    assert not seems_failed(ROOM, ROOM - 0.25, 0.005)


def test_small_changes_fail_only_by_the_released_threshold() -> None:
    assert seems_failed(ROOM, ROOM - 0.05, 0.09)
    assert not seems_failed(ROOM, ROOM - 0.05, 0.005)


def test_a_large_change_in_a_few_pixels_is_a_change() -> None:
    after = ROOM.copy()
    after[0, 0] += 5.0
    assert not seems_failed(ROOM, after, 0.09)


def test_pictures_without_any_depth_tell_of_a_failure() -> None:
    nothing = np.full((4, 4), np.nan, np.float32)
    assert seems_failed(nothing, nothing, 0.005)


def walked(*actions: Action, blocked: frozenset[int] = frozenset()) -> Odometry:
    odometry, depth = Odometry(0.25, 30.0, 30.0, 0.005), ROOM.copy()
    odometry.see(depth)
    for number, action in enumerate(actions):
        odometry.will(action)
        depth = depth if number in blocked else depth + 0.1
        odometry.see(depth)
    return odometry


def test_actions_add_up() -> None:
    pose = walked("MoveAhead", "RotateLeft", "RotateLeft", "RotateLeft", "MoveAhead", "LookDown").pose
    assert pose == pytest.approx((0.25, 0.25, math.pi / 2, math.radians(30)))


def test_failed_actions_do_not_count() -> None:
    odometry = walked("RotateRight", "MoveAhead", blocked=frozenset({1}))
    assert odometry.pose == pytest.approx((0.0, 0.0, -math.pi / 6, 0.0))
    assert odometry.bumped


def test_a_turn_that_fails_is_no_bump() -> None:
    assert not walked("RotateLeft", blocked=frozenset({0})).bumped
