"""The numbers of judge (Wybitul et al. 2024, section 4.1): comparable scores, predictions, macro F1. Pure functions.

``scores[V, K]`` are a judge's raw scores of one problem set: a row per video, a column per description.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Numbers: TypeAlias = npt.NDArray[np.float64]
Labels: TypeAlias = npt.NDArray[np.int64]

# As released: keeps a description that all videos fit alike from dividing by zero.
SMALLEST_STD = 1e-6


def softmax(scores: Numbers) -> Numbers:
    """Shares one out among the descriptions of each video (the unnumbered equation's s^norm)."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def standardise(scores: Numbers, leave_one_out: bool = False) -> Numbers:
    """Softmax over descriptions, then how far each video is from the others on one description, in deviations.

    Args:
        scores: raw.
        leave_one_out: mean and deviation are those of the other videos (footnote 2), as where videos come one by one.
    """
    shares = softmax(scores)
    if leave_one_out:
        return _standardise_by_others(shares)
    return np.asarray((shares - shares.mean(axis=0)) / (_std(shares) + SMALLEST_STD))


def predict(scores: Numbers) -> Labels:
    """The description of the highest score for each video; of equal ones the first."""
    return np.asarray(scores.argmax(axis=1), np.int64)


def macro_f1(true: Sequence[int] | Labels, predicted: Sequence[int] | Labels) -> float:
    """The mean F1 of the labels that are true or predicted at least once."""
    expected, given = np.asarray(true), np.asarray(predicted)
    labels = np.union1d(expected, given)
    return float(np.mean([_f1(expected == label, given == label) for label in labels]))


def majority_f1(true: Sequence[int] | Labels) -> float:
    """The macro F1 of always saying the most frequent label: what a problem set gives for nothing."""
    labels, counts = np.unique(np.asarray(true), return_counts=True)
    return macro_f1(true, np.full(len(np.asarray(true)), labels[counts.argmax()]))


def _f1(expected: npt.NDArray[np.bool_], given: npt.NDArray[np.bool_]) -> float:
    right = np.count_nonzero(expected & given)
    return 2.0 * right / (np.count_nonzero(expected) + np.count_nonzero(given))


def _std(values: Numbers) -> Numbers:
    """The deviation of a sample; of a single video none is known, and it counts as 0."""
    if len(values) < 2:
        return np.zeros(values.shape[1:])
    return np.asarray(values.std(axis=0, ddof=1))


def _standardise_by_others(shares: Numbers) -> Numbers:
    rows = range(len(shares))
    others = [np.delete(shares, row, axis=0) for row in rows]
    if len(shares) < 2:
        return np.zeros_like(shares)
    return np.stack([(shares[row] - others[row].mean(axis=0)) / (_std(others[row]) + SMALLEST_STD) for row in rows])
