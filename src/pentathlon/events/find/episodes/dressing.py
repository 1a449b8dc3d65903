"""Puts things into a furnished house, or takes them out, so that its episodes ask for what they should."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TypeVar

import msgspec
import numpy as np

from pentathlon.worlds.houses.assets.catalogue import catalogue
from pentathlon.worlds.houses.furnishing import placing
from pentathlon.worlds.houses.furnishing.clutter import floor_height, scaled_thing
from pentathlon.worlds.houses.furnishing.footprint import Footprint, footprint
from pentathlon.worlds.houses.furnishing.furnish import Furnisher
from pentathlon.worlds.houses.furnishing.likings import STORAGE, belongs, liking
from pentathlon.worlds.houses.furnishing.placing import Piece, Pose
from pentathlon.worlds.houses.furnishing.reopening import reopen
from pentathlon.worlds.houses.furnishing.surfaces import LIFT_M, Surface
from pentathlon.worlds.houses.house import House, PlacedObject, Room, Support

# Where a navigator of LoCoBot's height sees what stands there.
LOWEST_M, HIGHEST_M = 0.2, 1.3
TRIES = 12
ON_FLOOR = frozenset({"sport", "toy", "container"})
SHELTERS = frozenset({
    "ArmChair", "Bed", "Bench", "Chair", "CoffeeTable", "ConsoleTable", "Crib", "Desk", "DiningTable", "SideTable",
    "Sofa", "Stool",
})  # fmt: skip
HOLDERS = frozenset({
    "Basket", "Bathtub", "Bookcase", "Cabinet", "Cart", "Dresser", "LaundryHamper", "Nightstand", "ShelvingUnit",
    "ShoeRack", "Sideboard", "Sink", "StorageBox", "TVStand", "Wardrobe",
})  # fmt: skip

Item = TypeVar("Item")
Wanted = Callable[[Surface], bool]


def without(house: House, removed: Collection[str]) -> House:
    """Returns the house without some objects and all that stands on them, in them or under them."""
    gone = with_all_on(house, removed)
    return msgspec.structs.replace(house, objects=tuple(item for item in house.objects if item.id not in gone))


def with_all_on(house: House, ids: Collection[str]) -> set[str]:
    """Returns the ids of some objects and of all that stands on them, in them or under them."""
    found = set(ids)
    while True:
        carried = {item.id for item in house.objects if item.support is not None and item.support.object in found}
        if carried <= found:
            return found
        found |= carried


class Dresser:
    """Puts things into one house, one after the other."""

    def __init__(self, house: House, rng: np.random.Generator) -> None:
        self._house, self._rng = house, rng
        self._furnisher: Furnisher = reopen(house, rng)
        self._known = len(house.objects)

    @property
    def added(self) -> tuple[PlacedObject, ...]:
        """What was put in."""
        return tuple(self._furnisher.objects[self._known :])

    @property
    def house(self) -> House:
        """The house as it is now."""
        return msgspec.structs.replace(self._house, objects=tuple(self._furnisher.objects))

    def put(self, type_name: str, variant: int, wanted: Wanted = lambda surface: True) -> str | None:
        """Puts a thing where one keeps it, in sight; returns its id, or ``None`` where there is no place."""
        kind = catalogue()[type_name]
        for room in self._rooms(kind.name):
            if kind.placement in ("free", "against_wall"):
                placed = self._stand(room, type_name, variant)
            else:
                on_floor = kind.category in ON_FLOOR and self._rng.random() < 0.5
                placed = self._lay(room, type_name, variant) if on_floor else None
                placed = placed or self._set(room, type_name, variant, self._open_surfaces(room, type_name, wanted))
            if placed:
                return placed
        return None

    def hide(self, type_name: str, variant: int, taken: Collection[str] = ()) -> str | None:
        """Puts a thing under or into furniture; ``taken`` are pieces that hide enough already."""
        rooms = [self._house.rooms[i] for i in self._rng.permutation(len(self._house.rooms))]
        for room in rooms:
            inside = [
                surface
                for surface in self._furnisher.surfaces[room.id]
                if surface.relation == "in" and surface.piece.footprint.type_name in HOLDERS
            ]
            ways: list[Callable[[], str | None]] = [
                lambda room=room: self._hide_under(room, type_name, variant, taken),  # type: ignore[misc]
                lambda room=room, inside=inside: self._set(room, type_name, variant, _shuffled(self._rng, inside)),  # type: ignore[misc]
            ]
            for i in self._rng.permutation(len(ways)):
                placed = ways[int(i)]()
                if placed:
                    return placed
        return None

    def _rooms(self, type_name: str) -> list[Room]:
        """All rooms in random order, those first where one keeps such a thing."""
        kind = catalogue()[type_name]
        rooms = [self._house.rooms[i] for i in self._rng.permutation(len(self._house.rooms))]
        return sorted(rooms, key=lambda room: not belongs(kind, room.type))

    def _open_surfaces(self, room: Room, type_name: str, wanted: Wanted) -> list[Surface]:
        kind = catalogue()[type_name]
        found = [
            surface
            for surface in self._furnisher.surfaces[room.id]
            if LOWEST_M <= surface.height_m <= HIGHEST_M
            and (surface.relation == "on" or surface.piece.footprint.type_name in STORAGE)
            and liking(kind, surface.piece.footprint.type_name) * surface.rect.area > 0.0
            and wanted(surface)
        ]
        if not found:
            return []
        fond = [liking(kind, surface.piece.footprint.type_name) * surface.rect.area**0.5 for surface in found]
        order = self._rng.choice(len(found), len(found), replace=False, p=np.array(fond) / sum(fond))
        return [found[int(i)] for i in order]

    def _set(self, room: Room, type_name: str, variant: int, surfaces: list[Surface]) -> str | None:
        view = footprint(type_name, variant)
        for surface in surfaces:
            for pose in surface.poses(self._rng, view, 1.0, TRIES):
                bounds = scaled_thing(view, 1.0, pose).bounds
                if not self._furnisher.spaces[room.id].touches(bounds, surface.piece.rect):
                    surface.take(view, 1.0, pose)
                    return self._add(room, type_name, variant, pose, Support(surface.relation, surface.piece.id))
        return None

    def _stand(self, room: Room, type_name: str, variant: int) -> str | None:
        """Stands a thing on the floor: at a wall, or anywhere."""
        view, space = footprint(type_name, variant), self._furnisher.spaces[room.id]
        at_wall = placing.against_walls(self._rng, space, view)
        poses = at_wall if view.placement == "against_wall" else placing.anywhere(self._rng, space, view)
        if self._furnisher.add_first(room, type_name, variant, view, poses, "wall"):
            return self._furnisher.objects[-1].id
        return None

    def _lay(self, room: Room, type_name: str, variant: int) -> str | None:
        view, space = footprint(type_name, variant), self._furnisher.spaces[room.id]
        for pose in placing.anywhere(self._rng, space, view):
            thing = scaled_thing(view, 1.0, pose)
            if space.fits(thing, gap_m=0.02) and space.leaves_way([thing.bounds.rect]):
                placed = self._on_floor(room, type_name, variant, view, pose, None)
                if placed:
                    return placed
        return None

    def _hide_under(self, room: Room, type_name: str, variant: int, taken: Collection[str]) -> str | None:
        view, space = footprint(type_name, variant), self._furnisher.spaces[room.id]
        shelters = [
            piece
            for piece in self._furnisher.pieces[room.id]
            if piece.footprint.type_name in SHELTERS and piece.id not in taken
        ]
        for shelter in _shuffled(self._rng, shelters):
            for pose in _under(self._rng, shelter):
                thing = scaled_thing(view, 1.0, pose)
                if space.fits(thing, gap_m=0.02, interlocking=True):
                    placed = self._on_floor(room, type_name, variant, view, pose, shelter)
                    if placed:
                        return placed
        return None

    def _on_floor(
        self, room: Room, type_name: str, variant: int, view: Footprint, pose: Pose, shelter: Piece | None
    ) -> str | None:
        thing = scaled_thing(view, 1.0, pose)
        floor_m = floor_height(self._furnisher, room, thing.bounds.rect)
        if floor_m is None:
            return None
        self._furnisher.spaces[room.id].things.append(thing)
        base_m = floor_m + LIFT_M - min(0.0, view.low_m[2])
        support = None if shelter is None else Support("under", shelter.id)
        return self._add(room, type_name, variant, pose._replace(z=base_m), support)

    def _add(self, room: Room, type_name: str, variant: int, pose: Pose, support: Support | None) -> str:
        item = pose.placed(self._furnisher.new_id(type_name), type_name, room, variant, support)
        self._furnisher.objects.append(item)
        return item.id


def _under(rng: np.random.Generator, shelter: Piece) -> Iterator[Pose]:
    rect = shelter.rect
    for _ in range(placing.TRIES):
        x, y = rng.uniform(rect.x0, rect.x1), rng.uniform(rect.y0, rect.y1)
        yield Pose(float(x), float(y), 0.0, float(rng.uniform(0.0, 360.0)))


def _shuffled(rng: np.random.Generator, items: list[Item]) -> list[Item]:
    return [items[int(i)] for i in rng.permutation(len(items))]
