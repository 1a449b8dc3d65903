"""The arm agent from inside: what its last observation told, and where it stands on its own map."""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from pentathlon.core.entrants import Observation
from pentathlon.models.navigation.back_projection import Camera, MapPose, back_project, thinned, usable
from pentathlon.models.navigation.charts import Chart
from pentathlon.models.navigation.odometry import Odometry
from pentathlon.models.navigation.settings import CowSettings
from pentathlon.models.navigation.walk import BodyFacts, Walk
from pentathlon.worlds.houses.bodies.scope import FOLDED, TURNED_IN_RAD

Floats = npt.NDArray[np.float64]
Deed = Generator[str, None, bool]
"""Yields actions, one after each observation, and returns whether it came to a good end."""

MAP_PX = 112
# Nearer points are the agent's own arm.
OWN_M = 0.5
# The mast is 1.38 m high and the base 0.2 m in radius; its folded arm stands out a little in front.
SETTINGS = CowSettings(top_m=1.4, closed_m=0.19, bump_steps=150, measure_turns=False)


class KnownPose(Odometry):
    """An odometry that is told where the agent is."""

    def tell(self, pose: MapPose, bumped: bool) -> None:
        """Sets what the last observation told."""
        self.pose, self.bumped = pose, bumped


class ArmWalk(Walk):
    """A walk whose pose is known and whose pictures show the agent's own arm."""

    odometry: KnownPose

    def __init__(self, body: BodyFacts) -> None:
        super().__init__(body, SETTINGS)
        self.odometry = KnownPose(body.step_m, body.turn_deg, body.look_deg, SETTINGS.failed_m)

    def take_in(self, depth_m: npt.NDArray[np.float32], pose: MapPose, *, bumped: bool, arm_away: bool) -> None:
        """Draws a picture into the map, unless the arm is stretched out before the camera."""
        self.odometry.tell(pose, bumped)
        self.step += 1
        if bumped:
            ahead = pose.ahead(self.body.step_m)
            self.shut(*self.floor.cell(ahead.x_m, ahead.y_m), reach=1)
        if arm_away:
            points = back_project(usable(thinned(depth_m, MAP_PX)), pose, self.body.camera)
            own = np.hypot(points.x_m - pose.x_m, points.y_m - pose.y_m) < OWN_M
            for values in points:
                values[own] = np.nan
            self.floor.see(points, pose)

    def shut(self, row: int, column: int, reach: int = 0, steps: int | None = None) -> None:
        """Keeps some cells closed for a while: something is in the way there."""
        rows, columns = slice(row - reach, row + reach + 1), slice(column - reach, column + reach + 1)
        self._closed_until[rows, columns] = self.step + (steps or self.settings.bump_steps)


@dataclass
class Body:
    """What an agent knows of itself.

    Attributes:
        walk: the map of the floor.
        rest: the posture with the arm folded in.
        stuck: how often in a row it could not move.
    """

    walk: ArmWalk
    yaw_deg: float = 0.0
    pitch_deg: float = 0.0
    acted: bool = True
    touch: int = 0
    hand_m: Floats = field(default_factory=lambda: np.zeros(3))
    posture: Floats = field(default_factory=lambda: np.zeros(7))
    rest: Floats | None = None
    straight_rad: float = 0.0
    steps: int = 0
    stuck: int = 0
    random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))

    @staticmethod
    def of_briefing(facts: Mapping[str, Any]) -> Body:
        """Begins an episode."""
        angle_deg = float(facts.get("angle_deg", 15.0))
        camera = Camera(float(facts.get("camera_height_m", 1.38)), float(facts.get("fovy_deg", 83.6)))
        return Body(ArmWalk(BodyFacts(camera, float(facts.get("step_m", 0.25)), angle_deg, angle_deg)))

    @property
    def pose(self) -> MapPose:
        """Where the agent is."""
        return self.walk.pose

    @property
    def arm_away(self) -> bool:
        """Whether the arm is tucked in."""
        return self.rest is None or bool(np.all(np.abs(self.posture - self.rest) < 0.3))

    def turn_in(self, inwards: bool) -> None:
        """Says whether the arm, when it is folded next, is turned to the left too, which takes six more moves."""
        assert self.rest is not None
        self.rest[1] = self.straight_rad + (TURNED_IN_RAD if inwards else 0.0)

    def take_in(self, observation: Observation, last: str) -> None:
        """Reads an observation after an action."""
        x_m, y_m, yaw_deg, pitch_deg = (float(value) for value in observation["true_pose"])
        self.yaw_deg, self.pitch_deg, self.steps = yaw_deg, pitch_deg, self.steps + 1
        self.acted, self.touch = bool(observation["acted"]), int(observation["touch"])
        self.hand_m = np.asarray(observation["hand_m"], float)
        self.posture = np.asarray(observation["posture"], float)
        if self.rest is None:
            self.rest = self.posture + FOLDED
            self.straight_rad = float(self.rest[1])
        pose = MapPose(x_m, y_m, math.radians(yaw_deg), math.radians(pitch_deg))
        bumped = last == "MoveAhead" and not self.acted
        self.walk.take_in(observation["depth_m"], pose, bumped=bumped, arm_away=self.arm_away)

    def chart(self) -> Chart:
        """Draws what is known now."""
        return self.walk.chart()

    def in_frame(self, point_m: tuple[float, float, float] | Floats) -> Floats:
        """Returns a point of the map as the agent sees it: ahead, to the left, up."""
        dx, dy = float(point_m[0]) - self.pose.x_m, float(point_m[1]) - self.pose.y_m
        cosine, sine = math.cos(self.pose.yaw_rad), math.sin(self.pose.yaw_rad)
        return np.array([dx * cosine + dy * sine, dy * cosine - dx * sine, float(point_m[2])])
