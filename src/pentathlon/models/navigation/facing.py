"""Where things lie from here: how far each cell of a chart is from some, and how to turn towards them."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from pentathlon.models.navigation.charts import Chart
from pentathlon.models.navigation.walk import Walk

Cells = npt.NDArray[np.int64]


def distance_from(cells: Cells, shape: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """Returns how many cells each cell of a chart is away from the nearest of some."""
    away = np.ones(shape, bool)
    away[tuple(cells.T)] = False
    found: npt.NDArray[np.float64] = ndimage.distance_transform_edt(away)
    return found


def turns_to(chart: Chart, cells: Cells, walk: Walk) -> int:
    """Returns whole turns, to the left where positive, that face the nearest of some cells."""
    offset = cells - np.array([chart.x, chart.y])
    ahead, left = offset[int(np.argmin(np.hypot(*offset.T)))]
    return round(
        math.remainder(math.atan2(left, ahead) - walk.pose.yaw_rad, 2 * math.pi) / math.radians(walk.body.turn_deg)
    )
