"""Puts the objects of a ProcTHOR house into ours: out of the walls, onto walls, and onto each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec
import numpy as np

from pentathlon.worlds.houses.assets.catalogue import catalogue
from pentathlon.worlds.houses.files.procthor.counters import centred, counter_pieces, is_counter
from pentathlon.worlds.houses.files.procthor.document import Notes, Wanted
from pentathlon.worlds.houses.files.procthor.fitting import Fit, fit
from pentathlon.worlds.houses.files.procthor.seating import Seat, find_seat
from pentathlon.worlds.houses.files.procthor.walls import hung, pushed_inside, wall_behind
from pentathlon.worlds.houses.furnishing.placing import Piece, Pose, thing_at
from pentathlon.worlds.houses.furnishing.space import Thing
from pentathlon.worlds.houses.furnishing.surfaces import LIFT_M, Surface, surfaces_of
from pentathlon.worlds.houses.house import House, PlacedObject, Room, State, Support
from pentathlon.worlds.houses.plan.polygons import Rect, contains_point

HUNG_FROM_M = 0.25
TOUCH_M = 0.01
NUDGE_STEP_M = 0.05
NUDGES = 12


class Placing(NamedTuple):
    """An object that was placed: what was wanted, what stands for it, and where it may be moved to."""

    wanted: Wanted
    fit: Fit
    seat: Seat | None
    carriers: tuple[Surface, ...]


@dataclass
class Arranger:
    """The house while its objects are put into it.

    Attributes:
        objects: what is placed, by id, carriers before what they carry.
        placings: how each came to its place.
        things: what stands on the floor of each room.
        surfaces: every surface of each room.
    """

    house: House
    notes: Notes
    objects: dict[str, PlacedObject] = field(default_factory=dict)
    placings: dict[str, Placing] = field(default_factory=dict)
    things: dict[str, list[Thing]] = field(default_factory=dict)
    surfaces: dict[str, list[Surface]] = field(default_factory=dict)
    _counts: dict[str, int] = field(default_factory=dict)

    def arrange(self, wanted: Sequence[Wanted]) -> None:
        """Places everything, large things first, so that small ones make room for them."""
        rooms = [(item, self._room(item)) for item in wanted]
        for item, room in sorted(rooms, key=lambda pair: -_area_m2(pair[0])):
            if room is None:
                self.notes.warn(
                    f"{item.place}.position: ({item.x_m}, {item.y_m}) lies outside every room; "
                    f"{item.asset_id!r} left out."
                )
            elif is_counter(item):
                self._place_counter(item, room)
            else:
                self._place(item, room)

    def furnished(self) -> House:
        """Returns the house with what has been placed."""
        return msgspec.structs.replace(self.house, objects=tuple(self.objects.values()))

    def _room(self, item: Wanted) -> Room | None:
        return next((room for room in self.house.rooms if contains_point(room.outline_m, item.x_m, item.y_m)), None)

    def _place_counter(self, item: Wanted, room: Room) -> None:
        width, depth, height = item.asset.size_m
        box = Rect(-width / 2, -depth / 2, width / 2, depth / 2)
        whole = pushed_inside(self.house, room, box, height, Pose(item.x_m, item.y_m, 0.0, item.yaw_deg))
        low_end = wall_behind(self.house, room, whole.x, whole.y, item.yaw_deg + 90.0) < wall_behind(
            self.house, room, whole.x, whole.y, item.yaw_deg - 90.0
        )
        surfaces = []
        for piece, pose in counter_pieces(item, whole.x, whole.y, low_end):
            surfaces += self._keep(item._replace(state=State()), piece, room, pose)
        self._seat_all(item, room, surfaces, whole.x - item.x_m, whole.y - item.y_m)

    def _place(self, item: Wanted, room: Room) -> None:
        chosen = self._fit(item)
        pose = self._pose(item, chosen, room)
        surfaces = self._keep(item, chosen, room, pose)
        middle = centred(chosen, item.x_m, item.y_m, item.yaw_deg)
        self._seat_all(item, room, surfaces, pose.x - middle.x, pose.y - middle.y)

    def _fit(self, item: Wanted) -> Fit:
        if item.asset.type not in catalogue():
            x, y, z = item.asset.size_m
            self.notes.warn(
                f"{item.place}.assetId: object type {item.asset.type!r} is not known; shown as a box of "
                f"{x:.2f} x {y:.2f} x {z:.2f} m."
            )
        return fit(item)

    def _pose(self, item: Wanted, chosen: Fit, room: Room) -> Pose:
        pose = centred(chosen, item.x_m, item.y_m, item.yaw_deg)
        if chosen.hangs_from_ceiling:
            return pose._replace(z=self.house.ceiling_m)
        raised = item.asset.size_m[2] > 0 and item.bottom_m > HUNG_FROM_M and not chosen.view.pickupable
        if chosen.hangs or raised:
            return hung(self.house, room, chosen, item)
        if item.asset.size_m[2] > 0 and item.bottom_m > HUNG_FROM_M:
            self.notes.warn(f"{item.place}.position: {item.asset_id!r} hangs in the air; put on the floor.")
        lifted = pose._replace(z=LIFT_M - min(0.0, chosen.view.low_m[2]) if chosen.view.pickupable else 0.0)
        inside = pushed_inside(self.house, room, chosen.view.rect, chosen.view.height_m, lifted)
        return self._nudged(chosen, room, inside)

    def _nudged(self, chosen: Fit, room: Room, pose: Pose) -> Pose:
        """Moves a thing that would stand in another to the nearest place where it does not."""
        others = self.things.get(room.id, [])
        for candidate in _around(pose):
            moved_in = pushed_inside(self.house, room, chosen.view.rect, chosen.view.height_m, candidate)
            if not any(_meet(thing_at(chosen.view, moved_in), other) for other in others):
                return moved_in
        return pose

    def _keep(self, item: Wanted, chosen: Fit, room: Room, pose: Pose, support: Support | None = None) -> list[Surface]:
        """Keeps an object and returns the surfaces that it offers."""
        self._counts[chosen.type] = self._counts.get(chosen.type, -1) + 1
        object_id = f"{chosen.type}|{self._counts[chosen.type]}"
        self.objects[object_id] = chosen.placed(object_id, room.id, pose, item.state, support)
        self.placings[object_id] = Placing(item, chosen, None, ())
        if support is None:
            self.things.setdefault(room.id, []).append(thing_at(chosen.view, pose))
        found = surfaces_of(Piece(object_id, chosen.view, pose))
        self.surfaces.setdefault(room.id, []).extend(found)
        return found

    def _seat_all(self, item: Wanted, room: Room, surfaces: list[Surface], dx: float, dy: float) -> None:
        for child in sorted(item.children, key=lambda child: -max(child.asset.size_m)):
            shifted = child._replace(x_m=child.x_m + dx, y_m=child.y_m + dy)
            self._seat(shifted, item, room, surfaces)

    def _seat(self, child: Wanted, parent: Wanted, room: Room, surfaces: list[Surface]) -> None:
        chosen = self._fit(child)
        seat = find_seat(chosen, child, surfaces)
        if seat is None:
            surfaces = self.surfaces.get(room.id, [])
            seat = find_seat(chosen, child, surfaces)
            where = "the floor" if seat is None else repr(seat.surface.piece.id)
            self.notes.warn(f"{child.place}: {child.asset_id!r} moved from {parent.asset_id!r} to {where}.")
            if seat is None:
                self._place(child._replace(middle_m=child.asset.size_m[2] / 2), room)
                return
        own = self._keep(child, seat.fit, room, seat.pose, Support(seat.surface.relation, seat.surface.piece.id))
        object_id = list(self.objects)[-1]
        self.placings[object_id] = Placing(child, chosen, seat, tuple(surfaces))
        self._seat_all(child, room, own, seat.pose.x - child.x_m, seat.pose.y - child.y_m)


def furnished(house: House, wanted: Sequence[Wanted], notes: Notes) -> Arranger:
    """Places all objects."""
    arranger = Arranger(house, notes)
    arranger.arrange(wanted)
    return arranger


def _area_m2(item: Wanted) -> float:
    width, depth, _ = item.asset.size_m
    return width * depth or fit(item).view.rect.area


def _around(pose: Pose) -> Iterator[Pose]:
    yield pose
    for ring in range(1, NUDGES + 1):
        for angle in np.arange(16) * np.pi / 8:
            dx, dy = ring * NUDGE_STEP_M * np.cos(angle), ring * NUDGE_STEP_M * np.sin(angle)
            yield pose._replace(x=pose.x + float(dx), y=pose.y + float(dy))


def _meet(first: Thing, second: Thing) -> bool:
    return _near(first.bounds, second.bounds) and any(_near(a, b) for a in first.solids for b in second.solids)


def _near(a: tuple[Rect, float, float], b: tuple[Rect, float, float]) -> bool:
    return a[1] < b[2] - TOUCH_M and b[1] < a[2] - TOUCH_M and a[0].grown(-TOUCH_M).overlaps(b[0])
