"""Reads ProcTHOR's house JSON (schema 1.0.0): y up and left-handed there, z up and right-handed here."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from pentathlon.core.errors import DataError
from pentathlon.worlds.houses.assets.catalogue import catalogue
from pentathlon.worlds.houses.files.checks import problems, require_valid
from pentathlon.worlds.houses.files.house_files import read_limited, value_at
from pentathlon.worlds.houses.furnishing.footprint import VARIANTS_PER_TYPE, footprint
from pentathlon.worlds.houses.house import (
    OUTSIDE,
    ROOM_TYPES,
    Box,
    Door,
    FloorFinish,
    FloorMaterial,
    House,
    PlacedObject,
    Room,
    Start,
    State,
    Support,
    WallFinish,
    Window,
)
from pentathlon.worlds.houses.plan.polygons import contains_point
from pentathlon.worlds.modelling.colours import COLOURS

BOX_DENSITY_KG_M3 = 150.0
UNKNOWN_SIZE_M = (0.2, 0.2, 0.2)
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


class ProcthorAsset(NamedTuple):
    """A row of ProcTHOR's asset database: object type, size (width, depth, height) and whether it can be picked up."""

    type: str
    size_m: tuple[float, float, float]
    pickupable: bool


class Imported(NamedTuple):
    """A house from elsewhere, and what had to be changed or left out."""

    house: House
    warnings: tuple[str, ...]


def import_procthor(path: Path, asset_database: Path | None = None) -> Imported:
    """Reads a ProcTHOR house.

    Args:
        path: the house's JSON file.
        asset_database: ProcTHOR's ``asset-database.json``, which knows the sizes and types of assets.

    Raises:
        DataError: when a file is malformed or the rooms cannot exist.
    """
    document = _load(path)
    assets = {} if asset_database is None else _read_assets(asset_database)
    reader = _Reader(path.name, document, assets)
    try:
        house = reader.house()
    except (KeyError, TypeError, IndexError, ValueError, AttributeError) as error:
        raise DataError(
            f"{path.name}: expected a ProcTHOR house (schema 1.0.0), got {type(error).__name__}: {error} "
            f"at {reader.place}. Is it another format?"
        ) from error
    require_valid(house, path.name)
    return Imported(house, tuple(reader.warnings))


def _load(path: Path) -> Any:
    try:
        document = json.loads(read_limited(path))
    except ValueError as error:
        raise DataError(f"{path.name}: expected JSON, got: {error}.") from error
    for key in ("rooms", "walls", "doors", "windows", "objects"):
        if not isinstance(document, dict) or not isinstance(document.get(key), list):
            raise DataError(f"{path.name}: $.{key}: expected a list, as ProcTHOR's houses have. Is it another format?")
    return document


def _read_assets(path: Path) -> dict[str, ProcthorAsset]:
    found = {}
    for object_type, rows in _parsed(path).items():
        for row in rows:
            size = row["boundingBox"]
            extents = (float(size["x"]), float(size["z"]), float(size["y"]))
            found[str(row["assetId"])] = ProcthorAsset(object_type, extents, row.get("primaryProperty") == "CanPickup")
    return found


def _parsed(path: Path) -> dict[str, Any]:
    try:
        document = json.loads(read_limited(path))
        if isinstance(document, dict):
            return document
    except ValueError as error:
        raise DataError(f"{path.name}: expected JSON, got: {error}.") from error
    raise DataError(f"{path.name}: expected ProcTHOR's asset database, a table of object types.")


@dataclass
class _Reader:
    source: str
    document: Mapping[str, Any]
    assets: Mapping[str, ProcthorAsset]
    warnings: list[str] = field(default_factory=list)
    place: str = "$"

    def house(self) -> House:
        rooms = tuple(self._room(i, room) for i, room in enumerate(self.document["rooms"]))
        walls = {wall["id"]: wall["polygon"] for wall in self.document["walls"]}
        heights = [float(point["y"]) for polygon in walls.values() for point in polygon]
        house = House(
            name=Path(self.source).stem or "procthor", ceiling_m=float(np.clip(max(heights), 2.0, 6.0)), rooms=rooms
        )
        house = _with(house, doors=tuple(self._doors(walls)))
        house = _with(house, windows=tuple(self._windows(house, walls)))
        house = _with(house, objects=tuple(self._objects(house)))
        return _with(house, start=self._start(house))

    def _room(self, i: int, room: Mapping[str, Any]) -> Room:
        self.place = f"$.rooms[{i}]"
        room_type = room["roomType"]
        if room_type not in ROOM_TYPES:
            self.warnings.append(f"{self.place}.roomType: {room_type!r} is not known; taken as LivingRoom.")
            room_type = "LivingRoom"
        outline = tuple((_metres(point["x"]), _metres(point["z"])) for point in room["floorPolygon"])
        name = str(room.get("floorMaterial", {}).get("name", "")).lower()
        floor: FloorMaterial = next((material for word, material in FLOOR_WORDS if word in name), "planks")
        colour = "brown" if floor == "planks" else "beige"
        return Room(str(room["id"]), room_type, _cornered(outline), FloorFinish(floor, colour), self._wall_finish(room))

    def _wall_finish(self, room: Mapping[str, Any]) -> WallFinish:
        material: Mapping[str, Any] = next(
            (wall["material"] for wall in self.document["walls"] if wall["roomId"] == room["id"]), {}
        )
        if "color" in material:
            return WallFinish("plaster", _nearest_colour(material["color"]))
        words = re.findall("[A-Z][a-z]+", str(material.get("name", "")))
        return WallFinish("plaster", next((word.lower() for word in words if word.lower() in COLOURS), "cream"))

    def _doors(self, walls: Mapping[str, Any]) -> Iterator[Door]:
        for i, door in enumerate(self.document["doors"]):
            self.place = f"$.doors[{i}]"
            centre, width, _, top = _hole(door, walls)
            outside = "exterior" in str(door["wall1"]) or door["room0"] == door["room1"]
            rooms = str(door["room0"]), OUTSIDE if outside else str(door["room1"])
            closed = outside or float(door.get("openness", 1.0)) == 0.0
            yield Door(str(door["id"]), rooms, centre, width, top, panel=closed, opening=0.0 if closed else 1.0)

    def _windows(self, house: House, walls: Mapping[str, Any]) -> Iterator[Window]:
        for i, window in enumerate(self.document["windows"]):
            self.place = f"$.windows[{i}]"
            centre, width, bottom, top = _hole(window, walls)
            made = Window(
                str(window["id"]), str(window["room0"]), centre, width, bottom, min(top, house.ceiling_m) - bottom
            )
            if any(True for _ in problems(_with(house, windows=(made,)))):
                self.warnings.append(f"{self.place}: the window lies in no outer wall; left out.")
            else:
                yield made

    def _objects(self, house: House) -> Iterator[PlacedObject]:
        taken: dict[str, int] = {}
        for i, item in enumerate(self.document["objects"]):
            yield from self._object(house, item, f"$.objects[{i}]", None, taken)

    def _object(
        self, house: House, item: Mapping[str, Any], place: str, parent: str | None, taken: dict[str, int]
    ) -> Iterator[PlacedObject]:
        self.place = place
        at, turn = item["position"], item["rotation"]
        x, y, middle = _metres(at["x"]), _metres(at["z"]), float(at["y"])
        room = next((room for room in house.rooms if contains_point(room.outline_m, x, y)), None)
        if room is None:
            self.warnings.append(f"{place}.position: ({x}, {y}) lies outside every room; {item['assetId']!r} left out.")
            return
        asset = self._asset(str(item["id"]), str(item["assetId"]))
        taken[asset.type] = taken.get(asset.type, -1) + 1
        object_id = f"{asset.type}|{taken[asset.type]}"
        yaw_deg = (180.0 - float(turn["y"])) % 360.0
        state = State(open=float(np.clip(item.get("openness", 0.0), 0, 1)), dirty=bool(item.get("isDirty", False)))
        support = None if parent is None else Support("on", parent)
        where = _Where(object_id, room.id, x, y, middle, yaw_deg, state, support)
        yield self._placed(asset, where, str(item["assetId"]), place)
        for j, child in enumerate(item.get("children", ())):
            yield from self._object(house, child, f"{place}.children[{j}]", object_id, taken)

    def _asset(self, object_id: str, asset_id: str) -> ProcthorAsset:
        if asset_id in self.assets:
            return self.assets[asset_id]
        names = {re.sub("[^a-z]", "", name.lower()): name for name in catalogue()}
        for candidate in (object_id.split("|")[0], asset_id):
            word = re.sub("[^a-z]", "", candidate.lower().replace("robothor", ""))
            if word in names:
                return ProcthorAsset(names[word], (0.0, 0.0, 0.0), False)
        kind = "".join(word.capitalize() for word in re.findall("[A-Za-z]{2,}", asset_id)) or asset_id
        return ProcthorAsset(kind, UNKNOWN_SIZE_M, False)

    def _placed(self, asset: ProcthorAsset, where: _Where, asset_id: str, place: str) -> PlacedObject:
        common: dict[str, Any] = {
            "id": where.object_id,
            "type": asset.type,
            "room": where.room,
            "yaw_deg": round(where.yaw_deg, 2),
            "support": where.support,
            "state": where.state,
        }
        if asset.type not in catalogue():
            size = asset.size_m
            self.warnings.append(
                f"{place}.assetId: object type {asset.type!r} is not known; shown as a box of "
                f"{size[0]:.2f} x {size[1]:.2f} x {size[2]:.2f} m."
            )
            mass_kg = round(float(np.clip(np.prod(size) * BOX_DENSITY_KG_M3, 0.01, 200.0)), 3)
            bottom = max(0.0, where.middle - size[2] / 2)
            box = Box(size, mass_kg, pickupable=asset.pickupable and mass_kg < 5.0)
            return PlacedObject(
                position_m=(where.x, where.y, _metres(bottom)), box=box, state=State(), **_without(common)
            )
        seed = _closest_variant(asset, asset_id)
        view = footprint(asset.type, seed)
        height = asset.size_m[2] or view.height_m - view.low_m[2]
        scale = _fitting_scale(view.high_m, view.low_m, asset.size_m)
        hanging = view.placement in ("on_wall", "ceiling")
        z = where.middle if hanging else max(0.0, where.middle - height / 2)
        return PlacedObject(position_m=(where.x, where.y, _metres(z)), variant=seed, scale=scale, **common)

    def _start(self, house: House) -> Start | None:
        agent = value_at(self.document, "$.metadata.agent")
        if not isinstance(agent, dict):
            return None
        position = _metres(agent["position"]["x"]), _metres(agent["position"]["z"])
        start = Start(position, (90.0 - float(agent["rotation"]["y"])) % 360.0)
        if any(problem.path.startswith("$.start") for problem in problems(_with(house, start=start))):
            self.warnings.append("$.metadata.agent: the start pose lies at a wall; left out.")
            return None
        return start


class _Where(NamedTuple):
    object_id: str
    room: str
    x: float
    y: float
    middle: float
    yaw_deg: float
    state: State
    support: Support | None


def _with(house: House, **changes: Any) -> House:
    return msgspec.structs.replace(house, **changes)


def _without(common: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in common.items() if key != "state"}


def _metres(value: Any) -> float:
    return round(float(value), 4)


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
    polygon = walls[opening["wall0"]]
    (ax, ay), (bx, by) = ((float(point["x"]), float(point["z"])) for point in polygon[:2])
    low, high = opening["holePolygon"]
    middle, width = (float(low["x"]) + float(high["x"])) / 2, float(high["x"]) - float(low["x"])
    length = float(np.hypot(bx - ax, by - ay))
    share = middle / length
    centre = _metres(ax + share * (bx - ax)), _metres(ay + share * (by - ay))
    return centre, _metres(width), _metres(low["y"]), _metres(high["y"])


def _nearest_colour(colour: Mapping[str, Any]) -> str:
    rgb = np.array([float(colour[channel]) for channel in "rgb"])
    return min(COLOURS, key=lambda name: float(np.linalg.norm(np.array(COLOURS[name].rgb) - rgb)))


def _closest_variant(asset: ProcthorAsset, asset_id: str) -> int:
    """The variant of ours whose proportions are most like the asset's; by name when its size is not known."""
    if not any(asset.size_m):
        return zlib.crc32(asset_id.encode()) % VARIANTS_PER_TYPE
    wanted = np.array(asset.size_m)

    def misfit(seed: int) -> float:
        view = footprint(asset.type, seed)
        own = np.array(view.high_m) - np.array(view.low_m)
        return float(np.abs(np.log(own / wanted)).sum())

    return min(range(VARIANTS_PER_TYPE), key=misfit)


def _fitting_scale(
    high: tuple[float, float, float], low: tuple[float, float, float], wanted: tuple[float, float, float]
) -> float:
    """Scales an asset of ours so that it does not exceed the size of theirs, within reason."""
    if not any(wanted):
        return 1.0
    ratios = [size / (top - base) for top, base, size in zip(high, low, wanted, strict=True)]
    return round(float(np.clip(min(ratios), 0.5, 1.5)), 3)
