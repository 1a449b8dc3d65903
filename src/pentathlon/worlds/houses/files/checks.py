"""What must hold in a house beyond the types of its fields; every complaint names the JSON path and the value."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import msgspec

from pentathlon.core.errors import DataError
from pentathlon.worlds.houses.assets.catalogue import catalogue
from pentathlon.worlds.houses.house import OUTSIDE, Door, House, PlacedObject, Room, Window
from pentathlon.worlds.houses.plan.polygons import Rect, contains_point, is_rectilinear, is_simple, overlap_area
from pentathlon.worlds.houses.plan.walls import Opening, edge_of, inner_blocks, is_outer, walls_of
from pentathlon.worlds.modelling.colours import COLOURS

START_CLEARANCE_M = 0.18


class Problem(NamedTuple):
    """One thing that is wrong, where, and what was expected."""

    path: str
    value: object
    expected: str

    def __str__(self) -> str:
        return f"{self.path}: expected {self.expected}, got {msgspec.json.encode(self.value).decode()}"


def require_valid(house: House, source: str) -> None:
    """Refuses a house that cannot exist.

    Raises:
        DataError: naming the first problem and how many more there are.
    """
    found = list(problems(house))
    if found:
        more = f" (and {len(found) - 1} more; see them with: pentathlon house check)" if len(found) > 1 else ""
        raise DataError(f"{source}: {found[0]}{more}.")


def problems(house: House) -> Iterator[Problem]:
    """Yields everything that is wrong; later stages are skipped when an earlier one makes them meaningless."""
    structural = [*_ids(house), *_outlines(house)]
    yield from structural
    if structural:
        return
    yield from _overlaps(house)
    yield from _finishes(house)
    for i, door in enumerate(house.doors):
        yield from _door(house, door, f"$.doors[{i}]")
    for i, window in enumerate(house.windows):
        yield from _window(house, window, f"$.windows[{i}]")
    yield from _crowded_walls(house)
    yield from _objects(house)
    yield from _start(house)


def _ids(house: House) -> Iterator[Problem]:
    for field in ("rooms", "doors", "windows", "objects"):
        seen: set[str] = {OUTSIDE} if field == "rooms" else set()
        for i, item in enumerate(getattr(house, field)):
            if item.id in seen:
                yield Problem(f"$.{field}[{i}].id", item.id, f"an id that no other of the {field} bears")
            seen.add(item.id)


def _outlines(house: House) -> Iterator[Problem]:
    for i, room in enumerate(house.rooms):
        path = f"$.rooms[{i}].outline_m"
        if not is_rectilinear(room.outline_m):
            yield Problem(path, room.outline_m, "sides parallel to x or y, each longer than 0")
        elif not is_simple(room.outline_m):
            yield Problem(path, room.outline_m, "an outline that does not cross itself")


def _overlaps(house: House) -> Iterator[Problem]:
    for (_, first), (j, second) in combinations(enumerate(house.rooms), 2):
        shared_m2 = overlap_area(first.outline_m, second.outline_m)
        if shared_m2 > 1e-4:
            expected = f"no overlap with room {first.id!r} (they share {shared_m2:.2f} m²)"
            yield Problem(f"$.rooms[{j}].outline_m", second.outline_m, expected)


def _finishes(house: House) -> Iterator[Problem]:
    for i, room in enumerate(house.rooms):
        for side in ("floor", "wall"):
            colour = getattr(room, side).colour
            if colour not in COLOURS:
                yield Problem(f"$.rooms[{i}].{side}.colour", colour, f"one of {', '.join(COLOURS)}")
    for i, item in enumerate(house.objects):
        if item.box is not None and item.box.colour not in COLOURS:
            yield Problem(f"$.objects[{i}].box.colour", item.box.colour, f"one of {', '.join(COLOURS)}")


def _door(house: House, door: Door, path: str) -> Iterator[Problem]:
    rooms = {room.id: room for room in house.rooms}
    if door.rooms[0] not in rooms:
        yield Problem(f"{path}.rooms[0]", door.rooms[0], f"the id of a room ({', '.join(rooms)})")
        return
    if door.rooms[1] not in {*rooms, OUTSIDE} or door.rooms[0] == door.rooms[1]:
        yield Problem(f"{path}.rooms[1]", door.rooms[1], f"the id of another room, or {OUTSIDE!r}")
        return
    for room_id in door.rooms:
        if room_id != OUTSIDE and edge_of(rooms[room_id], door.centre_m, door.width_m) is None:
            expected = f"a place on a wall of room {room_id!r} that is {door.width_m:g} m wide"
            yield Problem(f"{path}.centre_m", door.centre_m, expected)
            return
    if OUTSIDE in door.rooms and not is_outer(house, rooms[door.rooms[0]], door):
        yield Problem(f"{path}.centre_m", door.centre_m, "a place on an outer wall, since the door leads outside")
    if door.height_m > house.ceiling_m:
        yield Problem(f"{path}.height_m", door.height_m, f"at most the ceiling's height, {house.ceiling_m:g}")


def _window(house: House, window: Window, path: str) -> Iterator[Problem]:
    rooms = {room.id: room for room in house.rooms}
    if window.room not in rooms:
        yield Problem(f"{path}.room", window.room, f"the id of a room ({', '.join(rooms)})")
    elif not is_outer(house, rooms[window.room], window):
        expected = f"a place on an outer wall of room {window.room!r} that is {window.width_m:g} m wide"
        yield Problem(f"{path}.centre_m", window.centre_m, expected)
    if window.sill_m + window.height_m > house.ceiling_m:
        yield Problem(f"{path}.height_m", window.height_m, f"a top below the ceiling, {house.ceiling_m:g}")


def _crowded_walls(house: House) -> Iterator[Problem]:
    for wall in walls_of(house):
        for first, second in zip(wall.openings, wall.openings[1:], strict=False):
            if second.low < first.high - 1e-6:
                expected = f"doors and windows side by side in a wall of room {wall.room!r}"
                yield Problem(f"$.{second.kind}s", _middle(wall.edge.along_x, wall.edge.line, second), expected)


def _middle(along_x: bool, line: float, opening: Opening) -> tuple[float, float]:
    along = (opening.low + opening.high) / 2
    return (along, line) if along_x else (line, along)


def _objects(house: House) -> Iterator[Problem]:
    rooms = {room.id: room for room in house.rooms}
    objects = {item.id: item for item in house.objects}
    for i, item in enumerate(house.objects):
        path = f"$.objects[{i}]"
        if item.type not in catalogue() and item.box is None:
            near = difflib.get_close_matches(item.type, catalogue(), n=3)
            advice = f" (did you mean {' or '.join(near)}?)" if near else ""
            yield Problem(f"{path}.type", item.type, f"a known object type{advice}, or a box of its size")
        if item.room not in rooms:
            yield Problem(f"{path}.room", item.room, f"the id of a room ({', '.join(rooms)})")
        else:
            yield from _place(house, item, rooms[item.room], path)
        if item.support is not None and not _rests(item, objects):
            expected = "the id of another object that does not itself rest on this one"
            yield Problem(f"{path}.support.object", item.support.object, expected)


def _place(house: House, item: PlacedObject, room: Room, path: str) -> Iterator[Problem]:
    x, y, z = item.position_m
    if not contains_point(room.outline_m, x, y):
        inside = [other.id for other in house.rooms if contains_point(other.outline_m, x, y)]
        where = f"it lies in {inside[0]!r}" if inside else "it lies outside every room"
        yield Problem(f"{path}.position_m", item.position_m, f"a place inside room {room.id!r} ({where})")
    if z > house.ceiling_m:
        yield Problem(f"{path}.position_m[2]", z, f"a height below the ceiling, {house.ceiling_m:g}")


def _rests(item: PlacedObject, objects: dict[str, PlacedObject]) -> bool:
    visited = {item.id}
    while item.support is not None:
        if item.support.object in visited or item.support.object not in objects:
            return False
        visited.add(item.support.object)
        item = objects[item.support.object]
    return True


def _start(house: House) -> Iterator[Problem]:
    if house.start is None:
        return
    x, y = house.start.position_m
    if not any(contains_point(room.outline_m, x, y) for room in house.rooms):
        yield Problem(
            "$.start.position_m", house.start.position_m, "a place inside a room (it lies outside every room)"
        )
        return
    blocks = (block for wall in walls_of(house) for block in inner_blocks(wall, house.ceiling_m) if block.bottom < 1.0)
    if any(_distance_m(block.rect, x, y) < START_CLEARANCE_M for block in blocks):
        expected = f"a place at least {START_CLEARANCE_M} m away from every wall (it lies in or at a wall)"
        yield Problem("$.start.position_m", house.start.position_m, expected)


def _distance_m(rect: Rect, x: float, y: float) -> float:
    dx = max(rect.x0 - x, 0.0, x - rect.x1)
    dy = max(rect.y0 - y, 0.0, y - rect.y1)
    return float((dx * dx + dy * dy) ** 0.5)
