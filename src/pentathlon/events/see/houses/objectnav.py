"""ObjectNav: find a thing of a kind and stop beside it. The demonstrator explores by frontiers until it sees one."""

from __future__ import annotations

import math
from collections import deque

import numpy as np

from pentathlon.core.errors import UsageError
from pentathlon.events.see.houses.protocol import HouseProtocol
from pentathlon.events.see.houses.worlds import Seen
from pentathlon.models.navigation.back_projection import Camera, thinned
from pentathlon.models.navigation.explorers import FrontierExplorer
from pentathlon.models.navigation.settings import MENDED
from pentathlon.models.navigation.walk import BodyFacts, Walk
from pentathlon.worlds.houses.bodies.navigator import ACTIONS, Action, NavigatorSettings, Sight
from pentathlon.worlds.houses.splits import split_house
from pentathlon.worlds.houses.tasks.agents import Oracle
from pentathlon.worlds.houses.tasks.episodes import Course
from pentathlon.worlds.houses.tasks.goals import InstanceGoal
from pentathlon.worlds.houses.tasks.targets import HABITAT_TYPES

FOVY_DEG = 79.0  # of a square picture: CortexBench's is as wide
SEEN_PIXELS = 0.002  # of the picture: from here on the demonstrator knows what it sees
MAP_PX = 64
_SCALE = 0.1  # metres to about one


class ObjectNavWorld:
    """Episodes of ObjectNav for Habitat's six kinds of things."""

    choices: tuple[str, ...] = ACTIONS

    def __init__(self, protocol: HouseProtocol) -> None:
        size = (protocol.size_px, protocol.size_px)
        self._settings = NavigatorSettings(size_px=size, fovy_deg=FOVY_DEG, segmentation=True)
        self._steps, self._entered = protocol.steps, ("", -1)
        self._course: Course | None = None

    def begin(self, split: str, house: int, seed: int) -> bool:
        """Begins an episode; false where the house has no thing of any kind."""
        if self._entered != (split, house):
            self.close()
            self._course, self._entered = Course(split_house(split, house), self._settings, kept=True), (split, house)
        course = self._open()
        try:
            episode = course.draw("objectnav", seed, HABITAT_TYPES)
        except UsageError:
            return False
        self._episode, self._goal = episode, course.goal(episode)
        course.navigator.place(episode.start, seed)
        self._success, self._sight = False, course.navigator.look()
        self._teacher = _Teacher(course, str(episode.target), self._steps)
        return True

    def observe(self) -> Seen:
        """The picture; which kind is looked for, place and turn since the start."""
        navigator = self._open().navigator
        kind = [float(name == self._episode.target) for name in HABITAT_TYPES]
        turn = navigator.compass_rad
        ahead_m, left_m = navigator.gps_m
        state = np.array([*kind, _SCALE * ahead_m, _SCALE * left_m, math.cos(turn), math.sin(turn)], np.float32)
        return Seen(self._sight.rgb, state)

    def teach(self) -> int:
        """What the demonstrator does here."""
        return ACTIONS.index(self._teacher.next_action(self._sight))

    def act(self, choice: int) -> bool:
        """Carries out an action; Stop ends the episode."""
        navigator = self._open().navigator
        navigator.act(ACTIONS[choice])
        if ACTIONS[choice] == "Stop":
            self._success = self._goal.reached(navigator.pose)
            return True
        self._sight = navigator.look()
        return False

    def measures(self) -> dict[str, float]:
        """Success, and success weighed by path length."""
        longest_m = max(self._open().navigator.travelled_m, self._episode.length_m)
        return {"score": float(self._success), "spl": float(self._success) * self._episode.length_m / longest_m}

    def close(self) -> None:
        """Frees the house."""
        if self._course is not None:
            self._course.close()
        self._course, self._entered = None, ("", -1)

    def _open(self) -> Course:
        assert self._course is not None
        return self._course


class _Teacher:
    """Looks around, goes from frontier to frontier, and once it sees the thing, goes there by the shortest way."""

    def __init__(self, course: Course, kind: str, steps: int) -> None:
        self._navigator = course.navigator
        settings = self._navigator.settings
        camera = Camera(settings.camera_height_m, settings.fovy_deg)
        self._walk = Walk(BodyFacts(camera, settings.step_m, settings.turn_deg, settings.look_deg, steps), MENDED)
        self._explorer = FrontierExplorer()
        self._queue: deque[Action] = deque(self._walk.body.spin)
        self._things = {i: item.id for i, item in enumerate(course.house.objects) if item.type == kind}
        self._oracle: Oracle | None = None

    def next_action(self, sight: Sight) -> Action:
        """Maps what is seen and returns the next action."""
        if self._oracle is None:
            thing = self._seen(sight)
            if thing is not None:
                self._oracle = Oracle(self._navigator, InstanceGoal(self._navigator, thing))
        if self._oracle is not None:
            return self._oracle.next_action()
        _, failed = self._walk.see(np.asarray(thinned(sight.depth_m, MAP_PX), np.float32))
        if failed:
            self._queue.clear()
        if not self._queue:
            self._queue.extend(self._explorer.explore(self._walk, {"depth_m": sight.depth_m}))
        action = self._queue.popleft()
        self._walk.odometry.will(action)
        return action

    def _seen(self, sight: Sight) -> str | None:
        """Returns the thing of the kind that fills most of the picture, if enough of it."""
        assert sight.object_index is not None
        counts = {i: int((sight.object_index == i).sum()) for i in self._things}
        best = max(counts, key=lambda i: counts[i], default=None)
        return self._things[best] if best is not None and counts[best] > SEEN_PIXELS * sight.object_index.size else None
