"""Ranks: of rows in one task, and Mean Success and Mean Rank over several (CortexBench, section 3)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import UsageError
from pentathlon.core.scores import Score
from pentathlon.stats.clusters import FloatArray

RowT = TypeVar("RowT")

# What is equal to three decimals of the printed unit, and to four digits where it is small, ties.
TIE_DECIMALS = 3


class Ranked(NamedTuple, Generic[RowT]):
    """A row and its rank; 1 is best."""

    rank: int
    row: RowT


def rank_rows(rows: Iterable[RowT], scores: Callable[[RowT], Sequence[Score]]) -> list[Ranked[RowT]]:
    """Ranks rows of one task, the best first: by the first score, then by the next ones where those tie.

    Rows that tie in every score share the best of their ranks (1, 2, 2, 4) and keep the order they were given in.

    Args:
        rows: anything that has scores, all of the same metrics.
        scores: tells a row's scores, the headline first; each says whether higher is better.
    """
    merits = [(_merit(scores(row)), row) for row in rows]
    places: list[Ranked[RowT]] = []
    before: tuple[float, ...] | None = None
    for place, (merit, row) in enumerate(sorted(merits, key=lambda item: item[0]), start=1):
        places.append(Ranked(places[-1].rank if merit == before else place, row))
        before = merit
    return places


def _merit(scores: Sequence[Score]) -> tuple[float, ...]:
    """Sorts the best first."""
    return tuple(-_comparable(score.value) if score.higher_is_better else _comparable(score.value) for score in scores)


def _comparable(value: float) -> float:
    digits = -math.floor(math.log10(abs(value))) if value else 0
    return round(value, TIE_DECIMALS + max(0, digits))


def suite_means(table: npt.ArrayLike, suites: Sequence[str]) -> FloatArray:
    """Averages ``table[entrants, tasks]`` over the tasks of each suite, the suites in order of appearance.

    Args:
        table: a number for each entrant and task.
        suites: the suite of each task.
    """
    array, names = _checked(table), list(dict.fromkeys(suites))
    groups = [[index for index, suite in enumerate(suites) if suite == name] for name in names]
    return np.stack([array[:, group].mean(axis=1) for group in groups], axis=1)


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
