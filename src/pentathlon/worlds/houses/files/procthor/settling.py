"""Lets an imported house come to rest: what does not stay where it was put is put elsewhere, or left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from pentathlon.worlds.houses.files.house_files import value_at
from pentathlon.worlds.houses.files.procthor.arranging import Arranger
from pentathlon.worlds.houses.files.procthor.document import Notes, metres
from pentathlon.worlds.houses.files.procthor.seating import find_seat
from pentathlon.worlds.houses.furnishing.placing import Pose
from pentathlon.worlds.houses.house import House, Start, Support
from pentathlon.worlds.houses.inspection.report import ways_blocked
from pentathlon.worlds.houses.inspection.rest import DRIFT_LIMIT_M, settle
from pentathlon.worlds.houses.scene.house_scene import compile_house
from pentathlon.worlds.houses.ways.navigation import NavigationMap

ROUNDS = 4
APART_M = 0.08


def settled(arranger: Arranger, notes: Notes) -> House:
    """Returns the house with everything that has found a place to stay."""
    tried: dict[str, list[Pose]] = {}
    for attempt in range(ROUNDS):
        scene = compile_house(arranger.furnished())
        drifts = settle(scene, scene.new_data())
        restless = [drift for drift in drifts if not drift.distance_m <= 0.75 * DRIFT_LIMIT_M]
        if not restless:
            break
        for drift in restless:
            if drift.object in arranger.objects:
                _resettle(arranger, drift.object, tried, last=attempt == ROUNDS - 1, notes=notes)
    return arranger.furnished()


def _resettle(arranger: Arranger, object_id: str, tried: dict[str, list[Pose]], *, last: bool, notes: Notes) -> None:
    placing, item = arranger.placings[object_id], arranger.objects[object_id]
    if placing.seat is not None and not last and not _carries(arranger, object_id):
        old = tried.setdefault(object_id, [])
        old.append(placing.seat.pose)
        seat = find_seat(placing.fit, placing.wanted, placing.carriers, old, APART_M)
        if seat is not None:
            support = Support(seat.surface.relation, seat.surface.piece.id)
            placed = seat.fit.placed(object_id, item.room, seat.pose, item.state, support)
            arranger.objects[object_id] = placed
            arranger.placings[object_id] = placing._replace(seat=seat)
            return
    if last:
        for gone in (object_id, *_carries(arranger, object_id)):
            wanted = arranger.placings[gone].wanted
            del arranger.objects[gone]
            notes.warn(f"{wanted.place}: {wanted.asset_id!r} does not stay where it was put; left out.")


def _carries(arranger: Arranger, object_id: str) -> list[str]:
    found = [
        item.id for item in arranger.objects.values() if item.support is not None and item.support.object == object_id
    ]
    return [*found, *(deeper for direct in found for deeper in _carries(arranger, direct))]


def with_start(house: House, document: Mapping[str, Any], notes: Notes) -> House:
    """Adds the start, moved to free floor, and tells of rooms that cannot be reached."""
    scene = compile_house(house)
    ways = NavigationMap.of_scene(house, scene.model, scene.new_data())
    agent = value_at(document, "$.metadata.agent")
    if isinstance(agent, dict):
        x, y = metres(agent["position"]["x"]), metres(agent["position"]["z"])
        place = (x, y) if ways.is_free(x, y) else ways.nearest_free(x, y)
        if place is None:
            notes.warn("$.metadata.agent: the start pose is not on free floor; left out.")
        else:
            if place != (x, y):
                notes.warn(f"$.metadata.agent: the start pose ({x}, {y}) is not on free floor; moved to {place}.")
            start = Start((metres(place[0]), metres(place[1])), (90.0 - float(agent["rotation"]["y"])) % 360.0)
            house = msgspec.structs.replace(house, start=start)
    for fault in ways_blocked(scene):
        notes.warn(f"$.rooms: {fault}.")
    return house
