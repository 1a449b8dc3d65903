"""Intervals as inline SVG, drawn in percentages so that they follow the width of their place."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup

from pentathlon.core.scores import PaperValue, Score
from pentathlon.report.numbers import score_interval, score_value

# Room at both ends, so that a dot at 0 or 100 % is drawn whole.
_MARGIN = 3.0


@dataclass(frozen=True)
class Axis:
    """A range of values shown from left to right, with round tick values."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def position(self, value: float) -> str:
        """Returns where ``value`` lies, as a percentage of the width."""
        share = min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))
        return f"{_MARGIN + (100 - 2 * _MARGIN) * share:.2f}%"


def axis_of(scores: Iterable[Score], paper: PaperValue | None = None) -> Axis:
    """Chooses the axis for ``scores`` of one metric: all of 0 to 100 for percentages, else what they need."""
    known = list(scores)
    values = [bound for score in known for bound in (score.low, score.high)] + ([paper.value] if paper else [])
    if not values:
        values = [0.0, 1.0]
    if known and known[0].unit == "%" and min(values) >= 0 and max(values) <= 100:
        return Axis(0.0, 100.0, (0.0, 25.0, 50.0, 75.0, 100.0))
    return _round_axis(min(values), max(values))


def bar(score: Score, axis: Axis, paper: PaperValue | None = None) -> Markup:
    """Draws the interval as a line, the value as a dot and the paper's value as a tick."""
    label = f"{score_value(score)}, 95 % interval {score_interval(score)}"
    mark = Markup('<line class="paper" x1="{0}" x2="{0}" y1="15%" y2="85%"/>')
    drawn = Markup('<svg class="bar" role="img" aria-label="{}"><title>{}</title>').format(label, label)
    drawn += Markup('<line class="track" x1="0" x2="100%" y1="50%" y2="50%"/>')
    drawn += mark.format(axis.position(paper.value)) if paper else Markup()
    drawn += Markup('<line class="range" x1="{}" x2="{}" y1="50%" y2="50%"/>').format(
        axis.position(score.low), axis.position(score.high)
    )
    return drawn + Markup('<circle class="value" cx="{}" cy="50%" r="4"/></svg>').format(axis.position(score.value))


def scale(axis: Axis) -> Markup:
    """Draws the axis' tick values, to stand above or below bars."""
    texts = [
        Markup('<text x="{}" y="12" text-anchor="middle">{:g}</text>').format(axis.position(tick), tick)
        for tick in axis.ticks
    ]
    return Markup('<svg class="scale" aria-hidden="true">{}</svg>').format(Markup().join(texts))


def _round_axis(low: float, high: float) -> Axis:
    if low == high:
        low, high = low - 0.5, high + 0.5
    step = 10.0 ** math.floor(math.log10((high - low) / 2))
    step *= next(factor for factor in (1, 2, 5, 10, 20) if (high - low) / (step * factor) <= 5)
    first, last = math.floor(low / step), math.ceil(high / step)
    return Axis(first * step, last * step, tuple(round(index * step, 12) for index in range(first, last + 1)))
