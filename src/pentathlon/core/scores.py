"""Scores: a value with its interval, and how a task's metrics become scores."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from pentathlon.core import numbers

Aggregation = Literal["success", "mean"]


@dataclass(frozen=True)
class PaperValue:
    """A published number to stand beside ours.

    Attributes:
        value: in the unit of the metric.
        source: paper, table and row.
        difference: why ours may differ.
    """

    value: float
    source: str
    difference: str = ""


@dataclass(frozen=True)
class Metric:
    """A number that each trial reports and a run summarises; a task's first metric is its headline.

    Attributes:
        name: key in ``Outcome.metrics``.
        aggregation: ``success`` for 0/1 outcomes, ``mean`` otherwise.
        scale: factor from the trial's number to the printed one; 100 prints a rate as a percentage.
        unit: printed after the value.
        error_value: what a trial that ended in an error counts as, before scaling.
        higher_is_better: direction of the ranking.
        paper: the published value, if there is one.
        ceiling: what the task's own expert reaches, in the printed unit, if there is one.
        bounds: least and greatest number that a trial can report, before scaling; they sharpen the interval, and where
            all trials report the same number there is none without them.
    """

    name: str
    aggregation: Aggregation = "mean"
    scale: float = 1.0
    unit: str = ""
    error_value: float = 0.0
    higher_is_better: bool = True
    paper: PaperValue | None = None
    ceiling: float | None = None
    bounds: tuple[float, float] = (-math.inf, math.inf)


@dataclass(frozen=True)
class Score:
    """A summarised metric: ``value [low, high] n``, at 95 % confidence.

    Attributes:
        low: lower end of the interval; ``None`` where the trials tell nothing of it.
        high: upper end, likewise.
        method: how the interval was made.
    """

    metric: str
    value: float
    low: float | None
    high: float | None
    n: int
    errors: int = 0
    unit: str = ""
    higher_is_better: bool = True
    paper: PaperValue | None = None
    ceiling: float | None = None
    method: str = ""

    @property
    def value_text(self) -> str:
        """The value alone, ``88.8 %``."""
        return numbers.with_unit(numbers.number(self.value, self.low, self.high), self.unit)

    @property
    def interval_text(self) -> str:
        """The interval alone, ``[82.1, 93.0]``."""
        return numbers.interval(self.low, self.high, self.value)

    def __str__(self) -> str:
        return f"{self.value_text} {self.interval_text} n={self.n}"
