"""Walls have a thickness here and none in ProcTHOR: what stood or hung in their plane comes to their face."""

from __future__ import annotations

import math

from pentathlon.worlds.houses.files.procthor.document import Wanted
from pentathlon.worlds.houses.files.procthor.fitting import Fit
from pentathlon.worlds.houses.furnishing.footprint import turned
from pentathlon.worlds.houses.furnishing.placing import Pose, back_to, facing
from pentathlon.worlds.houses.house import House, Room
from pentathlon.worlds.houses.plan.polygons import Edge, Rect, edges
from pentathlon.worlds.houses.plan.walls import HALF_WALL_M, inner_blocks, walls_of

OFF_WALL_M = 0.002
SKIRTING_M = 0.018
ROUNDS = 3
FARTHEST_M = 1e3


def pushed_inside(house: House, room: Room, box: Rect, height_m: float, pose: Pose) -> Pose:
    """Moves a thing straight out of its room's walls and their baseboards."""
    for _ in range(ROUNDS):
        rect = turned(box, pose.yaw_deg, pose.x, pose.y)
        shifts = [
            _way_out(rect, block.rect.grown(SKIRTING_M), wall.edge)
            for wall in walls_of(house)
            if wall.room == room.id
            for block in inner_blocks(wall, house.ceiling_m)
            if block.bottom < pose.z + height_m and pose.z < block.top
        ]
        dx, dy = (max((shift[axis] for shift in shifts), key=abs, default=0.0) for axis in (0, 1))
        if dx == dy == 0.0:
            break
        pose = pose._replace(x=pose.x + dx, y=pose.y + dy)
    return pose


def hung(house: House, room: Room, chosen: Fit, item: Wanted) -> Pose:
    """Returns the pose with the back at the wall behind a thing, at its height and beside the corners."""
    wall = min(edges(room.outline_m), key=lambda edge: _distance(edge, item.x_m, item.y_m, item.yaw_deg))
    low, high = wall.span
    half = chosen.view.rect.width / 2 + HALF_WALL_M
    along = item.x_m if wall.along_x else item.y_m
    along = min(max(along, low + half), high - half) if high - low > 2 * half else (low + high) / 2
    bottom, top = chosen.view.low_m[2], chosen.view.high_m[2]
    middle = item.middle_m - (bottom + top) / 2
    z = min(max(middle, -bottom), house.ceiling_m - top)
    return back_to(wall, chosen.view, along, z, OFF_WALL_M)


def wall_behind(house: House, room: Room, x_m: float, y_m: float, yaw_deg: float) -> float:
    """Returns how far the nearest wall is behind a place, for something that faces as the yaw says."""
    return min(_distance(edge, x_m, y_m, yaw_deg) for edge in edges(room.outline_m))


def _distance(edge: Edge, x_m: float, y_m: float, yaw_deg: float) -> float:
    """Distance to a wall that the thing has its back to; far for others."""
    fx, fy = facing(yaw_deg)
    nx, ny = edge.inward
    along, across = (x_m, y_m) if edge.along_x else (y_m, x_m)
    low, high = edge.span
    beside = max(low - along, 0.0, along - high)
    turned_away = 0.0 if fx * nx + fy * ny > math.sqrt(0.5) - 1e-6 else FARTHEST_M
    return math.hypot(across - edge.line, beside) + turned_away


def _way_out(rect: Rect, solid: Rect, edge: Edge) -> tuple[float, float]:
    """Returns the shortest move of a rectangle out of a wall: into the room, or along the wall past its end."""
    if not solid.overlaps(rect):
        return 0.0, 0.0
    moves = {
        (1, 0): (solid.x1 - rect.x0, 0.0),
        (-1, 0): (solid.x0 - rect.x1, 0.0),
        (0, 1): (0.0, solid.y1 - rect.y0),
        (0, -1): (0.0, solid.y0 - rect.y1),
    }
    nx, ny = edge.inward
    allowed = [moves[direction] for direction in moves if direction != (-nx, -ny)]
    return min(allowed, key=lambda move: abs(move[0]) + abs(move[1]))
