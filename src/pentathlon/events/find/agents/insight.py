"""What an agent lets records and videos see of its thoughts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pentathlon.models.navigation.mapper import FREE, OCCUPIED
from pentathlon.models.navigation.walk import Walk

Picture = npt.NDArray[np.uint8]
UNKNOWN_RGB, FREE_RGB, OCCUPIED_RGB = (70, 74, 82), (225, 228, 232), (24, 27, 33)
TARGET_RGB, PATH_RGB, HERE_RGB = (222, 72, 52), (120, 175, 240), (20, 90, 210)
RIM_CELLS = 6


@dataclass(frozen=True)
class Insight:
    """The phase, the relevance map of the last picture, and on demand a picture of the map."""

    phase: str
    relevance: npt.NDArray[np.float32] | None
    walk: Walk

    @property
    def map(self) -> Picture:
        """The known part of the map, one pixel a cell; ahead at the start is up, and left is left."""
        walk = self.walk
        picture = np.full((*walk.floor.state.shape, 3), UNKNOWN_RGB, np.uint8)
        picture[walk.floor.state == FREE] = FREE_RGB
        picture[walk.floor.state == OCCUPIED] = OCCUPIED_RGB
        picture[(walk.memory.best > -np.inf) & ~walk.memory.dismissed] = TARGET_RGB
        path = np.array(walk.path)
        picture[path[:, 0], path[:, 1]] = PATH_RGB
        row, column = walk.path[-1]
        picture[row - 1 : row + 2, column - 1 : column + 2] = HERE_RGB
        rows, columns = (np.flatnonzero((walk.floor.state > 0).any(axis=axis)) for axis in (1, 0))
        box = np.s_[
            max(rows[0] - RIM_CELLS, 0) : rows[-1] + RIM_CELLS, max(columns[0] - RIM_CELLS, 0) : columns[-1] + RIM_CELLS
        ]
        return np.ascontiguousarray(picture[box][::-1, ::-1])
