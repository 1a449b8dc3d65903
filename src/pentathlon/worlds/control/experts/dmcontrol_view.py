"""What DMControl's trained experts see: the state without what does not matter, such as how far a walker has come."""

from __future__ import annotations

import mujoco
import numpy as np

from pentathlon.worlds.control.dmcontrol import DMControlPhysics
from pentathlon.worlds.control.physics import Array


class View:
    """Sees one simulation: joint places, velocities, and the reacher's way from its finger to the target."""

    def __init__(self, physics: DMControlPhysics) -> None:
        self._physics = physics
        model = physics.model
        hinge = model.jnt_type == mujoco.mjtJoint.mjJNT_HINGE
        limited = model.jnt_limited == 1
        height = np.array([model.joint(index).name == "rootz" for index in range(model.njnt)])
        self._places = model.jnt_qposadr[limited | height]
        self._turns = model.jnt_qposadr[hinge & ~limited]

    @property
    def size(self) -> int:
        """How many numbers are seen."""
        reacher = 2 * self._physics.name.startswith("reacher")
        return len(self._places) + 2 * len(self._turns) + int(self._physics.model.nv) + reacher

    def __call__(self) -> Array:
        """Looks now; joints that turn without end are given as sine and cosine."""
        data, turns_rad = self._physics.data, self._physics.data.qpos[self._turns]
        parts = [data.qpos[self._places], np.sin(turns_rad), np.cos(turns_rad), data.qvel]
        if self._physics.name.startswith("reacher"):
            way_m = self._physics.sensor("target_position") - self._physics.sensor("finger_position")
            parts.append(way_m[:2])
        return np.concatenate(parts)
