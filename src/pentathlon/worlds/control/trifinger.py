"""TriFinger reach-cube and push-cube: fingertip displacements, followed by an impedance controller.

An action moves fingertips by up to 5 cm (reach, one finger) or 8 cm (push, three) within 0.4 s of simulated time:
100 physics steps of 4 ms, torques by the fingertips' Jacobians.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import mujoco
import numpy as np

from pentathlon.worlds.control.physics import Array, Physics
from pentathlon.worlds.control.trifinger_model import CUBE_HALF_WIDTH_M, FINGERS, build_model

REACH_STEP_M = 0.05
PUSH_STEP_M = 0.08
SUBSTEPS = 100
RAMP_STEPS = 70
STIFFNESS_N_M = 250.0
DAMPING_N_S_M = 8.0
TORQUE_LIMIT_NM = 0.36
START_JOINTS_RAD = (0.0, 0.9, -1.7)
SPAWN_RADIUS_M = 0.1
LEAST_PUSH_M = 0.04
LEAST_REACH_M = 0.06


class TriFingerPhysics(Physics):
    """The robot on its stage; ``moving`` fingers follow actions, the others hold still.

    Attributes:
        moving: how many fingers an action moves.
        step_m: largest displacement along each axis in one action.
    """

    substeps = SUBSTEPS
    moving: int
    step_m: float

    def __init__(self, model: Any | None = None) -> None:
        self.model = build_model() if model is None else model
        self.data = mujoco.MjData(self.model)
        self._tips = [self.model.site(f"tip_{finger}").id for finger in range(FINGERS)]
        self._jacobian = np.zeros((3, self.model.nv))

    @property
    def action_size(self) -> int:
        """Three displacements per moving finger."""
        return 3 * self.moving

    def reset(self, generator: np.random.Generator) -> None:
        """Puts the cube, and in push-cube the goal, at random on the stage."""
        mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[: 3 * FINGERS] = np.tile(START_JOINTS_RAD, FINGERS)
        self._place(generator)
        mujoco.mj_forward(self.model, self.data)
        self._start_error_m = self._error_m()

    @abstractmethod
    def _place(self, generator: np.random.Generator) -> None: ...

    @abstractmethod
    def _error_m(self) -> float: ...

    def _put_cube(self, place_m: Array, yaw_rad: float) -> None:
        start = 3 * FINGERS
        self.data.qpos[start : start + 2] = place_m
        self.data.qpos[start + 2] = CUBE_HALF_WIDTH_M
        self.data.qpos[start + 3 : start + 7] = np.cos(yaw_rad / 2), 0.0, 0.0, np.sin(yaw_rad / 2)

    def step(self, action: Array) -> None:
        """Moves the fingertips by ``action`` times the largest displacement."""
        start_m = self.tips_m()
        target_m = start_m.copy()
        target_m[: self.moving] += np.clip(action, -1.0, 1.0).reshape(self.moving, 3) * self.step_m
        for substep in range(SUBSTEPS):
            share = min(1.0, (substep + 1) / RAMP_STEPS)
            self._apply_torques(start_m + share * (target_m - start_m))
            mujoco.mj_step(self.model, self.data)
        mujoco.mj_forward(self.model, self.data)

    def _apply_torques(self, wanted_m: Array) -> None:
        """Pulls each fingertip to its wanted place like a damped spring; gravity and inertia forces are cancelled."""
        for finger, tip in enumerate(self._tips):
            mujoco.mj_jacSite(self.model, self.data, self._jacobian, None, tip)
            joints = slice(3 * finger, 3 * finger + 3)
            jacobian = self._jacobian[:, joints]
            velocity_m_s = jacobian @ self.data.qvel[joints]
            force_n = STIFFNESS_N_M * (wanted_m[finger] - self.data.site_xpos[tip]) - DAMPING_N_S_M * velocity_m_s
            torque_nm = jacobian.T @ force_n + self.data.qfrc_bias[joints]
            self.data.ctrl[joints] = np.clip(torque_nm, -TORQUE_LIMIT_NM, TORQUE_LIMIT_NM)

    def tips_m(self) -> Array:
        """Fingertip places ``[3, 3]``."""
        return np.array(self.data.site_xpos[self._tips])

    def cube_m(self) -> Array:
        """The cube's place."""
        return np.array(self.data.body("cube").xpos)

    def proprio(self) -> Array:
        """Fingertip places in one row."""
        return self.tips_m().ravel()

    def score(self) -> float:
        """The share of the starting distance that has been covered, at least 0."""
        return float(np.clip(1.0 - self._error_m() / self._start_error_m, 0.0, 1.0))

    def reward(self) -> float:
        """The progress."""
        return self.score()

    def achieved(self) -> bool:
        """Nine tenths of the way; reported beside the score."""
        return self.score() >= 0.9


class ReachCube(TriFingerPhysics):
    """Bring the first finger to the cube."""

    moving, step_m = 1, REACH_STEP_M

    def _place(self, generator: np.random.Generator) -> None:
        self.model.geom("goal").rgba[3] = 0.0
        self._put_cube(_draw_place(generator), generator.uniform(-np.pi, np.pi))
        mujoco.mj_kinematics(self.model, self.data)
        # A cube under the finger would be reached from the start, and the tip's own radius would rule the score.
        while self._error_m() < LEAST_REACH_M:
            self._put_cube(_draw_place(generator), generator.uniform(-np.pi, np.pi))
            mujoco.mj_kinematics(self.model, self.data)

    def _error_m(self) -> float:
        gap_m = np.linalg.norm(self.tips_m()[0] - self.cube_m()) - CUBE_HALF_WIDTH_M
        return max(float(gap_m), 0.0)


class PushCube(TriFingerPhysics):
    """Push the cube along the floor to the goal."""

    moving, step_m = FINGERS, PUSH_STEP_M

    def _place(self, generator: np.random.Generator) -> None:
        cube_m, goal_m = _draw_place(generator), _draw_place(generator)
        while np.linalg.norm(cube_m - goal_m) < LEAST_PUSH_M:
            goal_m = _draw_place(generator)
        self._put_cube(cube_m, generator.uniform(-np.pi, np.pi))
        self.model.body("goal").pos[:2] = goal_m

    def goal_m(self) -> Array:
        """The goal's place."""
        place_m = np.array(self.model.body("goal").pos)
        place_m[2] = CUBE_HALF_WIDTH_M
        return place_m

    def _error_m(self) -> float:
        return float(np.linalg.norm(self.cube_m() - self.goal_m()))


def _draw_place(generator: np.random.Generator) -> Array:
    """Draws a place uniformly from the disc that all fingers reach."""
    radius_m = SPAWN_RADIUS_M * np.sqrt(generator.uniform())
    angle_rad = generator.uniform(-np.pi, np.pi)
    return np.asarray(radius_m * np.array([np.cos(angle_rad), np.sin(angle_rad)]))


def make_physics(key: str, model: Any | None = None) -> TriFingerPhysics:
    """Builds ``reach-cube`` or ``push-cube``."""
    return {"reach-cube": ReachCube, "push-cube": PushCube}[key](model)
