"""Furnishes the rooms of an empty house, row by row of the recipes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from pentathlon.worlds.houses.furnishing import placing
from pentathlon.worlds.houses.furnishing.footprint import VARIANTS_PER_TYPE, Footprint, Solid, footprint, known
from pentathlon.worlds.houses.furnishing.placing import Piece, Pose, thing_at
from pentathlon.worlds.houses.furnishing.recipes import EVERYWHERE, RECIPES, Row, stray_rows
from pentathlon.worlds.houses.furnishing.space import WALKER_HEIGHT_M, Space, Thing
from pentathlon.worlds.houses.furnishing.surfaces import Surface, surfaces_of
from pentathlon.worlds.houses.house import House, PlacedObject, Room, State, Support

FLAT_M = 0.04
# Lower than this a fixed thing is a mat half rolled up, not furniture.
LOW_M = 0.15
FLAT_WAYS = ("beneath", "anywhere", "at")
INTERLOCKING_WAYS = ("around", "desk")
# Pieces of one such row are of one make: the chairs of a table, the two nightstands of a bed.
ALIKE_WAYS = ("around", "beside", "above")
LAMP_ON_CHANCE = 0.6
CEILING_ON_CHANCE = 0.95


def _lies(view: Footprint, pose: Pose) -> bool:
    """Whether a thing lies on the floor as it is, unlike furniture, whose feet stand through a rug."""
    return pose.z == 0.0 and (view.pickupable or view.height_m < LOW_M)


@dataclass
class Furnisher:
    """Furnishes one house.

    Attributes:
        objects: everything placed so far, in order.
        surfaces: where small things can go, by room id.
        spaces: what is left of each room.
        pieces: furniture by room id, to place things under.
        flats: rugs and mats by room id.
        small: what the small things on and in furniture fill, by room id.
        variants: of each type, those that the house may hold.
    """

    house: House
    rng: np.random.Generator
    objects: list[PlacedObject] = field(default_factory=list)
    surfaces: dict[str, list[Surface]] = field(default_factory=dict)
    spaces: dict[str, Space] = field(default_factory=dict)
    pieces: dict[str, list[Piece]] = field(default_factory=dict)
    flats: dict[str, list[Piece]] = field(default_factory=dict)
    small: dict[str, list[Solid]] = field(default_factory=dict)
    variants: range = range(VARIANTS_PER_TYPE)
    _counts: dict[str, int] = field(default_factory=dict)

    def furnish(self) -> None:
        """Furnishes every room by the recipes."""
        self.open_rooms()
        for room in self.house.rooms:
            self.furnish_room(room, (*RECIPES[room.type], *EVERYWHERE, *stray_rows(room.type)))

    def open_rooms(self) -> None:
        """Prepares the empty rooms."""
        for room in self.house.rooms:
            self.spaces[room.id] = Space.of(self.house, room)
            self.surfaces[room.id] = []
            self.pieces[room.id] = []
            self.flats[room.id] = []
            self.small[room.id] = []

    def new_id(self, type_name: str) -> str:
        """Returns the next id of a type."""
        self._counts[type_name] = self._counts.get(type_name, -1) + 1
        return f"{type_name}|{self._counts[type_name]}"

    def draw(self, type_name: str) -> tuple[int, Footprint]:
        """Draws a variant of a type, a steady one where it has any."""
        first = int(self.rng.integers(len(self.variants)))
        for step in range(len(self.variants)):
            seed = self.variants[(first + step) % len(self.variants)]
            if footprint(type_name, seed).steady:
                return seed, footprint(type_name, seed)
        return self.variants[first], footprint(type_name, self.variants[first])

    def furnish_room(self, room: Room, rows: Sequence[Row]) -> None:
        """Furnishes a room by rows of a recipe, those that stand in a row first."""
        self._place_row_pieces(room, [row for row in rows if row.way == "row"])
        for row in rows:
            names = [name for name in row.types if known(name)]
            if not names or row.way == "row" or self._anchors(room, row.unless):
                continue
            drawn = self._draw_of(names)
            for i in range(row.pieces):
                if i and row.way not in ALIKE_WAYS:
                    drawn = self._draw_of(names)
                if self.rng.random() < row.chance:
                    self._place(room, row, *drawn)

    def _draw_of(self, names: list[str]) -> tuple[str, int, Footprint]:
        name = names[int(self.rng.integers(len(names)))]
        return name, *self.draw(name)

    def _place_row_pieces(self, room: Room, rows: list[Row]) -> None:
        chosen = []
        for row in rows:
            names = [name for name in row.types if known(name)]
            wanted = int(sum(self.rng.random() < row.chance for _ in range(row.pieces)))
            chosen += [names[int(self.rng.integers(len(names)))] for _ in range(wanted if names else 0)]
        drawn = [(name, *self.draw(name)) for name in chosen]
        poses = placing.in_row(self.spaces[room.id], [view for _, _, view in drawn], self.rng)
        for (name, seed, view), pose in zip(drawn, poses, strict=True):
            if pose is not None:
                self.add(room, name, seed, view, pose)

    def _place(self, room: Room, row: Row, name: str, seed: int, view: Footprint) -> None:
        if row.way == "on":
            self._place_on(room, row, name, seed, view)
            return
        self.add_first(room, name, seed, view, self._poses(self.spaces[room.id], row, view), row.way)

    def add_first(self, room: Room, name: str, seed: int, view: Footprint, poses: Iterator[Pose], way: str) -> bool:
        """Places a piece at the first pose where it fits and leaves the room walkable; tells whether there was one."""
        space = self.spaces[room.id]
        flat = view.height_m < FLAT_M and way in FLAT_WAYS
        for drawn in poses:
            pose = drawn.rounded()
            thing = thing_at(view, pose)
            if flat:
                # A rug belongs under the piece that it is laid for; a mat lies where nothing stands on it.
                under = space.things if way == "anywhere" else self._lying_on_floor(room)
                fits = space.lies_flat(thing, [*self._flats(room), *under])
            else:
                fits = space.fits(thing, interlocking=way in INTERLOCKING_WAYS, before_windows=way == "window")
            if _lies(view, pose) and not flat:
                fits = fits and not any(thing.bounds.rect.overlaps(rug.bounds.rect) for rug in self._flats(room))
            low = not flat and thing.bounds.bottom < WALKER_HEIGHT_M
            if fits and (not low or space.leaves_way([thing.bounds.rect])):
                if not flat:
                    space.things.append(thing)
                self.add(room, name, seed, view, pose, flat=flat)
                return True
        return False

    def _flats(self, room: Room) -> list[Thing]:
        return [thing_at(piece.footprint, piece.pose) for piece in self.flats[room.id]]

    def _lying_on_floor(self, room: Room) -> list[Thing]:
        """What a rug laid under it would throw up or cover."""
        pieces = self.pieces[room.id]
        return [thing_at(piece.footprint, piece.pose) for piece in pieces if _lies(piece.footprint, piece.pose)]

    def _poses(self, space: Space, row: Row, view: Footprint) -> Iterator[Pose]:
        rng = self.rng
        if row.way in ("wall", "corner"):
            yield from placing.against_walls(rng, space, view, snug=row.way == "corner")
        elif row.way == "centre":
            yield from placing.free_standing(rng, space, view)
        elif row.way == "anywhere":
            yield from placing.anywhere(rng, space, view)
        elif row.way == "on_wall":
            yield from placing.on_walls(rng, space, view, row.metres)
        elif row.way == "ceiling":
            yield from placing.under_ceiling(space, view)
        elif row.way == "window":
            yield from placing.at_windows(space, view)
        for anchor in self._anchors(space.room, row.anchor):
            if row.way == "beside":
                yield from placing.beside(rng, anchor, view)
            elif row.way == "before":
                yield from placing.before(anchor, view, row.metres)
            elif row.way == "opposite":
                yield from placing.opposite(space, anchor, view)
            elif row.way == "around":
                yield from placing.around(rng, anchor, view, row.metres)
            elif row.way == "desk":
                yield from placing.at_desk(anchor, view, row.metres)
            elif row.way == "beneath":
                yield from placing.beneath(anchor, view, row.metres)
            elif row.way == "above":
                yield from placing.above(space, anchor, view, row.metres)
            elif row.way == "above_end":
                yield from placing.above_ends(space, anchor, view, row.metres)

    def _anchors(self, room: Room, type_name: str) -> list[Piece]:
        return [piece for piece in self.pieces[room.id] if piece.footprint.type.name == type_name]

    def _place_on(self, room: Room, row: Row, name: str, seed: int, view: Footprint) -> None:
        tops = [
            surface
            for surface in self.surfaces[room.id]
            if surface.piece.footprint.type.name == row.anchor and surface.relation == "on"
        ]
        for surface in sorted(tops, key=lambda surface: len(surface.taken)):
            for pose in surface.poses(self.rng, view, 1.0, 8):
                level = pose._replace(yaw_deg=surface.piece.pose.yaw_deg)
                middle = surface.pose(view, 1.0, level.yaw_deg, 0.5, 0.5) if row.anchor == "TVStand" else level
                if middle is not None and self._stands(room, surface, view, middle):
                    surface.take(view, 1.0, middle)
                    self.spaces[room.id].things.append(thing_at(view, middle.rounded()))
                    support = Support("on", surface.piece.id)
                    self.add(room, name, seed, view, middle, support=support)
                    return

    def _stands(self, room: Room, surface: Surface, view: Footprint, pose: Pose) -> bool:
        bounds = thing_at(view, pose).bounds
        if self.spaces[room.id].touches(bounds, surface.piece.rect):
            return False
        inside = bounds.rect.grown(-0.02)
        area = surface.rect
        return (
            area.x0 <= inside.x0 and inside.x1 <= area.x1 and area.y0 <= inside.y0 and inside.y1 <= area.y1
        ) and not any(bounds.rect.overlaps(other) for other in surface.taken)

    def add(
        self,
        room: Room,
        name: str,
        seed: int,
        view: Footprint,
        pose: Pose,
        *,
        support: Support | None = None,
        flat: bool = False,
    ) -> None:
        """Records a piece where it stands, as an object and as an anchor for others."""
        rounded = pose.rounded()
        piece = Piece(self.new_id(name), view, rounded)
        chance = CEILING_ON_CHANCE if view.placement == "ceiling" else LAMP_ON_CHANCE
        on = view.left_on and bool(self.rng.random() < chance)
        self.objects.append(rounded.placed(piece.id, name, room, seed, support, State(on=on)))
        (self.flats if flat else self.pieces)[room.id].append(piece)
        if not flat and not view.pickupable:
            self.surfaces[room.id] += surfaces_of(piece)
