"""From a run's outcomes to its scores."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from pentathlon.core.errors import DataError
from pentathlon.core.scores import Metric, Score
from pentathlon.core.trial import Outcome
from pentathlon.stats.clusters import FloatArray
from pentathlon.stats.intervals import RATE, Bounds, Interval, mean_interval, success_interval


def score_outcomes(metrics: Sequence[Metric], outcomes: Sequence[Outcome], what: str = "") -> tuple[Score, ...]:
    """Summarises ``outcomes`` as one score per metric, in the metrics' order; no outcomes, no scores.

    A trial that ended in an error counts as the metric's ``error_value`` and is counted in ``Score.errors``.

    Raises:
        DataError: naming the trial whose metric is missing, not finite, or not 0 or 1 where it is a success; or, where
            ``what`` names the kind of entrant, whose weights are others than before.
    """
    refuse_mixed_weights(outcomes, what)
    if not outcomes:
        return ()
    return tuple(_score(metric, outcomes) for metric in metrics)


def refuse_mixed_weights(outcomes: Sequence[Outcome], what: str) -> None:
    """Refuses outcomes whose details give different fingerprints for ``what``: weights that changed under one name.

    Raises:
        DataError: naming the trials and what to do.
    """
    first_of: dict[str, str] = {}
    for outcome in outcomes:
        if fingerprint := outcome.details.get(what):
            first_of.setdefault(fingerprint, outcome.trial)
    if len(first_of) > 1:
        found = ", ".join(f"{fingerprint[:8]} since {trial}" for fingerprint, trial in first_of.items())
        raise DataError(
            f"Expected one {what} in one run, got the weights {found}. They changed under the same name: move the run "
            "folder away, or give the new weights a name of their own, and run again."
        )


def metric_value(metric: Metric, outcome: Outcome) -> float:
    """Returns what ``outcome`` counts as under ``metric``, before scaling."""
    if outcome.status == "error":
        return metric.error_value
    value = outcome.metrics.get(metric.name)
    if value is None:
        reported = ", ".join(sorted(outcome.metrics)) or "none"
        raise DataError(f"Trial {outcome.trial!r} reports no {metric.name!r}; it reports: {reported}.")
    if not math.isfinite(value):
        raise DataError(f"Trial {outcome.trial!r} reports {metric.name}={value}; expected a finite number.")
    if metric.aggregation == "success" and value not in (0, 1):
        raise DataError(
            f"Trial {outcome.trial!r} reports {metric.name}={value}; a success is 0 or 1. "
            "Declare the metric with aggregation='mean' if it is a degree."
        )
    if not metric.bounds[0] <= value <= metric.bounds[1]:
        raise DataError(
            f"Trial {outcome.trial!r} reports {metric.name}={value}; the metric declares bounds of {metric.bounds}. "
            "Mend the task or its bounds."
        )
    return float(value)


def bounds_of(metric: Metric) -> Bounds:
    """Returns the least and greatest number that a trial can count as, before scaling."""
    low, high = RATE if metric.aggregation == "success" else metric.bounds
    return min(low, metric.error_value), max(high, metric.error_value)


def _score(metric: Metric, outcomes: Sequence[Outcome]) -> Score:
    values = np.array([metric_value(metric, outcome) for outcome in outcomes])
    interval = _interval(metric, values, [outcome.cluster for outcome in outcomes])
    # Sorting first makes the sum, and so the last digit, independent of the order in which trials ended.
    low, value, high = (metric.scale * bound for bound in (interval.low, float(np.sort(values).mean()), interval.high))
    return Score(
        metric=metric.name,
        value=value,
        low=_known(min(low, high, value)),
        high=_known(max(low, high, value)),
        n=len(outcomes),
        errors=sum(outcome.status == "error" for outcome in outcomes),
        unit=metric.unit,
        higher_is_better=metric.higher_is_better,
        paper=metric.paper,
        ceiling=metric.ceiling,
        method=interval.method,
    )


def _known(end: float) -> float | None:
    return end if math.isfinite(end) else None


def _interval(metric: Metric, values: FloatArray, clusters: Sequence[str]) -> Interval:
    # An error_value other than 0 or 1 turns a success rate into a mean.
    if metric.aggregation == "success" and metric.error_value in (0, 1):
        return success_interval(values, clusters)
    return mean_interval(values, clusters, bounds_of(metric))
