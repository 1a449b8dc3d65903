"""The Gymnasium environment that the three navigation tasks share: houses, episodes, observations and reward."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from operator import index as whole_number
from typing import Any, ClassVar, TypeVar

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.core.identity import derive_seed
from pentathlon.worlds.houses.bodies.navigator import ACTIONS, NavigatorSettings, Sight
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.splits import split_house, split_seeds
from pentathlon.worlds.houses.tasks.episodes import Course, Episode, TaskName
from pentathlon.worlds.houses.tasks.goals import Goal

SUCCESS_REWARD = 5.0
STEP_COST = 0.01
FARTHEST_M = 100.0
LAST_SEED = 2**31 - 1
HOUSE_ATTEMPTS = 50
MOST_OBJECTS = 5000
MOST_KEPT = 64  # houses whose compiled models fit on disk together
OPTIONS = ("house", "episode")

Observation = dict[str, Any]
Made = TypeVar("Made")


class NavigationEnv(gym.Env[Observation, np.int64], ABC):
    """A navigator in house after house.

    Args:
        split: ``train``, ``val`` or ``test``.
        houses: how many houses of the split, from its first; or the houses themselves.
        size_px: width and height of the pictures.
        settings: how the navigator moves and sees; its size and segmentation are replaced by the arguments here.
        segmentation: whether observations tell the object of each pixel.
        episodes_per_house: after so many the next house is drawn.
        render_mode: ``rgb_array`` or none.

    ``reset`` takes the options ``house`` (place among the houses) and ``episode`` (its seed), which together name one
    episode for ever. A ``seed`` starts the sequence of houses and episodes anew.
    """

    metadata = {  # noqa: RUF012 (Gymnasium declares it so)
        "render_modes": ["rgb_array"],
        "render_fps": 10,
    }
    task: ClassVar[TaskName]

    def __init__(
        self,
        split: str = "train",
        houses: int | Sequence[House] = 100,
        size_px: tuple[int, int] = (128, 128),
        settings: NavigatorSettings | None = None,
        segmentation: bool = False,
        episodes_per_house: int = 10,
        render_mode: str | None = None,
    ) -> None:
        self._split, self._houses = split, houses if isinstance(houses, int) else tuple(houses)
        self._house_count = _checked_count(split, self._houses)
        width, height = size_px
        self.settings = replace(
            settings or NavigatorSettings(), size_px=(int(width), int(height)), segmentation=segmentation
        )
        if episodes_per_house < 1:
            raise UsageError(f"Expected episodes_per_house of at least 1, got {episodes_per_house}.")
        if render_mode not in (None, "rgb_array"):
            raise UnknownIdError("render mode", render_mode, ("rgb_array",))
        self._episodes_per_house = episodes_per_house
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(len(ACTIONS))
        self.observation_space = spaces.Dict(self._spaces())
        self._house_index, self._left = -1, 0
        self._course: Course | None = None
        self._episode: Episode | None = None
        self._goal: Goal | None = None
        self._sight: Sight | None = None

    @property
    def course(self) -> Course:
        """The present house."""
        return _made(self._course)

    @property
    def episode(self) -> Episode:
        """The present episode."""
        return _made(self._episode)

    @property
    def goal(self) -> Goal:
        """The goal of the present episode."""
        return _made(self._goal)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins an episode."""
        super().reset(seed=seed)
        if seed is not None:
            self._left = 0
        episode = self._draw(options or {})
        self._episode, self._goal = episode, self.course.goal(episode)
        self.course.navigator.place(episode.start, seed=derive_seed(episode.id, "noise"))
        self._steps = self._collisions = 0
        self._success = False
        self._distance_m = self._goal.distance_m(episode.start.x_m, episode.start.y_m)
        self._goal_observation = self._fixed_goal_observation()
        return self._observe(), self._info()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Carries out one action; Stop ends the episode."""
        if not self.action_space.contains(action):
            raise UsageError(f"Expected an action from 0 to {len(ACTIONS) - 1}, got {action!r}.")
        navigator, name = self.course.navigator, ACTIONS[int(action)]
        navigator.act(name)
        self._steps += 1
        self._collisions += int(navigator.collided)
        stopped = name == "Stop"
        self._success = stopped and self.goal.reached(navigator.pose)
        before_m, self._distance_m = self._distance_m, self.goal.distance_m(navigator.pose.x_m, navigator.pose.y_m)
        reward = SUCCESS_REWARD * self._success + before_m - self._distance_m - STEP_COST
        return self._observe(), reward, stopped, False, self._info()

    def render(self) -> NDArray[np.uint8] | None:
        """Returns what the navigator saw last."""
        return None if self.render_mode is None or self._sight is None else self._sight.rgb

    def close(self) -> None:
        """Frees the house."""
        if self._course is not None:
            self._course.close()
        self._course, self._house_index = None, -1

    def _spaces(self) -> dict[str, spaces.Space[Any]]:
        width, height = self.settings.size_px
        found: dict[str, spaces.Space[Any]] = {
            "rgb": spaces.Box(0, 255, (height, width, 3), np.uint8),
            "depth_m": spaces.Box(0.0, FARTHEST_M, (height, width), np.float32),
            "gps_m": spaces.Box(-FARTHEST_M, FARTHEST_M, (2,), np.float32),
            "compass_rad": spaces.Box(-math.pi, math.pi, (1,), np.float32),
            "goal": self._goal_space(),
        }
        if self.settings.segmentation:
            found["object_index"] = spaces.Box(-1, MOST_OBJECTS, (height, width), np.int32)
        return found

    @abstractmethod
    def _goal_space(self) -> spaces.Space[Any]: ...

    @abstractmethod
    def _fixed_goal_observation(self) -> Any:
        """What of the goal stays the same during an episode."""

    def _present_goal(self) -> Any:
        """What the present observation tells of the goal, free for the receiver to change."""
        return copy(self._goal_observation)

    def _types(self) -> tuple[str, ...]:
        return ()

    def _observe(self) -> Observation:
        navigator = self.course.navigator
        self._sight = navigator.look()
        found = {
            "rgb": self._sight.rgb,
            "depth_m": self._sight.depth_m,
            "gps_m": np.array(navigator.gps_m, np.float32),
            "compass_rad": np.clip(np.array([navigator.compass_rad], np.float32), -np.float32(math.pi), math.pi),
            "goal": self._present_goal(),
        }
        if self._sight.object_index is not None:
            found["object_index"] = self._sight.object_index
        return found

    def _info(self) -> dict[str, Any]:
        navigator, episode = self.course.navigator, self.episode
        longest_m = max(navigator.travelled_m, episode.length_m)
        return {
            "success": self._success,
            "spl": float(self._success) * episode.length_m / longest_m,
            "distance_m": self._distance_m,
            "collisions": self._collisions,
            "collided": navigator.collided,
            "steps": self._steps,
            "travelled_m": navigator.travelled_m,
            "pose": tuple(navigator.pose),
            "episode": episode.id,
            "length_m": episode.length_m,
        }

    def _draw(self, options: dict[str, Any]) -> Episode:
        for name in options:
            if name not in OPTIONS:
                raise UnknownIdError("option of reset", name, OPTIONS)
        if "house" in options:
            self._enter(_whole(options, "house"))
            self._left = 1
        elif self._left == 0 or self._course is None:
            return self._draw_elsewhere(options)
        self._left -= 1
        return self.course.draw(self.task, self._episode_seed(options), self._types())

    def _draw_elsewhere(self, options: dict[str, Any]) -> Episode:
        """Enters houses until one has an episode for the task."""
        refusal: UsageError | None = None
        for _ in range(HOUSE_ATTEMPTS):
            self._enter(int(self.np_random.integers(self._house_count)))
            self._left = self._episodes_per_house - 1
            try:
                return self.course.draw(self.task, self._episode_seed(options), self._types())
            except UsageError as error:
                refusal = error
        raise UsageError(f"Expected an episode in one of {HOUSE_ATTEMPTS} houses drawn, got none.") from refusal

    def _episode_seed(self, options: dict[str, Any]) -> int:
        return _whole(options, "episode") if "episode" in options else int(self.np_random.integers(LAST_SEED))

    def _enter(self, index: int) -> None:
        if not 0 <= index < self._house_count:
            raise UsageError(f"Expected a house from 0 to {self._house_count - 1}, got {index}.")
        if index != self._house_index or self._course is None:
            self.close()
            house = split_house(self._split, index) if isinstance(self._houses, int) else self._houses[index]
            kept = self._house_count <= MOST_KEPT
            self._course, self._house_index = Course(house, self.settings, kept=kept), index


def _checked_count(split: str, houses: int | tuple[House, ...]) -> int:
    available = len(split_seeds(split)) if isinstance(houses, int) else len(houses)
    count = houses if isinstance(houses, int) else available
    if not 1 <= count <= available:
        raise UsageError(f"Expected from 1 to {available} houses of split {split!r}, got {count}.")
    return count


def _whole(options: dict[str, Any], name: str) -> int:
    try:
        return whole_number(options[name])
    except TypeError:
        raise UsageError(f"Expected a whole number as option {name!r} of reset, got {options[name]!r}.") from None


def _made(part: Made | None) -> Made:
    if part is None:
        raise UsageError("Expected an environment in an episode, got one before its first reset. Call reset().")
    return part
