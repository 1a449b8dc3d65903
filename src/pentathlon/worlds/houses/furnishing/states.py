"""In which states things are found in a home: mugs filled, plates dirty, a drawer open, food in the fridge cold."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import numpy as np

from pentathlon.worlds.houses.furnishing.footprint import Footprint, Solid, turned
from pentathlon.worlds.houses.furnishing.furnish import Furnisher
from pentathlon.worlds.houses.furnishing.placing import Piece
from pentathlon.worlds.houses.furnishing.space import Space, Thing
from pentathlon.worlds.houses.furnishing.surfaces import Surface
from pentathlon.worlds.houses.house import PlacedObject, State
from pentathlon.worlds.houses.plan.polygons import Rect

SWITCHED_ON = 0.5
FILLED, FILLED_ON_STOVE = 0.25, 0.6
HOT, HOT_IF_FILLED_OR_ON_STOVE = 0.02, 0.5
SLICED = 0.1
DIRTY: dict[str, float] = {"tableware": 0.25, "textile": 0.12, "food": 0.05}
# Small things that people leave open, how often, and how far: a lid beyond the upright would meet what is behind it.
LEFT_OPEN: dict[str, tuple[float, float]] = {"Book": (0.12, 1.0), "Box": (0.6, 1.0), "Laptop": (0.6, 0.7)}
HEADROOM_M = 0.35
BLINDS_UP = 0.4
FURNITURE_OPEN = 0.1
# Doors that open by more than a right angle would reach beyond the sides of their furniture.
OPENINGS = (0.3, 0.7)
MARGIN_M = 0.002


def plausible_state(rng: np.random.Generator, view: Footprint, surface: Surface | None, *, covered: bool) -> State:
    """Draws the state of a small thing on a surface, or on the floor; what is covered has no room to open."""
    holder = "" if surface is None else surface.piece.footprint.type_name
    # Nobody shuts a burning candle or a full cup in a cupboard.
    inside = surface is not None and surface.relation == "in"
    on_stove = holder == "Stove"

    def happens(ability: str, chance: float) -> bool:
        return bool(rng.random() < chance) and ability in view.abilities and not inside

    filled = happens("fillable", FILLED_ON_STOVE if on_stove else FILLED)
    return State(
        open=_left_open(rng, view, surface, covered),
        on=bool(rng.random() < SWITCHED_ON) and view.left_on and not inside,
        filled=filled,
        hot=happens("heatable", HOT_IF_FILLED_OR_ON_STOVE if filled or on_stove else HOT),
        cold=inside and holder == "Fridge" and "coolable" in view.abilities,
        sliced=happens("sliceable", SLICED),
        dirty=happens("dirtyable", DIRTY.get(view.type.category, 0.0)),
    )


def open_some(furnisher: Furnisher) -> None:
    """Leaves some doors, drawers and blinds open where nothing is in the way and nothing lies behind them."""
    holders = {item.support.object for item in furnisher.objects if item.support is not None}
    states: dict[str, float] = {}
    for room_id, pieces in furnisher.pieces.items():
        for piece in pieces:
            if piece.id not in holders:
                states |= dict(_opened(furnisher.rng, furnisher.spaces[room_id], piece))
    furnisher.objects[:] = [_with_opening(item, states.get(item.id, 0.0)) for item in furnisher.objects]


def _left_open(rng: np.random.Generator, view: Footprint, surface: Surface | None, covered: bool) -> float:
    chance, far = LEFT_OPEN.get(view.type_name, (0.0, 0.0))
    low = covered or (surface is not None and surface.clearance_m < view.height_m + HEADROOM_M)
    return far if rng.random() < chance and not low else 0.0


def _opened(rng: np.random.Generator, space: Space, piece: Piece) -> Iterator[tuple[str, float]]:
    view = piece.footprint
    draw, far = rng.random(), round(float(rng.uniform(*OPENINGS)), 2)
    if "openable" not in view.abilities or view.pickupable:
        return
    if view.type_name == "Blinds":
        if draw < BLINDS_UP:
            yield piece.id, 1.0
    elif piece.pose.z == 0.0 and draw < FURNITURE_OPEN:
        zone = _before(piece)
        if space.fits(Thing(zone, (zone,)), gap_m=0.0) and space.leaves_way([zone.rect]):
            space.things.append(Thing(zone, (zone,)))
            yield piece.id, far


def _before(piece: Piece) -> Solid:
    """The room that its doors and drawers take up when they open."""
    view, rect = piece.footprint, piece.footprint.rect
    local = Rect(rect.x0, rect.y0 - MARGIN_M - view.opens_m, rect.x1, rect.y0 - MARGIN_M)
    return Solid(turned(local, piece.pose.yaw_deg, piece.pose.x, piece.pose.y), 0.0, view.height_m)


def _with_opening(item: PlacedObject, opening: float) -> PlacedObject:
    if not opening:
        return item
    return msgspec.structs.replace(item, state=msgspec.structs.replace(item.state, open=opening))
