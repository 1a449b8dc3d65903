"""Comparison of two entrants on the trials they share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pentathlon.core.errors import UsageError
from pentathlon.stats.clusters import summarise
from pentathlon.stats.intervals import NO_BOUNDS, Bounds, Interval, t_interval


@dataclass(frozen=True)
class PairedDifference:
    """The mean of ``a - b`` over common trials.

    Attributes:
        p_value: two-sided, of no difference; from the same standard error as the interval, so the two agree.
        wins: trials in which ``a`` is larger; ``losses`` those in which ``b`` is.
    """

    difference: float
    interval: Interval
    p_value: float
    n: int
    wins: int
    ties: int
    losses: int


def paired_difference(
    a: Mapping[str, float],
    b: Mapping[str, float],
    clusters: Mapping[str, str] | None = None,
    bounds: Bounds = NO_BOUNDS,
    confidence: float = 0.95,
) -> PairedDifference:
    """Returns the mean difference ``a - b`` over common trials with Student's interval over their clusters.

    Args:
        a: number per trial id.
        b: number per trial id; trials that only one side has are left out.
        clusters: scene or seed per trial id.
        bounds: least and greatest number that a trial can give.
        confidence: nominal coverage.
    """
    trials = _common(a, b)
    differences = np.array([a[trial] - b[trial] for trial in trials], dtype=np.float64)
    sample = summarise(differences, None if clusters is None else [clusters[trial] for trial in trials])
    width = bounds[1] - bounds[0]
    return PairedDifference(
        difference=sample.mean,
        interval=t_interval(sample, (-width, width), confidence),
        p_value=sample.p_value(),
        n=len(trials),
        wins=int((differences > 0).sum()),
        ties=int((differences == 0).sum()),
        losses=int((differences < 0).sum()),
    )


def _common(a: Mapping[str, object], b: Mapping[str, object]) -> list[str]:
    trials = sorted(a.keys() & b.keys())
    if not trials:
        raise UsageError(
            f"Expected trials that both sides have, got {len(a)} and {len(b)} with none in common. "
            "Compare two runs of the same task."
        )
    return trials
