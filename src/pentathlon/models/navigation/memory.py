"""What an agent remembers of its target: the highest relevance that each cell of the map was ever seen with."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pentathlon.models.localizers.contract import Relevance
from pentathlon.models.navigation.back_projection import MapPose, Points
from pentathlon.models.navigation.mapper import FloorMap

Mask = npt.NDArray[np.bool_]

# What one picture alone shows counts as so much less relevant.
SINGLE = 1.5
SAMPLED_PX = 56


def sampled(shape: tuple[int, ...]) -> tuple[slice, slice]:
    """The pixels of a picture whose relevance is remembered, whatever is relevant enough; every few are enough."""
    step = max(1, shape[0] // SAMPLED_PX)
    return np.s_[step // 2 :: step, step // 2 :: step]


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
        highest: highest relevance of each cell, whatever is relevant enough; minus infinity where nothing was seen.
        second: the second highest, of another picture.
        top_m: height of the point of the highest.
    """

    def __init__(self, floor: FloorMap) -> None:
        self._floor = floor
        self.best = np.full(floor.state.shape, -np.inf, np.float32)
        self.height_m = np.zeros(floor.state.shape, np.float32)
        self.dismissed = np.zeros(floor.state.shape, bool)
        self.highest, self.second = self.best.copy(), self.best.copy()
        self.top_m = self.height_m.copy()

    def see(self, points: Points, relevance: Relevance, pose: MapPose, within_m: float) -> Glimpse:
        """Takes in a relevance map on the points' own grid."""
        self._weigh(points, relevance.map)
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

    def likeliest(self) -> npt.NDArray[np.int64] | None:
        """Returns the cell that fitted best in two pictures, or in one if by far; ``None`` where nothing was seen."""
        fitted = np.maximum(self.second, self.highest - SINGLE)
        place = int(np.argmax(fitted))
        if fitted.flat[place] == -np.inf:
            return None
        return np.array(np.unravel_index(place, fitted.shape), np.int64)

    def _weigh(self, points: Points, relevance: npt.NDArray[np.float32]) -> None:
        """Keeps the two highest relevances of each cell, of different pictures."""
        every = sampled(relevance.shape)
        part = Points(*(array[every] for array in points))
        rows, columns = self._floor.cells(part)
        on_map = (rows >= 0) & (columns >= 0) & np.isfinite(part.z_m)
        rows, columns, z_m, value = rows[on_map], columns[on_map], part.z_m[on_map], relevance[every][on_map]
        order = np.argsort(-value)
        cells, firsts = np.unique(rows[order] * self.highest.shape[1] + columns[order], return_index=True)
        now, height_m = value[order][firsts], z_m[order][firsts]
        before = self.highest.flat[cells]
        self.second.flat[cells] = np.where(now > before, before, np.maximum(self.second.flat[cells], now))
        self.top_m.flat[cells] = np.where(now > before, height_m, self.top_m.flat[cells])
        self.highest.flat[cells] = np.maximum(before, now)

    def _remember(self, points: Points, value: npt.NDArray[np.float32]) -> None:
        rows, columns = self._floor.cells(points)
        on_map = (rows >= 0) & (columns >= 0)
        rows, columns, value, z_m = rows[on_map], columns[on_map], value[on_map], points.z_m[on_map]
        order = np.argsort(value)  # of several writes to one cell the last stays, which is the highest
        rows, columns, value, z_m = rows[order], columns[order], value[order], z_m[order]
        higher = value > self.best[rows, columns]
        self.best[rows[higher], columns[higher]] = value[higher]
        self.height_m[rows[higher], columns[higher]] = z_m[higher]
