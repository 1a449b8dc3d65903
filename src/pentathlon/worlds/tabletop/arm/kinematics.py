"""Where the gripper is for given joints, and joints for where the gripper should be."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

import mujoco
import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import UsageError
from pentathlon.worlds.tabletop.arm.model import GRIP_SITE, LIMITS_RAD, arm_spec
from pentathlon.worlds.tabletop.arm.robot import JOINTS

Floats: TypeAlias = npt.NDArray[np.float64]

REST_RAD: Final[Floats] = np.array([0.0, 0.2, 0.0, -2.2, 0.0, 0.9, 0.0])
"""An easy posture with the gripper level, which redundant motion is drawn to."""
REST_RAD.setflags(write=False)


@dataclass(frozen=True, eq=False)
class Pose:
    """Place and orientation in the frame of the robot's base.

    Attributes:
        position_m: float[3].
        rotation: float[3, 3] whose columns are the frame's axes; a gripper's z is its approach axis, its y the line
            along which the fingers close.
    """

    position_m: Floats
    rotation: Floats

    def __matmul__(self, other: Pose) -> Pose:
        """Returns ``other``, given in this frame, in the base frame."""
        return Pose(self.position_m + self.rotation @ other.position_m, self.rotation @ other.rotation)

    def distance(self, other: Pose) -> float:
        """Returns the length of (metres, radians) that lie between two poses."""
        turn = rotation_vector(self.rotation, other.rotation)
        return float(np.linalg.norm([*(other.position_m - self.position_m), *turn]))

    def inverse(self) -> Pose:
        """Returns the base frame as this frame sees it."""
        return Pose(-self.rotation.T @ self.position_m, self.rotation.T)


class ArmKinematics:
    """Forward and inverse kinematics of the gripper; it holds working memory, so one for each thread."""

    def __init__(self) -> None:
        self._model = arm_spec(0.0, shapes=False).compile()
        self._data = mujoco.MjData(self._model)
        self._site = self._model.site(GRIP_SITE).id
        self._jacobian = np.zeros((6, JOINTS))

    def forward(self, joints_rad: npt.ArrayLike) -> Pose:
        """Returns the gripper's pose."""
        self._data.qpos[:] = np.asarray(joints_rad, np.float64)
        mujoco.mj_kinematics(self._model, self._data)
        return Pose(self._data.site_xpos[self._site].copy(), self._data.site_xmat[self._site].reshape(3, 3).copy())

    def step_towards(self, joints_rad: Floats, target: Pose, *, damping: float = 0.02) -> tuple[Floats, float]:
        """Returns joints one damped least-squares step nearer to a pose, and the error before the step.

        The error is the length of (metres, radians). What the six constraints leave free is drawn to ``REST_RAD``.
        """
        present = self.forward(joints_rad)
        error = np.concatenate(
            [target.position_m - present.position_m, rotation_vector(present.rotation, target.rotation)]
        )
        mujoco.mj_comPos(self._model, self._data)
        mujoco.mj_jacSite(self._model, self._data, self._jacobian[:3], self._jacobian[3:], self._site)
        jacobian = self._jacobian
        inverse = jacobian.T @ np.linalg.inv(jacobian @ jacobian.T + damping**2 * np.eye(6))
        move = inverse @ error
        move += (np.eye(JOINTS) - inverse @ jacobian) @ (0.05 * (REST_RAD - joints_rad))
        moved = np.clip(joints_rad + np.clip(move, -0.3, 0.3), LIMITS_RAD[:, 0], LIMITS_RAD[:, 1])
        return moved, float(np.linalg.norm(error))

    def solve(self, target: Pose, start_rad: npt.ArrayLike = REST_RAD, *, steps: int = 200) -> Floats:
        """Returns joints that bring the gripper to a pose.

        Raises:
            UsageError: if the pose is out of reach.
        """
        joints = np.array(start_rad, np.float64)
        for _ in range(steps):
            joints, error = self.step_towards(joints, target)
            if error < 1e-4:
                return joints
        if error < 5e-3:
            return joints
        place = np.round(target.position_m, 3).tolist()
        raise UsageError(f"Expected a gripper pose within reach, got {place} m, missed by {error:.3f}. Move it nearer.")


def rotation_vector(present: Floats, target: Floats) -> Floats:
    """Returns the rotation vector, in the base frame, that turns one orientation into the other."""
    quaternion, vector = np.empty(4), np.empty(3)
    mujoco.mju_mat2Quat(quaternion, (target @ present.T).ravel())
    mujoco.mju_quat2Vel(vector, quaternion, 1.0)
    return vector


@cache
def shared_kinematics() -> ArmKinematics:
    """The kinematics that single-threaded callers share."""
    return ArmKinematics()
