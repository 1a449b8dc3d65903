"""In which states things are found in a home: mugs filled, plates dirty, a drawer open, food in the fridge cold."""

from __future__ import annotations

import msgspec
import numpy as np

from pentathlon.worlds.houses.furnishing.footprint import Footprint, Solid, turned
from pentathlon.worlds.houses.furnishing.furnish import Furnisher
from pentathlon.worlds.houses.furnishing.placing import Piece, thing_at
from pentathlon.worlds.houses.furnishing.space import WALKER_HEIGHT_M, Thing, meet
from pentathlon.worlds.houses.furnishing.surfaces import Surface
from pentathlon.worlds.houses.furnishing.sweep import WIDEST
from pentathlon.worlds.houses.house import PlacedObject, State

SWITCHED_ON = 0.5
FILLED, FILLED_ON_STOVE = 0.25, 0.6
HOT, HOT_IF_FILLED_OR_ON_STOVE = 0.02, 0.5
SLICED = 0.1
DIRTY: dict[str, float] = {"tableware": 0.25, "textile": 0.12, "food": 0.05}
# Small things that people leave open, how often, and how far: a lid beyond the upright would meet what is behind it.
LEFT_OPEN: dict[str, tuple[float, float]] = {"Book": (0.12, 1.0), "Box": (0.6, 1.0), "Laptop": (0.6, 0.7)}
HEADROOM_M = 0.35
BLINDS_UP = 0.4
# How often people leave furniture open, where there is room.
USUALLY_OPEN = 0.12
FURNITURE_OPEN: dict[str, float] = {
    "Dishwasher": 0.25, "Fridge": 0.06, "LaundryHamper": 0.3, "ShowerCabin": 0.4, "StorageBox": 0.3, "Stove": 0.06,
    "Toilet": 0.4, "Wardrobe": 0.2, "WashingMachine": 0.4,
}  # fmt: skip
OPENINGS = (0.3, WIDEST)
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
    """Leaves some doors, drawers, lids and blinds open where nothing is in the way."""
    states: dict[str, float] = {}
    for room_id, pieces in furnisher.pieces.items():
        # What is in a drawer would have to move with it.
        full = {surface.piece.id for surface in furnisher.surfaces[room_id] if surface.moves and surface.taken}
        for piece in pieces:
            far = _drawn_opening(furnisher.rng, piece)
            blinds = piece.footprint.type_name == "Blinds"
            if far and piece.id not in full and (blinds or _opens(furnisher, room_id, piece)):
                states[piece.id] = far
    furnisher.objects[:] = [_with_opening(item, states.get(item.id, 0.0)) for item in furnisher.objects]


def _left_open(rng: np.random.Generator, view: Footprint, surface: Surface | None, covered: bool) -> float:
    chance, far = LEFT_OPEN.get(view.type_name, (0.0, 0.0))
    low = covered or (surface is not None and surface.clearance_m < view.height_m + HEADROOM_M)
    return far if rng.random() < chance and not low else 0.0


def _drawn_opening(rng: np.random.Generator, piece: Piece) -> float:
    view = piece.footprint
    draw, far = rng.random(), round(float(rng.uniform(*OPENINGS)), 2)
    if "openable" not in view.abilities or view.pickupable:
        return 0.0
    if view.type_name == "Blinds":
        return 1.0 if draw < BLINDS_UP else 0.0
    return far if draw < FURNITURE_OPEN.get(view.type_name, USUALLY_OPEN) else 0.0


def _opens(furnisher: Furnisher, room_id: str, piece: Piece) -> bool:
    """Takes the room that a piece's doors, drawers and lids pass through, if it is free; tells whether it was."""
    space = furnisher.spaces[room_id]
    zones = [_zone(piece, solid) for solid in piece.footprint.opening]
    low = [zone.bounds.rect for zone in zones if zone.bounds.bottom < WALKER_HEIGHT_M]
    if not all(space.fits(zone, gap_m=0.0, interlocking=True) for zone in zones) or not space.leaves_way(low):
        return False
    rugs = [thing_at(rug.footprint, rug.pose).bounds for rug in furnisher.flats[room_id]]
    if any(meet(zone.bounds, other, 0.0) for zone in zones for other in (*furnisher.small[room_id], *rugs)):
        return False
    space.things += zones
    return True


def _zone(piece: Piece, solid: Solid) -> Thing:
    """What an opening passes through, in the house, a little less so that it does not meet its own piece."""
    x, y, z, yaw_deg = piece.pose
    rect = turned(solid.rect.grown(-MARGIN_M), yaw_deg, x, y)
    placed = Solid(rect, z + solid.bottom + MARGIN_M, z + solid.top)
    return Thing.block(placed)


def _with_opening(item: PlacedObject, opening: float) -> PlacedObject:
    if not opening:
        return item
    return msgspec.structs.replace(item, state=msgspec.structs.replace(item.state, open=opening))
