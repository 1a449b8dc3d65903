"""Turns MuJoCo's cameras, and poses of one's own, into the rows that kernels read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import mujoco
import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.worlds.rendering.kernels.arrays import CAMERA_FLOATS

MAX_SIDE_PX: Final = 16384
_LARGEST_FOVY_DEG: Final = 179.0
_IDENTITY: Final = np.eye(3)


@dataclass(frozen=True)
class CameraPose:
    """A camera of one's own.

    Attributes:
        position_m: in the world.
        camera_to_world: 3x3 rotation; the camera looks along its -z, its x points right and its y up.
        fovy_deg: vertical field of view.
        height_m: of the picture, for an orthographic camera; `fovy_deg` is then not used.
    """

    position_m: npt.ArrayLike
    camera_to_world: npt.ArrayLike
    fovy_deg: float = 45.0
    height_m: float | None = None


Camera: TypeAlias = "str | int | mujoco.MjvCamera | CameraPose"
Row: TypeAlias = npt.NDArray[np.float32]


def check_size(size: tuple[int, int]) -> tuple[int, int]:
    """Returns (width, height) if it is a picture's size."""
    try:
        width, height = (int(side) for side in size)
    except (TypeError, ValueError):
        raise UsageError(f"Expected size=(width, height) in pixels, got {size!r}.") from None
    if not (0 < width <= MAX_SIDE_PX and 0 < height <= MAX_SIDE_PX):
        raise UsageError(f"Expected a width and height from 1 to {MAX_SIDE_PX} pixels, got {width}x{height}.")
    return width, height


def camera_row(model: mujoco.MjModel, data: mujoco.MjData, camera: Camera, size: tuple[int, int]) -> Row:
    """Returns the kernel's row for a camera by name or id (-1 is the free one), an MjvCamera, or a pose."""
    if isinstance(camera, CameraPose):
        return _own_row(camera, size)
    if isinstance(camera, mujoco.MjvCamera):
        return _mjv_row(model, data, camera, size)
    if isinstance(camera, str):
        camera = _camera_id(model, camera)
    if camera == -1:
        return _mjv_row(model, data, default_free_camera(model), size)
    return _fixed_row(model, data, int(camera), size)


def _own_row(pose: CameraPose, size: tuple[int, int]) -> Row:
    half = None if pose.height_m is None else _positive(pose.height_m, "height_m") / 2
    return pose_row(pose.position_m, pose.camera_to_world, size, pose.fovy_deg, half)


def _camera_id(model: mujoco.MjModel, name: str) -> int:
    number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_CAMERA, name)
    if number < 0:
        names = [model.camera(i).name for i in range(model.ncam)]
        raise UnknownIdError("camera", name, [known for known in names if known])
    return int(number)


def default_free_camera(model: mujoco.MjModel) -> mujoco.MjvCamera:
    """Returns MuJoCo's default view of the whole model."""
    camera = mujoco.MjvCamera()
    mujoco.mjv_defaultFreeCamera(model, camera)
    return camera


def pose_row(
    position_m: npt.ArrayLike,
    camera_to_world: npt.ArrayLike,
    size: tuple[int, int],
    fovy_deg: float,
    half_height_m: float | None = None,
) -> Row:
    """Returns the row of a camera given by its pose; orthographic if `half_height_m` is given."""
    position = np.asarray(position_m, np.float64)
    rotation = np.asarray(camera_to_world, np.float64)
    if position.shape != (3,) or rotation.size != 9:
        raise UsageError(
            f"Expected a position of shape (3,) and a 3x3 rotation, got {position.shape} and {rotation.shape}."
        )
    _check_rotation(position, rotation.reshape(3, 3))
    half = half_height_m if half_height_m is not None else math.tan(math.radians(check_fovy(fovy_deg)) / 2)
    half_width = half * size[0] / size[1]
    window = (-half_width, half_width, -half, half)
    return _row(position, rotation.reshape(3, 3), window, size, orthographic=half_height_m is not None)


def pose_rows(poses: Sequence[CameraPose], size: tuple[int, int]) -> Row:
    """Returns the rows [N, CAMERA_FLOATS] of cameras given by their poses."""
    rows = np.zeros((len(poses), CAMERA_FLOATS), np.float32)
    for row, pose in zip(rows, poses, strict=True):
        row[:] = _own_row(pose, size)
    return rows


def camera_window(size: tuple[int, int], fovy_deg: float) -> tuple[float, float, float, float]:
    """Returns left, the step right, top and the step down of a picture at a distance of one, as rows hold them."""
    half = math.tan(math.radians(check_fovy(fovy_deg)) / 2)
    half_width = half * size[0] / size[1]
    return -half_width, 2 * half_width / size[0], half, -2 * half / size[1]


def check_fovy(fovy_deg: float) -> float:
    """Returns the vertical field of view if a camera can have it."""
    if not 0 < fovy_deg <= _LARGEST_FOVY_DEG:  # NaN fails too
        raise UsageError(f"Expected a field of view above 0 and up to {_LARGEST_FOVY_DEG} degrees, got {fovy_deg}.")
    return float(fovy_deg)


def _check_rotation(position: npt.NDArray[np.float64], rotation: npt.NDArray[np.float64]) -> None:
    turns = np.abs(rotation @ rotation.T - _IDENTITY).max() <= 1e-3  # NaN fails too
    if turns and np.isfinite(position).all():
        return
    if not (np.isfinite(position).all() and np.isfinite(rotation).all()):
        raise UsageError(f"Expected a finite camera pose, got position {position} and rotation {rotation.tolist()}.")
    raise UsageError(
        f"Expected the camera's rotation to be a 3x3 rotation matrix, got {rotation.tolist()}. "
        "If it comes from an MjData, call mujoco.mj_forward(model, data) first."
    )


def _positive(value: float, name: str) -> float:
    if not (value > 0 and math.isfinite(value)):
        raise UsageError(f"Expected {name} above 0, got {value}.")
    return float(value)


def _row(
    position: npt.NDArray[np.float64],
    rotation: npt.NDArray[np.float64],
    window: tuple[float, float, float, float],
    size: tuple[int, int],
    *,
    orthographic: bool,
) -> Row:
    """Args: window is left, right, bottom, top at distance one (metres if orthographic)."""
    left, right, bottom, top = window
    raster = (left, (right - left) / size[0], top, (bottom - top) / size[1])
    row = np.empty(CAMERA_FLOATS, np.float32)
    row[:12] = np.concatenate([position, rotation.T.ravel()])
    row[12:16] = raster
    row[16] = float(orthographic)
    return row


def _fixed_row(model: mujoco.MjModel, data: mujoco.MjData, number: int, size: tuple[int, int]) -> Row:
    if not 0 <= number < model.ncam:
        raise UsageError(f"Expected a camera id from 0 to {model.ncam - 1}, or -1 for the free camera, got {number}.")
    position, rotation = data.cam_xpos[number], data.cam_xmat[number].reshape(3, 3)
    if model.cam_projection[number] == mujoco.mjtProjection.mjPROJ_ORTHOGRAPHIC:
        return pose_row(position, rotation, size, 1.0, _positive(float(model.cam_fovy[number]), "fovy") / 2)
    sensor = model.cam_sensorsize[number]
    if sensor[1] <= 0:
        return pose_row(position, rotation, size, float(model.cam_fovy[number]))
    _check_rotation(position, rotation)
    focal_x, focal_y, shift_x, shift_y = (float(value) for value in model.cam_intrinsic[number])
    window = (
        -(sensor[0] / 2 - shift_x) / focal_x,
        (sensor[0] / 2 + shift_x) / focal_x,
        -(sensor[1] / 2 + shift_y) / focal_y,  # a principal point is given with y down
        (sensor[1] / 2 - shift_y) / focal_y,
    )
    return _row(position, rotation, window, size, orthographic=False)


def _mjv_row(model: mujoco.MjModel, data: mujoco.MjData, camera: mujoco.MjvCamera, size: tuple[int, int]) -> Row:
    if camera.type == mujoco.mjtCamera.mjCAMERA_FIXED:
        return _fixed_row(model, data, camera.fixedcamid, size)
    lookat = np.asarray(camera.lookat, np.float64)
    if camera.type == mujoco.mjtCamera.mjCAMERA_TRACKING:
        if not 0 <= camera.trackbodyid < model.nbody:
            raise UsageError(f"Expected trackbodyid from 0 to {model.nbody - 1}, got {camera.trackbodyid}.")
        lookat = data.subtree_com[camera.trackbodyid]
        camera.lookat[:] = lookat  # as MuJoCo does
    elif camera.type != mujoco.mjtCamera.mjCAMERA_FREE:
        raise UsageError("Expected a free, tracking or fixed MjvCamera, got a user camera. Pass a CameraPose instead.")
    azimuth, elevation = math.radians(camera.azimuth), math.radians(camera.elevation)
    ca, sa, ce, se = math.cos(azimuth), math.sin(azimuth), math.cos(elevation), math.sin(elevation)
    forward = np.array([ce * ca, ce * sa, se])
    rotation = np.stack([[sa, -ca, 0.0], [-se * ca, -se * sa, ce], -forward], axis=1)
    position = lookat - camera.distance * forward
    fovy = float(model.vis.global_.fovy)
    if getattr(camera, "orthographic", 0) or model.vis.global_.orthographic:
        return pose_row(position, rotation, size, 1.0, _positive(fovy, "fovy") / 2)
    return pose_row(position, rotation, size, fovy)
