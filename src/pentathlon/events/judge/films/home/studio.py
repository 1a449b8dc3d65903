"""The kitchen that films are made in: one room with all that chores need, another one for every seed."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from pentathlon.core.errors import DataError
from pentathlon.core.identity import derive_seed
from pentathlon.worlds.houses.furnishing.clutter import scaled_thing
from pentathlon.worlds.houses.furnishing.footprint import Footprint
from pentathlon.worlds.houses.furnishing.furnish import Furnisher
from pentathlon.worlds.houses.furnishing.placing import Pose
from pentathlon.worlds.houses.furnishing.recipes import Row
from pentathlon.worlds.houses.furnishing.surfaces import Surface
from pentathlon.worlds.houses.house import Door, House, PlacedObject, Room, Start, State, Support, Window
from pentathlon.worlds.houses.plan.finishes import choose_floor, choose_wall
from pentathlon.worlds.houses.plan.polygons import Rect
from pentathlon.worlds.houses.splits import VARIANTS, Split
from pentathlon.worlds.houses.ways.navigation import NavigationMap

Floats = NDArray[np.float64]
VERSION = "studio-v1"
ROOM = "kitchen"
WIDE_M, DEEP_M = (4.8, 5.6), (4.0, 4.6)
FURNITURE: tuple[Row, ...] = (
    Row(("Fridge",), "row"),
    Row(("CounterTop",), "row"),
    Row(("KitchenSink",), "row"),
    Row(("CounterTop",), "row"),
    Row(("Stove",), "row"),
    Row(("Microwave",), "on", anchor="CounterTop"),
    Row(("DiningTable",), "centre"),
    Row(("Cabinet",), "wall"),
    Row(("ShelvingUnit",), "wall"),
    Row(("SideTable",), "wall"),
    Row(("FloorLamp",), "corner"),
    Row(("DeskLamp",), "on", anchor="DiningTable"),
    Row(("CeilingLamp",), "ceiling"),
    Row(("Painting",), "on_wall", 0.7, metres=1.55),
    Row(("WallClock",), "on_wall", 0.5, metres=1.9),
)
NEEDED = frozenset(name for row in FURNITURE if row.chance == 1.0 for name in row.types)
TABLES = ("CounterTop", "DiningTable")
ATTEMPTS, TRIES = 60, 60
NEAR_M = 0.5


def build_studio(split: Split, seed: int, things: Sequence[str]) -> House:
    """Returns a kitchen with some small things on its tables; furniture depends on split and seed alone.

    Ids are ``Type|0``; small things are whole, clean and off, lamps off but for the one on the ceiling.

    Raises:
        DataError: when the furniture or a thing finds no place.
    """
    furnisher = _furnished(split, seed)
    room = furnisher.house.rooms[0]
    for name in things:
        _lay(furnisher, room, name, np.random.default_rng(derive_seed(VERSION, split, seed, name)))
    objects = tuple(_plain(item) for item in furnisher.objects)
    house = msgspec.structs.replace(furnisher.house, objects=objects)
    rng = np.random.default_rng(derive_seed(VERSION, split, seed, "start"))
    place = NavigationMap.of_house(house).random_place(rng)
    return msgspec.structs.replace(house, start=Start(place, float(rng.integers(12)) * 30.0))


def _furnished(split: Split, seed: int) -> Furnisher:
    for attempt in range(ATTEMPTS):
        rng = np.random.default_rng(derive_seed(VERSION, split, seed, attempt))
        furnisher = Furnisher(_shell(rng, f"film-{split}-{seed}"), rng, variants=VARIANTS[split])
        furnisher.open_rooms()
        furnisher.furnish_room(furnisher.house.rooms[0], FURNITURE)
        if {item.type for item in furnisher.objects} >= NEEDED and _is_spacious(furnisher):
            return furnisher
    raise DataError(f"Expected a kitchen for films of split {split!r} and seed {seed}, none fits. Choose another seed.")


def _shell(rng: np.random.Generator, name: str) -> House:
    wide_m, deep_m = (round(float(rng.uniform(*limits)), 2) for limits in (WIDE_M, DEEP_M))
    outline = ((0.0, 0.0), (wide_m, 0.0), (wide_m, deep_m), (0.0, deep_m))
    room = Room(ROOM, "Kitchen", outline, choose_floor(rng, "Kitchen"), choose_wall(rng, "Kitchen"))
    door = Door("front", (ROOM, "outside"), (round(wide_m * 0.25, 2), 0.0), 0.9, 2.05, panel=True, opening=0.0)
    window = Window("window", ROOM, (round(wide_m * 0.7, 2), 0.0), 1.2, 0.95, 1.2)
    return House(name=name, rooms=(room,), doors=(door,), windows=(window,))


def _is_spacious(furnisher: Furnisher) -> bool:
    """Whether one can walk up to every piece: some free floor is near each."""
    house = msgspec.structs.replace(furnisher.house, objects=tuple(furnisher.objects))
    ways = NavigationMap.of_house(house)
    free = np.array([ways.point(*cell) for cell in np.argwhere(ways.regions == ways.main_region)])
    low = [item for item in furnisher.pieces[ROOM] if item.pose.z < 1.0]
    return all(_gap_m(free, piece.rect) < NEAR_M for piece in low)


def _gap_m(places: Floats, rect: Rect) -> float:
    outside = np.maximum((rect.x0, rect.y0) - places, 0.0) + np.maximum(places - (rect.x1, rect.y1), 0.0)
    return float(np.hypot(outside[:, 0], outside[:, 1]).min())


def _lay(furnisher: Furnisher, room: Room, name: str, rng: np.random.Generator) -> None:
    """Puts a small thing on a counter or the table."""
    furnisher.rng = rng
    seed, view = furnisher.draw(name)
    # Behind the microwave nobody would see it.
    taken = {item.support.object for item in furnisher.objects if item.type == "Microwave" and item.support}
    tables = [
        surface
        for surface in furnisher.surfaces[room.id]
        if surface.piece.footprint.type_name in TABLES and surface.relation == "on" and surface.piece.id not in taken
    ]
    for index in rng.permutation(len(tables)):
        surface = tables[int(index)]
        pose = _free_pose(furnisher, room, surface, view)
        if pose is not None:
            surface.take(view, 1.0, pose)
            furnisher.add(room, name, seed, view, pose, support=Support("on", surface.piece.id))
            return
    raise DataError(f"Expected room for {name} in {furnisher.house.name}, found none. Choose fewer things.")


def _free_pose(furnisher: Furnisher, room: Room, surface: Surface, view: Footprint) -> Pose | None:
    for pose in surface.poses(furnisher.rng, view, 1.0, TRIES):
        if not furnisher.spaces[room.id].touches(scaled_thing(view, 1.0, pose).bounds, surface.piece.rect):
            return pose
    return None


def _plain(item: PlacedObject) -> PlacedObject:
    return msgspec.structs.replace(item, state=State(on=item.type == "CeilingLamp"))
