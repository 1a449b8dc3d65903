"""Visits to what a sentence names as its target's place: a thing under a bed is looked for at beds first."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pentathlon.events.find.agents.relations import Surroundings
from pentathlon.models.navigation.charts import Chart
from pentathlon.models.navigation.facing import distance_from, turns_to
from pentathlon.models.navigation.walk import Walk
from pentathlon.worlds.houses.bodies.navigator import Action
from pentathlon.worlds.houses.tasks.goals import turning

Mask = npt.NDArray[np.bool_]

# From so far a small thing covers enough pixels; what is nearer than the second number has then been looked at.
LOOK_FROM_M, LOOKED_AT_M = 0.9, 1.3
FEWEST_CELLS = 3
MOST_STEPS = 110


class AnchorVisits:
    """Walks to each of the seen things that the target is said to be on, in or under, faces it and looks down."""

    def reset(self) -> None:
        """Starts an episode."""
        self._looked_at: Mask | None = None
        self._steps = 0

    def actions(self, walk: Walk, surroundings: Surroundings) -> list[Action]:
        """Returns the next actions of a visit; none where nothing is left to visit or it has taken too long."""
        if self._looked_at is None:
            self._looked_at = np.zeros(walk.floor.state.shape, bool)
        chart = walk.chart()
        left = chart.part(surroundings.anchors() & ~self._looked_at)
        if self._steps >= MOST_STEPS or np.count_nonzero(left) < FEWEST_CELLS:
            return []
        actions = self._visit(chart, left, walk)
        self._steps += len(actions)
        return actions

    def _visit(self, chart: Chart, left: Mask, walk: Walk) -> list[Action]:
        gap_m = distance_from(np.argwhere(left), chart.state.shape) * walk.floor.cell_m
        goals = (gap_m <= LOOK_FROM_M) & np.isfinite(chart.distance)
        if not goals.any():
            return []
        if not goals[chart.here]:
            return walk.towards(chart, np.argwhere(goals))
        near = np.argwhere(left & self._around(chart, walk))
        if turns := turns_to(chart, near, walk):
            return list(turning(turns))
        assert self._looked_at is not None
        chart.part(self._looked_at)[tuple(near.T)] = True
        return ["LookDown", "LookUp"]

    def _around(self, chart: Chart, walk: Walk) -> Mask:
        rows, columns = np.ogrid[: chart.state.shape[0], : chart.state.shape[1]]
        around: Mask = np.hypot(rows - chart.x, columns - chart.y) * walk.floor.cell_m <= LOOKED_AT_M
        return around
