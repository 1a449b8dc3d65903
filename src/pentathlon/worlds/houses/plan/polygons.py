"""Rectilinear polygons: what rooms are. Exact, by the grid that their own coordinates span."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Outline = Sequence[tuple[float, float]]


class Rect(NamedTuple):
    """An axis-parallel rectangle, metres."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """Extent along x."""
        return self.x1 - self.x0

    @property
    def depth(self) -> float:
        """Extent along y."""
        return self.y1 - self.y0

    @property
    def area(self) -> float:
        """Square metres."""
        return self.width * self.depth

    @property
    def centre(self) -> tuple[float, float]:
        """Middle."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def grown(self, margin: float) -> Rect:
        """Returns the rectangle with every side moved outwards."""
        return Rect(self.x0 - margin, self.y0 - margin, self.x1 + margin, self.y1 + margin)

    def overlaps(self, other: Rect) -> bool:
        """Tells whether the interiors meet."""
        return self.x0 < other.x1 and other.x0 < self.x1 and self.y0 < other.y1 and other.y0 < self.y1

    def contains(self, other: Rect) -> bool:
        """Tells whether ``other`` lies in the interior."""
        return self.x0 < other.x0 and other.x1 < self.x1 and self.y0 < other.y0 and other.y1 < self.y1

    def outline(self) -> tuple[tuple[float, float], ...]:
        """Corners, counter-clockwise."""
        return (self.x0, self.y0), (self.x1, self.y0), (self.x1, self.y1), (self.x0, self.y1)


class Edge(NamedTuple):
    """One side of an outline walked counter-clockwise, so that the inside lies to its left."""

    start: tuple[float, float]
    end: tuple[float, float]

    @property
    def along_x(self) -> bool:
        """Whether it is parallel to x."""
        return abs(self.start[1] - self.end[1]) < abs(self.start[0] - self.end[0])

    @property
    def line(self) -> float:
        """Its constant coordinate."""
        return self.start[1] if self.along_x else self.start[0]

    @property
    def span(self) -> tuple[float, float]:
        """Its running coordinate, low to high."""
        axis = 0 if self.along_x else 1
        low, high = sorted((self.start[axis], self.end[axis]))
        return low, high

    @property
    def inward(self) -> tuple[int, int]:
        """Unit normal that points into the room."""
        dx, dy = np.sign(self.end[0] - self.start[0]), np.sign(self.end[1] - self.start[1])
        return int(-dy), int(dx)

    @property
    def length(self) -> float:
        """Metres."""
        low, high = self.span
        return high - low


def signed_area(outline: Outline) -> float:
    """Returns the area, positive when the corners run counter-clockwise."""
    points = np.asarray(outline, dtype=float)
    following = np.roll(points, -1, axis=0)
    return float(np.sum(points[:, 0] * following[:, 1] - following[:, 0] * points[:, 1]) / 2)


def edges(outline: Outline) -> tuple[Edge, ...]:
    """Returns the sides counter-clockwise, with straight runs joined."""
    return _edges(tuple(outline))


@lru_cache(maxsize=1024)
def _edges(outline: tuple[tuple[float, float], ...]) -> tuple[Edge, ...]:
    points = list(outline) if signed_area(outline) > 0 else list(outline)[::-1]
    corners = [p for p, before, after in _with_neighbours(points) if not _straight(before, p, after)]
    return tuple(Edge(a, b) for a, b in zip(corners, corners[1:] + corners[:1], strict=True))


def is_rectilinear(outline: Outline) -> bool:
    """Tells whether every side is parallel to x or y and has a length."""
    pairs = zip(outline, [*outline[1:], outline[0]], strict=True)
    return all((abs(a[0] - b[0]) < 1e-9) != (abs(a[1] - b[1]) < 1e-9) for a, b in pairs)


def is_simple(outline: Outline) -> bool:
    """Tells whether the outline neither crosses nor touches itself: its walked area is the covered one."""
    return abs(abs(signed_area(outline)) - sum(rect.area for rect in rectangles(outline))) < 1e-6


def contains(outline: Outline, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tells which points lie inside, by the parity of the vertical sides to their right."""
    inside = np.zeros(np.broadcast(x, y).shape, dtype=bool)
    for (ax, ay), (bx, by) in zip(outline, [*outline[1:], outline[0]], strict=True):
        if ax == bx:
            inside ^= (x < ax) & (y >= min(ay, by)) & (y < max(ay, by))
    return inside


def contains_point(outline: Outline, x: float, y: float) -> bool:
    """Tells whether one point lies inside."""
    return bool(contains(outline, np.array([x]), np.array([y]))[0])


def contains_rect(outline: Outline, rect: Rect) -> bool:
    """Tells whether a rectangle lies wholly inside."""
    shared = 0.0
    for part in rectangles(outline):
        wide = min(part.x1, rect.x1) - max(part.x0, rect.x0)
        deep = min(part.y1, rect.y1) - max(part.y0, rect.y0)
        if wide > 0.0 and deep > 0.0:
            shared += wide * deep
    return abs(shared - rect.area) < 1e-9


def overlap_area(first: Outline, second: Outline) -> float:
    """Returns the area that two outlines share."""
    xs, ys = _coordinates((first, second))
    both = _inside(first, xs, ys) & _inside(second, xs, ys)
    return float(np.sum(both * np.diff(xs)[:, None] * np.diff(ys)[None, :]))


def rectangles(outline: Outline) -> tuple[Rect, ...]:
    """Cuts an outline into few disjoint rectangles."""
    return _rectangles(tuple(outline))


@lru_cache(maxsize=1024)
def _rectangles(outline: tuple[tuple[float, float], ...]) -> tuple[Rect, ...]:
    xs, ys = _coordinates((outline,))
    return tuple(_merged(_inside(outline, xs, ys), xs, ys))


def union_outline(rects: Sequence[Rect]) -> tuple[tuple[float, float], ...]:
    """Returns the counter-clockwise outline of rectangles that form one piece without holes."""
    xs, ys = _coordinates([rect.outline() for rect in rects])
    mask = np.zeros((len(xs) - 1, len(ys) - 1), dtype=bool)
    for rect in rects:
        mask |= _inside(rect.outline(), xs, ys)
    return _traced(np.pad(mask, 1), xs, ys)


def bounds(outlines: Iterable[Outline]) -> Rect:
    """Returns the smallest rectangle around all outlines."""
    points = np.array([point for outline in outlines for point in outline], dtype=float)
    (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
    return Rect(float(x0), float(y0), float(x1), float(y1))


def _with_neighbours(
    points: list[tuple[float, float]],
) -> Iterator[tuple[tuple[float, float], tuple[float, float], tuple[float, float]]]:
    return zip(points, points[-1:] + points[:-1], points[1:] + points[:1], strict=True)


def _straight(before: tuple[float, float], point: tuple[float, float], after: tuple[float, float]) -> bool:
    cross = (point[0] - before[0]) * (after[1] - point[1]) - (point[1] - before[1]) * (after[0] - point[0])
    return abs(cross) < 1e-9


def _coordinates(outlines: Sequence[Outline]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    points = np.array([point for outline in outlines for point in outline], dtype=float)
    return np.unique(points[:, 0]), np.unique(points[:, 1])


def _inside(outline: Outline, xs: NDArray[np.float64], ys: NDArray[np.float64]) -> NDArray[np.bool_]:
    middle_x, middle_y = (xs[:-1] + xs[1:]) / 2, (ys[:-1] + ys[1:]) / 2
    return contains(outline, middle_x[:, None], middle_y[None, :])


def _merged(mask: NDArray[np.bool_], xs: NDArray[np.float64], ys: NDArray[np.float64]) -> Iterator[Rect]:
    left = mask.copy()
    while left.any():
        i0, j0 = np.argwhere(left)[0]
        j1 = j0
        while j1 < left.shape[1] and left[i0, j1]:
            j1 += 1
        i1 = i0
        while i1 < left.shape[0] and left[i1, j0:j1].all():
            i1 += 1
        left[i0:i1, j0:j1] = False
        yield Rect(float(xs[i0]), float(ys[j0]), float(xs[i1]), float(ys[j1]))


def _traced(
    mask: NDArray[np.bool_], xs: NDArray[np.float64], ys: NDArray[np.float64]
) -> tuple[tuple[float, float], ...]:
    """Walks the border of the padded mask with the inside to the left."""
    following: dict[tuple[int, int], tuple[int, int]] = {}
    for i, j in np.argwhere(mask):
        corner = (int(i) - 1, int(j) - 1)
        for (di, dj), start, end in (
            ((0, -1), (0, 0), (1, 0)),
            ((1, 0), (1, 0), (1, 1)),
            ((0, 1), (1, 1), (0, 1)),
            ((-1, 0), (0, 1), (0, 0)),
        ):
            if not mask[i + di, j + dj]:
                following[corner[0] + start[0], corner[1] + start[1]] = (corner[0] + end[0], corner[1] + end[1])
    point = first = min(following)
    walked = []
    while True:
        walked.append((float(xs[point[0]]), float(ys[point[1]])))
        point = following[point]
        if point == first:
            return tuple(edge.start for edge in edges(walked))
