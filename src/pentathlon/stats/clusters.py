"""How much a mean can be trusted: its standard error over trials, and over the clusters that they share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr, stdtrit

from pentathlon.core.errors import UsageError

FloatArray: TypeAlias = npt.NDArray[np.float64]
Values: TypeAlias = Sequence[float] | FloatArray

# Numbers that differ by less were the same before arithmetic rounded them.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Sample:
    """A mean of trials and its standard errors.

    Attributes:
        mean: over trials, so that large clusters weigh more.
        trials: how many there are.
        units: how many can be taken as independent: clusters where there are two or more, else trials.
        trial_error: standard error if trials were independent.
        unit_error: standard error over the units (cluster-robust, the linearised ratio of sums to sizes).
        alike: whether all trials gave the same number, so that nothing is known of their spread.
        within: says so where all trials lie in one named cluster, of which alone the interval then speaks.
    """

    mean: float
    trials: int
    units: int
    trial_error: float
    unit_error: float
    alike: bool
    within: str

    @property
    def over(self) -> str:
        """What the interval is taken over, in words."""
        if self.within:
            return "within one cluster"
        return "over trials" if self.units == self.trials else "over clusters"

    def half_width(self, confidence: float, unit_confidence: float | None = None) -> float:
        """Half of Student's interval; never less than trials alone give, as a few clusters may agree by chance.

        Args:
            confidence: nominal coverage.
            unit_confidence: of the quantile over units, where another is to be taken.
        """
        over_units = _quantile(self.units, unit_confidence or confidence) * self.unit_error
        return max(over_units, _quantile(self.trials, confidence) * self.trial_error)

    def p_value(self) -> float:
        """Two-sided p-value of a mean of 0, the counterpart of :meth:`half_width`.

        Where all trials gave the same number there is no spread to compare with: then the units are coins (sign test).
        """
        if self.alike:
            return 1.0 if self.mean == 0 else min(1.0, 2.0 * 0.5**self.units)
        return max(_p_value(self.mean, self.unit_error, self.units), _p_value(self.mean, self.trial_error, self.trials))


def summarise(values: Values, clusters: Sequence[str] | None = None) -> Sample:
    """Measures the mean of ``values`` and its errors, the same whatever the order of the trials.

    Raises:
        UsageError: when there are no values, one is not finite, or the clusters do not match them.
    """
    array = _finite(values)
    labels: npt.NDArray[Any] = np.arange(array.size) if clusters is None else np.asarray(clusters)
    if len(labels) != array.size:
        raise UsageError(f"Expected one cluster per value, got {len(labels)} clusters for {array.size} values.")
    ordered = np.sort(array)
    mean, trials = float(ordered.mean()), array.size
    trial_error = float(ordered.std(ddof=1)) / math.sqrt(trials) if trials > 1 else 0.0
    # The squares of the tiniest numbers are 0, so an error of 0 tells no spread either.
    alike = bool(ordered[-1] - ordered[0] <= ROUNDING * np.abs(ordered).max()) or trial_error == 0.0
    sums, sizes = _cluster_totals(array, labels)
    lone = sums.size == 1
    within = str(labels[0]) if lone and clusters is not None else ""
    units = trials if lone else sums.size
    unit_error = trial_error if lone else _cluster_error(sums, sizes)
    return Sample(mean, trials, units, trial_error, unit_error, alike, within)


def _cluster_error(sums: FloatArray, sizes: FloatArray) -> float:
    n, units = float(sizes.sum()), sums.size
    deviations = np.square(sums - sizes * (sums.sum() / n))
    return math.sqrt(units / (units - 1) * float(deviations.sum())) / n


def _cluster_totals(values: FloatArray, labels: npt.NDArray[Any]) -> tuple[FloatArray, FloatArray]:
    """Sums and counts per cluster, the same whatever the order of the trials."""
    _, codes = np.unique(labels, return_inverse=True)
    order = np.lexsort((values, codes))
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    sums = np.add.reduceat(values[order], starts)
    sizes = np.diff(starts, append=values.size).astype(np.float64)
    order = np.lexsort((sizes, sums))
    return sums[order], sizes[order]


def _quantile(units: int, confidence: float) -> float:
    return float(stdtrit(units - 1, 0.5 + confidence / 2)) if units > 1 else math.inf


def _p_value(mean: float, error: float, units: int) -> float:
    if error == 0.0:
        return 1.0 if mean == 0 else 0.0
    return 2.0 * float(stdtr(units - 1, -abs(mean) / error))


def _finite(values: Values) -> FloatArray:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or array.size == 0:
        raise UsageError(f"Expected a non-empty list of numbers, got shape {array.shape}.")
    if not np.isfinite(array).all():
        bad = int(np.flatnonzero(~np.isfinite(array))[0])
        raise UsageError(f"Expected finite numbers, got {array[bad]} at index {bad}. Record such trials as errors.")
    return array
