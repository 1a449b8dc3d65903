"""Confidence intervals: Wilson for success rates, bootstrap for means, both aware of clusters."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri, stdtrit

from pentathlon.core.errors import UsageError

FloatArray: TypeAlias = npt.NDArray[np.float64]

RESAMPLES = 10_000
# A bootstrap of more units than this differs from the normal limit by less than its own Monte Carlo noise.
NORMAL_LIMIT = 2_000
_CHUNK = 2_000_000


class Interval(NamedTuple):
    """A confidence interval and how it was made."""

    low: float
    high: float
    method: str = ""


def wilson_interval(successes: int, n: int, confidence: float = 0.95) -> Interval:
    """Returns the score interval of a proportion (Wilson 1927; Newcombe 1998, method 3).

    Args:
        successes: number of successes.
        n: number of trials.
        confidence: nominal coverage, strictly between 0 and 1.
    """
    _check_confidence(confidence)
    if n < 1 or not 0 <= successes <= n:
        raise UsageError(f"Expected 0 <= successes <= n with n >= 1, got successes={successes}, n={n}.")
    return Interval(*_wilson(successes / n, n, confidence), "Wilson")


def clustered_wilson_interval(
    successes: Sequence[float] | FloatArray, clusters: Sequence[str], confidence: float = 0.95
) -> Interval:
    """Returns Wilson's interval for as many independent trials as would tell what the clustered ones do.

    Their number is ``n / (1 + (m - 1) rho)`` for ``m`` trials in a cluster of likeness ``rho``, times the square of
    Student's quantile for ``n`` trials over that for the clusters, since few clusters tell little of their own
    likeness (Korn & Graubard 1998). It is never below ``n / m``: clusters whose trials all end alike are such trials
    themselves, which also holds at 0 % and 100 %, where the likeness cannot be told.

    Args:
        successes: 0 or 1 per trial.
        clusters: scene or seed of each trial. With fewer than two distinct clusters, or one trial in each, this is
            :func:`wilson_interval`.
        confidence: nominal coverage, strictly between 0 and 1.
    """
    _check_confidence(confidence)
    array = _finite(successes)
    _check_clusters(array, clusters)
    if not np.isin(array, (0, 1)).all():
        raise UsageError("Expected successes of 0 or 1, got other numbers. Take bootstrap_interval for degrees.")
    sums, sizes = _cluster_totals(array, np.asarray(clusters))
    n, units, wins = array.size, sizes.size, int(array.sum())
    if units in (1, n):
        return wilson_interval(wins, n, confidence)
    tail = 0.5 + confidence / 2
    caution = float(stdtrit(n - 1, tail) / stdtrit(units - 1, tail)) ** 2
    size = _usual_size(sizes)
    effective = max(caution * n / (1 + (size - 1) * _likeness(sums, sizes)), n / size)
    return Interval(*_wilson(wins / n, effective, confidence), "Wilson over clusters")


def _usual_size(sizes: FloatArray) -> float:
    """Size of the cluster that an average trial is in."""
    return float(np.square(sizes).sum() / sizes.sum())


def _likeness(sums: FloatArray, sizes: FloatArray) -> float:
    """Intra-cluster correlation by analysis of variance, 0 for strangers; 1 where all trials end alike."""
    n, units = float(sizes.sum()), sizes.size
    rates = sums / sizes
    between = float((sizes * np.square(rates - sums.sum() / n)).sum()) / (units - 1)
    within = float((sizes * rates * (1 - rates)).sum()) / (n - units)
    total = between + ((n - _usual_size(sizes)) / (units - 1) - 1) * within
    return max(0.0, (between - within) / total) if total > 0 else 1.0


def _wilson(rate: float, n: float, confidence: float) -> tuple[float, float]:
    z = float(ndtri(0.5 + confidence / 2))
    shrink = 1 + z * z / n
    centre = (rate + z * z / (2 * n)) / shrink
    half = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / shrink
    # At the ends the bound is the end itself; rounding would miss it by an ulp.
    return 0.0 if rate == 0 else max(0.0, centre - half), 1.0 if rate == 1 else min(1.0, centre + half)


def bootstrap_interval(
    values: Sequence[float] | FloatArray, clusters: Sequence[str] | None = None, confidence: float = 0.95
) -> Interval:
    """Returns the expanded percentile bootstrap interval of the mean, resampling whole clusters.

    The quantiles are taken at the level that makes a normal mean's interval as wide as Student's t would
    (Hesterberg 2015); the plain percentile interval is far too narrow with few clusters. It is never
    narrower than the interval that the trials would give on their own. The generator is seeded from the data, so equal
    data give equal intervals in any order of trials.

    Args:
        values: one number per trial.
        clusters: scene or seed of each trial. With fewer than two distinct clusters the trials themselves are
            resampled, and ``method`` says so.
        confidence: nominal coverage, strictly between 0 and 1.
    """
    _check_confidence(confidence)
    array = _finite(values)
    labels = np.arange(array.size) if clusters is None else np.asarray(clusters)
    _check_clusters(array, labels)
    if array.size == 1:
        return Interval(float(array[0]), float(array[0]), "one trial, no spread known")
    low, high = _bootstrap(array, np.arange(array.size), confidence)
    if clusters is None or np.unique(labels).size < 2:
        return Interval(low, high, "bootstrap over trials")
    # A handful of clusters may agree by chance; they must not claim to know more than their trials do.
    clustered_low, clustered_high = _bootstrap(array, labels, confidence)
    return Interval(min(low, clustered_low), max(high, clustered_high), "bootstrap over clusters")


def _bootstrap(values: FloatArray, labels: npt.NDArray[Any], confidence: float) -> tuple[float, float]:
    sums, sizes = _cluster_totals(values, labels)
    low, high = _mean_quantiles(sums, sizes, _expanded_tail(sums.size, confidence))
    mean = float(sums.sum() / sizes.sum())
    return min(low, mean), max(high, mean)


def _check_clusters(values: FloatArray, clusters: Sequence[str] | npt.NDArray[Any]) -> None:
    if len(clusters) != values.size:
        raise UsageError(f"Expected one cluster per value, got {len(clusters)} clusters for {values.size} values.")


def _check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise UsageError(f"Expected a confidence strictly between 0 and 1, such as 0.95, got {confidence}.")


def _finite(values: Sequence[float] | FloatArray) -> FloatArray:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or array.size == 0:
        raise UsageError(f"Expected a non-empty list of numbers, got shape {array.shape}.")
    if not np.isfinite(array).all():
        bad = int(np.flatnonzero(~np.isfinite(array))[0])
        raise UsageError(f"Expected finite numbers, got {array[bad]} at index {bad}. Record such trials as errors.")
    return array


def _cluster_totals(values: FloatArray, labels: npt.NDArray[Any]) -> tuple[FloatArray, FloatArray]:
    """Sums and counts per cluster, the same whatever the order of the trials."""
    _, codes = np.unique(labels, return_inverse=True)
    order = np.lexsort((values, codes))
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    sums = np.add.reduceat(values[order], starts)
    sizes = np.diff(starts, append=values.size).astype(np.float64)
    order = np.lexsort((sizes, sums))
    return sums[order], sizes[order]


def _expanded_tail(units: int, confidence: float) -> float:
    t = float(stdtrit(units - 1, 0.5 + confidence / 2))
    return float(ndtr(-t * math.sqrt(units / (units - 1))))


def _mean_quantiles(sums: FloatArray, sizes: FloatArray, tail: float) -> tuple[float, float]:
    units = sums.size
    if units > NORMAL_LIMIT:
        mean = sums.sum() / sizes.sum()
        error = math.sqrt(float(np.square(sums - mean * sizes).sum())) / float(sizes.sum())
        half = -float(ndtri(tail)) * error
        return float(mean) - half, float(mean) + half
    means = _resampled_means(sums, sizes)
    low, high = np.quantile(means, [tail, 1 - tail])
    return float(low), float(high)


def _resampled_means(sums: FloatArray, sizes: FloatArray) -> FloatArray:
    seed = hashlib.sha256(sums.tobytes() + sizes.tobytes()).digest()[:8]
    generator = np.random.default_rng(int.from_bytes(seed, "big"))
    means = np.empty(RESAMPLES)
    rows = _CHUNK // sums.size
    for start in range(0, RESAMPLES, rows):
        stop = min(start + rows, RESAMPLES)
        drawn = generator.integers(sums.size, size=(stop - start, sums.size), dtype=np.int32)
        means[start:stop] = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    return means
