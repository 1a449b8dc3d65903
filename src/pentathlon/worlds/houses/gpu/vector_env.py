"""Navigation in many houses at once as a Gymnasium vector environment whose observations are tensors on the device."""

from __future__ import annotations

import math
from typing import Any

import gymnasium as gym
import numpy as np
import torch
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv

from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.worlds.houses.bodies.navigator import ACTIONS
from pentathlon.worlds.houses.gpu.houses import HouseSet
from pentathlon.worlds.houses.gpu.team import OUT_OF_STEPS, STOPPED, SUCCEEDED, Team, TeamRules
from pentathlon.worlds.houses.tasks.episodes import TASK_NAMES, TaskName
from pentathlon.worlds.houses.tasks.navigation_env import FARTHEST_M

Observations = dict[str, torch.Tensor]


class HouseVectorEnv(VectorEnv[Observations, torch.Tensor, Any]):
    """N navigators; an episode that ends is followed by the next one in the same step.

    Rewards and rules are those of `PentathlonObjectNav-v1`, `PentathlonImageNav-v1` and `PentathlonPointNav-v1`. The
    last observation of an episode is not kept; `info` tells of its success and its last state.

    Args:
        houses: where they walk.
        count: how many there are.
        task: `imagenav`, whose goal is a picture; `pointnav`, whose goal is a distance and a direction; or `objectnav`,
            whose goal is a kind's place among `houses.kinds`.
        rules: how they move, see and end.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 (Gymnasium declares it so)

    def __init__(
        self, houses: HouseSet, count: int, task: TaskName = "imagenav", rules: TeamRules | None = None
    ) -> None:
        if task not in TASK_NAMES:
            raise UnknownIdError("navigation task", task, TASK_NAMES)
        if (task == "objectnav") != bool(houses.kinds):
            wanted = "kinds as goals: HouseSet(kinds=...)" if task == "objectnav" else "places as goals, without kinds"
            raise UsageError(f"Expected houses with {wanted}, for {task}.")
        self.team, self.task, self.num_envs = Team(houses, count, rules), task, count
        self._goal_pictures: torch.Tensor | None = None
        width, height = self.team.rules.settings.size_px
        picture = spaces.Box(0, 255, (height, width, 3), np.uint8)
        goal: spaces.Space[Any] = spaces.Discrete(max(len(houses.kinds), 1))
        point = spaces.Box(np.array([0, -math.pi], np.float32), np.array([2 * FARTHEST_M, math.pi], np.float32))
        if task != "objectnav":
            goal = picture if task == "imagenav" else point
        self.single_action_space = spaces.Discrete(len(ACTIONS))
        self.single_observation_space = spaces.Dict(
            {
                "rgb": picture,
                "depth_m": spaces.Box(0.0, FARTHEST_M, (height, width), np.float32),
                "gps_m": spaces.Box(-FARTHEST_M, FARTHEST_M, (2,), np.float32),
                "compass_rad": spaces.Box(-math.pi, math.pi, (1,), np.float32),
                "goal": goal,
            }
        )
        self.action_space = gym.vector.utils.batch_space(self.single_action_space, count)
        self.observation_space = gym.vector.utils.batch_space(self.single_observation_space, count)

    def reset(
        self, *, seed: int | list[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begins new episodes for all; goal pictures are taken anew, since houses may have changed.

        Raises:
            UsageError: a seed for each was given: all draw from one stream, on the device.
        """
        if isinstance(seed, list):
            raise UsageError(f"Expected one seed for all {self.num_envs} navigators, got a list. Give one number.")
        self._goal_pictures = None
        self.team.begin(None if seed is None else int(seed))
        return self._observe(), {}

    def step(
        self, actions: torch.Tensor
    ) -> tuple[Observations, torch.Tensor, torch.Tensor, torch.Tensor, dict[str, Any]]:
        """Carries out an action of each; all five are tensors of the device, or hold such."""
        team = self.team
        team.act(torch.as_tensor(actions, dtype=torch.int64, device=team.houses.device))
        stopped, over = (team.ends & STOPPED) != 0, (team.ends & OUT_OF_STEPS) != 0
        info = {"success": (team.ends & SUCCEEDED) != 0, "finished": team.finished}
        return self._observe(), team.reward, stopped, over, info

    def _observe(self) -> Observations:
        pictures, senses = self.team.look(), self.team.senses
        assert pictures.rgb is not None
        assert pictures.depth_m is not None
        return {
            "rgb": pictures.rgb,
            "depth_m": pictures.depth_m,
            "gps_m": senses[:, :2],
            "compass_rad": senses[:, 2:3],
            "goal": self._goals(),
        }

    def _goals(self) -> torch.Tensor:
        if self.task == "objectnav":
            return self.team.goal_rows.long()
        if self.task == "pointnav":
            return self.team.senses[:, 3:5]
        if self._goal_pictures is None:
            self._goal_pictures = self.team.look_at_goals().rgb
            assert self._goal_pictures is not None
        return self._goal_pictures[self.team.goal_rows.long()]
