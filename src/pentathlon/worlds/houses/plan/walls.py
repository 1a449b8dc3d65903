"""Walls as boxes with holes for openings; every room owns the half of each wall on its side of the outline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from pentathlon.worlds.houses.house import Door, House, Room, Window
from pentathlon.worlds.houses.plan.polygons import Edge, Rect, edges, rectangles

HALF_WALL_M = 0.06
ON_LINE_M = 1e-3


class Opening(NamedTuple):
    """A hole in a wall: ``low`` to ``high`` along it, ``bottom`` to ``top`` above the floor."""

    low: float
    high: float
    bottom: float
    top: float
    kind: Literal["door", "window"]


class Wall(NamedTuple):
    """One side of a room with its openings in order along it.

    Attributes:
        outer: stretches of it, low to high, behind which there is no room.
        outer_reaches: for each of them, how far the façade runs beyond its low and high end, around outer corners.
        reaches: how far the slab runs beyond the edge at its low and high end, to close inward corners.
    """

    room: str
    edge: Edge
    openings: tuple[Opening, ...]
    outer: tuple[tuple[float, float], ...]
    outer_reaches: tuple[tuple[float, float], ...]
    reaches: tuple[float, float]


class Block(NamedTuple):
    """An axis-parallel box: a rectangle from ``bottom`` to ``top``."""

    rect: Rect
    bottom: float
    top: float


def walls_of(house: House) -> tuple[Wall, ...]:
    """Returns all walls of all rooms."""
    return tuple(_wall(house, room, edge) for room in house.rooms for edge in edges(room.outline_m))


def edge_of(room: Room, centre_m: tuple[float, float], width_m: float) -> Edge | None:
    """Finds the side of the room that an opening lies on with its whole width."""
    for edge in edges(room.outline_m):
        along, across = centre_m if edge.along_x else centre_m[::-1]
        low, high = edge.span
        on_line = abs(across - edge.line) <= ON_LINE_M
        if on_line and low <= along - width_m / 2 + ON_LINE_M and along + width_m / 2 <= high + ON_LINE_M:
            return edge
    return None


def is_outer(house: House, room: Room, opening: Window | Door) -> bool:
    """Tells whether no other room lies behind an opening of a room."""
    edge = edge_of(room, opening.centre_m, opening.width_m)
    if edge is None:
        return False
    along = opening.centre_m[0 if edge.along_x else 1]
    first, last = along - opening.width_m / 2, along + opening.width_m / 2
    stretches = outer_stretches(edge, room, house.rooms)
    return any(low <= first + ON_LINE_M and last <= high + ON_LINE_M for low, high in stretches)


def outer_stretches(edge: Edge, room: Room, rooms: Sequence[Room]) -> tuple[tuple[float, float], ...]:
    """Returns the parts of a room's side, low to high, behind which there is no other room."""
    stretches = [edge.span]
    for other in rooms:
        for side in edges(other.outline_m):
            facing = side.along_x == edge.along_x and abs(side.line - edge.line) <= ON_LINE_M
            if other.id != room.id and facing:
                stretches = [part for stretch in stretches for part in _without(stretch, side.span)]
    return tuple(stretches)


def inner_blocks(wall: Wall, ceiling_m: float) -> Iterator[Block]:
    """Yields the boxes of the half of the wall inside its room."""
    low, high = wall.edge.span
    span = low - wall.reaches[0], high + wall.reaches[1]
    for block_low, block_high, bottom, top in _solid(span, wall.openings, ceiling_m):
        yield Block(slab(wall.edge, block_low, block_high, HALF_WALL_M), bottom, top)


def outer_blocks(wall: Wall, ceiling_m: float) -> Iterator[Block]:
    """Yields the boxes of the façade behind the wall."""
    for (low, high), reaches in zip(wall.outer, wall.outer_reaches, strict=True):
        openings = [o for o in wall.openings if low <= o.low and o.high <= high]
        span = low - reaches[0], high + reaches[1]
        for block_low, block_high, bottom, top in _solid(span, openings, ceiling_m):
            yield Block(slab(wall.edge, block_low, block_high, -HALF_WALL_M), bottom, top)


def slab(edge: Edge, low: float, high: float, depth: float, offset: float = 0.0) -> Rect:
    """Returns the strip along an edge from ``offset`` inwards to ``offset + depth``; a negative depth lies outside."""
    normal = edge.inward[1] if edge.along_x else edge.inward[0]
    near, far = sorted((edge.line + normal * offset, edge.line + normal * (offset + depth)))
    return Rect(low, near, high, far) if edge.along_x else Rect(near, low, far, high)


def _wall(house: House, room: Room, edge: Edge) -> Wall:
    outer = outer_stretches(edge, room, house.rooms)
    reaches = tuple(_outer_reaches(edge, stretch, house.rooms) for stretch in outer)
    return Wall(room.id, edge, _openings(house, room, edge), outer, reaches, _reaches(edge, room))


def _outer_reaches(edge: Edge, stretch: tuple[float, float], rooms: Sequence[Room]) -> tuple[float, float]:
    """A façade fills the corner square at an end where no room lies; inside a room it would show as a strip."""
    low, high = stretch
    corners = slab(edge, low - HALF_WALL_M, low, -HALF_WALL_M), slab(edge, high, high + HALF_WALL_M, -HALF_WALL_M)
    at_low, at_high = (0.0 if _within_rooms(corner.grown(-ON_LINE_M), rooms) else HALF_WALL_M for corner in corners)
    return at_low, at_high


def _within_rooms(rect: Rect, rooms: Sequence[Room]) -> bool:
    return any(part.overlaps(rect) for room in rooms for part in _parts(room.outline_m))


@lru_cache(maxsize=1024)
def _parts(outline: tuple[tuple[float, float], ...]) -> tuple[Rect, ...]:
    return rectangles(outline)


def _openings(house: House, room: Room, edge: Edge) -> tuple[Opening, ...]:
    found = []
    for door in house.doors:
        if room.id in door.rooms and edge_of(room, door.centre_m, door.width_m) == edge:
            found.append(_opening(edge, door.centre_m, door.width_m, 0.0, door.height_m, "door"))
    for window in house.windows:
        if window.room == room.id and edge_of(room, window.centre_m, window.width_m) == edge:
            top = window.sill_m + window.height_m
            found.append(_opening(edge, window.centre_m, window.width_m, window.sill_m, top, "window"))
    return tuple(sorted(found))


def _opening(
    edge: Edge,
    centre_m: tuple[float, float],
    width_m: float,
    bottom: float,
    top: float,
    kind: Literal["door", "window"],
) -> Opening:
    along = centre_m[0 if edge.along_x else 1]
    return Opening(along - width_m / 2, along + width_m / 2, bottom, top, kind)


def _without(stretch: tuple[float, float], hole: tuple[float, float]) -> list[tuple[float, float]]:
    parts = [(stretch[0], min(stretch[1], hole[0])), (max(stretch[0], hole[1]), stretch[1])]
    return [(low, high) for low, high in parts if high - low > ON_LINE_M]


def _reaches(edge: Edge, room: Room) -> tuple[float, float]:
    """A slab must run on around a corner that juts into the room; at other corners slabs overlap anyway."""
    walk = edges(room.outline_m)
    place = walk.index(edge)
    at_start = HALF_WALL_M if _turns_right(walk[place - 1], edge) else 0.0
    at_end = HALF_WALL_M if _turns_right(edge, walk[(place + 1) % len(walk)]) else 0.0
    return (at_start, at_end) if edge.start <= edge.end else (at_end, at_start)


def _turns_right(first: Edge, second: Edge) -> bool:
    ax, ay = first.end[0] - first.start[0], first.end[1] - first.start[1]
    bx, by = second.end[0] - second.start[0], second.end[1] - second.start[1]
    return ax * by - ay * bx < 0


def _solid(
    span: tuple[float, float], openings: Sequence[Opening], ceiling_m: float
) -> Iterator[tuple[float, float, float, float]]:
    cursor = span[0]
    for opening in openings:
        if opening.low > cursor:
            yield cursor, opening.low, 0.0, ceiling_m
        if opening.bottom > 0:
            yield opening.low, opening.high, 0.0, opening.bottom
        if opening.top < ceiling_m:
            yield opening.low, opening.high, opening.top, ceiling_m
        cursor = opening.high
    if span[1] > cursor:
        yield cursor, span[1], 0.0, ceiling_m
