"""Frontiers: where known floor borders on the unknown (Yamauchi 1997; CoW, section 4.2)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from pentathlon.models.navigation.mapper import UNKNOWN

Mask = npt.NDArray[np.bool_]
Cells = npt.NDArray[np.int64]

FEWEST_CELLS = 3
_EIGHT_NEIGHBOURS = np.ones((3, 3), np.int8)
_FOUR_NEIGHBOURS = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], np.int8)


class Frontiers(NamedTuple):
    """Connected frontiers: for each the cell nearest to its middle, and how many cells it has."""

    cells: Cells
    sizes: npt.NDArray[np.int64]


def frontier_cells(state: npt.NDArray[np.uint8], is_open: Mask) -> Mask:
    """Tells which open cells have an unknown four-neighbour, and an open eight-neighbour to come from."""
    unknown = ndimage.convolve((state == UNKNOWN).astype(np.int8), _FOUR_NEIGHBOURS, mode="constant", cval=1)
    neighbours = ndimage.convolve(is_open.astype(np.int8), _EIGHT_NEIGHBOURS, mode="constant") - is_open
    found: Mask = is_open & (unknown > 0) & (neighbours > 0)
    return found


def group_frontiers(edge: Mask) -> Frontiers:
    """Groups frontier cells that touch, corners included; fewer than three in all count as none."""
    labels, count = ndimage.label(edge, _EIGHT_NEIGHBOURS)
    cells, number = np.argwhere(edge), labels[edge]
    if len(cells) < FEWEST_CELLS:
        return Frontiers(np.zeros((0, 2), np.int64), np.zeros(0, np.int64))
    sizes = np.bincount(number, minlength=count + 1)
    sums = np.stack([np.bincount(number, cells[:, k], count + 1) for k in (0, 1)], axis=1)
    middles = sums / np.maximum(sizes, 1)[:, None]
    off = np.hypot(*(cells - middles[number]).T)
    order = np.lexsort((off, number))
    firsts = order[np.flatnonzero(np.diff(number[order], prepend=0))]
    return Frontiers(cells[firsts], sizes[1:])
