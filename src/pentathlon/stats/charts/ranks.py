"""Distributions of ranks over benchmarks, as an SVG file."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from pentathlon.stats.charts.drawing import COLOURS, GRID, RIGHT, TOP, WIDTH, dot, drawing, line, text


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
        parts.append(line(place_x(rank), TOP, place_x(rank), bottom, GRID))
        parts.append(text(place_x(rank), bottom + 16, str(rank), "middle"))
    parts.append(text(place_x((1 + worst) / 2), bottom + 34, "rank on each benchmark; the line is the mean", "middle"))
    for index, (name, row) in enumerate(ranks.items()):
        base, colour = TOP + pitch * (index + 1) - 8, COLOURS[index % len(COLOURS)]
        parts.append(text(left - 6, base - 4, _fitting(name), "end"))
        parts.append(line(left, base, WIDTH - RIGHT, base, GRID))
        for taken in sorted(set(row)):
            times, label = list(row).count(taken), f"{name}: rank {taken:g}"
            parts += [dot(place_x(taken), base - 6 - 8 * above, colour, label) for above in range(times)]
        mean = place_x(sum(row) / len(row))
        parts.append(line(mean, base - pitch + 10, mean, base, colour, width=2))
    return drawing(title, parts, bottom + 48)


def _fitting(name: str, longest: int = 26) -> str:
    return name if len(name) <= longest else f"{name[:12]}…{name[-(longest - 13) :]}"
