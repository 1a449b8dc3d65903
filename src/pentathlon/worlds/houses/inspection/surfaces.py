"""Surfaces of a house's shell that would flicker or show as strips: coincident ones, and those where light ends."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.houses.assets.asset import Asset
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.plan.polygons import edges
from pentathlon.worlds.houses.scene.lighting import light_outline
from pentathlon.worlds.houses.scene.structure import build_ceiling, build_shell

Floats = NDArray[np.float64]
FACES_PER_BOX = 12
COINCIDENT_M = 5e-4
LIGHT_MARGIN_M = 5e-3
# Overlaps narrower than this are rounding; points this far in front of a surface tell whether it shows.
LEAST_M = 1e-3
SHARES = (0.02, 0.5, 0.98)


class Boxes(NamedTuple):
    """The boxes that a shell is made of: corners [N, 3], and the part that each belongs to."""

    low_m: Floats
    high_m: Floats
    part: NDArray[np.int64]


def flickering(house: House) -> Iterator[str]:
    """Yields a sentence for every place where two parts of the building, or one and the end of light, coincide."""
    boxes = _boxes(build_shell(house), build_ceiling(house))
    for axis, side, line_m, members in _planes(boxes):
        for i, j in combinations(members, 2):
            if boxes.part[i] != boxes.part[j]:
                yield from _coincident(boxes, axis, side, line_m, int(i), int(j))
    for room in house.rooms:
        for edge in edges(light_outline(room)):
            (low, high), axis = edge.span, 1 if edge.along_x else 0
            end = np.array([[edge.line, low, 0.0], [edge.line, high, house.ceiling_m]])
            yield from _lit_edge(boxes, room.id, axis, end[:, [1, 0, 2]] if edge.along_x else end)


def _boxes(*assets: Asset) -> Boxes:
    lows, highs, parts = [], [], []
    for number, part in enumerate(part for asset in assets for part in asset.parts):
        corners = part.mesh.vertices_m[part.mesh.faces].reshape(-1, FACES_PER_BOX * 3, 3)
        lows.append(corners.min(axis=1))
        highs.append(corners.max(axis=1))
        parts.append(np.full(len(corners), number))
    return Boxes(np.concatenate(lows), np.concatenate(highs), np.concatenate(parts))


def _planes(boxes: Boxes) -> Iterator[tuple[int, int, float, NDArray[np.int64]]]:
    """Yields axis, side (-1 or 1), coordinate and boxes of all planes that hold several sides facing the same way."""
    for axis in range(3):
        for side, corners in ((-1, boxes.low_m), (1, boxes.high_m)):
            order = np.argsort(corners[:, axis], kind="stable")
            gaps = np.diff(corners[order, axis]) > COINCIDENT_M
            for members in np.split(order, np.flatnonzero(gaps) + 1):
                if len(members) > 1:
                    yield axis, side, float(corners[members[0], axis]), members


def _coincident(boxes: Boxes, axis: int, side: int, line_m: float, i: int, j: int) -> Iterator[str]:
    low, high = np.maximum(boxes.low_m[i], boxes.low_m[j]), np.minimum(boxes.high_m[i], boxes.high_m[j])
    across = [other for other in range(3) if other != axis]
    if (high - low)[across].min() > LEAST_M and _shows(boxes, axis, side, line_m, low, high):
        yield f"two surfaces coincide at {_place(low, high)}"


def _lit_edge(boxes: Boxes, room: str, axis: int, end: Floats) -> Iterator[str]:
    """Yields surfaces in an upright rectangle, given by two corners, at which a room's light ends."""
    for side, corners in ((-1, boxes.low_m), (1, boxes.high_m)):
        for i in np.flatnonzero(np.abs(corners[:, axis] - end[0, axis]) < LIGHT_MARGIN_M):
            low, high = np.maximum(boxes.low_m[i], end[0]), np.minimum(boxes.high_m[i], end[1])
            wide = np.delete(high - low, axis).min() > LEAST_M
            if wide and _shows(boxes, axis, side, float(corners[i, axis]), low, high):
                yield f"the light of {room!r} ends on a surface at {_place(low, high)}"


def _shows(boxes: Boxes, axis: int, side: int, line_m: float, low: Floats, high: Floats) -> bool:
    """Tells whether some point of a rectangle is not covered by another box in front of it."""
    shares = np.array(SHARES)
    points = np.stack(np.meshgrid(*(low[k] + shares * (high - low)[k] for k in range(3))), axis=-1).reshape(-1, 3)
    points[:, axis] = line_m + side * LEAST_M
    inside = (points[:, None] > boxes.low_m[None]) & (points[:, None] < boxes.high_m[None])
    return not bool(np.all(np.any(np.all(inside, axis=2), axis=1)))


def _place(low: Floats, high: Floats) -> str:
    x, y, z = (low + high) / 2
    return f"({x:.2f}, {y:.2f}, {z:.2f})"
