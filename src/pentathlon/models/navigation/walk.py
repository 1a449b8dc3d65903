"""What an agent knows in one episode, and how it gets from here to there: map, pose, memory, bumps."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from pentathlon.models.navigation.back_projection import Camera, MapPose, Points, back_project, usable
from pentathlon.models.navigation.charts import Chart, draw_chart
from pentathlon.models.navigation.mapper import Cell, FloorMap
from pentathlon.models.navigation.memory import TargetMemory
from pentathlon.models.navigation.odometry import Odometry
from pentathlon.models.navigation.planner import actions_of, distance_field, first_beyond, macro_plan
from pentathlon.models.navigation.settings import CowSettings
from pentathlon.worlds.houses.bodies.navigator import Action

Floats = npt.NDArray[np.float32]
Cells = npt.NDArray[np.int64]

# The released planner's waypoint lies more than so many cells away, and counts as reached so many cells before it.
WAYPOINT_CELLS = 3.5
WAYPOINT_EXPANSIONS = 50
MOST_STUCK = 12


@dataclass(frozen=True)
class BodyFacts:
    """What the briefing tells of the body and the budget."""

    camera: Camera = field(default_factory=Camera)
    step_m: float = 0.25
    turn_deg: float = 30.0
    look_deg: float = 30.0
    steps: int = 250

    @staticmethod
    def of_briefing(facts: Mapping[str, Any]) -> BodyFacts:
        """Reads a briefing's facts; what it does not tell is as the benchmark has it."""
        plain, camera = BodyFacts(), Camera()
        return BodyFacts(
            Camera(float(facts.get("camera_height_m", camera.height_m)), float(facts.get("fovy_deg", camera.fovy_deg))),
            float(facts.get("step_m", plain.step_m)),
            float(facts.get("turn_deg", plain.turn_deg)),
            float(facts.get("look_deg", plain.look_deg)),
            int(facts.get("steps", plain.steps)),
        )

    @property
    def spin(self) -> list[Action]:
        """The turns after which everything around has been in the picture once."""
        return ["RotateLeft"] * math.ceil((360.0 - self.camera.fovy_deg) / self.turn_deg)


class Walk:
    """An episode as the agent knows it.

    Attributes:
        step: how many pictures were seen.
        resets: how often the map was thrown away.
        visited: frontier cells that were reached and stayed frontiers.
        path: where the agent believes to have been.
    """

    def __init__(self, body: BodyFacts, settings: CowSettings) -> None:
        self.body, self.settings = body, settings
        fovy_deg = body.camera.fovy_deg if settings.measure_turns else None
        self.odometry = Odometry(body.step_m, body.turn_deg, body.look_deg, settings.failed_m, fovy_deg)
        self.floor = FloorMap(settings)
        self.memory = TargetMemory(self.floor)
        self.step, self.resets, self._stuck = 0, 0, 0
        self.path: list[Cell] = []
        self._chart: Chart | None = None
        self._charted_step = 0
        self._clear()

    @property
    def pose(self) -> MapPose:
        """Where the agent believes to be."""
        return self.odometry.pose

    def see(self, depth_m: Floats) -> tuple[Points, bool]:
        """Takes in a depth picture; returns its points, and whether the last action seems to have failed."""
        depth_m = usable(depth_m)
        failed = self.odometry.see(depth_m)
        self.step += 1
        if self.odometry.bumped and self.settings.bump_steps:
            ahead = self.pose.ahead(self.body.step_m)
            self._closed_until[self.floor.cell(ahead.x_m, ahead.y_m)] = self.step + self.settings.bump_steps
        points = back_project(depth_m, self.pose, self.body.camera)
        self.floor.see(points, self.pose)
        self.path.append(self.floor.cell(self.pose.x_m, self.pose.y_m))
        return points, failed

    def chart(self) -> Chart:
        """Draws what is known now, once for each picture."""
        if self._chart is not None and self._charted_step == self.step:
            return self._chart
        bumps, shown = self._closed_until > self.step, self.memory.best > -np.inf
        self._chart, self._charted_step = draw_chart(self.floor, self.pose, bumps, shown, self.settings), self.step
        return self._chart

    def towards(self, chart: Chart, goals: Cells, *, hopeful: bool = False) -> list[Action]:
        """Returns the next actions on the way to the nearest of some cells of the chart; empty where there is none."""
        cost = chart.hope if hopeful else chart.cost
        place = chart.x, chart.y, self.pose.yaw_rad
        step, turn = self.body.step_m / self.floor.cell_m, math.radians(self.body.turn_deg)
        banned = self.odometry.bumped
        if self.settings.search == "deep":
            left = distance_field(cost, goals)
            return actions_of(macro_plan(cost, left, place, step, turn, banned=banned)[:1])
        row, column = first_beyond(chart.distance, goals[0], WAYPOINT_CELLS)
        left = np.hypot(np.arange(cost.shape[0])[:, None] - row, np.arange(cost.shape[1]) - column)
        most = WAYPOINT_EXPANSIONS
        return actions_of(
            macro_plan(cost, left, place, step, turn, banned=banned, near=WAYPOINT_CELLS, deepest=most, most=most)
        )

    def shrug(self) -> list[Action]:
        """What is left where no plan works: another look, and after many of them a new map."""
        self._stuck += 1
        if self._stuck % MOST_STUCK == 0:
            self.forget_map()
            return self.body.spin
        return ["RotateLeft"]

    def forget_map(self) -> None:
        """Throws the map away, as CoW does where nothing is left to explore; what was seen of the target stays."""
        self.floor.state[:] = 0
        self.resets += 1
        self._clear()

    def _clear(self) -> None:
        self._chart = None
        self.visited = np.zeros(self.floor.state.shape, bool)
        self._closed_until = np.zeros(self.floor.state.shape, np.int32)
