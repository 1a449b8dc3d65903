"""Things that reach into each other or into the building."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.houses.assets.to_mujoco import COLLISION_GROUP
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
from pentathlon.worlds.houses.scene.house_scene import NO_OBJECT, HouseScene

DEPTH_LIMIT_M = 0.02
Floats = NDArray[np.float64]


def overlapping(scene: HouseScene, data: Any, geometry: ObjectGeometry) -> Iterator[str]:
    """Yields a sentence for every pair of objects, and every object and the building, that share more than 2 cm."""
    names = [item.id for item in scene.house.objects]
    low, high = geometry.bounds(data)
    thickness = (high - low).min(axis=1)
    for (i, j), depth_m in sorted(_depths(scene, data).items()):
        if i == NO_OBJECT and depth_m > min(DEPTH_LIMIT_M, thickness[j] / 2):
            yield f"{names[j]} is buried {100 * depth_m:.1f} cm in the building"
        elif i != NO_OBJECT and depth_m > DEPTH_LIMIT_M:
            yield f"{names[i]} and {names[j]} overlap by {100 * depth_m:.1f} cm"


def _depths(scene: HouseScene, data: Any) -> dict[tuple[int, int], float]:
    """Returns how deep objects reach into each other, by their places in ``house.objects``, the building first."""
    geoms = np.flatnonzero(scene.model.geom_group == COLLISION_GROUP)
    geoms = geoms[_not_a_leaf(scene, geoms)]
    low, high = _bounds(scene.model, data, geoms)
    owner = scene.object_of_geom[geoms]
    found: dict[tuple[int, int], float] = {}
    nearest = np.zeros(6)
    for i in range(len(geoms)):
        meets = (low[i] < high[i + 1 :]).all(axis=1) & (low[i + 1 :] < high[i]).all(axis=1)
        for j in i + 1 + np.flatnonzero(meets & (owner[i + 1 :] != owner[i])):
            gap_m = mujoco.mj_geomDistance(scene.model, data, int(geoms[i]), int(geoms[j]), 0.0, nearest)
            first, second = sorted((int(owner[i]), int(owner[j])))
            found[first, second] = max(found.get((first, second), 0.0), -float(gap_m))
    return found


def _not_a_leaf(scene: HouseScene, geoms: NDArray[np.int64]) -> NDArray[np.bool_]:
    leaves = {scene.model.body(leaf.joints[name]).id for leaf in scene.leaves.values() for name in leaf.joints}
    return ~np.isin(scene.model.geom_bodyid[geoms], list(leaves))


def _bounds(model: Any, data: Any, geoms: NDArray[np.int64]) -> tuple[Floats, Floats]:
    turns = data.geom_xmat[geoms].reshape(-1, 3, 3)
    centre = data.geom_xpos[geoms] + np.einsum("nij,nj->ni", turns, model.geom_aabb[geoms, :3])
    half = np.einsum("nij,nj->ni", np.abs(turns), model.geom_aabb[geoms, 3:])
    return centre - half, centre + half
