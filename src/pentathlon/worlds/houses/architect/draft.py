"""Turns the architect's drafts, short lines of text, into house files: ``python -m ...architect.draft``.

Run it after the assets change size. A draft has lines such as::

    room den LivingRoom planks brown plaster cream 0 0 5 4
    door den kitchen 5 1.2 panel high      window den 0 2.0 1.6
    in den
    Sofa N 2.5          back to the north wall, its middle at x = 2.5
    CoffeeTable before Sofa 0.4            Chair around DiningTable 4
    FloorLamp beside Sofa                  Painting above Sofa
    Rug beneath CoffeeTable                Mug on CoffeeTable 0.3 0.5
    Apple under Bed                        Ottoman at 3.0 2.0 45

What small things the draft does not name are scattered as in generated houses.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np

from pentathlon.core.errors import UsageError
from pentathlon.worlds.houses.architect import PRACTICE
from pentathlon.worlds.houses.files.checks import require_valid
from pentathlon.worlds.houses.files.house_files import write_house
from pentathlon.worlds.houses.furnishing import placing
from pentathlon.worlds.houses.furnishing.clutter import lay_under, scatter
from pentathlon.worlds.houses.furnishing.footprint import Footprint, known
from pentathlon.worlds.houses.furnishing.furnish import Furnisher
from pentathlon.worlds.houses.furnishing.placing import Piece, Pose
from pentathlon.worlds.houses.furnishing.space import Space
from pentathlon.worlds.houses.furnishing.surfaces import Surface
from pentathlon.worlds.houses.house import Door, FloorFinish, House, Room, Start, Support, WallFinish, Window
from pentathlon.worlds.houses.plan.polygons import Edge, Rect, union_outline
from pentathlon.worlds.houses.splits import VARIANTS
from pentathlon.worlds.houses.ways.navigation import NavigationMap

VARIANTS_TRIED = 6
ATTEMPTS = 30
FOLDER = Path(__file__).parent
INWARD = {"N": (0, -1), "S": (0, 1), "E": (-1, 0), "W": (1, 0)}
SHIFTS_M = (0.0, *(sign * step / 20 for step in range(1, 13) for sign in (1, -1)))


def main() -> int:
    """Writes every house and tells what found no place."""
    for path in sorted((FOLDER / "plans").glob("*.txt")):
        drafter = Drafter(path.stem, path.read_text())
        house = drafter.house()
        write_house(house, FOLDER / f"{path.stem}.json")
        print(f"{path.stem}: {len(house.rooms)} rooms, {len(house.objects)} objects")
        for line in drafter.left_out:
            print(f"  no place: {line}", file=sys.stderr)
    return 0


class Drafter:
    """Reads one draft."""

    def __init__(self, name: str, text: str) -> None:
        self._name = name
        self._lines = [line.split() for line in text.splitlines() if line.strip() and not line.startswith("#")]
        self.left_out: list[str] = []

    def house(self) -> House:
        """Returns the drafted house, checked and reachable, with other variants where some leave a line no place."""
        for attempt in range(ATTEMPTS):
            self.left_out.clear()
            house = self._drawn(attempt)
            if not self.left_out:
                break
        return house

    def _drawn(self, attempt: int) -> House:
        shell = House(
            name=f"architect-{self._name}",
            rooms=tuple(self._rooms()),
            doors=tuple(self._doors()),
            windows=tuple(self._windows()),
        )
        rng = np.random.default_rng([zlib.crc32(self._name.encode()), attempt])
        variants = VARIANTS["train" if self._name == PRACTICE else "test"]
        furnisher = Furnisher(shell, rng, variants=variants)
        furnisher.open_rooms()
        room = shell.rooms[0]
        for words in self._lines:
            if words[0] == "in":
                room = shell.room(words[1])
            elif words[0] not in ("room", "door", "window") and not self._place(furnisher, room, words):
                self.left_out.append(f"{room.id}: {' '.join(words)}")
        scatter(furnisher)
        house = msgspec.structs.replace(shell, objects=tuple(furnisher.objects))
        ways = NavigationMap.of_house(house)
        house = msgspec.structs.replace(house, start=Start(ways.random_place(rng), 0.0))
        require_valid(house, self._name)
        unreachable = [item.id for item in house.rooms if not ways.reaches(item)]
        if unreachable:
            raise UsageError(f"{self._name}: cannot walk to {unreachable}. Move the furniture before their doors.")
        return house

    def _rooms(self) -> Iterator[Room]:
        for words in self._lines:
            if words[0] == "room":
                name, kind, floor, floor_colour, wall, wall_colour = words[1:7]
                numbers = [float(word) for word in words[7:]]
                rects = [Rect(*numbers[i : i + 4]) for i in range(0, len(numbers), 4)]
                finishes = FloorFinish(floor, floor_colour), WallFinish(wall, wall_colour)  # type: ignore[arg-type]
                yield Room(name, kind, union_outline(rects), *finishes)  # type: ignore[arg-type]

    def _doors(self) -> Iterator[Door]:
        for words in self._lines:
            if words[0] == "door":
                rooms, centre = (words[1], words[2]), (float(words[3]), float(words[4]))
                wide = float(words[5]) if len(words) == 6 else 0.9
                panel = len(words) > 6
                hinge = words[6] if panel else "low"
                opening = 0.0 if rooms[1] == "outside" else 1.0
                name = f"{rooms[0]}-{rooms[1]}"
                yield Door(name, rooms, centre, wide, 2.05, panel, hinge, opening)  # type: ignore[arg-type]

    def _windows(self) -> Iterator[Window]:
        for i, words in enumerate(words for words in self._lines if words[0] == "window"):
            x, y, width = (float(word) for word in words[2:5])
            sill, height = (1.45, 0.6) if len(words) > 5 else (0.95, 1.25)
            yield Window(f"window|{i}", words[1], (x, y), width, sill, height)

    def _place(self, furnisher: Furnisher, room: Room, words: list[str]) -> bool:
        type_name, *rest = words
        if not known(type_name):
            return False
        if rest[0] == "around":
            chairs = [self._place_one(furnisher, room, type_name, rest) for _ in range(int(rest[2]))]
            return any(chairs)
        return any(self._place_one(furnisher, room, type_name, rest) for _ in range(VARIANTS_TRIED))

    def _place_one(self, furnisher: Furnisher, room: Room, type_name: str, rest: list[str]) -> bool:
        seed, view = furnisher.draw(type_name)
        if rest[0] in ("on", "in"):
            return _put(furnisher, room, type_name, seed, view, rest)
        if rest[0] == "under":
            shelter = _anchor(furnisher, room, rest[1])
            return shelter is not None and lay_under(furnisher, room, type_name, shelter)
        poses = self._poses(furnisher, room, rest, view)
        return furnisher.add_first(room, type_name, seed, view, poses, rest[0])

    def _poses(self, furnisher: Furnisher, room: Room, rest: list[str], view: Footprint) -> Iterator[Pose]:
        space, way = furnisher.spaces[room.id], rest[0]
        if way in INWARD:
            yield from _at_wall(space, way, float(rest[1]), view)
        elif way == "at":
            x, y, yaw = (float(word) for word in rest[1:4])
            yield Pose(x, y, 0.0, yaw)
        elif way == "ceiling":
            yield from placing.under_ceiling(space, view)
        else:
            anchor = _anchor(furnisher, room, rest[1])
            if anchor is None:
                return
            distance = float(rest[2]) if len(rest) > 2 else 0.25
            ways = {
                "beside": lambda: placing.beside(furnisher.rng, anchor, view),
                "before": lambda: placing.before(anchor, view, distance),
                "opposite": lambda: placing.opposite(space, anchor, view),
                "around": lambda: placing.around(furnisher.rng, anchor, view, 0.2),
                "desk": lambda: placing.at_desk(anchor, view, 0.15),
                "beneath": lambda: placing.beneath(anchor, view),
                "above": lambda: placing.above(space, anchor, view, distance),
            }
            yield from ways[way]()


def _at_wall(space: Space, side: str, along: float, view: Footprint) -> Iterator[Pose]:
    """Poses at the wall of that side, at the given coordinate or up to 0.6 m beside it."""
    walls: list[Edge] = [wall for wall in space.walls if wall.inward == INWARD[side]]
    walls.sort(key=lambda wall: (not wall.span[0] <= along <= wall.span[1], -wall.length))
    for shift in SHIFTS_M:
        for wall in walls[:1]:
            if view.placement == "on_wall":
                yield placing.hung_on(wall, view, along + shift, 1.55)
            else:
                yield placing.back_to(wall, view, along + shift)


def _anchor(furnisher: Furnisher, room: Room, type_name: str) -> Piece | None:
    pieces = [*furnisher.pieces[room.id], *furnisher.flats[room.id]]
    found = [piece for piece in pieces if piece.footprint.type_name == type_name]
    return found[-1] if found else None


def _put(furnisher: Furnisher, room: Room, type_name: str, seed: int, view: Footprint, rest: list[str]) -> bool:
    relation, target, *share = rest
    across, along = (float(word) for word in share) if share else (0.5, 0.5)
    surfaces: list[Surface] = [
        surface
        for surface in furnisher.surfaces[room.id]
        if surface.piece.footprint.type_name == target and surface.relation == relation
    ]
    for surface in surfaces:
        near = [(across, along), *furnisher.rng.random((12, 2)).tolist()]
        for u, v in near:
            pose = surface.pose(view, 1.0, surface.piece.pose.yaw_deg, u, v)
            bounds = None if pose is None else placing.thing_at(view, pose).bounds
            crowded = bounds is None or furnisher.spaces[room.id].touches(bounds, surface.piece.rect)
            if pose is not None and not crowded:
                surface.take(view, 1.0, pose)
                support = Support(surface.relation, surface.piece.id)
                furnisher.add(room, type_name, seed, view, pose, support=support)
                return True
    return False


if __name__ == "__main__":
    raise SystemExit(main())
