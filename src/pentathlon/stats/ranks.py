"""Mean Success and Mean Rank over a table of entrants by benchmarks (CortexBench, section 3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import UsageError
from pentathlon.stats.intervals import FloatArray


def mean_success(table: npt.ArrayLike) -> FloatArray:
    """Returns each entrant's mean over the benchmarks of ``table[entrants, benchmarks]``."""
    means: FloatArray = _checked(table).mean(axis=1)
    return means


def mean_rank(table: npt.ArrayLike, higher_is_better: Sequence[bool] | bool = True) -> FloatArray:
    """Returns each entrant's mean rank over the benchmarks of ``table[entrants, benchmarks]``; 1 is best.

    Entrants that tie share the mean of the ranks they take, as CortexBench's Tables 2 and 4 do.
    """
    array = _checked(table)
    better = np.broadcast_to(np.asarray(higher_is_better, dtype=bool), array.shape[1:])
    signed = np.where(better, -array, array)
    means: FloatArray = np.stack([_ranks(column) for column in signed.T]).mean(axis=0)
    return means


def _ranks(column: FloatArray) -> FloatArray:
    _, inverse, counts = np.unique(column, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: FloatArray = (last - (counts - 1) / 2)[inverse]
    return ranks


def _checked(table: npt.ArrayLike) -> FloatArray:
    array = np.asarray(table, dtype=np.float64)
    if array.ndim != 2 or array.size == 0:
        raise UsageError(f"Expected a table of entrants by benchmarks, got shape {array.shape}.")
    if not np.isfinite(array).all():
        raise UsageError("Expected a complete table of finite numbers. Leave out entrants with missing benchmarks.")
    return array
