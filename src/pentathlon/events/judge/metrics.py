"""The numbers of judge (Wybitul et al. 2024, section 4.1): comparable scores, predictions, macro F1. Pure functions.

``scores[V, K]`` are a judge's raw scores of one problem set: a row per video, a column per description. Predictions and
truths are ``bool[V, K]``: which descriptions are said, or are true, of each video.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import EntrantError

Numbers: TypeAlias = npt.NDArray[np.float64]
Labels: TypeAlias = npt.NDArray[np.int64]
Marks: TypeAlias = npt.NDArray[np.bool_]

# As released: keeps a description that all videos fit alike from dividing by zero.
SMALLEST_STD = 1e-6
# What differs by less differs by the order of additions.
DECIMALS = 9


def checked_scores(given: object, count: int, of: str) -> Numbers:
    """What a judge gave for some descriptions, as numbers.

    Raises:
        EntrantError: when it is other than one finite number for each.
    """
    scores = np.asarray(given, np.float64)
    if scores.shape != (count,) or not np.isfinite(scores).all():
        raise EntrantError(f"Expected {count} finite scores for {of}, got {scores.tolist()}. Mend the judge.")
    return scores


def softmax(scores: Numbers) -> Numbers:
    """Shares one out among the descriptions of each video (the unnumbered equation's s^norm)."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def standardise(scores: Numbers, leave_one_out: bool = False, several: bool = False) -> Numbers:
    """Softmax over descriptions, then how far each video is from the others on one description, in deviations.

    Args:
        scores: raw.
        leave_one_out: mean and deviation are those of the other videos (footnote 2), as where videos come one by one.
        several: more than one description may be true of a video, so that they do not share one out.
    """
    shares = scores if several else softmax(scores)
    if leave_one_out:
        return _standardise_by_others(shares)
    return np.asarray((shares - shares.mean(axis=0)) / (_std(shares) + SMALLEST_STD))


def predict(scores: Numbers, raw: Numbers | None = None) -> Labels:
    """The description of the highest score for each video.

    Of equal ones it is the one of the highest ``raw`` score, then the first: a judge that says the same of every video,
    which standardising takes out, is taken at its word. Scores are equal to nine decimals.
    """
    rounded = np.round(scores, DECIMALS)
    ties = rounded == rounded.max(axis=1, keepdims=True)
    deciding = np.zeros_like(scores) if raw is None else np.round(raw, DECIMALS)
    return np.asarray(np.where(ties, deciding, -np.inf).argmax(axis=1), np.int64)


def predict_several(scores: Numbers, counts: Sequence[int] | Labels, raw: Numbers | None = None) -> Marks:
    """The best descriptions of each video, as many as are true of it; equal ones as :func:`predict` has it.

    For multi-label sets, whose released evaluator is not public.
    """
    deciding = np.zeros_like(scores) if raw is None else np.round(raw, DECIMALS)
    chosen = np.zeros(scores.shape, np.bool_)
    for row, (final, own, count) in enumerate(zip(np.round(scores, DECIMALS), deciding, counts, strict=True)):
        best = np.lexsort((np.arange(len(final)), -own, -final))[: int(count)]
        chosen[row, best] = True
    return chosen


def marks(labels: Sequence[int] | Labels, count: int) -> Marks:
    """One label of each video as ``bool[V, count]``."""
    return np.asarray(np.asarray(labels)[:, None] == np.arange(count), np.bool_)


def macro_f1(true: Marks, given: Marks) -> float:
    """The mean F1 of the labels that are true or given at least once."""
    right = (true & given).sum(axis=0)
    either = true.sum(axis=0) + given.sum(axis=0)
    known = either > 0
    return float(np.mean(2.0 * right[known] / either[known]))


def majority_f1(true: Marks) -> float:
    """The macro F1 of always saying the most frequent label: what a problem set gives for nothing."""
    return macro_f1(true, marks(np.full(len(true), true.sum(axis=0).argmax()), true.shape[1]))


def chance_f1(true: Marks, given: Marks) -> float:
    """The mean macro F1 of the same answers over all ways to deal them to the videos: what guessing so would give.

    Of each label as many are right, on average, as videos have it times the share of answers that say it.
    """
    right = true.sum(axis=0) * given.sum(axis=0) / len(true)
    either = true.sum(axis=0) + given.sum(axis=0)
    known = either > 0
    return float(np.mean(2.0 * right[known] / either[known]))


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
