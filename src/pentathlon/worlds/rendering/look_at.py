"""Cameras placed by where they stand and what they look at."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

Point = tuple[float, float, float]


def look_at_quaternion(position_m: Point, target_m: Point) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The camera-to-world quaternion (w, x, y, z) of a camera that looks at ``target_m`` with the sky up."""
    backward = np.subtract(position_m, target_m)
    backward = backward / np.linalg.norm(backward)
    right = np.cross((0.0, 0.0, 1.0), backward)
    right = right / np.linalg.norm(right)
    quaternion = np.empty(4)
    mujoco.mju_mat2Quat(quaternion, np.column_stack([right, np.cross(backward, right), backward]).ravel())
    return quaternion


def place_camera(model: Any, name: str, position_m: Point, target_m: Point, fovy_deg: float) -> None:
    """Moves a fixed camera of a compiled model."""
    camera = model.camera(name)
    camera.pos[:] = position_m
    camera.quat[:] = look_at_quaternion(position_m, target_m)
    camera.fovy[0] = fovy_deg
