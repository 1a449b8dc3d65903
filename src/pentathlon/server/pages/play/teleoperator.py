"""Turns what a player holds down into joint targets, thirty times a second."""

from __future__ import annotations

import threading
import time
from typing import Final

import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import PentathlonError
from pentathlon.worlds.tabletop.arm.control import EndEffectorController
from pentathlon.worlds.tabletop.arm.kinematics import Pose
from pentathlon.worlds.tabletop.arm.robot import CONTROL_HZ, Joints
from pentathlon.worlds.tabletop.arm.simulated import SimulatedRobot
from pentathlon.worlds.tabletop.bench.scene import CAMERA_POSITION_M, CAMERA_TARGET_M
from pentathlon.worlds.tabletop.experts import pouring, scooping
from pentathlon.worlds.tabletop.experts.paths import present_waypoint, tool_pose

Floats = npt.NDArray[np.float64]

MOVE_HOLDS_S: Final = 0.5
SPEEDS: Final = np.array([0.16, 0.16, 0.14, 0.8, 0.9])
"""Greatest speeds: m/s along three axes, rad/s of turn and tilt."""
_PERIOD_S: Final = 1.0 / CONTROL_HZ
_LEASH_M, _LEASH_RAD = 0.04, 0.4
_LOWEST_M: Final = 0.008
_TILT_RAD: Final = (-0.6, 2.4)
_STANDING: Final = np.zeros(5)


class AbandonedError(PentathlonError):
    """The player broke the episode off."""


class Helm:
    """What the player wants at the moment; one thread writes, another reads."""

    def __init__(self) -> None:
        self._lock = threading.Condition()
        self.let_go()

    def let_go(self) -> None:
        """Forgets what was wanted, before a new episode."""
        with self._lock:
            self._axes, self._moved_s = _STANDING, float("-inf")
            self.touched = self.finished = self.abandoned = False

    def move(self, axes: tuple[float, ...]) -> None:
        """Moves so for the next half second."""
        with self._lock:
            self._axes, self._moved_s = np.array(axes), time.monotonic()
            self.touched = self.touched or any(axes)
            self._lock.notify()

    def finish(self) -> None:
        """Ends the episode."""
        with self._lock:
            self.finished = True
            self._lock.notify()

    def abandon(self) -> None:
        """Breaks the episode off."""
        with self._lock:
            self.abandoned = True
            self._lock.notify()

    def await_touch(self) -> None:
        """Waits for the first movement, or for the end."""
        with self._lock:
            self._lock.wait_for(lambda: self.touched or self.finished or self.abandoned)

    def axes(self) -> Floats:
        """The present speeds as shares; the arm stands when nothing was heard lately."""
        with self._lock:
            return self._axes if time.monotonic() - self._moved_s < MOVE_HOLDS_S else _STANDING


class Teleoperator:
    """Moves the tool's lip or nose about, and turns and tilts the tool around it, as the experts do.

    Args:
        robot: prepared.
        helm: what the player wants.
    """

    def __init__(self, robot: SimulatedRobot, helm: Helm) -> None:
        scene, data = robot.bench.scene, robot.bench.data
        self._helm = helm
        self._tool = scene.tool
        self._pivot_m = pouring.LIP_M if scene.task == "pour" else scooping.NOSE_M
        self._controller = EndEffectorController(robot.sense_joints())
        self._row = present_waypoint(scene.tool_pose(data), self._pivot_m).row()
        self._steps = 0
        self._began_s = self._due_s = 0.0
        self.pace = 1.0

    @property
    def place_m(self) -> tuple[float, float, float]:
        """Where the lip or nose is wanted, in the base frame."""
        x, y, z = (float(value) for value in self._row[:3])
        return x, y, z

    @property
    def tilt_rad(self) -> float:
        """How far the tool is tipped."""
        return float(self._row[4])

    def act(self, joints: Joints) -> Joints | None:
        """Waits until the next control step is due and returns its joint targets."""
        if self._helm.abandoned:
            raise AbandonedError("The episode was broken off.")
        if self._helm.finished:
            return None
        self._keep_time()
        self._row = self._advance(self._row, self._helm.axes())
        return self._controller.follow(self._gripper(self._row))

    def _advance(self, row: Floats, axes: Floats) -> Floats:
        """Moves the wanted pose on, but never far from where the arm can follow."""
        speeds = axes * SPEEDS
        moved = row + _PERIOD_S * np.array([*(_TO_BASE @ speeds[:2]), *speeds[2:]])
        moved[2], moved[4] = max(moved[2], _LOWEST_M), np.clip(moved[4], *_TILT_RAD)
        behind = self._behind(moved)
        return moved if behind < 1.0 or behind < self._behind(row) else row

    def _behind(self, row: Floats) -> float:
        """How far the arm is from what is wanted, as a share of what is allowed."""
        wanted, reached = self._gripper(row), self._controller.gripper
        turn = (np.trace(wanted.rotation @ reached.rotation.T) - 1.0) / 2.0
        behind_m = np.linalg.norm(wanted.position_m - reached.position_m)
        return float(max(behind_m / _LEASH_M, np.arccos(np.clip(turn, -1.0, 1.0)) / _LEASH_RAD))

    def _gripper(self, row: Floats) -> Pose:
        return self._tool.gripper_for(tool_pose(row, self._pivot_m))

    def _keep_time(self) -> None:
        """Lets a step last a thirtieth of a second; a slow machine makes it last longer, and nothing is skipped."""
        now_s = time.monotonic()
        if not self._steps:
            self._began_s = self._due_s = now_s
        else:
            self.pace = min(1.0, self._steps * _PERIOD_S / max(now_s - self._began_s, _PERIOD_S))
        time.sleep(max(0.0, self._due_s - now_s))
        self._due_s = max(self._due_s, now_s) + _PERIOD_S
        self._steps += 1


def _picture_axes() -> Floats:
    """Columns: what is right in the picture, and what comes towards the viewer, in the base frame."""
    x, y, _ = np.subtract(CAMERA_POSITION_M, CAMERA_TARGET_M) / np.hypot(
        *np.subtract(CAMERA_POSITION_M, CAMERA_TARGET_M)[:2]
    )
    return np.array([[-y, x], [x, y]])


_TO_BASE: Final = _picture_axes()
