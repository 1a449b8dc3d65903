"""The end-effector controller: gripper poses in, joint targets out, one each control period."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import UsageError
from pentathlon.worlds.tabletop.arm.kinematics import ArmKinematics, Floats, Pose
from pentathlon.worlds.tabletop.arm.robot import CONTROL_HZ, JOINTS, Joints

SPEED_RAD_S: Final = 2.0
"""No joint target moves faster than this; the real joints allow 2.175 rad/s and more."""
_ITERATIONS: Final = 4


class EndEffectorController:
    """Turns gripper poses into joint targets, by damped least squares from the last target.

    It goes on from its own targets instead of the measured joints, so that it neither drifts nor chatters.

    Args:
        start_rad: the joints at the beginning.
    """

    def __init__(self, start_rad: npt.ArrayLike) -> None:
        self._kinematics = ArmKinematics()
        self._joints: Floats = np.array(start_rad, np.float64)
        if self._joints.shape != (JOINTS,) or not np.isfinite(self._joints).all():
            raise UsageError(f"Expected {JOINTS} finite start angles in radians, got {start_rad!r}.")

    @property
    def gripper(self) -> Pose:
        """Where the last joint targets bring the gripper."""
        return self._kinematics.forward(self._joints)

    def follow(self, gripper: Pose) -> Joints:
        """Returns the joint targets that bring the gripper nearer to a pose within one control period.

        Raises:
            UsageError: for a pose that is not finite.
        """
        if not (np.isfinite(gripper.position_m).all() and np.isfinite(gripper.rotation).all()):
            raise UsageError(f"Expected a finite gripper pose, got {gripper}.")
        joints = self._joints
        for _ in range(_ITERATIONS):
            joints, _ = self._kinematics.step_towards(joints, gripper)
        reach = SPEED_RAD_S / CONTROL_HZ
        self._joints = self._joints + np.clip(joints - self._joints, -reach, reach)
        return self._joints.astype(np.float32)
