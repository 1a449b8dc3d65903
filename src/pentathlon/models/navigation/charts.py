"""A chart: the part of a map that is known, with what each of its cells costs and how far it is to walk there."""

from __future__ import annotations

import math
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from pentathlon.models.navigation.back_projection import MapPose
from pentathlon.models.navigation.mapper import FREE, OCCUPIED, UNKNOWN, Cell, FloorMap
from pentathlon.models.navigation.planner import distance_field
from pentathlon.models.navigation.settings import CowSettings

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Cells = TypeVar("Cells", bound=np.generic)

RIM_M = 1.0
# An agent that stands where its map says nobody can: out through the cells around it, but by the shortest way.
ESCAPE_M = 0.4
ESCAPE_COST = 20.0
# What an unknown cell costs where one hopes to get through.
HOPE_COST = 3.0


class Chart(NamedTuple):
    """What is planned on. Cells are those of the chart, ``origin`` its first cell on the map.

    Attributes:
        open: free and far enough from what is occupied.
        cost: of a step of one cell, infinite where closed.
        hope: the same with unknown cells passable at a price.
        x: the agent's exact row.
        y: the agent's exact column.
        here: the agent's cell.
        distance: from the agent, in cells of cost 1.
    """

    origin: Cell
    state: npt.NDArray[np.uint8]
    open: Mask
    cost: Floats
    hope: Floats
    x: float
    y: float
    here: Cell
    distance: Floats

    def part(self, whole: npt.NDArray[Cells]) -> npt.NDArray[Cells]:
        """The chart's part of an array as large as the map."""
        rows, columns = self.state.shape
        return whole[self.origin.row : self.origin.row + rows, self.origin.column : self.origin.column + columns]


def draw_chart(floor: FloorMap, pose: MapPose, bumps: Mask, shown: Mask, settings: CowSettings) -> Chart:
    """Cuts the known part out of a map and prices its cells.

    Args:
        floor: the map, on which something is known.
        pose: of the agent.
        bumps: cells that moves have bumped into.
        shown: cells that the chart must show even where they are unknown.
        settings: prices and distances.
    """
    origin, end = _known_box((floor.state != UNKNOWN) | shown, round(RIM_M / floor.cell_m))
    box = np.s_[origin.row : end.row, origin.column : end.column]
    state, bumped = floor.state[box], bumps[box]
    gap_m = ndimage.distance_transform_edt(state != OCCUPIED) * floor.cell_m
    far = (gap_m > settings.closed_m) & ~bumped
    is_open = (state == FREE) & far
    cost = np.where(is_open, 1.0, np.inf)
    margin = (state == FREE) & ~bumped & ~is_open
    cost[margin] = settings.margin_cost
    x, y = (v / floor.cell_m + floor.half - first for v, first in zip((pose.x_m, pose.y_m), origin, strict=True))
    here = Cell(*(min(max(round(v), 0), n - 1) for v, n in zip((x, y), state.shape, strict=True)))
    _let_out(cost, margin, here, round(ESCAPE_M / floor.cell_m))
    hope = np.where((state == UNKNOWN) & far, HOPE_COST, cost)
    return Chart(origin, state, is_open, cost, hope, x, y, here, distance_field(cost, np.array([here])))


def _known_box(known: Mask, rim: int) -> tuple[Cell, Cell]:
    rows, columns = np.flatnonzero(known.any(axis=1)), np.flatnonzero(known.any(axis=0))
    first = Cell(max(int(rows[0]) - rim, 0), max(int(columns[0]) - rim, 0))
    return first, Cell(int(rows[-1]) + rim + 1, int(columns[-1]) + rim + 1)


def _let_out(cost: Floats, margin: Mask, here: Cell, reach: int) -> None:
    """Opens the way out of the margin around the agent."""
    if cost[here] < math.inf:
        return
    rows, columns = (slice(max(v - reach, 0), v + reach + 1) for v in here)
    around = rows, columns
    cost[around] = np.where(margin[around], np.minimum(cost[around], ESCAPE_COST), cost[around])
    cost[here] = ESCAPE_COST
