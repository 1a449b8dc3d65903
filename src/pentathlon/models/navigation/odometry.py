"""Where the agent believes to be: its own actions added up, those left out that changed nothing it sees."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from pentathlon.models.navigation.back_projection import MapPose
from pentathlon.models.navigation.turning import measured_turn
from pentathlon.worlds.houses.bodies.navigator import Action

Floats = npt.NDArray[np.float32]
LEVEL_RAD = 1e-3


def seems_failed(before_m: Floats, depth_m: Floats, failed_m: float) -> bool:
    """Tells whether depth changed so little that the last action must have failed (CoW, appendix A)."""
    change = np.abs(depth_m - before_m)
    change = change[np.isfinite(change)]
    return not change.size or bool(change.mean() < failed_m and change.std() < failed_m)


class Odometry:
    """Adds up actions.

    Attributes:
        pose: relative to the start.
        bumped: whether the last action was a move that seems to have failed.
    """

    def __init__(
        self,
        step_m: float,
        turn_deg: float,
        look_deg: float,
        failed_m: float,
        measured_fovy_deg: float | None = None,
    ) -> None:
        """Starts at the origin.

        Args:
            step_m: intended length of a move.
            turn_deg: intended angle of a turn.
            look_deg: angle of a look.
            failed_m: see :func:`seems_failed`.
            measured_fovy_deg: the camera's field of view where turns are measured, ``None`` where they are believed.
        """
        self._step_m, self._failed_m, self._fovy_deg = step_m, failed_m, measured_fovy_deg
        self._turn_rad, self._look_rad = math.radians(turn_deg), math.radians(look_deg)
        self.pose = MapPose()
        self.bumped = False
        self._last: Action | None = None
        self._before_m: Floats | None = None

    def see(self, depth_m: Floats) -> bool:
        """Takes in the picture after the last action; returns whether that action seems to have failed."""
        failed = self._before_m is not None and seems_failed(self._before_m, depth_m, self._failed_m)
        failed = failed and self._last not in (None, "Stop")
        self.bumped = failed and self._last == "MoveAhead"
        if not failed and self._last is not None:
            self.pose = self._after(self._last, depth_m)
        self._before_m, self._last = depth_m.copy(), None
        return failed

    def will(self, action: Action) -> None:
        """Remembers what is done next."""
        self._last = action

    def _after(self, action: Action, depth_m: Floats) -> MapPose:
        pose = self.pose
        if action == "MoveAhead":
            return pose.ahead(self._step_m)
        turn = {"RotateLeft": self._turn_rad, "RotateRight": -self._turn_rad}.get(action, 0.0)
        if turn and self._fovy_deg is not None and self._before_m is not None and abs(pose.pitch_rad) < LEVEL_RAD:
            turn = measured_turn(self._before_m, depth_m, turn, self._fovy_deg)
        look = {"LookDown": self._look_rad, "LookUp": -self._look_rad}.get(action, 0.0)
        return pose._replace(yaw_rad=pose.yaw_rad + turn, pitch_rad=pose.pitch_rad + look)
