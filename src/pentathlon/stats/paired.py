"""Comparison of two entrants on the trials they share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import bdtr

from pentathlon.core.errors import UsageError
from pentathlon.stats.intervals import Interval, bootstrap_interval


@dataclass(frozen=True)
class PairedDifference:
    """The mean of ``a - b`` over common trials.

    Attributes:
        wins: trials in which ``a`` is larger; ``losses`` those in which ``b`` is.
    """

    difference: float
    interval: Interval
    n: int
    wins: int
    ties: int
    losses: int


@dataclass(frozen=True)
class McNemar:
    """The discordant trials and the exact two-sided p-value of their being a fair coin."""

    only_a: int
    only_b: int
    p_value: float


def paired_difference(
    a: Mapping[str, float], b: Mapping[str, float], clusters: Mapping[str, str] | None = None, confidence: float = 0.95
) -> PairedDifference:
    """Returns the mean difference ``a - b`` over common trials with its clustered bootstrap interval.

    Args:
        a: number per trial id.
        b: number per trial id; trials that only one side has are left out.
        clusters: scene or seed per trial id.
        confidence: nominal coverage.
    """
    trials = _common(a, b)
    differences = np.array([a[trial] - b[trial] for trial in trials], dtype=np.float64)
    labels = None if clusters is None else [clusters[trial] for trial in trials]
    interval = bootstrap_interval(differences, labels, confidence)
    return PairedDifference(
        difference=float(differences.mean()),
        interval=interval,
        n=len(trials),
        wins=int((differences > 0).sum()),
        ties=int((differences == 0).sum()),
        losses=int((differences < 0).sum()),
    )


def mcnemar(a: Mapping[str, bool], b: Mapping[str, bool]) -> McNemar:
    """Tests whether two success rates on common trials are equal (McNemar 1947, exact binomial form)."""
    trials = _common(a, b)
    only_a = sum(bool(a[trial]) and not b[trial] for trial in trials)
    only_b = sum(bool(b[trial]) and not a[trial] for trial in trials)
    discordant = only_a + only_b
    p_value = 1.0 if discordant == 0 else min(1.0, 2 * float(bdtr(min(only_a, only_b), discordant, 0.5)))
    return McNemar(only_a, only_b, p_value)


def _common(a: Mapping[str, object], b: Mapping[str, object]) -> list[str]:
    trials = sorted(a.keys() & b.keys())
    if not trials:
        raise UsageError(
            f"Expected trials that both sides have, got {len(a)} and {len(b)} with none in common. "
            "Compare two runs of the same task."
        )
    return trials
