"""Scripted experts for TriFinger: reach from above, and drag the cube in a ring of three fingertips."""

from __future__ import annotations

import numpy as np

from pentathlon.worlds.control.physics import Array
from pentathlon.worlds.control.trifinger import PushCube, ReachCube, TriFingerPhysics
from pentathlon.worlds.control.trifinger_model import CUBE_HALF_WIDTH_M, FINGERS, TIP_RADIUS_M

CLEAR_M = 0.03
TOUCH_HEIGHT_M = 0.035


class ReachExpert:
    """Goes above the cube, then down onto it."""

    def __init__(self, physics: ReachCube) -> None:
        self._physics = physics

    def reset(self, generator: np.random.Generator) -> None:
        """Nothing to forget."""

    def act(self) -> Array:
        """Keeps above the cube until over it."""
        cube_m, tip_m = self._physics.cube_m(), self._physics.tips_m()[0]
        aside_m = float(np.linalg.norm((cube_m - tip_m)[:2]))
        top_m = CUBE_HALF_WIDTH_M + TIP_RADIUS_M
        lift_m = min(CLEAR_M, max(0.0, aside_m - 0.02))
        return _towards(self._physics, cube_m - tip_m + np.array([0.0, 0.0, top_m - 0.002 + lift_m]))


class PushExpert:
    """Closes three fingertips around the cube and moves the ring, with the cube inside, to the goal."""

    def __init__(self, physics: PushCube) -> None:
        self._physics = physics

    def reset(self, generator: np.random.Generator) -> None:
        """Starts with the ring open."""
        self._step = 0

    def act(self) -> Array:
        """Spread above, lower, close, then drag."""
        cube_m, tips_m = self._physics.cube_m(), self._physics.tips_m()
        directions = self._directions(tips_m, cube_m)
        centre_m, radius_m, height_m = cube_m, CUBE_HALF_WIDTH_M * 1.42 + TIP_RADIUS_M + 0.015, TOUCH_HEIGHT_M
        if self._step == 0:
            height_m += CLEAR_M + 2.0 * CUBE_HALF_WIDTH_M
        if self._step >= 2:
            radius_m = CUBE_HALF_WIDTH_M + TIP_RADIUS_M - 0.006
        if self._step >= 3:
            centre_m = cube_m + np.clip(self._physics.goal_m() - cube_m, -0.05, 0.05)
        self._step += 1
        wanted_m = np.column_stack([centre_m[:2] + radius_m * directions, np.full(FINGERS, height_m)])
        return _towards(self._physics, wanted_m - tips_m)

    def _directions(self, tips_m: Array, cube_m: Array) -> Array:
        """Unit directions from cube to fingertips, 120 degrees apart, nearest to where the fingers come from."""
        bearing = np.arctan2(*(tips_m - cube_m).T[1::-1])
        offsets = -np.arange(FINGERS) * 2.0 * np.pi / FINGERS
        turn = np.angle(np.exp(1j * (bearing - offsets)).mean())
        return np.column_stack([np.cos(offsets + turn), np.sin(offsets + turn)])


def _towards(physics: TriFingerPhysics, offset_m: Array) -> Array:
    """The action that moves by ``offset_m``, shortened to what one step allows."""
    return np.clip(np.asarray(offset_m) / physics.step_m, -1.0, 1.0).ravel()
