"""The building of a ProcTHOR house: rooms, doors, windows, and walls that are only marked and not there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, NamedTuple

import msgspec
import numpy as np

from pentathlon.worlds.houses.files.checks import problems
from pentathlon.worlds.houses.files.procthor.document import Notes, metres
from pentathlon.worlds.houses.house import (
    OUTSIDE,
    ROOM_TYPES,
    Door,
    FloorFinish,
    FloorMaterial,
    House,
    Room,
    WallFinish,
    Window,
)
from pentathlon.worlds.houses.plan.walls import HALF_WALL_M, ON_LINE_M
from pentathlon.worlds.modelling.colours import COLOURS

NARROWEST_OPENING_M = 0.3
FLOOR_WORDS: tuple[tuple[str, FloorMaterial], ...] = (
    ("wood", "planks"),
    ("carpet", "carpet"),
    ("fabric", "carpet"),
    ("tile", "tile"),
    ("ceramic", "tile"),
    ("concrete", "stone"),
    ("marble", "stone"),
    ("stone", "stone"),
)


class Stretch(NamedTuple):
    """A wall that is marked empty: a line on the floor that belongs to a room."""

    room: str
    along_x: bool
    line_m: float
    low_m: float
    high_m: float


def read_shell(document: Mapping[str, Any], name: str, notes: Notes) -> House:
    """Reads everything but objects and the start."""
    rooms = tuple(_room(document, i, room, notes) for i, room in enumerate(document["rooms"]))
    notes.place = "$.walls"
    walls = {str(wall["id"]): wall["polygon"] for wall in document["walls"]}
    heights = [float(point["y"]) for polygon in walls.values() for point in polygon]
    house = House(name=name, ceiling_m=float(np.clip(max(heights), 2.0, 6.0)), rooms=rooms)
    house = msgspec.structs.replace(
        house, doors=(*_doors(document, walls, notes), *_openings(document, house.ceiling_m, notes))
    )
    return msgspec.structs.replace(house, windows=tuple(_windows(document, house, walls, notes)))


def _room(document: Mapping[str, Any], i: int, room: Mapping[str, Any], notes: Notes) -> Room:
    notes.place = f"$.rooms[{i}]"
    room_type = room["roomType"]
    if room_type not in ROOM_TYPES:
        notes.warn(f"{notes.place}.roomType: {room_type!r} is not known; taken as LivingRoom.")
        room_type = "LivingRoom"
    outline = tuple((metres(point["x"]), metres(point["z"])) for point in room["floorPolygon"])
    name = str(room.get("floorMaterial", {}).get("name", "")).lower()
    floor: FloorMaterial = next((material for word, material in FLOOR_WORDS if word in name), "planks")
    colour = "brown" if floor == "planks" else "beige"
    finish = _wall_finish(document, room)
    return Room(str(room["id"]), room_type, _cornered(outline), FloorFinish(floor, colour), finish)


def _wall_finish(document: Mapping[str, Any], room: Mapping[str, Any]) -> WallFinish:
    material: Mapping[str, Any] = next(
        (wall["material"] for wall in document["walls"] if wall["roomId"] == room["id"] and "material" in wall), {}
    )
    if "color" in material:
        return WallFinish("plaster", _nearest_colour(material["color"]))
    words = re.findall("[A-Z][a-z]+", str(material.get("name", "")))
    return WallFinish("plaster", next((word.lower() for word in words if word.lower() in COLOURS), "cream"))


def _doors(document: Mapping[str, Any], walls: Mapping[str, Any], notes: Notes) -> Iterator[Door]:
    """Yields doors; those between rooms stand open, since a navigator opens none."""
    empty = {str(wall["id"]) for wall in document["walls"] if wall.get("empty")}
    for i, door in enumerate(document["doors"]):
        notes.place = f"$.doors[{i}]"
        if str(door["wall0"]) in empty:
            continue
        centre, width, _, top = _hole(door, walls)
        outside = "exterior" in str(door["wall1"]) or door["room0"] == door["room1"]
        rooms = str(door["room0"]), OUTSIDE if outside else str(door["room1"])
        if not outside and float(door.get("openness", 1.0)) == 0.0:
            notes.warn(f"{notes.place}.openness: the door is closed; taken as an open doorway.")
        yield Door(str(door["id"]), rooms, centre, width, top, panel=outside, opening=0.0 if outside else 1.0)


def _openings(document: Mapping[str, Any], ceiling_m: float, notes: Notes) -> Iterator[Door]:
    """Yields an opening as high as the room wherever empty walls of two rooms lie on each other."""
    stretches = [_stretch(wall) for wall in document["walls"] if wall.get("empty")]
    met: set[Stretch] = set()
    for first, second in combinations(stretches, 2):
        low_m = max(first.low_m, second.low_m) + HALF_WALL_M
        high_m = min(first.high_m, second.high_m) - HALF_WALL_M
        on_line = first.along_x == second.along_x and abs(first.line_m - second.line_m) <= ON_LINE_M
        if on_line and first.room != second.room and high_m - low_m >= NARROWEST_OPENING_M:
            met |= {first, second}
            middle_m = metres((low_m + high_m) / 2)
            centre = (middle_m, first.line_m) if first.along_x else (first.line_m, middle_m)
            name = f"opening|{first.room}|{second.room}|{middle_m:g}"
            yield Door(name, (first.room, second.room), centre, metres(high_m - low_m), ceiling_m)
    for lonely in [stretch for stretch in stretches if stretch not in met]:
        notes.warn(f"$.walls: the empty wall of {lonely.room!r} has no other behind it; built as a wall.")


def _stretch(wall: Mapping[str, Any]) -> Stretch:
    (ax, ay), (bx, by) = ((metres(point["x"]), metres(point["z"])) for point in wall["polygon"][:2])
    along_x = abs(ay - by) < abs(ax - bx)
    low_m, high_m = sorted((ax, bx) if along_x else (ay, by))
    return Stretch(str(wall["roomId"]), along_x, ay if along_x else ax, low_m, high_m)


def _windows(document: Mapping[str, Any], house: House, walls: Mapping[str, Any], notes: Notes) -> Iterator[Window]:
    for i, window in enumerate(document["windows"]):
        notes.place = f"$.windows[{i}]"
        centre, width, bottom, top = _hole(window, walls)
        height = min(top, house.ceiling_m) - bottom
        made = Window(str(window["id"]), str(window["room0"]), centre, width, bottom, height)
        if any(True for _ in problems(msgspec.structs.replace(house, windows=(made,)))):
            notes.warn(f"{notes.place}: the window lies in no outer wall; left out.")
        else:
            yield made


def _cornered(outline: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
    """Joins straight runs, which ProcTHOR's outlines contain."""
    kept = [
        point
        for before, point, after in zip((outline[-1], *outline[:-1]), outline, (*outline[1:], outline[0]), strict=True)
        if not (before[0] == point[0] == after[0] or before[1] == point[1] == after[1])
    ]
    return tuple(kept)


def _hole(opening: Mapping[str, Any], walls: Mapping[str, Any]) -> tuple[tuple[float, float], float, float, float]:
    """Returns centre, width, bottom and top of a hole, which is given along its first wall from that wall's start."""
    polygon = walls[str(opening["wall0"])]
    (ax, ay), (bx, by) = ((float(point["x"]), float(point["z"])) for point in polygon[:2])
    low, high = opening["holePolygon"]
    middle, width = (float(low["x"]) + float(high["x"])) / 2, float(high["x"]) - float(low["x"])
    length = float(np.hypot(bx - ax, by - ay))
    share = middle / length
    centre = metres(ax + share * (bx - ax)), metres(ay + share * (by - ay))
    return centre, metres(width), metres(low["y"]), metres(high["y"])


def _nearest_colour(colour: Mapping[str, Any]) -> str:
    rgb = np.array([float(colour[channel]) for channel in "rgb"])
    return min(COLOURS, key=lambda name: float(np.linalg.norm(np.array(COLOURS[name].rgb) - rgb)))
