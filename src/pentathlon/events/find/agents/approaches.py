"""Approaches: from where the target was seen to where Stop counts."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from pentathlon.models.navigation.charts import Chart
from pentathlon.models.navigation.facing import distance_from, turns_to
from pentathlon.models.navigation.frontiers import frontier_cells, group_frontiers
from pentathlon.models.navigation.memory import Glimpse
from pentathlon.models.navigation.walk import Walk
from pentathlon.worlds.houses.bodies.navigator import Action
from pentathlon.worlds.houses.tasks.goals import turning

Cells = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

# Stop counts within 1.0 m of the axis; the rest allows for rounding and for the noise of one step.
STOP_WITHIN_M = 0.97
# Places to look from, the best distance first.
REACHES_M = (0.8, 0.95, 1.1)
TRIED_M = 0.2
RELEASED_STOP_CELLS = 8
_EIGHT_NEIGHBOURS = np.ones((3, 3), bool)


class Approach(Protocol):
    """Chooses actions once something of the target has been seen."""

    def reset(self) -> None:
        """Starts an episode."""
        ...

    def stops(self, walk: Walk, glimpse: Glimpse) -> bool:
        """Tells whether to stop here and now, whatever was planned."""
        ...

    def approach(self, walk: Walk) -> list[Action]:
        """Returns the next actions; empty where it knows no way and the agent had better explore on."""
        ...


class CheckedApproach:
    """Goes near, faces the target, and stops only when it is seen near enough; else it tries other places around it."""

    def __init__(self, fewest_px: int = 20, most_tries: int | None = None) -> None:
        """Sets what counts as seen.

        Args:
            fewest_px: fewer pixels near enough are stopped for only after three places were tried.
            most_tries: after so many places a target that never got relevant enough is dismissed; ``None``: never.
        """
        self._fewest_px, self._most_tries = fewest_px, most_tries

    def reset(self) -> None:
        """Starts an episode."""
        self._tries = 0
        self._tried: Mask | None = None

    def stops(self, walk: Walk, glimpse: Glimpse) -> bool:
        """Stops when enough pixels of the target are near enough."""
        if glimpse.near_m > STOP_WITHIN_M:
            return False
        return glimpse.pixels >= self._fewest_px or self._tries >= 3

    def approach(self, walk: Walk) -> list[Action]:
        """Returns the next actions."""
        chart = walk.chart()
        target = _strongest(chart, walk)
        if not len(target):
            return []
        goals, hopeful = self._places(chart, target, walk)
        if not goals.any():
            self._give_up(walk)
            return []
        if goals[chart.here]:
            return self._look(chart, target, walk)
        return walk.towards(chart, np.argwhere(goals), hopeful=hopeful)

    def _places(self, chart: Chart, target: Cells, walk: Walk) -> tuple[Mask, bool]:
        """Cells to look from: those that can be walked to if there are any, else those one may hope to reach."""
        gap_m = distance_from(target, chart.state.shape) * walk.floor.cell_m
        tried = chart.part(self._all_tried(walk))
        reached = np.isfinite(chart.distance) & ~tried
        for place in (chart.open, np.isfinite(chart.cost)):
            for reach_m in REACHES_M:
                goals = (gap_m <= reach_m) & place & reached
                if goals.any():
                    return goals, False
        goals = (gap_m <= REACHES_M[0]) & np.isfinite(chart.hope) & ~tried
        return goals, True

    def _look(self, chart: Chart, target: Cells, walk: Walk) -> list[Action]:
        """Faces the target; where that was done already, looks up or down once and gives this place up."""
        turns = turns_to(chart, target, walk)
        if turns:
            return list(turning(turns))
        self._tries += 1
        row, column = walk.floor.cell(walk.pose.x_m, walk.pose.y_m)
        reach = round(TRIED_M / walk.floor.cell_m)
        self._all_tried(walk)[row - reach : row + reach + 1, column - reach : column + reach + 1] = True
        if self._most_tries is not None and self._tries >= self._most_tries:
            self._dismiss(chart, target, walk)
        low = float(chart.part(walk.memory.height_m)[tuple(target.T)].mean()) < walk.body.camera.height_m
        return ["LookDown", "LookUp"] if low else ["LookUp", "LookDown"]

    def _dismiss(self, chart: Chart, target: Cells, walk: Walk) -> None:
        walk.memory.dismissed[tuple((target + np.array(chart.origin)).T)] = True
        self._tries = 0

    def _give_up(self, walk: Walk) -> None:
        """All places were tried: begin anew, since the map may have been wrong."""
        self._all_tried(walk)[:] = False

    def _all_tried(self, walk: Walk) -> Mask:
        if self._tried is None:
            self._tried = np.zeros(walk.floor.state.shape, bool)
        return self._tried


class ReleasedApproach:
    """The released agent's rule as we read it: within eight cells of the nearest target cell face it and stop."""

    def reset(self) -> None:
        """Starts an episode."""

    def stops(self, walk: Walk, glimpse: Glimpse) -> bool:
        """Never stops for what it sees now."""
        return False

    def approach(self, walk: Walk) -> list[Action]:
        """Returns the next actions."""
        chart = walk.chart()
        target = _on_chart(walk.memory.targets(), chart)
        nearest = target[int(np.argmin(np.hypot(*(target - np.array([chart.x, chart.y])).T)))]
        stop: list[Action] = [*turning(turns_to(chart, nearest[None], walk)), "Stop"]
        if np.hypot(*(nearest - np.array([chart.x, chart.y]))) <= RELEASED_STOP_CELLS:
            return stop
        proxy = _proxy(chart, nearest)
        if proxy is None or chart.distance[tuple(proxy)] < 1.5:
            return stop
        if np.isfinite(chart.distance[tuple(proxy)]):
            return walk.towards(chart, proxy[None]) or ["RotateLeft"]
        return _to_frontier_near(nearest, chart, walk) or ["RotateLeft"]


def _to_frontier_near(target: Cells, chart: Chart, walk: Walk) -> list[Action]:
    cells = group_frontiers(frontier_cells(chart.state, chart.open)).cells
    cells = cells[np.isfinite(chart.distance[tuple(cells.T)])]
    if not len(cells):
        return []
    return walk.towards(chart, cells[[int(np.argmin(np.hypot(*(cells - target).T)))]])


def _strongest(chart: Chart, walk: Walk) -> Cells:
    """Cells of the connected target that was seen with the highest relevance; of all those where several are equal."""
    best = chart.part(np.where(walk.memory.dismissed, -np.inf, walk.memory.best))
    labels, count = ndimage.label(best > -np.inf, _EIGHT_NEIGHBOURS)
    if not count:
        return np.zeros((0, 2), np.int64)
    highest = ndimage.maximum(best, labels, np.arange(1, count + 1))
    return np.argwhere(np.isin(labels, 1 + np.flatnonzero(highest >= np.max(highest))))


def _on_chart(cells: Cells, chart: Chart) -> Cells:
    """Cells of the map as cells of the chart, moved to its rim where they lie beyond."""
    found: Cells = np.clip(cells - np.array(chart.origin), 0, np.array(chart.state.shape) - 1)
    return found


def _proxy(chart: Chart, target: npt.NDArray[np.int64]) -> Cells | None:
    """The first open cell on the straight line from the target to the agent."""
    steps = max(2, int(np.max(np.abs(target - np.array(chart.here)))) + 1)
    line = np.rint(np.linspace(target, chart.here, steps)).astype(np.int64)
    clear = line[chart.open[tuple(line.T)]]
    return clear[0] if len(clear) else None
