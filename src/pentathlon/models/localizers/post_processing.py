"""What is kept of a relevance map before it is put on a floor plan: whole masks, or one pixel of each."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from pentathlon.core.errors import UnknownIdError
from pentathlon.models.localizers.contract import Relevance, RelevanceMap

PostProcessing = Literal["whole", "centre"]
POST_PROCESSINGS: tuple[PostProcessing, ...] = get_args(PostProcessing)

_EIGHT_NEIGHBOURS = np.ones((3, 3), bool)


def post_process(relevance: Relevance, way: PostProcessing) -> Relevance:
    """Keeps whole masks, or of each connected mask above ``go`` the pixel nearest to its middle.

    The pixel that is kept carries the highest value of its mask. All others fall to ``go``, which is not above it.

    Raises:
        UnknownIdError: when ``way`` is neither.
    """
    if way not in POST_PROCESSINGS:
        raise UnknownIdError("post-processing", way, POST_PROCESSINGS)
    if way == "whole":
        return relevance
    kept = np.minimum(relevance.map, np.float32(relevance.go))
    labels, count = ndimage.label(relevance.map > relevance.go, _EIGHT_NEIGHBOURS)
    if count:
        rows, columns = _middle_pixels(labels, count)
        kept[rows, columns] = ndimage.maximum(relevance.map, labels, np.arange(1, count + 1))
    return replace(relevance, map=kept)


def stretched(relevance: RelevanceMap, shape: tuple[int, int]) -> RelevanceMap:
    """Returns the map on a grid of another size, each place with the value of the nearest one."""
    if relevance.shape == shape:
        return relevance
    rows, columns = (
        ((np.arange(new) + 0.5) * old / new).astype(int) for new, old in zip(shape, relevance.shape, strict=True)
    )
    found: RelevanceMap = relevance[rows[:, None], columns]
    return found


def _middle_pixels(labels: npt.NDArray[np.int32], count: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """The pixel of each label that lies nearest to the mean of its pixels."""
    rows, columns = np.nonzero(labels)
    number = labels[rows, columns]
    sizes = np.bincount(number, minlength=count + 1)
    sizes[0] = 1
    mean_row = np.bincount(number, rows, count + 1) / sizes
    mean_column = np.bincount(number, columns, count + 1) / sizes
    off = np.hypot(rows - mean_row[number], columns - mean_column[number])
    order = np.lexsort((off, number))
    firsts = order[np.flatnonzero(np.diff(number[order], prepend=0))]
    return rows[firsts], columns[firsts]
