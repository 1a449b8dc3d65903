"""Curves in the plane and in space: outlines, profiles and paths that shapes are made from."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from pentathlon.worlds.modelling.mesh import Floats


def arc(centre: Sequence[float], radius: float, start_deg: float, end_deg: float, steps: int = 12) -> Floats:
    """Points on a circular arc in the plane, float[steps + 1, 2]."""
    angles = np.radians(np.linspace(start_deg, end_deg, steps + 1))
    points: Floats = np.asarray(centre) + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return points


def ellipse(width: float, height: float, steps: int = 32, power: float = 2.0) -> Floats:
    """Closed counter-clockwise outline of a superellipse: power 2 is an ellipse, 4 a rounded rectangle."""
    angles = np.linspace(0.0, 2.0 * math.pi, steps, endpoint=False)
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    outline: Floats = np.sign(directions) * np.abs(directions) ** (2.0 / power) * (width / 2.0, height / 2.0)
    return outline


def rounded_rectangle(width: float, height: float, radius: float, steps: int = 4) -> Floats:
    """Closed counter-clockwise outline of a rectangle with round corners, centred at the origin."""
    inner_x, inner_y = width / 2.0 - radius, height / 2.0 - radius
    corners = ((inner_x, inner_y, 0), (-inner_x, inner_y, 90), (-inner_x, -inner_y, 180), (inner_x, -inner_y, 270))
    return np.concatenate([arc((x, y), radius, turn, turn + 90, steps) for x, y, turn in corners])


def fillet(points: ArrayLike, radius: float | Sequence[float], steps: int = 3, *, closed: bool = False) -> Floats:
    """Round the inner corners of a polyline (any dimension) by arcs-like curves of about the given radius.

    Args:
        points: float[N, D].
        radius: One number, or one per point; it is cut to 45 % of the shorter neighbouring edge.
        steps: Segments that replace each corner.
        closed: Whether the last point joins the first.
    """
    line = np.asarray(points, dtype=np.float64)
    radii = np.broadcast_to(np.asarray(radius, dtype=np.float64), len(line))
    result: list[Floats] = []
    for i, corner in enumerate(line):
        if not closed and i in (0, len(line) - 1):
            result.append(corner)
            continue
        before, after = line[i - 1] - corner, line[(i + 1) % len(line)] - corner
        lengths = float(np.linalg.norm(before)), float(np.linalg.norm(after))
        reach = min(float(radii[i]), 0.45 * min(lengths))
        if reach <= 0:
            result.append(corner)
            continue
        start, end = corner + before / lengths[0] * reach, corner + after / lengths[1] * reach
        for t in np.linspace(0.0, 1.0, steps + 1):
            result.append((1 - t) ** 2 * start + 2 * t * (1 - t) * corner + t**2 * end)
    return np.array(result)


def spline(points: ArrayLike, steps: int = 6, *, closed: bool = False) -> Floats:
    """Smooth curve through the points (Catmull-Rom, any dimension), `steps` segments between neighbours."""
    line = np.asarray(points, dtype=np.float64)
    ends = (line[-1], line[0], line[1]) if closed else (2 * line[0] - line[1], 2 * line[-1] - line[-2])
    padded = np.vstack([ends[0], line, *ends[1:]])
    t = np.linspace(0.0, 1.0, steps, endpoint=False)[:, None]
    pieces = []
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        pieces.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3))
    return np.concatenate(pieces if closed else [*pieces, line[-1:]])
