"""The pieces of an SVG file: lines, dots, texts and the frame around them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

COLOURS = ("#1b6ca8", "#d1495b", "#2e8b57", "#e08e2b", "#7a4fa3", "#5f6b73", "#8a5a2b", "#3aa6a6")
GRID = "#e3e3e3"
WIDTH = 560
LEFT, RIGHT, TOP = 64, 24, 52


def line(x1: float, y1: float, x2: float, y2: float, colour: str, width: float = 1) -> str:
    """A straight line."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}"/>'


def dot(x: float, y: float, colour: str, label: str) -> str:
    """A mark that tells its label when pointed at."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.6" fill="{colour}"><title>{escape(label)}</title></circle>'


def text(x: float, y: float, words: str, anchor: str) -> str:
    """Words that start, end or are centred at a place."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def drawing(title: str, parts: Sequence[str], height: float) -> str:
    """The whole file: a white ground, the title and the parts."""
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}" '
        f'height="{height:.0f}" font-family="system-ui, sans-serif" font-size="12" fill="#222" role="img">\n'
        f'<rect width="100%" height="100%" fill="#fff"/>\n'
        f'<text x="{LEFT - 48}" y="18" font-size="14" font-weight="600">{escape(title)}</text>\n{body}\n</svg>\n'
    )
