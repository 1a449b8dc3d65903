"""Curves and scores with intervals, as SVG files."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from pentathlon.stats.charts.axis import ticks_between
from pentathlon.stats.charts.drawing import COLOURS, GRID, LEFT, RIGHT, TOP, WIDTH, dot, drawing, line, text

HEIGHT, BOTTOM = 360, 58
SIDEWAYS_PX = 5.0
MOST_NAMED = 12
"""So many places have their own numbers below them; more have round ones."""

Place: TypeAlias = Callable[[float], float]
"""From a value to where it is drawn."""


@dataclass(frozen=True)
class Mark:
    """A value, with an interval where ``low`` and ``high`` differ from it."""

    x: float
    y: float
    low: float
    high: float
    label: str = ""


@dataclass(frozen=True)
class Series:
    """Marks that a line joins."""

    label: str
    marks: tuple[Mark, ...]


def learning_curve(scores: Sequence[tuple[int, float]], losses: Sequence[tuple[int, float]]) -> str:
    """Draws the evaluations' mean scores over the epochs, with the training loss in the title."""
    marks = tuple(Mark(epoch, score, score, score) for epoch, score in scores)
    title = f"Best evaluation {max(score for _, score in scores):.1f} %, last loss {losses[-1][1]:.3g}"
    return line_chart(title, "epoch", "mean score, %", [Series("evaluations", marks)], y_range=(0.0, 100.0))


def line_chart(
    title: str,
    x_title: str,
    y_title: str,
    series: Sequence[Series],
    *,
    log_x: bool = False,
    x_names: Sequence[str] = (),
    y_range: tuple[float, float] | None = None,
    joined: bool = True,
) -> str:
    """Draws series of marks.

    Args:
        title: stands above.
        x_title: names the horizontal axis.
        y_title: names the vertical axis.
        series: each in its own colour; named in a legend when there are several.
        log_x: spaces x by its logarithm.
        x_names: names of the places 0, 1, 2 ... where x stands for categories.
        y_range: ends of the vertical axis; what the marks need unless given.
        joined: whether a line joins the marks of a series; between categories without an order there is nothing.
    """
    marks = [mark for one in series for mark in one.marks]
    low_y, high_y = y_range or _padded([mark.low for mark in marks] + [mark.high for mark in marks])
    warp: Place = math.log10 if log_x else float
    low_x, high_x = (-0.5, len(x_names) - 0.5) if x_names else _padded([warp(mark.x) for mark in marks])
    legend = 16 * len(series) if len(series) > 1 else 0
    height = HEIGHT + legend

    def place_x(x: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (warp(x) - low_x) / (high_x - low_x)

    def place_y(y: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (y - low_y) / (high_y - low_y)

    parts = [*_horizontal_lines(low_y, high_y, place_y)]
    places = [float(index) for index in range(len(x_names))] or _named_places(
        {mark.x for mark in marks}, rounded=not log_x
    )
    x_ticks = dict(zip(places, x_names or [_short(x) for x in places], strict=True))
    parts += _names(x_ticks, place_x) if x_names else _numbers(x_ticks, place_x)
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, x_title, "middle"))
    parts.append(text(LEFT - 48, TOP - 12, y_title, "start"))
    for index, one in enumerate(series):
        colour = COLOURS[index % len(COLOURS)]
        # Side by side, so that intervals at one place do not hide each other.
        parts += _draw(one, colour, SIDEWAYS_PX * (index - (len(series) - 1) / 2), place_x, place_y, joined)
        if legend:
            parts.append(dot(LEFT, HEIGHT + 16 * index, colour, one.label))
            parts.append(text(LEFT + 12, HEIGHT + 4 + 16 * index, one.label, "start"))
    return drawing(title, parts, height + 8)


def _draw(series: Series, colour: str, aside_px: float, place_x: Place, place_y: Place, joined: bool) -> list[str]:
    points = " ".join(f"{place_x(mark.x) + aside_px:.1f},{place_y(mark.y):.1f}" for mark in series.marks)
    path = f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5" opacity="0.6"/>'
    parts = [path] if joined else []
    for mark in series.marks:
        x = place_x(mark.x) + aside_px
        if mark.low != mark.high:
            parts.append(line(x, place_y(mark.low), x, place_y(mark.high), colour, width=2))
        parts.append(dot(x, place_y(mark.y), colour, f"{mark.label or series.label}: {mark.y:.1f}"))
    return parts


def _named_places(values: set[float], *, rounded: bool) -> list[float]:
    few = not rounded or len(values) <= MOST_NAMED
    return sorted(values) if few else [x for x in ticks_between(min(values), max(values)) if x <= max(values)]


def _horizontal_lines(low: float, high: float, place_y: Place) -> list[str]:
    ticks = ticks_between(low, high)
    lines = [line(LEFT, place_y(tick), WIDTH - RIGHT, place_y(tick), GRID) for tick in ticks]
    return lines + [text(LEFT - 8, place_y(tick) + 4, f"{tick:g}", "end") for tick in ticks]


def _numbers(ticks: Mapping[float, str], place_x: Place) -> list[str]:
    """Leaves out tick labels that would run into the one before."""
    kept: list[tuple[float, str]] = []
    for x, name in ticks.items():
        if not kept or not _collide(kept[-1], (x, name), place_x):
            kept.append((x, name))
    return [text(place_x(x), HEIGHT - BOTTOM + 18, name, "middle") for x, name in kept]


def _names(ticks: Mapping[float, str], place_x: Place) -> list[str]:
    """Names of categories, all of them: in two rows where they would run into each other."""
    named = list(ticks.items())
    crowded = any(_collide(before, after, place_x) for before, after in pairwise(named))
    return [
        text(place_x(x), HEIGHT - BOTTOM + 18 + 13 * (crowded and number % 2), name, "middle")
        for number, (x, name) in enumerate(named)
    ]


def _collide(before: tuple[float, str], after: tuple[float, str], place_x: Place) -> bool:
    return place_x(after[0]) - place_x(before[0]) <= 3.4 * (len(before[1]) + len(after[1])) + 6


def _padded(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    room = 0.08 * (high - low) or 0.5
    return low - room, high + room


def _short(value: float) -> str:
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.3g}{unit}"
    return f"{value:g}"
