"""Where small things can stand: receptacles of furniture in the frame of the house, and what already stands there."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from pentathlon.worlds.houses.furnishing.footprint import Footprint, Solid, moved, turned
from pentathlon.worlds.houses.furnishing.placing import Piece, Pose
from pentathlon.worlds.houses.house import Relation
from pentathlon.worlds.houses.plan.polygons import Rect

EDGE_M = 0.01
APART_M = 0.012
HEADROOM_M = 0.01
LIFT_M = 0.0005


@dataclass
class Surface:
    """A level rectangle of a piece of furniture, aligned with the house's axes.

    Attributes:
        relation: what a thing there is in relation to the piece.
        moves: whether it is in a drawer, so that what stands there moves when it opens.
        taken: bounds of things that already stand there.
    """

    piece: Piece
    relation: Relation
    rect: Rect
    height_m: float
    clearance_m: float
    moves: bool = False
    taken: list[Rect] = field(default_factory=list)

    def poses(self, rng: np.random.Generator, footprint: Footprint, scale: float, tries: int) -> Iterator[Pose]:
        """Yields free poses; things face roughly the way the furniture does."""
        for _ in range(tries):
            yaw = self.piece.pose.yaw_deg + float(rng.normal(0.0, 12.0))
            pose = self.pose(footprint, scale, yaw, rng.random(), rng.random())
            if pose is not None:
                yield pose

    def pose(self, footprint: Footprint, scale: float, yaw: float, across: float, along: float) -> Pose | None:
        """Returns the pose at a share (0..1) of the free width and depth; ``None`` where it does not fit."""
        if footprint.height_m * scale + HEADROOM_M > self.clearance_m:
            return None
        base = footprint.rect
        own = turned(Rect(*(value * scale for value in base)), yaw)
        area = self.rect.grown(-EDGE_M)
        spare_x, spare_y = area.width - own.width, area.depth - own.depth
        if spare_x < 0 or spare_y < 0:
            return None
        x = area.x0 + spare_x * across - own.x0
        y = area.y0 + spare_y * along - own.y0
        placed = Rect(own.x0 + x, own.y0 + y, own.x1 + x, own.y1 + y)
        if any(placed.grown(APART_M).overlaps(other) for other in self.taken):
            return None
        return Pose(x, y, self.height_m + LIFT_M - min(0.0, footprint.low_m[2] * scale), yaw)

    def take(self, footprint: Footprint, scale: float, pose: Pose) -> None:
        """Marks the ground under a thing as taken."""
        base = Rect(*(value * scale for value in footprint.rect))
        self.taken.append(turned(base, pose.yaw_deg, pose.x, pose.y))


def surfaces_of(piece: Piece) -> list[Surface]:
    """Returns a piece's receptacles, each at the height of the solid that carries things there."""
    found = []
    for receptacle in piece.footprint.receptacles:
        x, y, z = receptacle.centre_m
        width, depth = receptacle.size_m
        local = Rect(x - width / 2, y - depth / 2, x + width / 2, y + depth / 2)
        height = _carrying_height(piece.footprint.solids, local, z)
        rect = _upright(local, piece.pose)
        clearance = receptacle.clearance_m + z - height
        moves = bool(receptacle.joint)
        found.append(Surface(piece, receptacle.relation, rect, piece.pose.z + height, clearance, moves))
    return found


def _upright(local: Rect, pose: Pose) -> Rect:
    """The rectangle in the house's frame; of one that lies askew, the largest square inside that stands straight."""
    if pose.yaw_deg % 90.0 == 0.0:
        return turned(local, pose.yaw_deg, pose.x, pose.y)
    angle = math.radians(pose.yaw_deg)
    half = min(local.width, local.depth) / 2 / (abs(math.cos(angle)) + abs(math.sin(angle)))
    x, y = moved(local.centre, pose.yaw_deg, pose.x, pose.y)
    return Rect(x - half, y - half, x + half, y + half)


def _carrying_height(solids: tuple[Solid, ...], rect: Rect, z: float) -> float:
    """Cushions are drawn softer than they collide: what is put on them rests on the solid below."""
    below = [solid.top for solid in solids if solid.rect.overlaps(rect) and z - 0.06 <= solid.top <= z + 0.02]
    return max(below, default=z)
