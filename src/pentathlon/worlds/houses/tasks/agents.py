"""Agents without learning: random, stopping at once, and the oracle that knows the map."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.core.entrants import Briefing, Observation
from pentathlon.worlds.houses.bodies.navigator import ACTIONS, Action, Navigator, NavigatorSettings, Pose
from pentathlon.worlds.houses.tasks.goals import Goal
from pentathlon.worlds.houses.tasks.navigation_env import NavigationEnv
from pentathlon.worlds.houses.tasks.planner import plan

# Noise below this is left to accumulate; beyond it the oracle plans anew.
OFF_COURSE_M = 0.03
OFF_COURSE_DEG = 1.5
MOST_PLANS = 200


class RandomAgent:
    """Chooses every action, Stop too, with the same chance."""

    def __init__(self) -> None:
        self._random = np.random.default_rng(0)

    def reset(self, briefing: Briefing) -> None:
        """Starts an episode."""
        self._random = np.random.default_rng(briefing.seed)

    def act(self, observation: Observation) -> int:
        """Chooses the next action."""
        return int(self._random.integers(len(ACTIONS)))


class StopAgent:
    """Stops at once."""

    def reset(self, briefing: Briefing) -> None:
        """Starts an episode."""

    def act(self, observation: Observation) -> int:
        """Chooses Stop."""
        return ACTIONS.index("Stop")


class Oracle:
    """Tells the next action of the shortest way to a goal, and plans anew when noise or a collision led off it."""

    def __init__(self, navigator: Navigator, goal: Goal) -> None:
        self._navigator, self._goal = navigator, goal
        self._actions: list[Action] = []
        self._expected = Pose(0.0, 0.0, 0.0)
        self._plans = 0

    def next_action(self) -> Action:
        """Returns the next action; Stop where the goal is reached or no way leads to it."""
        if not self._actions and self._goal.reached(self._navigator.pose):
            return "Stop"
        if not self._actions or self._off_course():
            self._plan()
        if not self._actions:
            return "Stop"
        action = self._actions.pop(0)
        self._expected = _after(self._expected, action, self._navigator.settings)
        return action

    def _plan(self) -> None:
        self._plans += 1
        found = plan(self._navigator, self._goal) if self._plans <= MOST_PLANS else []
        if found is None and self._navigator.settings.noisy:
            # Noise led into a corner that no step leaves at these headings; a noisy turn shifts them.
            found = ["RotateLeft"]
        self._actions, self._expected = found or [], self._navigator.pose

    def _off_course(self) -> bool:
        pose, expected = self._navigator.pose, self._expected
        gap_m = math.dist(pose[:2], expected[:2])
        turn_deg = abs(math.remainder(pose.yaw_deg - expected.yaw_deg, 360.0))
        return gap_m > OFF_COURSE_M or turn_deg > OFF_COURSE_DEG


class OracleAgent:
    """Walks the shortest way that the navigator's steps allow, by knowing the house and the goal.

    Args:
        environment: the one it acts in, whose state it reads; observations are not looked at.
    """

    def __init__(self, environment: NavigationEnv) -> None:
        self._environment = environment
        self._oracle: Oracle | None = None

    def reset(self, briefing: Briefing) -> None:
        """Starts an episode."""
        self._oracle = None

    def act(self, observation: Observation) -> int:
        """Chooses the next action."""
        if self._oracle is None:
            self._oracle = Oracle(self._environment.course.navigator, self._environment.goal)
        return ACTIONS.index(self._oracle.next_action())


def _after(pose: Pose, action: Action, settings: NavigatorSettings) -> Pose:
    """Where an action leads without noise and collisions."""
    if action == "MoveAhead":
        yaw = math.radians(pose.yaw_deg)
        x, y = pose.x_m + settings.step_m * math.cos(yaw), pose.y_m + settings.step_m * math.sin(yaw)
        return pose._replace(x_m=x, y_m=y)
    turns = {"RotateLeft": 1, "RotateRight": -1}.get(action, 0)
    return pose._replace(yaw_deg=pose.yaw_deg + turns * settings.turn_deg)
