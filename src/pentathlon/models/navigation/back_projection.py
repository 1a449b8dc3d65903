"""From depth pictures to points: where each pixel lies on the agent's own map."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
NEAREST_M = 0.051
FARTHEST_M = 1e3


class MapPose(NamedTuple):
    """Where the agent believes to be: metres ahead and to the left of the start, yaw to the left, pitch down."""

    x_m: float = 0.0
    y_m: float = 0.0
    yaw_rad: float = 0.0
    pitch_rad: float = 0.0

    def ahead(self, length_m: float) -> MapPose:
        """The pose after walking straight ahead."""
        dx, dy = length_m * math.cos(self.yaw_rad), length_m * math.sin(self.yaw_rad)
        return self._replace(x_m=self.x_m + dx, y_m=self.y_m + dy)


class Camera(NamedTuple):
    """What is known of the camera."""

    height_m: float = 0.87
    fovy_deg: float = 90.0


class Points(NamedTuple):
    """Points on the map, one per pixel; NaN where the picture has no depth. ``z_m`` is above the floor."""

    x_m: Floats
    y_m: Floats
    z_m: Floats


def usable(depth_m: Floats) -> Floats:
    """Returns the picture with NaN wherever it has no depth: too near, absurdly far, or no number."""
    found: Floats = np.where((depth_m > NEAREST_M) & (depth_m < FARTHEST_M), depth_m, np.float32(np.nan))
    return found


def back_project(depth_m: Floats, pose: MapPose, camera: Camera) -> Points:
    """Returns the point that each pixel shows; ``depth_m[H, W]`` is along the viewing direction, NaN where unknown."""
    rays = _rays(depth_m.shape[0], depth_m.shape[1], camera.fovy_deg, pose.pitch_rad)
    ahead, left, up = (depth_m * ray for ray in rays)
    cosine, sine = np.float32(math.cos(pose.yaw_rad)), np.float32(math.sin(pose.yaw_rad))
    return Points(
        np.float32(pose.x_m) + ahead * cosine - left * sine,
        np.float32(pose.y_m) + ahead * sine + left * cosine,
        np.float32(camera.height_m) + up,
    )


def thinned(picture: Floats, most_px: int) -> Floats:
    """Takes every so many rows and columns of a picture, the nearest ones, so that at most ``most_px`` are left."""
    size = min(picture.shape[0], most_px), min(picture.shape[1], most_px)
    if size == picture.shape[:2]:
        return picture
    rows, columns = (
        ((np.arange(new) + 0.5) * old / new).astype(int) for new, old in zip(size, picture.shape[:2], strict=True)
    )
    found: Floats = picture[rows[:, None], columns]
    return found


@lru_cache(maxsize=32)
def _rays(height: int, width: int, fovy_deg: float, pitch_rad: float) -> tuple[Floats, Floats, Floats]:
    """How far ahead, to the left and up each pixel's point lies for a depth of one metre, seen from a level body."""
    focal_px = height / 2 / math.tan(math.radians(fovy_deg) / 2)
    right = (np.arange(width) + 0.5 - width / 2) / focal_px
    up = (height / 2 - np.arange(height) - 0.5) / focal_px
    ones = np.ones((height, width))
    cosine, sine = math.cos(pitch_rad), math.sin(pitch_rad)
    ahead_up = up[:, None] * ones
    return (
        (cosine + ahead_up * sine).astype(np.float32),
        (-right * ones).astype(np.float32),
        (ahead_up * cosine - sine).astype(np.float32),
    )
