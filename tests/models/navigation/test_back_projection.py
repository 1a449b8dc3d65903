"""Back-projection against points whose place is known."""

import math

import numpy as np
import pytest

from pentathlon.models.navigation.back_projection import Camera, MapPose, back_project, thinned, usable

CAMERA = Camera(height_m=0.87, fovy_deg=90.0)


def pixel_of(point_m: tuple[float, float, float], pose: MapPose, size: int = 224) -> tuple[int, int, float]:
    """Where a point appears, written out the long way: row, column and depth."""
    dx, dy = point_m[0] - pose.x_m, point_m[1] - pose.y_m
    ahead = dx * math.cos(pose.yaw_rad) + dy * math.sin(pose.yaw_rad)
    left = -dx * math.sin(pose.yaw_rad) + dy * math.cos(pose.yaw_rad)
    up = point_m[2] - CAMERA.height_m
    depth = ahead * math.cos(pose.pitch_rad) - up * math.sin(pose.pitch_rad)
    high = ahead * math.sin(pose.pitch_rad) + up * math.cos(pose.pitch_rad)
    return math.floor(size / 2 * (1 - high / depth)), math.floor(size / 2 * (1 - left / depth)), depth


@pytest.mark.parametrize(
    "pose",
    [
        MapPose(),
        MapPose(1.0, -2.0, math.radians(30)),
        MapPose(-0.5, 0.25, math.radians(-120), math.radians(30)),
        MapPose(0.0, 0.0, math.radians(60), math.radians(-30)),
    ],
)
def test_a_known_point_comes_back(pose: MapPose) -> None:
    for ahead_m, left_m, up_m in ((2.0, 0.0, 0.4), (3.0, 1.0, 1.2), (1.5, -0.7, 0.9)):
        cosine, sine = math.cos(pose.yaw_rad), math.sin(pose.yaw_rad)
        point = pose.x_m + ahead_m * cosine - left_m * sine, pose.y_m + ahead_m * sine + left_m * cosine, up_m
        row, column, depth = pixel_of(point, pose)
        points = back_project(np.full((224, 224), depth, np.float32), pose, CAMERA)
        found = points.x_m[row, column], points.y_m[row, column], points.z_m[row, column]
        assert found == pytest.approx(point, abs=depth / 112)  # a pixel is two metres wide in 224 at one metre


def test_the_floor_lies_at_height_zero() -> None:
    """The depth of an endless floor comes back as floor, at the right distances."""
    rows = np.arange(64)
    below = (rows + 0.5 - 32) / 32
    depth = np.where(below > 0, CAMERA.height_m / np.maximum(below, 1e-9), np.nan)
    points = back_project(np.tile(depth[:, None], (1, 64)).astype(np.float32), MapPose(), CAMERA)
    assert np.nanmax(np.abs(points.z_m)) < 1e-5
    assert points.x_m[-1, 0] == pytest.approx(CAMERA.height_m / (31.5 / 32), rel=1e-5)


def test_pixels_without_depth_have_no_point() -> None:
    depth = np.array([[0.0, 0.04, np.nan], [np.inf, 1e9, 1.0]], np.float32)
    points = back_project(usable(depth), MapPose(), CAMERA)
    assert np.isnan(points.x_m).tolist() == [[True, True, True], [True, True, False]]


def test_large_pictures_are_thinned_out_evenly() -> None:
    picture = np.arange(36, dtype=np.float32).reshape(6, 6)
    assert thinned(picture, 2).tolist() == [[7, 10], [25, 28]]
    assert thinned(picture, 6) is picture
