"""Charts as plain SVG files: learning curves, scores with intervals, distributions of ranks."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TypeAlias

COLOURS = ("#1b6ca8", "#d1495b", "#2e8b57", "#e08e2b", "#7a4fa3", "#5f6b73", "#b5527d", "#3aa6a6")
WIDTH, HEIGHT = 560, 360
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 52, 58
SIDEWAYS_PX = 5.0

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
    places = [float(index) for index in range(len(x_names))] or sorted({mark.x for mark in marks})
    x_ticks = dict(zip(places, x_names or [_short(x) for x in places], strict=True))
    parts += [_text(place_x(x), HEIGHT - BOTTOM + 18, name, "middle") for x, name in _spaced(x_ticks, place_x)]
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, x_title, "middle"))
    parts.append(_text(LEFT - 48, TOP - 12, y_title, "start"))
    for index, one in enumerate(series):
        colour = COLOURS[index % len(COLOURS)]
        # Side by side, so that intervals at one place do not hide each other.
        parts += _draw(one, colour, SIDEWAYS_PX * (index - (len(series) - 1) / 2), place_x, place_y)
        if legend:
            parts.append(_dot(LEFT, HEIGHT + 16 * index, colour, one.label))
            parts.append(_text(LEFT + 12, HEIGHT + 4 + 16 * index, one.label, "start"))
    return _svg(title, parts, height + 8)


def rank_chart(title: str, ranks: Mapping[str, Sequence[float]]) -> str:
    """Draws each entrant's ranks over the benchmarks as dots, equal ones stacked, and their mean as a line.

    After the paper's Figures 5 and 6; entrants stand in the order given.
    """
    worst = max(1.0, *(rank for row in ranks.values() for rank in row))
    left, pitch = 190, 44
    bottom = TOP + pitch * len(ranks)

    def place_x(rank: float) -> float:
        return left + 20 + (WIDTH - left - RIGHT - 40) * (rank - 1) / max(1.0, worst - 1)

    parts = []
    for rank in range(1, math.ceil(worst) + 1):
        parts.append(_line(place_x(rank), TOP, place_x(rank), bottom, "#e3e3e3"))
        parts.append(_text(place_x(rank), bottom + 16, str(rank), "middle"))
    parts.append(_text(place_x((1 + worst) / 2), bottom + 34, "rank on each benchmark; the line is the mean", "middle"))
    for index, (name, row) in enumerate(ranks.items()):
        base, colour = TOP + pitch * (index + 1) - 8, COLOURS[index % len(COLOURS)]
        parts.append(_text(left - 6, base - 4, _fitting(name), "end"))
        parts.append(_line(left, base, WIDTH - RIGHT, base, "#e3e3e3"))
        for taken in sorted(set(row)):
            times, label = list(row).count(taken), f"{name}: rank {taken:g}"
            parts += [_dot(place_x(taken), base - 6 - 8 * above, colour, label) for above in range(times)]
        mean = place_x(sum(row) / len(row))
        parts.append(_line(mean, base - pitch + 10, mean, base, colour, width=2))
    return _svg(title, parts, bottom + 48)


def _draw(series: Series, colour: str, aside_px: float, place_x: Place, place_y: Place) -> list[str]:
    points = " ".join(f"{place_x(mark.x) + aside_px:.1f},{place_y(mark.y):.1f}" for mark in series.marks)
    parts = [f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5" opacity="0.6"/>']
    for mark in series.marks:
        x = place_x(mark.x) + aside_px
        if mark.low != mark.high:
            parts.append(_line(x, place_y(mark.low), x, place_y(mark.high), colour, width=2))
        parts.append(_dot(x, place_y(mark.y), colour, f"{mark.label or series.label}: {mark.y:.1f}"))
    return parts


def _horizontal_lines(low: float, high: float, place_y: Place) -> list[str]:
    step = 10.0 ** math.floor(math.log10((high - low) / 2))
    step *= next(factor for factor in (1, 2, 5, 10, 20) if (high - low) / (step * factor) <= 6)
    ticks = [step * index for index in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]
    lines = [_line(LEFT, place_y(tick), WIDTH - RIGHT, place_y(tick), "#e3e3e3") for tick in ticks]
    return lines + [_text(LEFT - 8, place_y(tick) + 4, f"{tick:g}", "end") for tick in ticks]


def _spaced(ticks: Mapping[float, str], place_x: Place) -> list[tuple[float, str]]:
    """Leaves out tick labels that would run into the one before."""
    kept: list[tuple[float, str]] = []
    for x, name in ticks.items():
        if not kept or place_x(x) - place_x(kept[-1][0]) > 3.4 * (len(name) + len(kept[-1][1])) + 6:
            kept.append((x, name))
    return kept


def _padded(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    room = 0.08 * (high - low) or 0.5
    return low - room, high + room


def _short(value: float) -> str:
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.3g}{unit}"
    return f"{value:g}"


def _fitting(name: str, longest: int = 26) -> str:
    return name if len(name) <= longest else f"{name[:12]}…{name[-(longest - 13) :]}"


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, width: float = 1) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}"/>'


def _dot(x: float, y: float, colour: str, label: str) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.6" fill="{colour}"><title>{escape(label)}</title></circle>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(title: str, parts: Sequence[str], height: float) -> str:
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}" '
        f'height="{height:.0f}" font-family="system-ui, sans-serif" font-size="12" fill="#222" role="img">\n'
        f'<rect width="100%" height="100%" fill="#fff"/>\n'
        f'<text x="{LEFT - 48}" y="18" font-size="14" font-weight="600">{escape(title)}</text>\n{body}\n</svg>\n'
    )
