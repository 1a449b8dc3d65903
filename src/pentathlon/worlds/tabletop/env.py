"""The bench as Gymnasium environments: pouring and scooping, with the grams gained as reward."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.worlds.tabletop.arm.model import LIMITS_RAD
from pentathlon.worlds.tabletop.arm.robot import CONTROL_HZ, JOINTS, Joints, Setup, Sight, TaskName
from pentathlon.worlds.tabletop.arm.simulated import SimulatedRobot
from pentathlon.worlds.tabletop.bench.tables import check_setup, containers, locations, materials

FARTHEST_M = 100.0
LAST_SEED = 2**31 - 1

Observation = dict[str, npt.NDArray[np.generic]]


class BenchEnv(gym.Env[Observation, Joints]):
    """An arm at a bench; actions are absolute joint targets in radians at 30 Hz.

    Rewards are grams gained since the step before (lost ones count against), so that they sum up to what is weighed at
    the end. No step ends the episode; the step limit does.

    Args:
        image_size: height and width of the pictures.
        setups: to draw from at ``reset``; by default all training containers, materials and locations, with any seed.
        render_mode: ``rgb_array`` or none.

    ``reset`` takes the option ``setup``, which names one start for ever.
    """

    metadata = {  # noqa: RUF012 (Gymnasium declares it so)
        "render_modes": ["rgb_array"],
        "render_fps": CONTROL_HZ,
    }
    task: ClassVar[TaskName]

    def __init__(
        self,
        image_size: tuple[int, int] = (240, 320),
        setups: Sequence[Setup] | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "rgb_array"):
            raise UnknownIdError("render mode", render_mode, ("rgb_array",))
        self.render_mode = render_mode
        self._setups = None if setups is None else tuple(self._checked(setup) for setup in setups)
        if self._setups == ():
            raise UsageError("Expected at least one setup, got none. Leave setups out to draw from the training ones.")
        self._robot = SimulatedRobot(image_size=image_size)
        height, width = image_size
        low, high = LIMITS_RAD.astype(np.float32).T
        self.action_space = spaces.Box(low, high, dtype=np.float32)
        self.observation_space: spaces.Space[Any] = spaces.Dict(
            {
                "joints": spaces.Box(-np.pi, np.pi, (JOINTS,), np.float32),
                "image": spaces.Box(0, 255, (height, width, 3), np.uint8),
                "depth": spaces.Box(0.0, FARTHEST_M, (height, width), np.float32),
            }
        )
        self._sight: Sight | None = None
        self._setup: Setup | None = None
        self._grams = 0.0

    @property
    def robot(self) -> SimulatedRobot:
        """The robot, for experts."""
        return self._robot

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Sets the bench up."""
        super().reset(seed=seed)
        unknown = set(options or {}) - {"setup"}
        if unknown:
            raise UnknownIdError("reset option", min(unknown), ("setup",))
        given = (options or {}).get("setup")
        self._setup = self._draw() if given is None else self._checked(given)
        self._robot.prepare(self._setup)
        self._grams = self._robot.weigh_g()
        return self._observe(), self._info()

    def step(self, action: Joints) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Follows joint targets for one control period."""
        self._robot.command(action)
        before_g, self._grams = self._grams, self._robot.weigh_g()
        return self._observe(), self._grams - before_g, False, False, self._info()

    def render(self) -> npt.NDArray[np.uint8] | None:
        """Returns what the camera saw last."""
        return None if self.render_mode is None or self._sight is None else self._sight.image

    def close(self) -> None:
        """Frees the bench."""
        self._robot.close()

    def _checked(self, setup: Setup) -> Setup:
        if not isinstance(setup, Setup):
            raise UsageError(f"Expected a Setup, got {setup!r}.")
        check_setup(setup)
        if setup.task != self.task:
            raise UsageError(f"Expected a setup for {self.task}, got one for {setup.task}.")
        return setup

    def _draw(self) -> Setup:
        generator = self.np_random
        if self._setups is not None:
            return self._setups[int(generator.integers(len(self._setups)))]
        tables = containers(self.task, training=True), materials(self.task, training=True), locations(training=True)
        names = [rows[int(generator.integers(len(rows)))].name for rows in tables]
        return Setup(self.task, names[0], names[1], names[2], int(generator.integers(LAST_SEED)))

    def _observe(self) -> Observation:
        self._sight = self._robot.sense()
        return self._sight.observation()

    def _info(self) -> dict[str, Any]:
        return {"setup": self._setup, "grams": self._grams}


class PourEnv(BenchEnv):
    """Pour what is in the held cup into the cup on the bench."""

    task = "pour"


class ScoopEnv(BenchEnv):
    """Lift some of the bowl's content with the spoon."""

    task = "scoop"
