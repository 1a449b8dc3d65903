"""Charts as SVG: curves, ranks, scatters and shares as files of their own, intervals as bars inside a page."""

from pentathlon.stats.charts.axis import Axis, axis_of, round_axis
from pentathlon.stats.charts.bars import bar, position, scale
from pentathlon.stats.charts.lines import Mark, Series, learning_curve, line_chart
from pentathlon.stats.charts.ranks import rank_chart
from pentathlon.stats.charts.scatter import scatter_chart
from pentathlon.stats.charts.stacks import stacked_bars

__all__ = [
    "Axis",
    "Mark",
    "Series",
    "axis_of",
    "bar",
    "learning_curve",
    "line_chart",
    "position",
    "rank_chart",
    "round_axis",
    "scale",
    "scatter_chart",
    "stacked_bars",
]
