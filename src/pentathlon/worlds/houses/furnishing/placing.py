"""Ways to place one piece: against a wall, in a row, beside, before, around or above another."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from pentathlon.worlds.houses.assets.asset import PLAIN
from pentathlon.worlds.houses.furnishing.footprint import Footprint, Solid, moved, turned
from pentathlon.worlds.houses.furnishing.space import Space, Thing
from pentathlon.worlds.houses.house import PlacedObject, Room, State, Support
from pentathlon.worlds.houses.plan.polygons import Edge, Rect, rectangles
from pentathlon.worlds.houses.plan.walls import HALF_WALL_M

BASEBOARD_M = 0.018
TRIES = 24
LEAST_HUNG_M = 1.1


class Pose(NamedTuple):
    """Where an asset's origin goes."""

    x: float
    y: float
    z: float
    yaw_deg: float

    def rounded(self) -> Pose:
        """Returns the pose as house files hold it."""
        return Pose(round(self.x, 4), round(self.y, 4), round(max(self.z, 0.0), 4), round(self.yaw_deg % 360.0, 1))

    def placed(
        self, id: str, type_name: str, room: Room, variant: int, support: Support | None, state: State = PLAIN
    ) -> PlacedObject:
        """Returns the record of an object here."""
        x, y, z, yaw_deg = self.rounded()
        return PlacedObject(id, type_name, room.id, (x, y, z), yaw_deg, variant, support=support, state=state)


class Piece(NamedTuple):
    """A placed piece of furniture, as anchor for others."""

    id: str
    footprint: Footprint
    pose: Pose

    @property
    def rect(self) -> Rect:
        """Bounds on the floor of the house."""
        return turned(self.footprint.rect, self.pose.yaw_deg, self.pose.x, self.pose.y)

    @property
    def front(self) -> tuple[float, float]:
        """Unit vector in which it faces."""
        return facing(self.pose.yaw_deg)


def thing_at(footprint: Footprint, pose: Pose) -> Thing:
    """Returns what an asset fills at a pose."""
    return Thing(
        _moved(Solid(footprint.rect, footprint.low_m[2], footprint.high_m[2]), pose),
        lambda: tuple(_moved(solid, pose) for solid in footprint.solids),
    )


def _moved(solid: Solid, pose: Pose) -> Solid:
    rect = turned(solid.rect, pose.yaw_deg, pose.x, pose.y)
    return Solid(rect, pose.z + solid.bottom, pose.z + solid.top)


def facing(yaw_deg: float) -> tuple[float, float]:
    """Returns the unit vector in which an asset of this yaw faces."""
    return moved((0.0, -1.0), yaw_deg, 0.0, 0.0)


def yaw_facing(dx: float, dy: float) -> float:
    """Returns the yaw of an asset that faces along a vector."""
    return round(math.degrees(math.atan2(dx, -dy)) % 360.0, 1)


def against_walls(
    rng: np.random.Generator, space: Space, footprint: Footprint, *, snug: bool = False
) -> Iterator[Pose]:
    """Yields poses with the back to a wall; ``snug`` ones begin in the corners."""
    walls = [wall for wall in space.walls if wall.length > 0.6]
    lengths = np.array([wall.length for wall in walls])
    for attempt in range(TRIES):
        wall = walls[int(rng.choice(len(walls), p=lengths / lengths.sum()))]
        width = footprint.rect.width
        low, high = wall.span
        first, last = low + HALF_WALL_M + width / 2 + 0.03, high - HALF_WALL_M - width / 2 - 0.03
        if last < first:
            continue
        along = float(rng.uniform(first, last))
        if snug and attempt % 3:
            along = first if attempt % 2 else last
        yield back_to(wall, footprint, along)


def back_to(wall: Edge, footprint: Footprint, along: float, z: float = 0.0, gap_m: float = BASEBOARD_M) -> Pose:
    """Returns the pose with the back at a wall and the middle of the width at ``along``."""
    dx, dy = wall.inward
    yaw = yaw_facing(dx, dy)
    rect = turned(footprint.rect, yaw)
    distance = HALF_WALL_M + gap_m
    if wall.along_x:
        y = wall.line + distance - rect.y0 if dy > 0 else wall.line - distance - rect.y1
        return Pose(along - rect.centre[0], y, z, yaw)
    x = wall.line + distance - rect.x0 if dx > 0 else wall.line - distance - rect.x1
    return Pose(x, along - rect.centre[1], z, yaw)


def in_row(space: Space, footprints: Sequence[Footprint], rng: np.random.Generator) -> list[Pose | None]:
    """Lines pieces up along the walls, starting in a corner; ``None`` for those that found no place."""
    walls = sorted(space.walls, key=lambda wall: -wall.length * rng.uniform(0.75, 1.25))
    cursors = [wall.span[0] + HALF_WALL_M + 0.03 for wall in walls]
    poses: list[Pose | None] = []
    for footprint in footprints:
        poses.append(None)
        for i, wall in enumerate(walls):
            pose, cursor = _next_in_row(space, wall, footprint, cursors[i])
            if pose is not None:
                cursors[i], poses[-1] = cursor, pose
                space.things.append(thing_at(footprint, pose))
                break
    return poses


def _next_in_row(space: Space, wall: Edge, footprint: Footprint, cursor: float) -> tuple[Pose | None, float]:
    width = footprint.rect.width
    while cursor + width <= wall.span[1] - HALF_WALL_M - 0.02:
        pose = back_to(wall, footprint, cursor + width / 2).rounded()
        thing = thing_at(footprint, pose)
        if space.fits(thing, gap_m=0.003) and space.leaves_way([thing.bounds.rect]):
            return pose, cursor + width + 0.005
        cursor += 0.1
    return None, cursor


def free_standing(rng: np.random.Generator, space: Space, footprint: Footprint) -> Iterator[Pose]:
    """Yields poses near the middle of the room's largest part, at right angles to the walls."""
    largest = max(rectangles(space.room.outline_m), key=lambda rect: rect.area)
    for attempt in range(TRIES):
        spread = 0.08 + 0.3 * attempt / TRIES
        x = largest.centre[0] + float(rng.normal(0.0, spread)) * largest.width / 2
        y = largest.centre[1] + float(rng.normal(0.0, spread)) * largest.depth / 2
        along = 0.0 if (largest.width >= largest.depth) == (footprint.rect.width >= footprint.rect.depth) else 90.0
        yield Pose(x, y, 0.0, along + 180.0 * int(rng.integers(2)))


def anywhere(rng: np.random.Generator, space: Space, footprint: Footprint) -> Iterator[Pose]:
    """Yields poses anywhere on the floor."""
    parts = rectangles(space.room.outline_m)
    areas = np.array([part.area for part in parts])
    for _ in range(TRIES):
        part = parts[int(rng.choice(len(parts), p=areas / areas.sum()))]
        yield Pose(
            float(rng.uniform(part.x0, part.x1)), float(rng.uniform(part.y0, part.y1)), 0.0, float(rng.uniform(0, 360))
        )


def beside(rng: np.random.Generator, anchor: Piece, footprint: Footprint) -> Iterator[Pose]:
    """Yields poses left and right of the anchor, backs in line."""
    sides = (-1, 1) if rng.random() < 0.5 else (1, -1)
    back = anchor.footprint.high_m[1] - footprint.high_m[1]
    for side in sides:
        for gap in (0.05, 0.12, 0.25):
            reach = anchor.footprint.rect.width / 2 + footprint.rect.width / 2 + gap
            local = anchor.footprint.rect.centre[0] + side * reach - footprint.rect.centre[0], back
            x, y = moved(local, anchor.pose.yaw_deg, anchor.pose.x, anchor.pose.y)
            yield Pose(x, y, 0.0, anchor.pose.yaw_deg)


def before(anchor: Piece, footprint: Footprint, distance_m: float) -> Iterator[Pose]:
    """Yields poses in front of the anchor, facing the same way."""
    for gap in (distance_m, distance_m + 0.1, distance_m - 0.1):
        y = anchor.footprint.low_m[1] - gap - footprint.high_m[1]
        x, y = moved((anchor.footprint.rect.centre[0], y), anchor.pose.yaw_deg, anchor.pose.x, anchor.pose.y)
        yield Pose(x, y, 0.0, anchor.pose.yaw_deg)


def opposite(space: Space, anchor: Piece, footprint: Footprint) -> Iterator[Pose]:
    """Yields poses at the wall that the anchor looks at, facing it."""
    dx, dy = anchor.front
    for wall in space.walls:
        ahead = (wall.line - (anchor.pose.y if wall.along_x else anchor.pose.x)) * (dy if wall.along_x else dx)
        if wall.inward[0] * dx + wall.inward[1] * dy < -0.9 and 1.2 < ahead < 6.5:
            along = anchor.rect.centre[0 if wall.along_x else 1]
            for shift in (0.0, 0.2, -0.2, 0.4, -0.4, 0.7, -0.7, 1.0, -1.0):
                yield back_to(wall, footprint, along + shift)


def around(rng: np.random.Generator, anchor: Piece, footprint: Footprint, tuck_m: float) -> Iterator[Pose]:
    """Yields seats at the sides of a table, facing it, their fronts ``tuck_m`` under its edge."""
    rect = anchor.footprint.rect
    places = []
    for side, along, reach, yaw in (
        (0, rect.width, rect.depth / 2, 180.0),
        (0, rect.width, rect.depth / 2, 0.0),
        (1, rect.depth, rect.width / 2, 90.0),
        (1, rect.depth, rect.width / 2, 270.0),
    ):
        count = max(1, int(along // 0.62)) if along > 0.5 else 0
        for i in range(count):
            offset = (i - (count - 1) / 2) * along / count
            dx, dy = facing(yaw)
            distance = reach - tuck_m - footprint.low_m[1]
            local = (offset, -dy * distance) if side == 0 else (-dx * distance, offset)
            places.append((local[0] + rect.centre[0], local[1] + rect.centre[1], yaw))
    for i in rng.permutation(len(places)):
        px, py, yaw = places[i]
        x, y = moved((px, py), anchor.pose.yaw_deg, anchor.pose.x, anchor.pose.y)
        yield Pose(x, y, 0.0, (anchor.pose.yaw_deg + yaw) % 360.0)


def at_desk(anchor: Piece, footprint: Footprint, tuck_m: float) -> Iterator[Pose]:
    """Yields the seat before a desk, facing it."""
    for tuck in (tuck_m, tuck_m / 2, 0.0, -0.1):
        y = anchor.footprint.low_m[1] + tuck + footprint.low_m[1]
        x, y = moved((anchor.footprint.rect.centre[0], y), anchor.pose.yaw_deg, anchor.pose.x, anchor.pose.y)
        yield Pose(x, y, 0.0, (anchor.pose.yaw_deg + 180.0) % 360.0)


def beneath(anchor: Piece, footprint: Footprint, shift_m: float = 0.0) -> Iterator[Pose]:
    """Yields the pose of a rug centred on the anchor, or shifted towards its front."""
    long_way = (footprint.rect.width >= footprint.rect.depth) == (
        anchor.footprint.rect.width >= anchor.footprint.rect.depth
    )
    centre = anchor.footprint.rect.centre
    for shift in (shift_m, 0.0):
        x, y = moved((centre[0], centre[1] - shift), anchor.pose.yaw_deg, anchor.pose.x, anchor.pose.y)
        yield Pose(x, y, 0.0, (anchor.pose.yaw_deg + (0.0 if long_way else 90.0)) % 360.0)


def on_walls(rng: np.random.Generator, space: Space, footprint: Footprint, height_m: float) -> Iterator[Pose]:
    """Yields poses of something that hangs on a wall with its middle at ``height_m``."""
    for _ in range(TRIES):
        wall = space.walls[int(rng.integers(len(space.walls)))]
        low, high = wall.span
        margin = HALF_WALL_M + footprint.rect.width / 2 + 0.1
        if high - low > 2 * margin:
            yield hung_on(wall, footprint, float(rng.uniform(low + margin, high - margin)), height_m)


def above(space: Space, anchor: Piece, footprint: Footprint, gap_m: float) -> Iterator[Pose]:
    """Yields poses on the wall behind the anchor, over its middle or beside that, at the height of eyes or higher."""
    height = max(anchor.pose.z + anchor.footprint.height_m + gap_m, LEAST_HUNG_M) - footprint.low_m[2]
    for wall, middle, wide in _walls_behind(space, anchor):
        for shift in (0.0, 0.3, -0.3):
            yield hung_on(wall, footprint, middle + shift * wide, height)


def above_ends(space: Space, anchor: Piece, footprint: Footprint, gap_m: float) -> Iterator[Pose]:
    """Yields poses on the wall behind the anchor, over its ends, so that two things share the wall over a bath."""
    height = anchor.pose.z + anchor.footprint.height_m + gap_m - footprint.low_m[2]
    for wall, middle, wide in _walls_behind(space, anchor):
        shift = (wide - footprint.rect.width) / 2
        for along in (middle - shift, middle + shift):
            yield hung_on(wall, footprint, along, height)


def _walls_behind(space: Space, anchor: Piece) -> Iterator[tuple[Edge, float, float]]:
    """Yields walls at the anchor's back, with its middle and its width along them."""
    dx, dy = anchor.front
    for wall in space.walls:
        if wall.inward[0] * dx + wall.inward[1] * dy > 0.9:
            gap = abs(wall.line - (anchor.rect.centre[1] if wall.along_x else anchor.rect.centre[0]))
            depth = (anchor.rect.depth if wall.along_x else anchor.rect.width) / 2
            if gap - depth < 0.25:
                wide = anchor.rect.width if wall.along_x else anchor.rect.depth
                yield wall, anchor.rect.centre[0 if wall.along_x else 1], wide


def hung_on(wall: Edge, footprint: Footprint, along: float, height_m: float) -> Pose:
    """Returns the pose of something whose back (its y = 0) touches a wall."""
    return back_to(wall, footprint, along, height_m, gap_m=0.002)


def under_ceiling(space: Space, footprint: Footprint) -> Iterator[Pose]:
    """Yields the pose under the middle of the ceiling."""
    largest = max(rectangles(space.room.outline_m), key=lambda rect: rect.area)
    yield Pose(*largest.centre, space.ceiling_m, 0.0)


def at_windows(space: Space, footprint: Footprint) -> Iterator[Pose]:
    """Yields poses of curtains and blinds before the windows that they are wide enough for."""
    for wall, window in space.windows:
        spare = footprint.rect.width - window.width_m
        if -0.1 <= spare <= 0.7:
            along = window.centre_m[0 if wall.along_x else 1]
            yield hung_on(wall, footprint, along, window.sill_m + window.height_m / 2 + 0.05)
