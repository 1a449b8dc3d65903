"""Slices as things of their own: a house that has one for each food, kept out of sight until the food is cut."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec
import mujoco
import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.houses.assets.catalogue import SLICED, catalogue, variant
from pentathlon.worlds.houses.house import House, PlacedObject
from pentathlon.worlds.houses.scene.house_scene import HouseScene, compile_house

if TYPE_CHECKING:
    from pentathlon.worlds.houses.bodies.household.person import Household

Floats = NDArray[np.float64]
SUFFIX = "/slice"
OUT_OF_SIGHT_M = -2.0
APART_M = 0.012
LEVEL_M = 0.02
PROBE_M = 0.05


def compile_for_films(house: House) -> HouseScene:
    """Builds the MuJoCo model of a house in which slices can be picked up."""
    return compile_house(with_slices(house))


def with_slices(house: House) -> House:
    """Returns the house with a slice below the floor for everything that can be cut."""
    slices = [_slice(item) for item in house.objects if item.type in catalogue() and _has_piece(item)]
    return msgspec.structs.replace(house, objects=(*house.objects, *slices))


def slice_of(object_id: str) -> str:
    """Returns the id of the slice of a food."""
    return f"{object_id}{SUFFIX}"


def whole_of(thing_id: str) -> str | None:
    """Returns the id of the food that a slice is of; ``None`` for all else."""
    return thing_id.removesuffix(SUFFIX) if thing_id.endswith(SUFFIX) else None


def beside(household: Household, object_id: str, piece: str) -> Floats:
    """Returns where a slice lies that has fallen off: next to the rest, on the same board."""
    low, high = household.bounds(object_id)
    half = household.placed(piece).asset.size_m[:2].max() / 2
    middle, reach = (low + high)[:2] / 2, (high - low)[:2] / 2 + half + APART_M
    yaw_deg = math.degrees(math.atan2(household.pose(object_id)[1, 0], household.pose(object_id)[0, 0]))
    poses = []
    for angle_deg in (0.0, 180.0, 270.0, 90.0, 45.0, 135.0, 225.0, 315.0):
        angle = math.radians(yaw_deg + angle_deg)
        place = middle + reach * (math.cos(angle), math.sin(angle))
        poses.append(upright(np.array([*place, low[2]]), yaw_deg))
        if _is_free_board(household, place, float(half), float(low[2])):
            return poses[-1]
    return poses[0]


def upright(position_m: Floats, yaw_deg: float) -> Floats:
    """Returns the frame of a thing that stands upright."""
    yaw = math.radians(yaw_deg)
    pose = np.eye(4)
    pose[:2, :2] = [[math.cos(yaw), -math.sin(yaw)], [math.sin(yaw), math.cos(yaw)]]
    pose[:3, 3] = position_m
    return pose


def _has_piece(item: PlacedObject) -> bool:
    return variant(item.type, item.variant).piece is not None


def _slice(item: PlacedObject) -> PlacedObject:
    x, y, _ = item.position_m
    return PlacedObject(
        id=slice_of(item.id),
        type=f"{item.type}{SLICED}",
        room=item.room,
        position_m=(x, y, OUT_OF_SIGHT_M),
        variant=item.variant,
        scale=item.scale,
        mass_factor=item.mass_factor,
    )


def _is_free_board(household: Household, place: Floats, half: float, level_m: float) -> bool:
    """Tells whether the board goes on under a slice and nothing else stands there."""
    geom = np.zeros(1, dtype=np.int32)
    for dx, dy in ((0.0, 0.0), (half, 0.0), (-half, 0.0), (0.0, half), (0.0, -half)):
        start = np.array([place[0] + dx, place[1] + dy, level_m + PROBE_M])
        depth = mujoco.mj_ray(household.model, household.data, start, np.array([0.0, 0.0, -1.0]), None, True, -1, geom)
        if depth < 0 or abs(depth - PROBE_M) > LEVEL_M:
            return False
    return True
