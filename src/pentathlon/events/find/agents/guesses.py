"""The last guess: before its steps run out, an agent walks to where the sentence fitted best so far and stops."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from pentathlon.events.find.agents.approaches import REACHES_M
from pentathlon.models.navigation.charts import Chart
from pentathlon.models.navigation.facing import distance_from, turns_to
from pentathlon.models.navigation.walk import Walk
from pentathlon.worlds.houses.bodies.navigator import Action
from pentathlon.worlds.houses.tasks.goals import turning

Cells = npt.NDArray[np.int64]

# No way is longer; earlier than so many steps before the end nothing is guessed.
EARLIEST_STEPS = 120
# A way takes so many more steps than straight ones, and so many to turn and look at its end.
DETOUR, SPARE_STEPS = 1.5, 10
# What lies farther above or below the view's middle is looked up or down to.
STEEPEST_RAD = math.radians(32.0)


class LastGuess:
    """Walks to the best place known when the steps left are as many as the way takes."""

    def reset(self) -> None:
        """Starts an episode."""
        self.going = False

    def actions(self, walk: Walk) -> list[Action]:
        """Returns the next actions of the last walk, none while it is too early or nothing was seen."""
        left = walk.body.steps - walk.step
        if not self.going and left > EARLIEST_STEPS:
            return []
        cell = walk.memory.likeliest()
        if cell is None:
            return []
        chart = walk.chart()
        target = np.clip(cell - np.array(chart.origin), 0, np.array(chart.state.shape) - 1)[None]
        goals = _places(chart, target, walk)
        steps = _steps_to(chart, goals, walk)
        self.going = self.going or left <= (EARLIEST_STEPS if math.isinf(steps) else steps + SPARE_STEPS)
        return self._walk(chart, target, goals, walk) if self.going else []

    def _walk(self, chart: Chart, target: Cells, goals: npt.NDArray[np.bool_], walk: Walk) -> list[Action]:
        if not goals.any():
            return []
        if not goals[chart.here]:
            return walk.towards(chart, np.argwhere(goals), hopeful=not np.isfinite(chart.distance[goals]).any())
        turns = turns_to(chart, target, walk)
        return [*turning(turns), *self._tilt(chart, target, walk), "Stop"]

    def _tilt(self, chart: Chart, target: Cells, walk: Walk) -> list[Action]:
        """Looks up or down to what would lie beyond the picture's edge."""
        away_m = float(np.hypot(*(target[0] - np.array([chart.x, chart.y])))) * walk.floor.cell_m
        height_m = float(chart.part(walk.memory.top_m)[tuple(target[0])])
        steep = math.atan2(walk.body.camera.height_m - height_m, max(away_m, 0.1)) - walk.pose.pitch_rad
        if abs(steep) < STEEPEST_RAD:
            return []
        return ["LookDown" if steep > 0 else "LookUp"]


def _places(chart: Chart, target: Cells, walk: Walk) -> npt.NDArray[np.bool_]:
    """Cells that can be walked to from which the target is near enough, else those one may hope to reach."""
    gap_m = distance_from(target, chart.state.shape) * walk.floor.cell_m
    for reach_m in REACHES_M:
        goals: npt.NDArray[np.bool_] = (gap_m <= reach_m) & np.isfinite(chart.distance)
        if goals.any():
            return goals
    return (gap_m <= REACHES_M[0]) & np.isfinite(chart.hope)


def _steps_to(chart: Chart, goals: npt.NDArray[np.bool_], walk: Walk) -> float:
    """Steps that the way to the nearest goal takes, turns included; infinite where none is known."""
    if not goals.any():
        return math.inf
    length_m = float(chart.distance[goals].min()) * walk.floor.cell_m
    return DETOUR * length_m / walk.body.step_m
