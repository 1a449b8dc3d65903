"""Five MetaWorld tasks (v3): random layouts per seed, the goal observable to experts, and a camera of our own."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from pentathlon.core.errors import MissingDependencyError
from pentathlon.worlds.control.physics import Array, Physics
from pentathlon.worlds.rendering.look_at import place_camera

# CortexBench's top_cap2 is not in the released package. Ours looks down on the table from the robot's right front.
CAMERA_POSITION_M = (0.55, 0.25, 0.85)
CAMERA_TARGET_M = (0.0, 0.68, 0.05)
CAMERA_FOVY_DEG = 50.0

_LAYOUT_ARRAYS = ("body_pos", "body_quat", "site_pos")


class MetaWorldPhysics(Physics):
    """A MetaWorld environment behind the common contract.

    Attributes:
        observation: MetaWorld's own 39 numbers after the last reset, step or restored state, goal included; experts
            read it. After a restored state the half that tells of the step before repeats the present one.
    """

    def __init__(self, key: str) -> None:
        self._env = _make_env(key)
        self.model, self.data = self._env.model, self._env.data
        self.substeps = self._env.frame_skip
        place_camera(self.model, "topview", CAMERA_POSITION_M, CAMERA_TARGET_M, CAMERA_FOVY_DEG)
        self._layout = {name: getattr(self.model, name).copy() for name in _LAYOUT_ARRAYS}

    @property
    def action_size(self) -> int:
        """Hand displacement and grip."""
        return 4

    def reset(self, generator: np.random.Generator) -> None:
        """Draws a layout; nothing of earlier episodes is left in the model."""
        import mujoco

        for name, values in self._layout.items():
            getattr(self.model, name)[:] = values
        mujoco.mj_resetData(self.model, self.data)
        self._env.seed(int(generator.integers(2**31)))
        self.observation: Array = self._env.reset()[0]
        mujoco.mj_forward(self.model, self.data)
        self._reward, self._success = 0.0, False

    def step(self, action: Array) -> None:
        """Moves the hand by up to 1 cm an axis and closes or opens the grip."""
        observation, reward, _, _, info = self._env.step(np.clip(action, -1.0, 1.0).astype(np.float32))
        self.observation, self._reward, self._success = observation, float(reward), bool(info["success"])

    def set_state(self, state: Array) -> None:
        """Restores a state, and what is observed in it."""
        super().set_state(state)
        # Twice, since half of what it gives is what it gave before.
        self._env._get_obs()
        self.observation = self._env._get_obs()

    def reward(self) -> float:
        """MetaWorld's own reward after the last step, 0 to 10."""
        return self._reward

    def achieved(self) -> bool:
        """MetaWorld's own success after the last step."""
        return self._success

    def proprio(self) -> Array:
        """Hand position in metres and grip opening."""
        return np.array(self.observation[:4])


def _make_env(key: str) -> Any:
    try:
        environments = importlib.import_module("metaworld.env_dict").ALL_V3_ENVIRONMENTS
    except ImportError as error:
        raise MissingDependencyError("metaworld", "pip install metaworld==3.0.0", why=str(error)) from error
    env = environments[f"{key}-v3"]()
    # What set_task() would do, without a list of pickled tasks: layouts are drawn from the episode's own seed.
    env._set_task_called = True
    env._freeze_rand_vec = False
    env.seeded_rand_vec = True
    env._partially_observable = False
    if "sawyer_observation_space" in env.__dict__:
        del env.sawyer_observation_space
    return env


def make_physics(key: str) -> MetaWorldPhysics:
    """Builds task ``key``, such as ``hammer``."""
    return MetaWorldPhysics(key)
