"""Explorers: where to go while nothing is known that is worth going to."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
import numpy.typing as npt

from pentathlon.core.entrants import Observation
from pentathlon.models.navigation.charts import Chart
from pentathlon.models.navigation.frontiers import Frontiers, frontier_cells, group_frontiers
from pentathlon.models.navigation.walk import Walk
from pentathlon.worlds.houses.bodies.navigator import Action

Floats = npt.NDArray[np.float64]
Cells = npt.NDArray[np.int64]

# A frontier so near has been looked at: the released agent's 3.5 cells, and the square of cells it marks.
REACHED_M = 0.4375
REACHED_SQUARE_M = 0.25


class Explorer(Protocol):
    """Chooses actions while nothing is known that is worth going to."""

    def reset(self, seed: int) -> None:
        """Starts an episode."""
        ...

    def explore(self, walk: Walk, observation: Observation) -> list[Action]:
        """Returns the next actions, at least one."""
        ...


class FrontierExplorer:
    """Goes to one frontier after another; where none is left it throws the map away and looks around again."""

    def reset(self, seed: int) -> None:
        """Starts an episode, the nearest frontier first: the order never depends on earlier episodes."""

    def explore(self, walk: Walk, observation: Observation) -> list[Action]:
        """Returns actions towards the next frontier."""
        chart = walk.chart()
        goal = self.next_goal(walk, chart)
        if goal is None:
            walk.forget_map()
            return walk.body.spin
        return walk.towards(chart, goal[None]) or walk.shrug()

    def next_goal(self, walk: Walk, chart: Chart) -> Cells | None:
        """Returns the next frontier on the chart; ``None`` where none is left."""
        places = [chart.open]
        if math.isfinite(walk.settings.margin_cost):
            places.append(np.isfinite(chart.cost))
        for place in places:
            edge = frontier_cells(chart.state, place) & ~chart.part(walk.visited)
            frontiers = group_frontiers(edge)
            way = chart.distance[tuple(frontiers.cells.T)]
            reached = way <= REACHED_M / walk.floor.cell_m
            self._mark(walk, chart, frontiers.cells[reached])
            left = ~reached & np.isfinite(way)
            if left.any():
                rank = np.where(left, self._rank(walk, chart, frontiers), math.inf)
                chosen: Cells = frontiers.cells[int(np.argmin(rank))]
                return chosen
        return None

    def _rank(self, walk: Walk, chart: Chart, frontiers: Frontiers) -> Floats:
        if walk.settings.order == "walk":
            way: Floats = chart.distance[tuple(frontiers.cells.T)]
            return way
        straight: Floats = np.hypot(*(frontiers.cells - np.array([chart.x, chart.y])).T)
        return straight if walk.resets % 2 == 0 else -straight

    def _mark(self, walk: Walk, chart: Chart, cells: Cells) -> None:
        """Marks reached frontiers and the square around each as visited."""
        reach = round(REACHED_SQUARE_M / walk.floor.cell_m)
        around = np.mgrid[-reach : reach + 1, -reach : reach + 1].reshape(2, -1).T
        rows, columns = (cells[:, None, :] + around + np.array(chart.origin)).reshape(-1, 2).T
        walk.visited[rows, columns] = True


class RandomWalk:
    """Moves and turns by chance: twice as many moves as turns to either side."""

    CHOICES: tuple[Action, ...] = ("MoveAhead", "MoveAhead", "RotateLeft", "RotateRight")

    def reset(self, seed: int) -> None:
        """Starts an episode."""
        self._random = np.random.default_rng(seed)

    def explore(self, walk: Walk, observation: Observation) -> list[Action]:
        """Returns one action."""
        return [self.CHOICES[int(self._random.integers(len(self.CHOICES)))]]
