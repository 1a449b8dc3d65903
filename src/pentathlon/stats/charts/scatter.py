"""Scores of one kind against scores of another, as an SVG file."""

from __future__ import annotations

from collections.abc import Sequence

from pentathlon.stats.charts.axis import ticks_between
from pentathlon.stats.charts.drawing import COLOURS, GRID, LEFT, TOP, dot, drawing, line, text
from pentathlon.stats.charts.lines import Series

SIDE, BOTTOM = 330, 40
LEAST = 10.0


def scatter_chart(title: str, x_title: str, y_title: str, series: Sequence[Series]) -> str:
    """Draws marks on two equal axes from 0, with intervals of y and the line on which both are the same."""
    marks = [mark for one in series for mark in one.marks]
    most = max([LEAST, *(max(mark.x, mark.high) for mark in marks)]) * 1.05

    def place_x(value: float) -> float:
        return LEFT + SIDE * value / most

    def place_y(value: float) -> float:
        return TOP + SIDE * (1 - value / most)

    parts = []
    for tick in ticks_between(0.0, most):
        parts.append(line(LEFT, place_y(tick), LEFT + SIDE, place_y(tick), GRID))
        parts.append(text(LEFT - 8, place_y(tick) + 4, f"{tick:g}", "end"))
        parts.append(text(place_x(tick), TOP + SIDE + 18, f"{tick:g}", "middle"))
    parts.append(line(place_x(0.0), place_y(0.0), place_x(most), place_y(most), COLOURS[5]))
    parts.append(text(LEFT + SIDE / 2, TOP + SIDE + 36, x_title, "middle"))
    parts.append(text(LEFT - 48, TOP - 12, y_title, "start"))
    for index, one in enumerate(series):
        colour = COLOURS[index % len(COLOURS)]
        for mark in one.marks:
            x = place_x(mark.x)
            if mark.low != mark.high:
                parts.append(line(x, place_y(mark.low), x, place_y(mark.high), colour))
            parts.append(dot(x, place_y(mark.y), colour, f"{mark.label or one.label}: {mark.x:.1f}, {mark.y:.1f}"))
        below = TOP + SIDE + BOTTOM + 16 * (index + 1)
        parts += [dot(LEFT, below - 4, colour, one.label), text(LEFT + 12, below, one.label, "start")]
    return drawing(title, parts, TOP + SIDE + BOTTOM + 16 * len(series) + 12)
