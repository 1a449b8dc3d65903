"""The control tasks as Gymnasium environments: one contract for four suites, with frames from the shared eyes."""

from __future__ import annotations

from typing import Any, cast

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from pentathlon.core.errors import UsageError
from pentathlon.core.eyes import Renderer
from pentathlon.worlds.control.physics import Array
from pentathlon.worlds.control.suites import make_physics
from pentathlon.worlds.control.tasks import ControlTask, control_task, episode_score

Image = npt.NDArray[np.uint8]
Observation = dict[str, npt.NDArray[Any]]


class ControlEnv(gymnasium.Env[Observation, npt.NDArray[np.float32]]):
    """One control task.

    The seed given to :meth:`reset` fixes the episode. With ``images=False`` observations hold proprioception only and
    :meth:`frame` draws on demand, so that many environments can be stepped together and encoded in one call.

    Args:
        task: a row of ``CONTROL_TASKS`` or its name.
        images: whether observations hold the frame.
        renderer: which eyes draw.
        setting: the eyes' named setting; part of the protocol.
        horizon: control steps of an episode; the task's own unless given.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 25}  # noqa: RUF012 - Gymnasium's own form

    def __init__(
        self,
        task: ControlTask | str,
        *,
        images: bool = True,
        renderer: Renderer = "raycast",
        setting: str = "fast",
        horizon: int | None = None,
        render_mode: str | None = "rgb_array",
    ) -> None:
        self.task = control_task(task) if isinstance(task, str) else task
        self.physics = make_physics(self.task)
        self.horizon = self.task.horizon if horizon is None else horizon
        self.render_mode = render_mode
        self.renderer, self._images, self._setting = renderer, images, setting
        self._eyes: Any = None
        self._achieved: list[bool] = []
        self._rewards: list[float] = []
        self._progress: list[float] = []
        self._started = False
        self.action_space = spaces.Box(-1.0, 1.0, (self.physics.action_size,), np.float32)
        size = self.task.image_size
        parts: dict[str, spaces.Space[Any]] = {
            "proprio": spaces.Box(-np.inf, np.inf, (self.task.proprio_size,), np.float32)
        }
        if images:
            parts["image"] = spaces.Box(0, 255, (size, size, 3), np.uint8)
        self.observation_space = cast("spaces.Space[Observation]", spaces.Dict(parts))

    @property
    def rate_hz(self) -> float:
        """Control steps per simulated second."""
        return 1.0 / (self.physics.substeps * float(self.physics.model.opt.timestep))

    @property
    def camera(self) -> str:
        """Name of the camera that gives the frames."""
        return self.task.camera

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts the episode that ``seed`` names; without one, the next of the environment's own sequence."""
        super().reset(seed=seed)
        self.physics.reset(self.np_random)
        self._achieved, self._rewards, self._progress, self._started = [], [], [], True
        return self._observe(), {}

    def step(self, action: npt.NDArray[np.float32]) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Applies an action in [-1, 1]; episodes end by the horizon only.

        Raises:
            UsageError: before the first reset, after the horizon, or for an action of another shape or not finite.
        """
        self._check(action)
        self.physics.step(np.asarray(action, np.float64))
        reward = self.physics.reward()
        self._rewards.append(reward)
        self._achieved.append(self.physics.achieved())
        self._progress.append(self.physics.score())
        truncated = len(self._rewards) >= self.horizon
        return self._observe(), reward, False, truncated, {"achieved": self._achieved[-1]}

    def frame(self) -> Image:
        """Draws what the task's camera sees now."""
        size = (self.task.image_size, self.task.image_size)
        image: Image = self._open_eyes().render(self.physics.data, camera=self.camera, size=size).rgb
        return image

    def eyes_key(self) -> str:
        """Names the renderer, its version and setting, for what is kept of its frames."""
        info = self._open_eyes().info
        return f"{info.name}-{info.version}-{info.setting}"

    def _open_eyes(self) -> Any:
        if self._eyes is None:
            from pentathlon.worlds.rendering import open_eyes

            self._eyes = open_eyes(self.physics.model, renderer=self.renderer, setting=self._setting)
        return self._eyes

    def render(self) -> Image:
        """Draws the frame, as Gymnasium asks for it."""
        return self.frame()

    def proprio(self) -> npt.NDArray[np.float32]:
        """Proprioception of the protocol; empty for DMControl."""
        return self.physics.proprio().astype(np.float32)

    def physics_state(self) -> Array:
        """Copies the physics state; the reset's seed and it determine the frame."""
        return self.physics.state()

    def set_physics_state(self, state: Array) -> None:
        """Restores a state of an episode reset with the same seed."""
        self.physics.set_state(state)

    def success(self) -> float:
        """The episode's score in percent so far, by the task's rule."""
        return episode_score(self.task, self._achieved, self._rewards, self._progress)

    def close(self) -> None:
        """Releases the eyes."""
        if self._eyes is not None:
            self._eyes.close()
            self._eyes = None

    def _observe(self) -> Observation:
        observation: Observation = {"proprio": self.proprio()}
        if self._images:
            observation["image"] = self.frame()
        return observation

    def _check(self, action: npt.NDArray[np.float32]) -> None:
        if not self._started or len(self._rewards) >= self.horizon:
            raise UsageError(f"No episode of {self.task.name} is under way (horizon {self.horizon}). Call reset().")
        if np.shape(action) != self.action_space.shape:
            raise UsageError(
                f"{self.task.name} expects actions of shape {self.action_space.shape}, got {np.shape(action)}."
            )
        if not np.isfinite(action).all():
            raise UsageError(f"{self.task.name} expects finite actions, got {action}. Check the policy for NaN.")
