"""Gymnasium environments for ObjectNav, ImageNav and PointNav in houses.

    env = gymnasium.make("pentathlon.worlds.houses:PentathlonObjectNav-v1", split="val", houses=20, size_px=(128, 128))

Actions are numbers into ``ACTIONS``. Reward: 5 for success, plus the decrease of the walking distance to the nearest
success place in metres, minus 0.01. The step limit is Gymnasium's own ``max_episode_steps``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from pentathlon.worlds.houses.bodies.navigator import Pose
from pentathlon.worlds.houses.tasks.navigation_env import FARTHEST_M, NavigationEnv
from pentathlon.worlds.houses.tasks.targets import target_types


class ObjectNavEnv(NavigationEnv):
    """Find an object of a type; ``goal`` is its place in ``types``.

    Args:
        targets: ``robothor``, ``habitat``, or names of the catalogue.
        arguments: as for ``NavigationEnv``.
    """

    task = "objectnav"

    def __init__(self, *, targets: str | Sequence[str] = "robothor", **arguments: Any) -> None:
        self.types = target_types(targets)
        super().__init__(**arguments)

    def _types(self) -> tuple[str, ...]:
        return self.types

    def _goal_space(self) -> spaces.Space[Any]:
        return spaces.Discrete(len(self.types))

    def _fixed_goal_observation(self) -> np.int64:
        return np.int64(self.types.index(str(self.episode.target)))


class ImageNavEnv(NavigationEnv):
    """Find the place of a picture, which is ``goal``."""

    task = "imagenav"

    def _goal_space(self) -> spaces.Space[Any]:
        width, height = self.settings.size_px
        return spaces.Box(0, 255, (height, width, 3), np.uint8)

    def _fixed_goal_observation(self) -> NDArray[np.uint8]:
        assert isinstance(self.episode.target, Pose)
        return self.course.navigator.look(self.episode.target).rgb


class PointNavEnv(NavigationEnv):
    """Go to a point; ``goal`` is its distance in metres and its direction in radians, counter-clockwise from ahead."""

    task = "pointnav"

    def _goal_space(self) -> spaces.Space[Any]:
        low, high = np.array([0.0, -math.pi], np.float32), np.array([2 * FARTHEST_M, math.pi], np.float32)
        return spaces.Box(low, high, dtype=np.float32)

    def _fixed_goal_observation(self) -> None:
        return None

    def _present_goal(self) -> NDArray[np.float32]:
        pose, target = self.course.navigator.pose, self.episode.target
        assert isinstance(target, Pose)
        dx, dy = target.x_m - pose.x_m, target.y_m - pose.y_m
        angle = math.remainder(math.atan2(dy, dx) - math.radians(pose.yaw_deg), 2 * math.pi)
        found = np.array([math.hypot(dx, dy), angle], np.float32)
        return np.clip(found, self.observation_space["goal"].low, self.observation_space["goal"].high)  # type: ignore[index]
