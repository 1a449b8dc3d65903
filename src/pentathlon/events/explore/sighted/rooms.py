"""Rooms as they were seen: walls where points lie above all doors, and each room named by what its places look like."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from pentathlon.events.explore.sighted.glances import View
from pentathlon.events.explore.sighted.lore import ROOM_TYPES

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
CELL_M = 0.125
HALF = 200
"""Cells from the middle of the map to its rim."""
WALL_M = 2.06
"""Above doors and nearly all furniture."""
CEILING_GAP_M = 0.12
FEWEST_POINTS = 2
SHRUNK_CELLS = 2
"""Gaps between walls that are up to twice as wide do not join rooms."""
FEWEST_CELLS = 40


class Rooms:
    """A map of walls and of what rooms the places between them look like."""

    def __init__(self) -> None:
        side = 2 * HALF
        self._wall = np.zeros((side, side), np.int32)
        self._seen = np.zeros((side, side), np.int32)
        self._looks = np.zeros((len(ROOM_TYPES), side, side))
        self._ceiling_m = 0.0

    def take_in(self, view: View) -> None:
        """Draws a picture into the map."""
        x_m, y_m, z_m = (axis.ravel() for axis in view.points)
        known = np.isfinite(z_m)
        if not known.any():
            return
        x_m, y_m, z_m = x_m[known], y_m[known], z_m[known]
        self._ceiling_m = max(self._ceiling_m, float(z_m.max()))
        rows, columns = cells(x_m), cells(y_m)
        high = (z_m > WALL_M) & (z_m < self._ceiling_m - CEILING_GAP_M)
        np.add.at(self._wall, (rows[high], columns[high]), 1)
        low = z_m < WALL_M
        np.add.at(self._seen, (rows[low], columns[low]), 1)
        scores = view.rooms.reshape(-1, len(ROOM_TYPES))[known][low]
        shares = 1.0 / (1.0 + np.exp(-scores.astype(float)))
        flat = np.ravel_multi_index((rows[low], columns[low]), self._wall.shape)
        for number in range(len(ROOM_TYPES)):
            summed = np.bincount(flat, shares[:, number], self._wall.size)
            self._looks[number] += summed.reshape(self._wall.shape)

    def walls(self) -> npt.NDArray[np.bool_]:
        """Tells which cells are wall."""
        return np.asarray(ndimage.binary_closing(self._wall >= FEWEST_POINTS, np.ones((3, 3), bool)))

    def regions(self) -> tuple[Whole, tuple[str, ...]]:
        """Returns the room of each cell by number, 0 for none, and the type of each number from 1 on."""
        walls = self.walls()
        floor = ndimage.binary_closing(self._seen > 0, np.ones((3, 3), bool)) & ~walls
        # Half a room's width away from walls there is no doorway.
        inner = ndimage.binary_erosion(floor, iterations=SHRUNK_CELLS)
        labels, count = ndimage.label(inner)
        sizes = np.bincount(labels.ravel(), minlength=count + 1)
        labels = np.where(sizes[labels] >= FEWEST_CELLS, labels, 0)
        if not labels.any():
            labels = np.ones_like(labels)
        nearest = ndimage.distance_transform_edt(labels == 0, return_distances=False, return_indices=True)
        regions: Whole = labels[tuple(nearest)].astype(np.int64)
        sums = np.stack([np.bincount(regions.ravel(), looks.ravel(), count + 1) for looks in self._looks])
        return regions, tuple(ROOM_TYPES[int(best)] for best in sums.argmax(axis=0))

    def parted(self, one_m: Floats, other_m: Floats, walls: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Tells of pairs of points ``[n, 2]`` whether a wall is between them."""
        length = np.linalg.norm(other_m - one_m, axis=1).max(initial=0.0)
        shares = np.linspace(0.1, 0.9, max(3, math.ceil(2 * length / CELL_M)))[:, None, None]
        points = one_m + (other_m - one_m) * shares
        return np.asarray(walls[cells(points[..., 0]), cells(points[..., 1])].any(axis=0))


def cells(places_m: npt.NDArray[np.floating]) -> Whole:
    """Rows or columns of places; what is beyond the map is at its rim."""
    found: Whole = np.clip(np.floor(places_m / CELL_M).astype(np.int64) + HALF, 0, 2 * HALF - 1)
    return found
