"""The empty house: plan, finishes, doors and windows, drawn until all rooms connect."""

from __future__ import annotations

import numpy as np

from pentathlon.core.errors import UsageError
from pentathlon.worlds.houses.house import House, Room
from pentathlon.worlds.houses.plan.finishes import choose_floor, choose_wall
from pentathlon.worlds.houses.plan.floorplan import Plan, draw_plan
from pentathlon.worlds.houses.plan.openings import draw_doors, draw_windows
from pentathlon.worlds.houses.plan.programme import MAX_ROOMS, choose_room_types

CEILING_M = (2.5, 2.8)
ATTEMPTS = 6000
# Rooms that rarely fit together, as six without a hallway, would never be seen if each failure drew others.
PATIENCE = 150


def draw_shell(rng: np.random.Generator, room_count: int, name: str) -> House:
    """Draws a house without furniture.

    Raises:
        UsageError: when the number of rooms is not 1 to 10.
    """
    if not 1 <= room_count <= MAX_ROOMS:
        raise UsageError(f"Expected 1 to {MAX_ROOMS} rooms, got {room_count}.")
    ceiling_m = round(float(rng.uniform(*CEILING_M)), 2)
    for attempt in range(ATTEMPTS):
        if attempt % PATIENCE == 0:
            types = choose_room_types(rng, room_count)
        plan = draw_plan(rng, types)
        if plan is None:
            continue
        rooms = _rooms(rng, plan)
        doors = draw_doors(rng, plan, rooms)
        if doors is not None:
            windows = draw_windows(rng, rooms, doors, ceiling_m)
            return House(name=name, ceiling_m=ceiling_m, rooms=rooms, doors=doors, windows=windows)
    raise AssertionError(f"no plan of {room_count} rooms in {ATTEMPTS} attempts")


def _rooms(rng: np.random.Generator, plan: Plan) -> tuple[Room, ...]:
    return tuple(
        Room(f"room|{i}", room.type, room.outline, choose_floor(rng, room.type), choose_wall(rng, room.type))
        for i, room in enumerate(plan)
    )
