"""How well thresholded relevance agrees with the truth: the F1 of CoW's appendix C (Gadre et al. 2023).

Of a category in the picture, a mask that lies with more than half of its pixels on the truth is a true positive, any
other mask a false positive, no mask a false negative. Of a category that is not there, any mask is a false positive.
The appendix leaves open what a mask is that misses the truth wholly; here it is a false positive.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pentathlon.models.localizers.contract import RelevanceMap

Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Truth = npt.NDArray[np.bool_]


class Tally(NamedTuple):
    """Pictures of one category by outcome, ``[T]`` for T thresholds each."""

    true_positives: Counts
    false_positives: Counts
    false_negatives: Counts

    def plus(self, other: Tally) -> Tally:
        """Adds another one's pictures."""
        return Tally(*(mine + its for mine, its in zip(self, other, strict=True)))

    def f1(self) -> Floats:
        """``TP / (TP + (FP + FN) / 2)``; 0 where there is nothing to count."""
        halves = (self.false_positives + self.false_negatives) / 2
        found: Floats = self.true_positives / np.maximum(self.true_positives + halves, 0.5)
        return found


def no_pictures(thresholds: int) -> Tally:
    """A tally to begin with."""
    return Tally(*np.zeros((3, thresholds), np.int64))


def judge_map(relevance: RelevanceMap, truth: Truth, thresholds: Floats) -> Tally:
    """Judges one map at each of the rising ``thresholds``; a pixel counts where it lies above.

    Args:
        relevance: ``[H, W]``.
        truth: ``[H, W]``; nowhere true where the category is not in the picture.
        thresholds: ``[T]``.
    """
    marked, right = (_above(values, thresholds) for values in (relevance.ravel(), relevance[truth]))
    if not truth.any():
        return Tally(np.zeros_like(marked), (marked > 0).astype(np.int64), np.zeros_like(marked))
    good = 2 * right > marked
    return Tally(*(rows.astype(np.int64) for rows in (good, (marked > 0) & ~good, marked == 0)))


def _above(values: RelevanceMap, thresholds: Floats) -> Counts:
    """How many values lie above each threshold."""
    passed = np.searchsorted(thresholds, values, side="left")
    counts = np.bincount(passed, minlength=len(thresholds) + 1)
    return np.cumsum(counts[::-1])[::-1][1:]
