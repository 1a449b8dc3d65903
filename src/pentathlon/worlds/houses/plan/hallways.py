"""Plans with a hallway: rooms in rows along a corridor, which may end in a second corridor across it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pentathlon.worlds.houses.house import RoomType
from pentathlon.worlds.houses.plan.polygons import Rect
from pentathlon.worlds.houses.plan.programme import NEEDS, choose_area

GRID_M = 0.05
HALLWAY_WIDTH_M = (1.4, 1.8)
ROW_DEPTH_M = (3.4, 4.6)
CROSSING_FROM_ROOMS = 5
CROSSING_CHANCE = 0.5


class Cell(NamedTuple):
    """A rectangle of the plan; cells of one ``room`` are joined."""

    room: int
    type: RoomType
    rect: Rect


def snap(value: float) -> float:
    """Rounds to the grid on which walls stand."""
    return round(round(value / GRID_M) * GRID_M, 2)


def along_hallway(rng: np.random.Generator, types: Sequence[RoomType]) -> list[Cell]:
    """Draws rooms along a hallway: one straight corridor, or one that ends in another across it, as a T."""
    hallway = types.index("Hallway")
    rooms = [i for i in range(len(types)) if i != hallway]
    crossed = len(rooms) >= CROSSING_FROM_ROOMS and rng.random() < CROSSING_CHANCE
    across = _head_rooms(rng, rooms, types) if crossed else []
    rows = _two_rows(rng, [i for i in rooms if i not in across], types)
    areas = {i: choose_area(rng, types[i]) for i in rooms}
    depths = [_row_depth(rng, types, row) for row in rows]
    lengths = [sum(areas[i] for i in row) / depth for row, depth in zip(rows, depths, strict=True)]
    length = snap(max(float(np.mean(lengths)), *(_least_length(types, row) for row in rows)))
    wide = snap(float(rng.uniform(*HALLWAY_WIDTH_M)))
    cells = [Cell(hallway, "Hallway", Rect(0.0, 0.0, length, wide))]
    for row, depth, y0 in zip(rows, depths, (wide, -depths[1]), strict=True):
        cells += _row_cells(row, types, areas, length, depth, y0)
    if across:
        low, high = -depths[1], snap(wide + depths[0])
        cells.append(Cell(hallway, "Hallway", Rect(length, low, snap(length + wide), high)))
        cells += _column(rng, across, types, areas, snap(length + wide), low, high)
    return cells


def _head_rooms(rng: np.random.Generator, rooms: list[int], types: Sequence[RoomType]) -> list[int]:
    """Two or three rooms for the far side of the crossing corridor, the living room never among them."""
    others = [i for i in rooms if types[i] != "LivingRoom"]
    count = 3 if len(rooms) >= CROSSING_FROM_ROOMS + 2 and rng.random() < 0.5 else 2
    return [others[i] for i in rng.permutation(len(others))[:count]]


def _column(
    rng: np.random.Generator,
    column: list[int],
    types: Sequence[RoomType],
    areas: dict[int, float],
    x0: float,
    low: float,
    high: float,
) -> list[Cell]:
    """Rooms one above the other: a row turned by a right angle."""
    depth = _row_depth(rng, types, column)
    turned = _row_cells(column, types, areas, high - low, depth, 0.0)
    return [
        cell._replace(rect=Rect(x0, snap(low + cell.rect.x0), snap(x0 + depth), snap(low + cell.rect.x1)))
        for cell in turned
    ]


def _two_rows(rng: np.random.Generator, rooms: list[int], types: Sequence[RoomType]) -> tuple[list[int], list[int]]:
    """Day rooms on one side of the hallway, private ones on the other, the surplus moved over."""
    day = [i for i in rooms if types[i] in ("LivingRoom", "Kitchen", "DiningRoom")]
    private = [i for i in rooms if i not in day]
    private = [private[i] for i in rng.permutation(len(private))]
    while len(private) > len(day) + 2:
        day.append(private.pop())
    day = [day[i] for i in rng.permutation(len(day))]
    return private, day


def _row_depth(rng: np.random.Generator, types: Sequence[RoomType], row: list[int]) -> float:
    deepest = max((NEEDS[types[i]].side for i in row), default=3.0)
    return snap(max(float(rng.uniform(*ROW_DEPTH_M)), deepest))


def _least_length(types: Sequence[RoomType], row: list[int]) -> float:
    return sum(NEEDS[types[i]].side for i in row)


def _row_cells(
    row: list[int], types: Sequence[RoomType], areas: dict[int, float], length: float, depth: float, y0: float
) -> list[Cell]:
    sides = {i: NEEDS[types[i]].side for i in row}
    spare = length - sum(sides.values())
    wishes = {i: max(areas[i] / depth - sides[i], 0.1) for i in row}
    cells, x0 = [], 0.0
    for position, i in enumerate(row):
        last = position == len(row) - 1
        x1 = length if last else snap(x0 + sides[i] + spare * wishes[i] / sum(wishes.values()))
        cells.append(Cell(i, types[i], Rect(x0, y0, x1, y0 + depth)))
        x0 = x1
    return cells
