"""The map of the floor that an agent draws from depth: cells that are unknown, free or occupied."""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from pentathlon.models.navigation.back_projection import MapPose, Points
from pentathlon.models.navigation.settings import CowSettings

UNKNOWN: Final = 0
FREE: Final = 1
OCCUPIED: Final = 2
WIDTH_M = 60.0
# Between two floor pixels of a column that are farther apart than this, something may hide.
WIDEST_FILL_M = 1.5

Cells = npt.NDArray[np.int32]


class Cell(NamedTuple):
    """A cell by row (ahead of the start) and column (to its left)."""

    row: int
    column: int


class FloorMap:
    """A square map around the start.

    Attributes:
        state: of each cell.
    """

    def __init__(self, settings: CowSettings) -> None:
        self._settings = settings
        self.cell_m = settings.cell_m
        self.half = round(WIDTH_M / settings.cell_m / 2)
        self.state = np.zeros((2 * self.half + 1, 2 * self.half + 1), np.uint8)

    def cell(self, x_m: float, y_m: float) -> Cell:
        """Returns the cell of a point, the outermost one where the point lies beyond the map."""
        row, column = (min(max(round(v / self.cell_m) + self.half, 0), 2 * self.half) for v in (x_m, y_m))
        return Cell(row, column)

    def cells(self, points: Points) -> tuple[Cells, Cells]:
        """Returns rows and columns of points, -1 where a point is unknown or lies beyond the map."""
        rows, columns = (np.empty(points.x_m.shape, np.int32) for _ in range(2))
        cell_m = np.float32(self.cell_m)
        _find_cells(points.x_m.ravel(), points.y_m.ravel(), cell_m, self.half, rows.ravel(), columns.ravel())
        return rows, columns

    def see(self, points: Points, pose: MapPose) -> None:
        """Draws what one picture shows: floor first, then what stands on it."""
        settings = self._settings
        rows, columns = self.cells(points)
        floor = (np.abs(points.z_m) < settings.floor_tolerance_m) & (rows >= 0) & (columns >= 0)
        stands = (points.z_m < settings.top_m) & ~floor & (rows >= 0) & (columns >= 0)
        here = self.cell(pose.x_m, pose.y_m)
        widest = WIDEST_FILL_M / self.cell_m if settings.fill_floor else 0.0
        _mark_floor(self.state, floor, rows, columns, here.row, here.column, np.isfinite(points.z_m), widest)
        self.state[rows[stands], columns[stands]] = OCCUPIED
        self.state[here] = FREE


@njit(cache=True)
def _find_cells(x_m: Any, y_m: Any, cell_m: Any, half: Any, rows: Any, columns: Any) -> None:
    """Writes the cell of each point, -1 along the axis on which it is unknown or beyond the map."""
    for i in range(len(x_m)):
        row, column = np.rint(x_m[i] / cell_m) + half, np.rint(y_m[i] / cell_m) + half
        rows[i] = np.int32(row) if 0 < row < 2 * half else np.int32(-1)
        columns[i] = np.int32(column) if 0 < column < 2 * half else np.int32(-1)


@njit(cache=True)
def _mark_floor(
    state: Any, floor: Any, rows: Any, columns: Any, here_row: Any, here_column: Any, known: Any, widest: Any
) -> None:
    """Frees the cells of floor pixels, the way from the agent to the nearest of a column, and gaps in a column."""
    for j in range(floor.shape[1]):
        last = -1
        blocked = False
        for i in range(floor.shape[0] - 1, -1, -1):
            if not floor[i, j]:
                blocked = blocked or known[i, j]
                continue
            row, column = rows[i, j], columns[i, j]
            state[row, column] = FREE
            if last < 0 and not blocked:
                _free_line(state, here_row, here_column, row, column)
            elif last == i + 1:
                gap = math.hypot(row - rows[last, j], column - columns[last, j])
                if 1.5 < gap <= widest:
                    _free_line(state, rows[last, j], columns[last, j], row, column)
            last = i


@njit(cache=True)
def _free_line(state: Any, row: Any, column: Any, end_row: Any, end_column: Any) -> None:
    """Frees the unknown cells on a straight line."""
    steps = max(abs(end_row - row), abs(end_column - column))
    for k in range(steps + 1):
        share = k / max(steps, 1)
        a, b = round(row + (end_row - row) * share), round(column + (end_column - column) * share)
        if state[a, b] == UNKNOWN:
            state[a, b] = FREE
