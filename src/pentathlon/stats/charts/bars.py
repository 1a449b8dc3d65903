"""Intervals as inline SVG, drawn in percentages so that they follow the width of their place."""

from __future__ import annotations

from markupsafe import Markup

from pentathlon.core.scores import PaperValue, Score
from pentathlon.stats.charts.axis import Axis

# Room at both ends, so that a dot at 0 or 100 % is drawn whole.
_MARGIN = 3.0


def position(axis: Axis, value: float) -> str:
    """Returns where ``value`` lies, as a percentage of the width."""
    return f"{_MARGIN + (100 - 2 * _MARGIN) * axis.share(value):.2f}%"


def bar(score: Score, axis: Axis, paper: PaperValue | None = None) -> Markup:
    """Draws the interval as a line, the value as a dot and the paper's value as a tick."""
    label = f"{score.value_text}, 95 % interval {score.interval_text}"
    drawn = Markup('<svg class="bar" role="img" aria-label="{}"><title>{}</title>').format(label, label)
    drawn += Markup('<line class="track" x1="0" x2="100%" y1="50%" y2="50%"/>')
    if paper:
        at = position(axis, paper.value)
        drawn += Markup('<line class="paper" x1="{0}" x2="{0}" y1="15%" y2="85%"/>').format(at)
    if score.low is not None or score.high is not None:
        drawn += Markup('<line class="range" x1="{}" x2="{}" y1="50%" y2="50%"/>').format(
            "0" if score.low is None else position(axis, score.low),
            "100%" if score.high is None else position(axis, score.high),
        )
    return drawn + Markup('<circle class="value" cx="{}" cy="50%" r="4"/></svg>').format(position(axis, score.value))


def scale(axis: Axis) -> Markup:
    """Draws the axis' tick values, to stand above or below bars."""
    texts = [
        Markup('<text x="{}" y="12" text-anchor="middle">{:g}</text>').format(position(axis, tick), tick)
        for tick in axis.ticks
    ]
    return Markup('<svg class="scale" aria-hidden="true">{}</svg>').format(Markup().join(texts))
