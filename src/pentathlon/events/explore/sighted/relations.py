"""Which things are on, in, under, near and next to one another, by their boxes and by how such things are made.

The limits are those of the scene graph; where that asks rays and the surfaces of a thing, this asks upright boxes and
the usual levels of a type.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pentathlon.events.explore.sighted.lore import Kind
from pentathlon.worlds.houses.graph.relations import STANDARD

Floats = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.bool_]
LEVEL_M = 0.08
"""How far an underside that was seen may be off the level that carries it; seen boxes are no better."""
RIM_M = 0.05
MAT_M = 0.06
MAT_SHARE = 0.5
STEPS = 9


class Found(NamedTuple):
    """A thing as far as relations go."""

    kind: Kind
    low_m: Floats
    high_m: Floats


def relate(things: Sequence[Found], parted: Matrix) -> dict[str, Matrix]:
    """Returns for each place word which thing (row) stands in it to which other (column).

    Args:
        things: what there is.
        parted: which of them have a wall between them.
    """
    count = len(things)
    low = np.array([thing.low_m for thing in things], float).reshape(count, 3)
    high = np.array([thing.high_m for thing in things], float).reshape(count, 3)
    own = np.eye(count, dtype=bool)
    inside, on = _carried(things, low, high)
    on, inside = on & ~own & ~inside, inside & ~own
    gaps = np.maximum(low[:, None] - high[None], 0.0) + np.maximum(low[None] - high[:, None], 0.0)
    middles = (low + high) / 2
    close = np.linalg.norm(gaps, axis=-1) <= STANDARD.near_m
    close |= np.linalg.norm(middles[:, None] - middles[None], axis=-1) <= STANDARD.near_m
    near = close & ~own & ~parted
    over = _over(low, high) & (high[None, :, 2] > high[:, None, 2]) & ~own
    over &= high[None, :, 2] == np.where(over, high[None, :, 2], np.inf).min(axis=1, keepdims=True, initial=np.inf)
    under = over & (low[None, :, 2] - high[:, None, 2] <= STANDARD.cover_m) & ~on & ~inside & ~(on | inside).T
    return {"on": on, "in": inside, "under": under, "near": near, "adjacent": near & _facing(low, high, middles)}


def _over(low: Floats, high: Floats) -> Matrix:
    """Which thing has its middle within the outline of which other."""
    middles = (low + high)[:, None, :2] / 2
    within = (middles >= low[None, :, :2] - RIM_M) & (middles <= high[None, :, :2] + RIM_M)
    return np.asarray(within.all(axis=-1))


def _carried(things: Sequence[Found], low: Floats, high: Floats) -> tuple[Matrix, Matrix]:
    """Which are in, and which on, which others."""
    over, count = _over(low, high), len(things)
    inside, on = np.zeros((count, count), bool), np.zeros((count, count), bool)
    volume = np.prod(np.maximum(high - low, 1e-3), axis=1)
    for j, thing in enumerate(things):
        height = high[j, 2] - low[j, 2]
        level = low[:, 2]
        smaller = volume < volume[j]
        above = over[:, j] & smaller & (level >= low[j, 2] - LEVEL_M)
        for share in thing.kind.on:
            gap = level - (low[j, 2] + share * height)
            on[:, j] |= above & (np.abs(gap) <= LEVEL_M)
        if thing.kind.inside:
            deepest = low[j, 2] + min(thing.kind.inside) * height
            middle = (low[:, 2] + high[:, 2]) / 2
            inside[:, j] |= above & (level >= deepest - LEVEL_M) & (middle < high[j, 2]) & ~on[:, j]
        if height <= MAT_M and low[j, 2] <= MAT_M:
            on[:, j] |= (
                (_share_over(low, high, j) >= MAT_SHARE) & (level <= high[j, 2] + LEVEL_M) & (high[:, 2] > MAT_M)
            )
    return inside, on


def _share_over(low: Floats, high: Floats, j: int) -> Floats:
    """How much of each outline lies over that of one thing."""
    sides = np.maximum(np.minimum(high, high[j]) - np.maximum(low, low[j]), 0.0)[:, :2]
    found: Floats = sides.prod(axis=1) / np.maximum((high - low)[:, :2].prod(axis=1), 1e-6)
    return found


def _facing(low: Floats, high: Floats, middles: Floats) -> Matrix:
    """Between which things no third one lies, along the line from the middle of one to that of the other.

    What holds one of the two, such as a shelf, is not between them.
    """
    shares = np.linspace(0.05, 0.95, STEPS)
    count = len(low)
    free = np.ones((count, count), bool)
    holds = np.asarray(((middles[:, None] >= low) & (middles[:, None] <= high)).all(axis=-1))
    for i in range(count):
        points = middles[i] + (middles[:, None] - middles[i]) * shares[:, None]
        within = ((points[:, :, None] >= low) & (points[:, :, None] <= high)).all(axis=-1)
        within &= ~(holds | holds[i])[:, None]
        free[i] = ~within.any(axis=(1, 2))
    return free | free.T
