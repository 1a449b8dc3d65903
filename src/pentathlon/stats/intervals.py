"""Confidence intervals that know of clusters: for success rates, for means within bounds, for any other mean."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.special import betaincinv, ndtri

from pentathlon.core.errors import UsageError
from pentathlon.stats.clusters import ROUNDING, Sample, Values, summarise

Bounds: TypeAlias = tuple[float, float]
NO_BOUNDS: Bounds = (-math.inf, math.inf)
RATE: Bounds = (0.0, 1.0)

MANY_CLUSTERS = 30
"""From here on the mean of skewed clusters is close to normal."""
FEW_CLUSTERS_MISS = 0.2
"""Share of the nominal misses that Student's quantile allows for below that: measured to hold what is said."""


class Interval(NamedTuple):
    """A confidence interval and how it was made; a side of which nothing is known is infinite."""

    low: float
    high: float
    method: str = ""


def wilson_interval(successes: int, n: int, confidence: float = 0.95) -> Interval:
    """Returns the score interval of a proportion (Wilson 1927; Newcombe 1998, method 3).

    Args:
        successes: number of successes.
        n: number of independent trials.
        confidence: nominal coverage, strictly between 0 and 1.
    """
    _check_confidence(confidence)
    if n < 1 or not 0 <= successes <= n:
        raise UsageError(f"Expected 0 <= successes <= n with n >= 1, got successes={successes}, n={n}.")
    rate, z = successes / n, float(ndtri(0.5 + confidence / 2))
    shrink = 1 + z * z / n
    centre = (rate + z * z / (2 * n)) / shrink
    half = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / shrink
    # At the ends the bound is the end itself; rounding would miss it by an ulp.
    low, high = 0.0 if rate == 0 else max(0.0, centre - half), 1.0 if rate == 1 else min(1.0, centre + half)
    return Interval(low, high, "Wilson")


def success_interval(successes: Values, clusters: Sequence[str], confidence: float = 0.95) -> Interval:
    """Returns the interval of a success rate: Wilson's, or :func:`mean_interval` where trials share clusters.

    Args:
        successes: 0 or 1 per trial.
        clusters: scene or seed of each trial; trials of one single cluster are taken as independent.
        confidence: nominal coverage, strictly between 0 and 1.
    """
    sample = summarise(successes, clusters)
    if not np.isin(successes, (0, 1)).all():
        raise UsageError("Expected successes of 0 or 1, got other numbers. Take mean_interval for degrees.")
    if sample.units < sample.trials:
        return mean_interval(successes, clusters, RATE, confidence)
    interval = wilson_interval(round(sample.mean * sample.trials), sample.trials, confidence)
    return interval._replace(method=f"Wilson {sample.over}")


def mean_interval(
    values: Values, clusters: Sequence[str] | None = None, bounds: Bounds = NO_BOUNDS, confidence: float = 0.95
) -> Interval:
    """Returns the interval of a mean, over clusters where there are two or more.

    Within two bounds it is Korn and Graubard's (1998): the exact interval of a rate, for as many independent trials as
    would give the same standard error, lowered by Student's quantile since few clusters tell little of their own
    spread. A mean within bounds spreads most when every cluster sits at one of them, so it never takes fewer trials
    than there are clusters. Otherwise it is Student's t. See :func:`alike_interval` for values that are all the same.

    Student's quantile takes the clusters' means as normal. Where they are skewed, a few clusters seldom hold the rare
    one that is far off, so below :data:`MANY_CLUSTERS` the quantile is that of 99 % for a confidence of 95 %.

    Args:
        values: one number per trial.
        clusters: scene or seed of each trial.
        bounds: least and greatest number that a trial can give; infinite where there is none.
        confidence: nominal coverage, strictly between 0 and 1.
    """
    _check_confidence(confidence)
    sample = summarise(values, clusters)
    _check_bounds(values, bounds)
    return sample_interval(sample, bounds, confidence)


def sample_interval(sample: Sample, bounds: Bounds = NO_BOUNDS, confidence: float = 0.95) -> Interval:
    """Returns :func:`mean_interval` of a sample of which mean and errors are known."""
    _check_confidence(confidence)
    low, width = bounds[0], bounds[1] - bounds[0]
    over_units = _confidence_over_units(sample, confidence)
    if sample.alike or not math.isfinite(width):
        return t_interval(sample, bounds, confidence, over_units)
    spread = sample.half_width(confidence, over_units) / width
    if spread < ROUNDING:
        return alike_interval(sample, bounds, confidence)
    rate = min(1.0, max(0.0, (sample.mean - low) / width))
    z = float(ndtri(0.5 + confidence / 2))
    ends = _exact_rate(rate, max(rate * (1 - rate) * (z / spread) ** 2, float(sample.units)), confidence)
    scaled = [low + end * width for end in ends]
    return Interval(min(scaled[0], sample.mean), max(scaled[1], sample.mean), f"Korn-Graubard {sample.over}")


def t_interval(
    sample: Sample, bounds: Bounds = NO_BOUNDS, confidence: float = 0.95, unit_confidence: float | None = None
) -> Interval:
    """Returns Student's interval of a mean, cut at the bounds; see :meth:`Sample.half_width`."""
    if sample.alike:
        return alike_interval(sample, bounds, confidence)
    half = sample.half_width(confidence, unit_confidence)
    low, high = max(bounds[0], sample.mean - half), min(bounds[1], sample.mean + half)
    return Interval(min(low, sample.mean), max(high, sample.mean), f"t {sample.over}")


def alike_interval(sample: Sample, bounds: Bounds, confidence: float = 0.95) -> Interval:
    """Returns the interval of a mean whose trials all gave the same number.

    Such trials tell no spread, but that hardly any differ: of the units at most ``1 - (alpha / 2) ** (1 / units)``, as
    for a rate of 0 or 1 (Clopper and Pearson 1934). Those may be as far off as the bounds allow; without a bound
    nothing is known on that side.
    """
    share = 1.0 - ((1.0 - confidence) / 2) ** (1.0 / sample.units)
    low, high = (sample.mean + share * (bound - sample.mean) for bound in bounds)
    return Interval(low, high, f"all alike, {sample.over}")


def _confidence_over_units(sample: Sample, confidence: float) -> float:
    few = sample.units < min(sample.trials, MANY_CLUSTERS)
    return 1 - FEW_CLUSTERS_MISS * (1 - confidence) if few else confidence


def _exact_rate(rate: float, n: float, confidence: float) -> tuple[float, float]:
    """The interval of Clopper and Pearson (1934) for a number of trials that need not be whole."""
    tail, wins = (1 - confidence) / 2, rate * n
    low = 0.0 if rate == 0 else float(betaincinv(wins, n - wins + 1, tail))
    high = 1.0 if rate == 1 else float(betaincinv(wins + 1, n - wins, 1 - tail))
    return low, high


def _check_bounds(values: Values, bounds: Bounds) -> None:
    least, greatest = float(np.min(values)), float(np.max(values))
    if least < bounds[0] or greatest > bounds[1]:
        raise UsageError(f"Expected values within {bounds}, got {least} to {greatest}. Give the metric's true bounds.")


def _check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise UsageError(f"Expected a confidence strictly between 0 and 1, such as 0.95, got {confidence}.")
