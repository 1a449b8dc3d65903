"""From scored boxes to a relevance map."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pentathlon.models.localizers.contract import RelevanceMap

Floats = npt.NDArray[np.float32]


def paint_boxes(centred: Floats, scores: Floats, shape: tuple[int, int]) -> RelevanceMap:
    """Gives each pixel the highest score of the boxes that cover it, 0 where none does.

    Args:
        centred: ``[N, 4]``, middle x, middle y, width and height of each box as shares of the picture.
        scores: ``[N]``.
        shape: rows and columns of the map.
    """
    half = centred[:, 2:] / 2
    columns_and_rows = np.array([shape[1], shape[0]], np.float32)
    starts, ends = (
        np.clip((centred[:, :2] + side) * columns_and_rows, 0, columns_and_rows).astype(int) for side in (-half, half)
    )
    painted = np.zeros(shape, np.float32)
    for i in np.argsort(scores):  # the best is painted last, over all others
        (left, top), (right, bottom) = starts[i], ends[i]
        painted[top : max(bottom, top + 1), left : max(right, left + 1)] = scores[i]
    return painted
