"""Measured turns in a room whose horizon is known."""

import math

import numpy as np
import pytest

from pentathlon.models.navigation.turning import measured_turn

SIZE = 224


def room_picture(yaw_rad: float, half_m: tuple[float, float] = (2.0, 3.0)) -> np.ndarray:
    """Depth along the horizon from a place off the middle of a rectangular room."""
    right = (np.arange(SIZE) + 0.5 - SIZE / 2) / (SIZE / 2)
    bearing = yaw_rad - np.arctan(right)
    with np.errstate(divide="ignore"):
        along_x = (np.sign(np.cos(bearing)) * half_m[0] - 0.7) / np.cos(bearing)
        along_y = (np.sign(np.sin(bearing)) * half_m[1] + 0.4) / np.sin(bearing)
    ranges = np.minimum(np.abs(along_x), np.abs(along_y))
    return np.tile(ranges / np.hypot(1.0, right), (SIZE, 1)).astype(np.float32)


@pytest.mark.parametrize("start_deg", [0.0, 40.0, 115.0, 250.0])
@pytest.mark.parametrize("off_deg", [-1.2, 0.0, 0.35, 1.0])
@pytest.mark.parametrize("intended_deg", [30.0, -30.0])
def test_a_noisy_turn_is_measured(start_deg: float, off_deg: float, intended_deg: float) -> None:
    start = math.radians(start_deg)
    before, after = room_picture(start), room_picture(start + math.radians(intended_deg + off_deg))
    turn = measured_turn(before, after, math.radians(intended_deg), 90.0)
    assert math.degrees(turn) == pytest.approx(intended_deg + off_deg, abs=0.15)


def test_pictures_without_depth_leave_the_turn_as_intended() -> None:
    nothing = np.full((SIZE, SIZE), np.nan, np.float32)
    assert measured_turn(nothing, nothing, math.radians(30), 90.0) == math.radians(30)


def test_a_picture_too_narrow_to_overlap_leaves_the_turn_as_intended() -> None:
    before, after = room_picture(0.0), room_picture(math.radians(31))
    assert measured_turn(before, after, math.radians(30), 25.0) == math.radians(30)
