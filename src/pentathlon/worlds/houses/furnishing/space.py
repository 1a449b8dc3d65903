"""The room that is left in a room: what stands where, and whether one can still walk."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from pentathlon.worlds.houses.furnishing.footprint import Solid
from pentathlon.worlds.houses.house import House, Room, Window
from pentathlon.worlds.houses.plan.polygons import Edge, Rect, bounds, contains, contains_rect, edges, rectangles
from pentathlon.worlds.houses.plan.walls import HALF_WALL_M, edge_of, slab

CELL_M = 0.1
WALKER_RADIUS_M = 0.26
WALKER_HEIGHT_M = 1.4
DOOR_CLEARANCE_M = 0.75
WINDOW_CLEARANCE_M = 0.3
GAP_M = 0.015
SIDES = ndimage.generate_binary_structure(2, 1)


@dataclass(frozen=True, eq=False)
class Thing:
    """Something that stands or hangs in a room.

    Attributes:
        bounds: of all of it.
        find_solids: returns what it is made of; most poses are refused by the bounds alone.
    """

    bounds: Solid
    find_solids: Callable[[], tuple[Solid, ...]]

    @staticmethod
    def block(solid: Solid) -> Thing:
        """Makes a thing that fills its bounds."""
        return Thing(solid, lambda: (solid,))

    @cached_property
    def solids(self) -> tuple[Solid, ...]:
        """What it is made of."""
        return self.find_solids()


@dataclass
class Space:
    """The state of one room while it is being furnished.

    Attributes:
        things: what stands or hangs there.
        clear: floor that must stay free: before doors and where their leaves stand.
        window_zones: before windows, where nothing may rise above the sill.
        gates: points inside the room before each door.
        windows: with the wall that each is in.
    """

    room: Room
    ceiling_m: float
    things: list[Thing] = field(default_factory=list)
    clear: list[Rect] = field(default_factory=list)
    window_zones: list[Solid] = field(default_factory=list)
    gates: list[tuple[float, float]] = field(default_factory=list)
    windows: list[tuple[Edge, Window]] = field(default_factory=list)

    @staticmethod
    def of(house: House, room: Room) -> Space:
        """Makes the space of an empty room."""
        space = Space(room, house.ceiling_m)
        for door in house.doors:
            edge = edge_of(room, door.centre_m, door.width_m) if room.id in door.rooms else None
            if edge is not None:
                along = door.centre_m[0 if edge.along_x else 1]
                low, high = along - door.width_m / 2, along + door.width_m / 2
                depth = DOOR_CLEARANCE_M
                if door.panel and door.rooms[0] == room.id:
                    depth = door.width_m + HALF_WALL_M + 0.05
                    low, high = (low - 0.1, high) if door.hinge == "low" else (low, high + 0.1)
                space.clear.append(slab(edge, low, high, depth))
                space.gates.append(_before(edge, along, HALF_WALL_M + 0.4))
        for window in house.windows:
            edge = edge_of(room, window.centre_m, window.width_m) if window.room == room.id else None
            if edge is not None:
                along = window.centre_m[0 if edge.along_x else 1]
                low, high = along - window.width_m / 2 - 0.05, along + window.width_m / 2 + 0.05
                top = window.sill_m + window.height_m
                zone = slab(edge, low, high, HALF_WALL_M + WINDOW_CLEARANCE_M)
                space.window_zones.append(Solid(zone, window.sill_m - 0.02, top + 0.05))
                space.windows.append((edge, window))
        return space

    @property
    def walls(self) -> tuple[Edge, ...]:
        """The room's sides."""
        return edges(self.room.outline_m)

    @property
    def area_m2(self) -> float:
        """Floor area."""
        return sum(rect.area for rect in rectangles(self.room.outline_m))

    def fits(
        self, thing: Thing, *, gap_m: float = GAP_M, interlocking: bool = False, before_windows: bool = False
    ) -> bool:
        """Tells whether a thing could stand there.

        Args:
            thing: what, in the house's frame.
            gap_m: distance to keep from others.
            before_windows: whether it may hang before a window, as curtains do.
            interlocking: whether it may reach into the bounds of others where no solids meet, as a chair under a table.
        """
        own = thing.bounds
        if own.top > self.ceiling_m or not contains_rect(self.room.outline_m, own.rect.grown(HALF_WALL_M)):
            return False
        if own.bottom < 2.0 and any(own.rect.overlaps(zone) for zone in self.clear):
            return False
        if not before_windows and any(meet(own, zone, 0.0) for zone in self.window_zones):
            return False
        crowding = [other for other in self.things if meet(own, other.bounds, gap_m)]
        if not interlocking:
            return not crowding
        return not any(meet(a, b, gap_m) for other in crowding for a in thing.solids for b in other.solids)

    def touches(self, solid: Solid, carrier: Rect) -> bool:
        """Tells whether a small thing would meet any solid other than those of the furniture that carries it."""
        crowding = [other for other in self.things if other.bounds.rect != carrier and meet(solid, other.bounds, GAP_M)]
        return any(meet(solid, part, GAP_M) for other in crowding for part in other.solids)

    def lies_flat(self, thing: Thing, others: list[Thing]) -> bool:
        """Tells whether a rug could lie there: inside the room, clear of doors and other rugs."""
        own = thing.bounds
        if not contains_rect(self.room.outline_m, own.rect.grown(HALF_WALL_M + 0.05)):
            return False
        return not any(own.rect.overlaps(rect) for rect in (*self.clear, *(other.bounds.rect for other in others)))

    def leaves_way(self, rects: list[Rect]) -> bool:
        """Tells whether all doors stay connected and enough floor stays free when these rectangles are filled too."""
        walkable, xs, ys = self._walkable(rects)
        labels, _ = ndimage.label(walkable, SIDES)
        seen = {int(labels[_nearest(xs, x), _nearest(ys, y)]) for x, y in self.gates}
        if 0 in seen or len(seen) > 1:
            return False
        sizes = np.bincount(labels.ravel())[1:]
        main = seen.pop() if seen else (int(np.argmax(sizes)) + 1 if len(sizes) else 0)
        return main > 0 and bool(sizes[main - 1] * CELL_M**2 >= min(1.5, 0.12 * self.area_m2))

    def _walkable(self, rects: list[Rect]) -> tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[np.float64]]:
        empty, xs, ys = self._empty
        free = empty.copy()
        solids = (thing.bounds for thing in self.things)
        low_things = [solid.rect for solid in solids if solid.bottom < WALKER_HEIGHT_M and solid.top > 0.05]
        for rect in (*low_things, *rects):
            _block(free, rect.grown(WALKER_RADIUS_M), xs, ys)
        for x, y in self.gates:
            free[_nearest(xs, x), _nearest(ys, y)] = True
        return free, xs, ys

    @cached_property
    def _empty(self) -> tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[np.float64]]:
        """The cells of the empty room on which one can stand, and the middles of its columns and rows."""
        whole = bounds([self.room.outline_m])
        xs = np.arange(whole.x0 + CELL_M / 2, whole.x1, CELL_M)
        ys = np.arange(whole.y0 + CELL_M / 2, whole.y1, CELL_M)
        free = contains(self.room.outline_m, xs[:, None], ys[None, :])
        for wall in self.walls:
            low, high = wall.span
            _block(free, slab(wall, low, high, HALF_WALL_M).grown(WALKER_RADIUS_M), xs, ys)
        return free, xs, ys


def meet(first: Solid, second: Solid, gap_m: float) -> bool:
    """Tells whether two upright boxes overlap, or are nearer than a gap beside each other."""
    if first.bottom >= second.top or second.bottom >= first.top:
        return False
    a, b = first.rect, second.rect
    return a.x0 - gap_m < b.x1 and b.x0 < a.x1 + gap_m and a.y0 - gap_m < b.y1 and b.y0 < a.y1 + gap_m


def _block(free: NDArray[np.bool_], rect: Rect, xs: NDArray[np.float64], ys: NDArray[np.float64]) -> None:
    """Marks the cells as taken whose middles lie in a rectangle."""
    i0, i1 = _first_from(xs, rect.x0), _first_from(xs, rect.x1)
    j0, j1 = _first_from(ys, rect.y0), _first_from(ys, rect.y1)
    free[i0:i1, j0:j1] = False


def _first_from(values: NDArray[np.float64], value: float) -> int:
    return min(max(math.ceil((value - values.item(0)) / CELL_M), 0), len(values))


def _nearest(values: NDArray[np.float64], value: float) -> int:
    return min(max(round((value - values.item(0)) / CELL_M), 0), len(values) - 1)


def _before(edge: Edge, along: float, distance: float) -> tuple[float, float]:
    dx, dy = edge.inward
    return (along, edge.line + dy * distance) if edge.along_x else (edge.line + dx * distance, along)
