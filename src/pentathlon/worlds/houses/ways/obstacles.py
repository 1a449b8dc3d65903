"""Upright boxes that stop a walker, from a house's records or from a running simulation."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import mujoco
import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.houses.assets.to_mujoco import COLLISION_GROUP
from pentathlon.worlds.houses.furnishing.footprint import footprint, in_pieces, moved, resized
from pentathlon.worlds.houses.house import Door, House, PlacedObject
from pentathlon.worlds.houses.plan.polygons import Rect
from pentathlon.worlds.houses.plan.walls import HALF_WALL_M, edge_of, inner_blocks, walls_of

PANEL_THICKNESS_M = 0.04


class Obstacle(NamedTuple):
    """A rectangle on the floor, turned by ``yaw_rad``, filled from ``bottom`` to ``top``."""

    x: float
    y: float
    half_x: float
    half_y: float
    yaw_rad: float
    bottom: float
    top: float


def house_obstacles(house: House) -> Iterator[Obstacle]:
    """Yields the obstacles of a house as its file describes it."""
    for wall in walls_of(house):
        for block in inner_blocks(wall, house.ceiling_m):
            yield _from_rect(block.rect, block.bottom, block.top)
    for door in house.doors:
        if door.panel:
            yield panel_obstacle(house, door)
    for item in house.objects:
        yield from _object_obstacles(item)


def panel_obstacle(house: House, door: Door) -> Obstacle:
    """Returns the door's leaf at its present opening."""
    hinge, closed_yaw, swing = panel_frame(house, door)
    yaw = closed_yaw + swing * door.opening
    middle = hinge[0] + math.cos(yaw) * door.width_m / 2, hinge[1] + math.sin(yaw) * door.width_m / 2
    return Obstacle(*middle, door.width_m / 2, PANEL_THICKNESS_M / 2, yaw, 0.0, door.height_m)


def panel_frame(house: House, door: Door) -> tuple[tuple[float, float], float, float]:
    """Returns the hinge's place, the closed leaf's direction and the angle to fully open, in radians.

    The hinge stands on the face of the wall inside the room that the leaf opens into.
    """
    edge = edge_of(house.room(door.rooms[0]), door.centre_m, door.width_m)
    assert edge is not None
    along_x = edge.along_x
    inward = edge.inward[1] if along_x else edge.inward[0]
    side = -1.0 if door.hinge == "low" else 1.0
    offset = inward * (HALF_WALL_M - PANEL_THICKNESS_M / 2)
    x, y = door.centre_m
    hinge = (x + side * door.width_m / 2, y + offset) if along_x else (x + offset, y + side * door.width_m / 2)
    closed = (0.0 if side < 0 else math.pi) if along_x else (math.pi / 2 if side < 0 else -math.pi / 2)
    opened = math.atan2(inward, 0.0) if along_x else math.atan2(0.0, inward)
    swing = math.remainder(opened - closed, 2 * math.pi)
    return hinge, closed, swing


def scene_obstacles(model: Any, data: Any, ignored_bodies: frozenset[int] = frozenset()) -> Iterator[Obstacle]:
    """Yields the obstacles of a simulation in its present state: every geom that collides."""
    for geom in np.flatnonzero(model.geom_group == COLLISION_GROUP):
        body = int(model.geom_bodyid[geom])
        if int(model.body_rootid[body]) in ignored_bodies:
            continue
        if model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_MESH:
            yield _from_mesh(model, data, int(geom), body)
        else:
            yield _from_geom(model.geom_aabb[geom], data.geom_xpos[geom], data.geom_xmat[geom].reshape(3, 3))


def _from_rect(rect: Rect, bottom: float, top: float) -> Obstacle:
    return Obstacle(*rect.centre, rect.width / 2, rect.depth / 2, 0.0, bottom, top)


def _object_obstacles(item: PlacedObject) -> Iterator[Obstacle]:
    x, y, z = item.position_m
    yaw = math.radians(item.yaw_deg)
    if item.box is not None:
        width, depth, height = item.box.size_m
        yield Obstacle(x, y, width / 2, depth / 2, yaw, z, z + height)
        return
    whole = footprint(item.type, item.variant)
    view = resized(in_pieces(whole) if item.state.broken else whole, item.factors)
    # Nobody may begin where a door or drawer stands open, however far it does.
    for rect, bottom, top in view.solids + (view.opening if item.state.open else ()):
        centre = moved(rect.centre, item.yaw_deg, x, y)
        yield Obstacle(*centre, rect.width / 2, rect.depth / 2, yaw, z + bottom, z + top)


def _from_mesh(model: Any, data: Any, geom: int, body: int) -> Obstacle:
    """The box around a mesh that is turned like its body: MuJoCo turns a mesh's own frame to its principal axes."""
    mesh = int(model.geom_dataid[geom])
    first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
    corners = model.mesh_vert[first : first + count] @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom]
    yaw = math.atan2(data.xmat[body][3], data.xmat[body][0])
    upright = np.array([[math.cos(yaw), -math.sin(yaw)], [math.sin(yaw), math.cos(yaw)]])
    flat = corners[:, :2] @ upright
    low, high = flat.min(axis=0), flat.max(axis=0)
    x, y = upright @ ((low + high) / 2)
    half_x, half_y = (high - low) / 2
    bottom, top = float(corners[:, 2].min()), float(corners[:, 2].max())
    return Obstacle(float(x), float(y), float(half_x), float(half_y), yaw, bottom, top)


def _from_geom(aabb: NDArray[np.float64], position: NDArray[np.float64], turn: NDArray[np.float64]) -> Obstacle:
    centre = position + turn @ aabb[:3]
    half = aabb[3:]
    height = float(np.abs(turn[2]) @ half)
    bottom, top = float(centre[2]) - height, float(centre[2]) + height
    if abs(turn[2, 2]) > 0.999:
        yaw = math.atan2(turn[1, 0], turn[0, 0])
        return Obstacle(float(centre[0]), float(centre[1]), float(half[0]), float(half[1]), yaw, bottom, top)
    reach = np.abs(turn[:2]) @ half
    return Obstacle(float(centre[0]), float(centre[1]), float(reach[0]), float(reach[1]), 0.0, bottom, top)
