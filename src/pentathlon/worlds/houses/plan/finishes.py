"""Floors and walls by type of room: what they are usually made of and in which colours."""

from __future__ import annotations

import numpy as np

from pentathlon.worlds.houses.house import FloorFinish, FloorMaterial, RoomType, WallFinish, WallMaterial

DRY_FLOORS: tuple[tuple[FloorMaterial, str], ...] = (
    ("planks", "brown"),
    ("planks", "beige"),
    ("planks", "bronze"),
    ("carpet", "beige"),
    ("carpet", "grey"),
    ("stone", "cream"),
)
BED_FLOORS: tuple[tuple[FloorMaterial, str], ...] = (
    ("carpet", "beige"),
    ("carpet", "grey"),
    ("carpet", "cream"),
    ("planks", "brown"),
    ("planks", "beige"),
)
WET_FLOORS: tuple[tuple[FloorMaterial, str], ...] = (
    ("tile", "white"),
    ("tile", "grey"),
    ("tile", "beige"),
    ("stone", "grey"),
)
FLOORS: dict[RoomType, tuple[tuple[FloorMaterial, str], ...]] = {
    "Bathroom": WET_FLOORS,
    "Bedroom": BED_FLOORS,
    "DiningRoom": DRY_FLOORS,
    "Hallway": DRY_FLOORS,
    "Kitchen": (*WET_FLOORS, ("planks", "brown"), ("planks", "beige")),
    "LivingRoom": DRY_FLOORS,
    "Office": DRY_FLOORS,
}
DRY_WALLS: tuple[tuple[WallMaterial, str], ...] = (
    ("plaster", "white"),
    ("plaster", "cream"),
    ("plaster", "cream"),
    ("plaster", "beige"),
    ("plaster", "grey"),
    ("plaster", "teal"),
    ("plaster", "pink"),
    ("wallpaper", "cream"),
    ("wallpaper", "blue"),
    ("wallpaper", "green"),
)
WET_WALLS: tuple[tuple[WallMaterial, str], ...] = (
    ("tile", "white"),
    ("tile", "cyan"),
    ("tile", "cream"),
    ("plaster", "white"),
)
WALLS: dict[RoomType, tuple[tuple[WallMaterial, str], ...]] = {
    "Bathroom": WET_WALLS,
    "Bedroom": DRY_WALLS,
    "DiningRoom": DRY_WALLS,
    "Hallway": DRY_WALLS[:4],
    "Kitchen": (("plaster", "white"), ("plaster", "cream"), ("tile", "white"), ("brick", "white")),
    "LivingRoom": (*DRY_WALLS, ("brick", "maroon")),
    "Office": DRY_WALLS,
}


def choose_floor(rng: np.random.Generator, room_type: RoomType) -> FloorFinish:
    """Draws a floor."""
    choices = FLOORS[room_type]
    return FloorFinish(*choices[int(rng.integers(len(choices)))])


def choose_wall(rng: np.random.Generator, room_type: RoomType) -> WallFinish:
    """Draws a wall finish."""
    choices = WALLS[room_type]
    return WallFinish(*choices[int(rng.integers(len(choices)))])
