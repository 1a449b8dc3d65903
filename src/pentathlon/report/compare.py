"""Two runs of one task, trial by trial."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pentathlon.core.errors import UsageError
from pentathlon.core.numbers import count, interval, number, with_unit
from pentathlon.core.registry import TASKS
from pentathlon.core.scores import Metric
from pentathlon.core.trial import Outcome
from pentathlon.stats import bounds_of, metric_value, paired_difference

if TYPE_CHECKING:
    from pentathlon.engine import RunFolder


@dataclass(frozen=True)
class MetricComparison:
    """One metric over the common trials, in printed units.

    Attributes:
        difference: first minus second, with ``low`` and ``high`` its 95 % interval, ``None`` where it is unknown.
        method: how the interval was made.
        p_value: of no difference, by the same method.
        better: trials in which the first is better, whichever direction that is.
    """

    metric: str
    unit: str
    first: float
    second: float
    difference: float
    low: float | None
    high: float | None
    method: str
    p_value: float
    better: int
    equal: int
    worse: int


@dataclass(frozen=True)
class Comparison:
    """Two entrants on the trials that both have recorded; errors count as each metric's ``error_value``."""

    task: str
    first: str
    second: str
    n: int
    left_out: int
    errors: tuple[int, int]
    metrics: tuple[MetricComparison, ...]

    def __str__(self) -> str:
        lines = [f"{self.task}: {self.first} minus {self.second}, paired over {count(self.n, 'common trial')}"]
        if self.left_out:
            lines.append(f"  {count(self.left_out, 'trial')} left out, recorded by one of them only")
        if any(self.errors):
            lines.append(f"  errors: {self.errors[0]:,} and {self.errors[1]:,}, counted as the metric's error value")
        return "\n".join([*lines, *(_line(metric) for metric in self.metrics)])


def compare(first: RunFolder, second: RunFolder) -> Comparison:
    """Compares two runs on the trials that both have recorded.

    Raises:
        UsageError: when the runs are of different tasks or protocols, or share no trial.
    """
    _check_alike(first, second)
    ours, theirs = first.outcomes(), second.outcomes()
    common = sorted(ours.keys() & theirs.keys())
    a, b = ({trial: side[trial] for trial in common} for side in (ours, theirs))
    metrics = tuple(
        _compare_metric(metric, a, b) for metric in TASKS.get(first.info.task).make(**first.info.task_options).metrics
    )
    return Comparison(
        task=first.info.task,
        first=first.info.entrant,
        second=second.info.entrant,
        n=len(common),
        left_out=len(ours.keys() ^ theirs.keys()),
        errors=(_errors(a), _errors(b)),
        metrics=metrics,
    )


def _check_alike(first: RunFolder, second: RunFolder) -> None:
    for what, one, other in (
        ("task", first.info.task, second.info.task),
        ("protocol", first.info.protocol_hash, second.info.protocol_hash),
    ):
        if one != other:
            raise UsageError(
                f"Expected two runs of one task and protocol, got {what} {one!r} and {other!r}. "
                "Compare runs that stand in the same column of the standings."
            )


def _compare_metric(metric: Metric, a: Mapping[str, Outcome], b: Mapping[str, Outcome]) -> MetricComparison:
    first = {trial: metric_value(metric, outcome) * metric.scale for trial, outcome in a.items()}
    second = {trial: metric_value(metric, outcome) * metric.scale for trial, outcome in b.items()}
    low, high = sorted(metric.scale * end for end in bounds_of(metric))
    paired = paired_difference(first, second, {trial: outcome.cluster for trial, outcome in a.items()}, (low, high))
    better, worse = (paired.wins, paired.losses) if metric.higher_is_better else (paired.losses, paired.wins)
    return MetricComparison(
        metric=metric.name,
        unit=metric.unit,
        first=sum(first.values()) / paired.n,
        second=sum(second.values()) / paired.n,
        difference=paired.difference,
        low=_known(paired.interval.low),
        high=_known(paired.interval.high),
        method=paired.interval.method,
        p_value=paired.p_value,
        better=better,
        equal=paired.ties,
        worse=worse,
    )


def _known(end: float) -> float | None:
    return end if math.isfinite(end) else None


def _errors(outcomes: Mapping[str, Outcome]) -> int:
    return sum(outcome.status == "error" for outcome in outcomes.values())


def _line(metric: MetricComparison) -> str:
    sign = "+" if metric.difference >= 0 else ""
    difference = with_unit(f"{sign}{number(metric.difference, metric.low, metric.high)}", metric.unit)
    ends = interval(metric.low, metric.high, metric.difference)
    sides = f"{number(metric.first, metric.second)} against {number(metric.second, metric.first)}"
    counts = f"better {metric.better:,}, equal {metric.equal:,}, worse {metric.worse:,}"
    return f"  {metric.metric}: {difference} {ends} ({sides}; {counts}; p = {metric.p_value:.2g}, {metric.method})"
