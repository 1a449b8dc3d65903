"""What an agent remembers of its target: the highest relevance that each cell of the map was ever seen with."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pentathlon.events.find.agents.mapping.back_projection import MapPose, Points
from pentathlon.events.find.agents.mapping.mapper import FloorMap
from pentathlon.models.localizers.contract import Relevance

Mask = npt.NDArray[np.bool_]


class Glimpse(NamedTuple):
    """What one picture shows of the target.

    Attributes:
        pixels: how many are relevant enough to stop for and near enough.
        near_m: the smallest distance along the floor of a pixel that is relevant enough to stop for.
    """

    pixels: int
    near_m: float


class TargetMemory:
    """Relevance on the map.

    Attributes:
        best: highest relevance of each cell, minus infinity where nothing was relevant enough to go to.
        height_m: of the point that was most relevant.
        dismissed: cells that were looked at from near by and turned out to be something else.
    """

    def __init__(self, floor: FloorMap) -> None:
        self._floor = floor
        self.best = np.full(floor.state.shape, -np.inf, np.float32)
        self.height_m = np.zeros(floor.state.shape, np.float32)
        self.dismissed = np.zeros(floor.state.shape, bool)

    def see(self, points: Points, relevance: Relevance, pose: MapPose, within_m: float) -> Glimpse:
        """Takes in a relevance map on the points' own grid."""
        relevant = (relevance.map > relevance.go) & np.isfinite(points.z_m)
        if not relevant.any():
            return Glimpse(0, np.inf)
        x_m, y_m, z_m, value = (array[relevant] for array in (*points, relevance.map))
        self._remember(Points(x_m, y_m, z_m), value)
        near_m = np.hypot(x_m - pose.x_m, y_m - pose.y_m)[value > relevance.stop]
        return Glimpse(int((near_m <= within_m).sum()), float(near_m.min(initial=np.inf)))

    def targets(self) -> npt.NDArray[np.int64]:
        """Returns the cells that may hold the target."""
        found: npt.NDArray[np.int64] = np.argwhere((self.best > -np.inf) & ~self.dismissed)
        return found

    def _remember(self, points: Points, value: npt.NDArray[np.float32]) -> None:
        rows, columns = self._floor.cells(points)
        on_map = (rows >= 0) & (columns >= 0)
        rows, columns, value, z_m = rows[on_map], columns[on_map], value[on_map], points.z_m[on_map]
        order = np.argsort(value)  # of several writes to one cell the last stays, which is the highest
        rows, columns, value, z_m = rows[order], columns[order], value[order], z_m[order]
        higher = value > self.best[rows, columns]
        self.best[rows[higher], columns[higher]] = value[higher]
        self.height_m[rows[higher], columns[higher]] = z_m[higher]
