"""Floor plans: rectangles cut from a rectangle, or rows along a hallway; then bays and an L-shaped living room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pentathlon.worlds.houses.house import RoomType
from pentathlon.worlds.houses.plan.hallways import Cell, along_hallway, snap
from pentathlon.worlds.houses.plan.polygons import Rect, bounds, edges, union_outline
from pentathlon.worlds.houses.plan.programme import NEEDS, choose_area

LONGEST_ASPECT = 2.0
BAY_CHANCE = 0.2
BAY_DEPTH_M = (0.4, 1.4)
ANNEX_CHANCE = 0.35
ANNEX_AREA_M2 = (6.0, 10.0)
SHARED_WALL_M = 1.3

Plan = tuple["PlannedRoom", ...]


class PlannedRoom(NamedTuple):
    """A room's type and outline."""

    type: RoomType
    outline: tuple[tuple[float, float], ...]


def draw_plan(rng: np.random.Generator, types: Sequence[RoomType]) -> Plan | None:
    """Draws one plan; ``None`` when this draw leaves a room too narrow, so that the caller draws again."""
    cells = along_hallway(rng, types) if "Hallway" in types else _guillotine(rng, types)
    if any(not _fits(cell) for cell in cells):
        return None
    cells = _with_bays(rng, cells)
    if rng.random() < 0.5:
        cells = [cell._replace(rect=Rect(cell.rect.y0, cell.rect.x0, cell.rect.y1, cell.rect.x1)) for cell in cells]
    return _joined(_at_origin(cells))


def shared_spans(first: PlannedRoom, second: PlannedRoom) -> list[tuple[bool, float, float, float]]:
    """Returns the stretches of wall between two rooms as (along x, line, low, high), longest first."""
    found = []
    for a in edges(first.outline):
        for b in edges(second.outline):
            low, high = max(a.span[0], b.span[0]), min(a.span[1], b.span[1])
            if a.along_x == b.along_x and abs(a.line - b.line) < 1e-6 and high - low > 1e-6:
                found.append((a.along_x, a.line, low, high))
    return sorted(found, key=lambda span: (span[2] - span[3], span))


def _guillotine(rng: np.random.Generator, types: Sequence[RoomType]) -> list[Cell]:
    wanted = [(i, kind, choose_area(rng, kind)) for i, kind in enumerate(types)]
    if "LivingRoom" in types and len(types) > 2 and rng.random() < ANNEX_CHANCE:
        wanted.append((types.index("LivingRoom"), "LivingRoom", float(rng.uniform(*ANNEX_AREA_M2))))
    order = [wanted[i] for i in rng.permutation(len(wanted))]
    total = sum(area for _, _, area in order)
    width = float(np.sqrt(total * rng.uniform(0.75, 1.35)))
    return _cut(rng, order, Rect(0.0, 0.0, snap(width), snap(total / width)))


def _cut(rng: np.random.Generator, wanted: list[tuple[int, RoomType, float]], rect: Rect) -> list[Cell]:
    if len(wanted) == 1:
        return [Cell(wanted[0][0], wanted[0][1], rect)]
    place = int(rng.integers(1, len(wanted)))
    share = sum(area for _, _, area in wanted[:place]) / sum(area for _, _, area in wanted)
    across_x = rect.width > rect.depth * rng.uniform(0.8, 1.25)
    if across_x:
        cut = snap(rect.x0 + share * rect.width)
        parts = rect._replace(x1=cut), rect._replace(x0=cut)
    else:
        cut = snap(rect.y0 + share * rect.depth)
        parts = rect._replace(y1=cut), rect._replace(y0=cut)
    return _cut(rng, wanted[:place], parts[0]) + _cut(rng, wanted[place:], parts[1])


def _fits(cell: Cell) -> bool:
    short, long = sorted((cell.rect.width, cell.rect.depth))
    if cell.type == "Hallway":
        return short >= NEEDS["Hallway"].side
    return short >= NEEDS[cell.type].side - 0.3 and long / short <= LONGEST_ASPECT


def _with_bays(rng: np.random.Generator, cells: list[Cell]) -> list[Cell]:
    """Pushes some outer sides outwards, which cannot meet any other room."""
    whole = bounds([cell.rect.outline() for cell in cells])
    made = []
    for cell in cells:
        rect = cell.rect
        for side in ("x0", "y0", "x1", "y1"):
            outer = getattr(rect, side) == getattr(whole, side)
            if outer and cell.type != "Hallway" and rng.random() < BAY_CHANCE:
                step = snap(float(rng.uniform(*BAY_DEPTH_M)))
                moved = rect._replace(**{side: getattr(rect, side) + (step if side.endswith("1") else -step)})
                rect = moved if _fits(cell._replace(rect=moved)) else rect
        made.append(cell._replace(rect=rect))
    return made


def _at_origin(cells: list[Cell]) -> list[Cell]:
    whole = bounds([cell.rect.outline() for cell in cells])
    return [
        cell._replace(
            rect=Rect(
                *(round(value - origin, 2) for value, origin in zip(cell.rect, (whole.x0, whole.y0) * 2, strict=True))
            )
        )
        for cell in cells
    ]


def _joined(cells: list[Cell]) -> Plan | None:
    rooms: dict[int, list[Cell]] = {}
    for cell in cells:
        rooms.setdefault(cell.room, []).append(cell)
    for parts in rooms.values():
        if len(parts) == 2 and not _adjoin(parts[0].rect, parts[1].rect):
            return None
    return tuple(
        PlannedRoom(parts[0].type, union_outline([cell.rect for cell in parts])) for _, parts in sorted(rooms.items())
    )


def _adjoin(first: Rect, second: Rect) -> bool:
    spans = shared_spans(PlannedRoom("LivingRoom", first.outline()), PlannedRoom("LivingRoom", second.outline()))
    return bool(spans) and spans[0][3] - spans[0][2] >= SHARED_WALL_M
