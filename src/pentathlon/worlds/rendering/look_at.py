"""Cameras placed by where they stand and what they look at, upright."""

from __future__ import annotations

import math
from typing import Any

import mujoco
import numpy as np
import numpy.typing as npt

from pentathlon.worlds.rendering.cameras import CameraPose

Point = tuple[float, float, float]
_STRAIGHT = 1e-6


def look_at_rotation(position_m: npt.ArrayLike, target_m: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """The camera-to-world rotation of a camera that looks at ``target_m``: right, up and backward as columns.

    Straight up or down, where the sky tells no direction, x points right.
    """
    backward = np.subtract(position_m, target_m, dtype=np.float64)
    backward = backward / np.linalg.norm(backward)
    right = np.cross((0.0, 0.0, 1.0), backward)
    length = float(np.linalg.norm(right))
    right = right / length if length > _STRAIGHT else np.array([1.0, 0.0, 0.0])
    return np.stack([right, np.cross(backward, right), backward], axis=1)


def look_at(position_m: npt.ArrayLike, target_m: npt.ArrayLike, fovy_deg: float) -> CameraPose:
    """Returns a camera at one point that looks at another."""
    return CameraPose(position_m, look_at_rotation(position_m, target_m), fovy_deg)


def agent_camera(
    x: float, y: float, yaw_deg: float, height_m: float, pitch_deg: float = 0.0, fovy_deg: float = 62.0
) -> CameraPose:
    """Returns the camera of an agent that stands at a place; a positive pitch looks down."""
    yaw, pitch = math.radians(yaw_deg), math.radians(pitch_deg)
    ahead = math.cos(yaw) * math.cos(pitch), math.sin(yaw) * math.cos(pitch), -math.sin(pitch)
    return look_at((x, y, height_m), (x + ahead[0], y + ahead[1], height_m + ahead[2]), fovy_deg)


def look_at_quaternion(position_m: Point, target_m: Point) -> npt.NDArray[np.float64]:
    """The camera-to-world quaternion (w, x, y, z) of a camera that looks at ``target_m``."""
    quaternion = np.empty(4)
    mujoco.mju_mat2Quat(quaternion, look_at_rotation(position_m, target_m).ravel())
    return quaternion


def place_camera(model: Any, name: str, position_m: Point, target_m: Point, fovy_deg: float) -> None:
    """Moves a fixed camera of a compiled model."""
    camera = model.camera(name)
    camera.pos[:] = position_m
    camera.quat[:] = look_at_quaternion(position_m, target_m)
    camera.fovy[0] = fovy_deg
