"""Shares of a whole as stacked bars, as an SVG file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from pentathlon.stats.charts.drawing import COLOURS, RIGHT, TOP, WIDTH, dot, drawing, text

NAMES_PX, PITCH_PX, BAR_PX = 200, 26, 18


def stacked_bars(title: str, parts: Sequence[str], rows: Mapping[str, Sequence[float]]) -> str:
    """Draws a bar for each row; its shares, from 0 to 1, stand for the named parts in their order."""
    left, wide = NAMES_PX, WIDTH - NAMES_PX - RIGHT
    drawn = []
    for place, (name, shares) in enumerate(rows.items()):
        top, begin = TOP + PITCH_PX * place, 0.0
        drawn.append(text(left - 8, top + 13, name, "end"))
        for share, part, colour in zip(shares, parts, COLOURS, strict=False):
            drawn.append(
                f'<rect x="{left + wide * begin:.1f}" y="{top}" width="{wide * share:.1f}" height="{BAR_PX}" '
                f'fill="{colour}"><title>{escape(f"{name}, {part}: {100 * share:.1f} %")}</title></rect>'
            )
            if share >= 0.06:
                drawn.append(text(left + wide * (begin + share / 2), top + 13, f"{100 * share:.0f}", "middle"))
            begin += share
    below = TOP + PITCH_PX * len(rows) + 8
    for place, (part, colour) in enumerate(zip(parts, COLOURS, strict=False)):
        drawn += [dot(left, below + 16 * place, colour, part), text(left + 12, below + 4 + 16 * place, part, "start")]
    return drawing(title, drawn, below + 16 * len(parts) + 8)
