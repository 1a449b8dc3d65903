"""Takes a furnished house up again, so that more can be put into it by the rules that furnished it."""

from __future__ import annotations

import numpy as np

from pentathlon.worlds.houses.furnishing.clutter import scaled_thing
from pentathlon.worlds.houses.furnishing.footprint import Footprint, footprint, resized
from pentathlon.worlds.houses.furnishing.furnish import FLAT_M, Furnisher
from pentathlon.worlds.houses.furnishing.placing import Piece, Pose, thing_at
from pentathlon.worlds.houses.furnishing.surfaces import Surface, surfaces_of
from pentathlon.worlds.houses.house import House, PlacedObject

SAME_LEVEL_M = 0.08


def reopen(house: House, rng: np.random.Generator) -> Furnisher:
    """Returns a furnisher that knows what stands in each room of a house and what each surface carries.

    Raises:
        UnknownIdError: when an object's type has no asset.
    """
    furnisher = Furnisher(house, rng, _counts=_last_numbers(house))
    furnisher.open_rooms()
    for item in house.objects:
        _take_in(furnisher, item)
    for item in house.objects:
        if item.support is not None:
            _occupy(furnisher, item)
    return furnisher


def _last_numbers(house: House) -> dict[str, int]:
    """The highest number among the ids of each type, which new ids go on from."""
    last: dict[str, int] = {}
    for item in house.objects:
        number = item.id.rpartition("|")[2]
        if number.isdecimal():
            last[item.type] = max(last.get(item.type, -1), int(number))
    return last


def _take_in(furnisher: Furnisher, item: PlacedObject) -> None:
    view, pose = _view(item), Pose(*item.position_m, item.yaw_deg)
    piece = Piece(item.id, view, pose)
    furnisher.objects.append(item)
    if view.height_m < FLAT_M and item.support is None and not view.pickupable:
        furnisher.flats[item.room].append(piece)
        return
    thing = scaled_thing(view, 1.0, pose) if view.pickupable else thing_at(view, pose)
    furnisher.spaces[item.room].things.append(thing)
    if not view.pickupable:
        furnisher.pieces[item.room].append(piece)
        furnisher.surfaces[item.room] += surfaces_of(piece)


def _occupy(furnisher: Furnisher, item: PlacedObject) -> None:
    view, pose = _view(item), Pose(*item.position_m, item.yaw_deg)
    for surface in furnisher.surfaces[item.room]:
        if item.support is not None and surface.piece.id == item.support.object and _carries(surface, pose):
            surface.take(view, 1.0, pose)


def _carries(surface: Surface, pose: Pose) -> bool:
    rect = surface.rect
    level = abs(pose.z - surface.height_m) <= SAME_LEVEL_M
    return level and rect.x0 <= pose.x <= rect.x1 and rect.y0 <= pose.y <= rect.y1


def _view(item: PlacedObject) -> Footprint:
    return resized(footprint(item.type, item.variant), item.factors)
