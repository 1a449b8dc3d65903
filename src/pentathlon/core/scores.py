"""Scores: a value with its interval, and how a task's metrics become scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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
        aggregation: ``success`` for 0/1 outcomes (Wilson interval), ``mean`` otherwise (clustered bootstrap).
        scale: factor from the trial's number to the printed one; 100 prints a rate as a percentage.
        unit: printed after the value.
        error_value: what a trial that ended in an error counts as, before scaling.
        higher_is_better: direction of the ranking.
        paper: the published value, if there is one.
        ceiling: what the task's own expert reaches, in the printed unit, if there is one.
    """

    name: str
    aggregation: Aggregation = "mean"
    scale: float = 1.0
    unit: str = ""
    error_value: float = 0.0
    higher_is_better: bool = True
    paper: PaperValue | None = None
    ceiling: float | None = None


@dataclass(frozen=True)
class Score:
    """A summarised metric: ``value [low, high] n``, at 95 % confidence."""

    metric: str
    value: float
    low: float
    high: float
    n: int
    errors: int = 0
    unit: str = ""
    higher_is_better: bool = True
    paper: PaperValue | None = None
    ceiling: float | None = None

    def __str__(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        return f"{self.value:.1f}{unit} [{self.low:.1f}, {self.high:.1f}] n={self.n}"
