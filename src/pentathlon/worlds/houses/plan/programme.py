"""Which rooms a house of a given number of rooms has, and how large they are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pentathlon.worlds.houses.house import RoomType

MAX_ROOMS = 10
HALLWAY_FROM_ROOMS = 6
# Up to this many rooms some houses do without a hallway: all doors lead to the living room.
HALLWAY_ALWAYS_FROM_ROOMS = 8
HALLWAY_CHANCE = 0.7


class RoomNeeds(NamedTuple):
    """Size limits of a room type: area in m² and the shortest side in m."""

    area_low: float
    area_high: float
    side: float


NEEDS: dict[RoomType, RoomNeeds] = {
    "Bathroom": RoomNeeds(6.0, 9.0, 2.2),
    "Bedroom": RoomNeeds(12.0, 18.0, 3.1),
    "DiningRoom": RoomNeeds(12.0, 17.0, 3.0),
    "Hallway": RoomNeeds(6.0, 20.0, 1.4),
    "Kitchen": RoomNeeds(11.0, 17.0, 3.0),
    "LivingRoom": RoomNeeds(18.0, 28.0, 3.7),
    "Office": RoomNeeds(9.0, 13.0, 2.7),
}

SMALL_HOUSES: dict[int, tuple[tuple[RoomType, ...], ...]] = {
    1: (("Bedroom",), ("LivingRoom",), ("Kitchen",), ("Bathroom",)),
    2: (("LivingRoom", "Kitchen"), ("Bedroom", "Bathroom"), ("LivingRoom", "Bedroom"), ("Kitchen", "Bedroom")),
    3: (
        ("LivingRoom", "Kitchen", "Bedroom"),
        ("LivingRoom", "Bedroom", "Bathroom"),
        ("Kitchen", "Bedroom", "Bathroom"),
    ),
}
CORE: tuple[RoomType, ...] = ("LivingRoom", "Kitchen", "Bedroom", "Bathroom")
EXTRAS: tuple[tuple[RoomType, float, int], ...] = (
    ("Bedroom", 3.0, 4),
    ("Bathroom", 1.5, 2),
    ("DiningRoom", 1.5, 1),
    ("Office", 1.2, 2),
)


def choose_room_types(rng: np.random.Generator, count: int) -> tuple[RoomType, ...]:
    """Chooses the types of ``count`` rooms: the four of every home first, then a hallway and what else fits."""
    if count in SMALL_HOUSES:
        choices = SMALL_HOUSES[count]
        return choices[int(rng.integers(len(choices)))]
    chosen = list(CORE)
    if count >= HALLWAY_ALWAYS_FROM_ROOMS or (count >= HALLWAY_FROM_ROOMS and rng.random() < HALLWAY_CHANCE):
        chosen.append("Hallway")
    while len(chosen) < count:
        chosen.append(_extra(rng, chosen))
    return tuple(chosen)


def choose_area(rng: np.random.Generator, room_type: RoomType) -> float:
    """Draws the wanted floor area in m²."""
    needs = NEEDS[room_type]
    return float(rng.uniform(needs.area_low, needs.area_high))


def _extra(rng: np.random.Generator, chosen: list[RoomType]) -> RoomType:
    most = {name: limit + (1 if name in CORE else 0) for name, _, limit in EXTRAS}
    open_to = [(name, weight) for name, weight, _ in EXTRAS if chosen.count(name) < most[name]]
    weights = np.array([weight for _, weight in open_to])
    return open_to[int(rng.choice(len(open_to), p=weights / weights.sum()))][0]
