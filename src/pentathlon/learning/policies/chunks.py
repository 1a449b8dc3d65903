"""Which rows of the joined trajectories make a chunk of actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pentathlon.learning.policies.trajectories import Trajectory

Rows: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Bounds:
    """For each row of the joined trajectories, the first and the last row of its own, both ``[N]``."""

    firsts: Rows
    lasts: Rows


def bounds_of(trajectories: Sequence[Trajectory]) -> Bounds:
    """Returns the bounds of trajectories joined in this order."""
    lengths = np.array([len(trajectory) for trajectory in trajectories], np.int64)
    ends = np.cumsum(lengths)
    return Bounds(np.repeat(ends - lengths, lengths), np.repeat(ends - 1, lengths))


def chunk_starts(bounds: Bounds, horizon: int) -> Rows:
    """Returns the rows from which a whole chunk fits, or the first row where the trajectory is shorter."""
    rows = np.arange(len(bounds.lasts), dtype=np.int64)
    starts: Rows = rows[(rows + horizon - 1 <= bounds.lasts) | (rows == bounds.firsts)]
    return starts


def chunk_rows(starts: Rows, lasts: Rows, horizon: int) -> Rows:
    """Returns the rows ``[B, horizon]`` of the chunks at ``starts[B]``; past its last row a trajectory stands still.

    Args:
        starts: rows at which the chunks begin.
        lasts: the last row of each start's own trajectory, ``[B]``.
        horizon: length of a chunk.
    """
    rows: Rows = np.minimum(starts[:, None] + np.arange(horizon), lasts[:, None])
    return rows
