"""Axes: a range of values and the round numbers on it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from pentathlon.core.scores import PaperValue, Score


@dataclass(frozen=True)
class Axis:
    """A range of values, with round tick values."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def share(self, value: float) -> float:
        """Returns where ``value`` lies, from 0 at the low end to 1 at the high end."""
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))


def axis_of(scores: Iterable[Score], paper: PaperValue | None = None) -> Axis:
    """Chooses the axis for ``scores`` of one metric: all of 0 to 100 for percentages, else what they need."""
    known = list(scores)
    ends = [end for score in known for end in (score.low, score.value, score.high) if end is not None]
    values = ends + ([paper.value] if paper else []) or [0.0, 1.0]
    if known and known[0].unit == "%" and min(values) >= 0 and max(values) <= 100:
        return Axis(0.0, 100.0, (0.0, 25.0, 50.0, 75.0, 100.0))
    return round_axis(min(values), max(values))


def round_axis(low: float, high: float, steps: int = 5) -> Axis:
    """Returns the axis from a round number below ``low`` to one above ``high``, in ``steps`` steps or a few more."""
    if low == high:
        low, high = low - 0.5, high + 0.5
    step = _round_step(low, high, steps)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return Axis(first * step, last * step, _ticks(first, last, step))


def ticks_between(low: float, high: float, steps: int = 6) -> tuple[float, ...]:
    """Returns the round numbers from ``low`` to ``high``."""
    step = _round_step(low, high, steps)
    return _ticks(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9), step)


def _round_step(low: float, high: float, steps: int) -> float:
    step = 10.0 ** math.floor(math.log10((high - low) / 2))
    return step * next(factor for factor in (1, 2, 5, 10, 20) if (high - low) / (step * factor) <= steps)


def _ticks(first: int, last: int, step: float) -> tuple[float, ...]:
    return tuple(round(index * step, 12) for index in range(first, last + 1))
