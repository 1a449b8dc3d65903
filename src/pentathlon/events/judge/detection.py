"""Numbers of success detection and of progress: AUROC, calibration, value-order correlation. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.stats import rankdata

from pentathlon.events.judge.metrics import Marks, Numbers

BINS = 10
NEWTON_STEPS = 50
RIDGE = 1e-3
"""Keeps the fit finite where scores tell done from missed without a mistake."""


def auroc(done: Marks, scores: Numbers) -> float:
    """The chance that a film of the task done has a higher score than one of it missed; equal ones count half."""
    ranks = rankdata(scores)
    hits = int(done.sum())
    misses = len(done) - hits
    if not hits or not misses:
        return 0.5
    return float((ranks[done].sum() - hits * (hits + 1) / 2) / (hits * misses))


class Calibration(NamedTuple):
    """How good the chances are that scores tell.

    Attributes:
        brier: the mean squared distance between chance and truth.
        error: the expected calibration error, over ten bins of equal width.
    """

    brier: float
    error: float


def calibration(done: Sequence[Marks], scores: Sequence[Numbers]) -> Calibration:
    """Turns scores into chances by a logistic curve fitted to all other problem sets, and measures them."""
    chances = []
    for left_out in range(len(scores)):
        others = [place for place in range(len(scores)) if place != left_out] or [left_out]
        curve = _fit(np.concatenate([scores[i] for i in others]), np.concatenate([done[i] for i in others]))
        chances.append(_chance(curve, scores[left_out]))
    told, truth = np.concatenate(chances), np.concatenate(list(done)).astype(float)
    bins = np.minimum((told * BINS).astype(int), BINS - 1)
    gaps = [abs(float((told - truth)[bins == place].sum())) for place in range(BINS)]
    return Calibration(float(np.mean((told - truth) ** 2)), sum(gaps) / len(told))


def order_correlation(values: Numbers, order: Numbers) -> float:
    """Spearman's rank correlation between what a judge says of prefixes and how far they have come.

    With the prefixes' own order it is GVL's value-order correlation (Ma et al. 2024); a judge that always says the same
    gets 0.
    """
    first, second = rankdata(values), rankdata(order)
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        return 0.0
    return float(np.corrcoef(first, second)[0, 1])


class _Curve(NamedTuple):
    middle: float
    spread: float
    offset: float
    slope: float


def _fit(scores: Numbers, done: Marks) -> _Curve:
    """Platt's logistic curve over scores brought to mean 0 and deviation 1, by Newton's method."""
    middle, spread = float(scores.mean()), float(scores.std()) or 1.0
    rows = np.stack([np.ones(len(scores)), (scores - middle) / spread], axis=1)
    weights = np.zeros(2)
    for _ in range(NEWTON_STEPS):
        chance = 1.0 / (1.0 + np.exp(-rows @ weights))
        slope = rows.T @ (chance - done) + RIDGE * weights
        bend = (rows * (chance * (1.0 - chance))[:, None]).T @ rows + RIDGE * np.eye(2)
        step = np.linalg.solve(bend, slope)
        weights = weights - step
        if float(np.abs(step).max()) < 1e-12:
            break
    return _Curve(middle, spread, float(weights[0]), float(weights[1]))


def _chance(curve: _Curve, scores: Numbers) -> Numbers:
    return np.asarray(1.0 / (1.0 + np.exp(-(curve.offset + curve.slope * (scores - curve.middle) / curve.spread))))
