"""Fixed things that nothing holds: above the floor, off the wall, below the ceiling."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.houses.assets.catalogue import catalogue
from pentathlon.worlds.houses.assets.to_mujoco import COLLISION_GROUP
from pentathlon.worlds.houses.house import PlacedObject
from pentathlon.worlds.houses.plan.walls import HALF_WALL_M
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
from pentathlon.worlds.houses.scene.house_scene import HouseScene

Floats = NDArray[np.float64]
GAP_LIMIT_M = 0.02
SHARES = (0.02, 0.25, 0.5, 0.75, 0.98)
ACROSS = (-0.49, 0.0, 0.49)
DOWN, UP = np.array([0.0, 0.0, -1.0]), np.array([0.0, 0.0, 1.0])


def floating(scene: HouseScene, data: Any, geometry: ObjectGeometry) -> Iterator[str]:
    """Yields a sentence for every fixed object with more than 2 cm of air between it and all that could hold it."""
    low, high = geometry.bounds(data)
    for index, item in enumerate(scene.house.objects):
        if not scene.placed[item.id].free_joint:
            gap_m = _gap_m(scene, data, index, item, low[index], high[index])
            if gap_m > GAP_LIMIT_M + (HALF_WALL_M if _hangs(item) else 0.0):
                yield f"{item.id} hangs in the air, {100 * gap_m:.1f} cm from what could hold it"


def _hangs(item: PlacedObject) -> bool:
    """Blinds hang before a window, whose pane lies in the middle of the wall."""
    kind = catalogue().get(item.type)
    return kind is not None and kind.placement == "on_wall"


def _gap_m(scene: HouseScene, data: Any, index: int, item: PlacedObject, low: Floats, high: Floats) -> float:
    """Returns the distance to the nearest surface that could hold a thing: below, behind, above for lamps."""
    grid = np.array([(x, y) for x in SHARES for y in SHARES]) * (high - low)[:2] + low[:2]
    middle_z, up = (low[2] + high[2]) / 2, [(point, UP, high[2] - point[2]) for point in _at(grid, high[2] - 1e-3)]
    kind = catalogue().get(item.type)
    if kind is not None and kind.placement == "ceiling":
        rays = up
    else:
        rays = [(point, DOWN, point[2] - low[2]) for point in _at(grid, low[2] + 1e-3)]
        rays += _backwards(item, low, high, middle_z)
    return min((_first_other(scene, data, index, *ray) for ray in rays), default=math.inf)


def _at(grid: Floats, z: float) -> Floats:
    return np.column_stack([grid, np.full(len(grid), z)])


def _backwards(item: PlacedObject, low: Floats, high: Floats, z: float) -> list[tuple[Floats, Floats, float]]:
    """Rays out of a thing's back, to its edges; the last number is the way inside its own box."""
    angle = math.radians(item.yaw_deg)
    back, across = np.array([-math.sin(angle), math.cos(angle), 0.0]), np.array([math.cos(angle), math.sin(angle), 0.0])
    middle = np.array([*((low + high) / 2)[:2], z])
    inside = float(np.min(((high - low) / 2)[:2] / np.maximum(np.abs(back[:2]), 1e-9)))
    width = float(np.min((high - low)[:2] / np.maximum(np.abs(across[:2]), 1e-9)))
    starts = (middle + u * width * across + v * (high[2] - low[2]) * UP for u in ACROSS for v in ACROSS)
    return [(start, back, inside) for start in starts]


def _first_other(scene: HouseScene, data: Any, index: int, start: Floats, along: Floats, inside_m: float) -> float:
    """Returns the distance beyond the thing's own box at which a ray meets anything else.

    Its own body is left out, not stepped through: a step from a mat's underside would pass the floor that it lies on.
    """
    own = scene.body_id(scene.house.objects[index].id)
    groups = np.zeros(6, dtype=np.uint8)
    groups[COLLISION_GROUP] = 1
    geom = np.zeros(1, dtype=np.int32)
    travelled = 0.0
    while True:
        step = mujoco.mj_ray(scene.model, data, start + travelled * along, along, groups, True, own, geom)
        if step < 0:
            return math.inf
        travelled += step
        if int(scene.object_of_geom[geom[0]]) != index:
            return max(0.0, float(travelled) - inside_m)
        travelled += 1e-4
