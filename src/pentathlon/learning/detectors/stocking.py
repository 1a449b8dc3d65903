"""Puts into a training house what it lacks: the things that walks look for, and some that few houses hold."""

from __future__ import annotations

import msgspec
import numpy as np

from pentathlon.worlds.houses.assets.catalogue import catalogue
from pentathlon.worlds.houses.furnishing.clutter import SHELTERS, lay_under, put_about
from pentathlon.worlds.houses.furnishing.furnish import Furnisher
from pentathlon.worlds.houses.furnishing.likings import belongs
from pentathlon.worlds.houses.furnishing.reopening import reopen
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.tasks.targets import ROBOTHOR_TYPES

WANTED_SHARE = 0.6
"""Of the things that walks look for and a house lacks, so many are put in."""
OTHERS = 8
HIDDEN, SHELTERS_TRIED = 8, 6
"""Small things that are laid under furniture, where houses as they are generated have few."""


def stocked(house: House, variants: range, rng: np.random.Generator) -> House:
    """Returns the house with further things, of the given variants, wherever there is a place."""
    present = {item.type for item in house.objects}
    missing = [name for name, kind in catalogue().items() if kind.placement == "small" and name not in present]
    wanted = [name for name in ROBOTHOR_TYPES if name not in present and rng.random() < WANTED_SHARE]
    others = [str(name) for name in rng.permutation([name for name in missing if name not in wanted])[:OTHERS]]
    furnisher = reopen(house, rng)
    furnisher.variants = variants
    for name in (*wanted, *others):
        _put_somewhere(furnisher, name)
    small = [name for name, kind in catalogue().items() if kind.placement == "small"]
    sought = [name for name in ROBOTHOR_TYPES if name in small]
    for place in range(HIDDEN):
        _hide(furnisher, str(rng.choice(sought if place % 2 else small)))
    return msgspec.structs.replace(house, objects=tuple(furnisher.objects))


def _hide(furnisher: Furnisher, type_name: str) -> bool:
    """Lays a thing under a piece of furniture, of a few that are tried."""
    rooms = furnisher.house.rooms
    pieces = [
        (room, piece) for room in rooms for piece in furnisher.pieces[room.id] if piece.footprint.type_name in SHELTERS
    ]
    tried = (pieces[i] for i in furnisher.rng.permutation(len(pieces))[:SHELTERS_TRIED])
    return any(lay_under(furnisher, room, type_name, piece) for room, piece in tried)


def _put_somewhere(furnisher: Furnisher, type_name: str) -> bool:
    """Tries one room after another, those first where such a thing is kept."""
    kind = catalogue()[type_name]
    rooms = [furnisher.house.rooms[i] for i in furnisher.rng.permutation(len(furnisher.house.rooms))]
    rooms.sort(key=lambda room: not belongs(kind, room.type))
    return any(put_about(furnisher, room, type_name) for room in rooms)
