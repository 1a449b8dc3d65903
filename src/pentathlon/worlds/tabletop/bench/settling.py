"""How grains lie at rest in a vessel: dropped once, in order, and remembered for the life of the process."""

from __future__ import annotations

import math
from typing import Final

import mujoco
import numpy as np
import numpy.typing as npt

from pentathlon.worlds.tabletop.arm.kinematics import Pose
from pentathlon.worlds.tabletop.arm.robot import JOINTS
from pentathlon.worlds.tabletop.bench.scene import Scene
from pentathlon.worlds.tabletop.bench.vessels import Vessel

Floats = npt.NDArray[np.float64]
SETTLE_S: Final = 2.0
GRAIN_FLOATS: Final = 7
_remembered: dict[tuple[object, ...], Floats] = {}


def settled_grains(scene: Scene, material: str, joints_rad: Floats) -> Floats:
    """Returns the grains' poses ``[N, 7]`` (place, quaternion) in the frame of the vessel that holds them at first.

    Args:
        scene: the bench; its container stands where it was compiled.
        material: name of its material.
        joints_rad: a posture with the tool level, to hold meanwhile.
    """
    vessel = scene.source
    key = (material, vessel, scene.container)
    if key not in _remembered:
        grains = _drop(scene, vessel, joints_rad)
        grains.setflags(write=False)
        _remembered[key] = grains
    return _remembered[key]


def _drop(scene: Scene, vessel: Vessel, joints_rad: Floats) -> Floats:
    model, data = scene.model, mujoco.MjData(scene.model)
    data.qpos[:JOINTS] = data.ctrl[:] = joints_rad
    mujoco.mj_forward(model, data)
    frame = scene.source_pose(data)
    place_grains(scene, data, frame, _stack(vessel, len(scene.grain_bodies), _largest_m(model, scene)))
    touched = model.geom_conaffinity.copy()
    model.geom_conaffinity[_hand_geoms(model)] = 0  # grains fall past the hand, which is over the cup
    for _ in range(round(SETTLE_S / model.opt.timestep)):
        mujoco.mj_step(model, data)
    model.geom_conaffinity[:] = touched
    return grains_in(scene, data, scene.source_pose(data))


def _hand_geoms(model: mujoco.MjModel) -> npt.NDArray[np.intp]:
    """Returns the arm's geoms; the tool is a body of its own."""
    arm = [body for body in range(model.nbody) if model.body(body).name.startswith("panda0_")]
    return np.flatnonzero(np.isin(model.geom_bodyid, arm))


def _largest_m(model: mujoco.MjModel, scene: Scene) -> float:
    geoms = model.body_geomadr[list(scene.grain_bodies)]
    return float(model.geom_rbound[geoms].max())


def _stack(vessel: Vessel, count: int, reach_m: float) -> Floats:
    """Returns places in rings above each other, none touching another or the wall."""
    places: list[tuple[float, float, float]] = []
    height = 1.2 * reach_m
    floor_radius = vessel.profile_m[0][0]
    while len(places) < count:
        radius = floor_radius - 1.15 * reach_m
        while radius > 0:
            ring = max(1, int(math.pi / math.asin(min(1.0, 1.05 * reach_m / radius))))
            angles = 2 * math.pi * np.arange(ring) / ring + 0.4 * len(places)
            places += [(radius * math.cos(angle), radius * math.sin(angle), height) for angle in angles]
            radius -= 2.1 * reach_m
        height += 2.1 * reach_m
    grains = np.zeros((count, GRAIN_FLOATS))
    grains[:, :3] = places[:count]
    grains[:, 3] = 1.0
    return grains


def place_grains(scene: Scene, data: mujoco.MjData, frame: Pose, grains: Floats) -> None:
    """Writes grains, given in a frame, into the state, at rest."""
    quaternion = np.empty(4)
    mujoco.mju_mat2Quat(quaternion, frame.rotation.ravel())
    stored = data.qpos[scene.grain_start :].reshape(-1, GRAIN_FLOATS)
    stored[:, :3] = frame.position_m + grains[:, :3] @ frame.rotation.T
    for row, grain in zip(stored, grains, strict=True):
        mujoco.mju_mulQuat(row[3:], quaternion, grain[3:])


def grains_in(scene: Scene, data: mujoco.MjData, frame: Pose) -> Floats:
    """Returns the grains' poses ``[N, 7]`` as a frame sees them."""
    grains: Floats = data.qpos[scene.grain_start :].reshape(-1, GRAIN_FLOATS).copy()
    quaternion = np.empty(4)
    mujoco.mju_mat2Quat(quaternion, frame.rotation.T.ravel())
    grains[:, :3] = (grains[:, :3] - frame.position_m) @ frame.rotation
    for row in grains:
        mujoco.mju_mulQuat(row[3:], quaternion, row[3:].copy())
    return grains


def turned(grains: Floats, angle_rad: float) -> Floats:
    """Returns grains turned about the vessel's axis."""
    cosine, sine = math.cos(angle_rad), math.sin(angle_rad)
    frame = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    quaternion = np.array([math.cos(angle_rad / 2), 0.0, 0.0, math.sin(angle_rad / 2)])
    result = grains.copy()
    result[:, :3] = grains[:, :3] @ frame.T
    for row, grain in zip(result, grains, strict=True):
        mujoco.mju_mulQuat(row[3:], quaternion, np.ascontiguousarray(grain[3:]))
    return result
