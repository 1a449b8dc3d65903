"""What the arm agent's finger tips are near: objects to grasp and handles to pull."""

from __future__ import annotations

from typing import NamedTuple

import mujoco
import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.houses.assets.to_mujoco import COLLISION_GROUP
from pentathlon.worlds.houses.bodies.arm_model import GRASP_POINT
from pentathlon.worlds.houses.bodies.arm_scene import ArmScene

Floats = NDArray[np.float64]
# No object's origin is farther than this from the nearest point of its surface.
LARGEST_OBJECT_M = 1.0
FARTHEST_M = 0.3


class Handle(NamedTuple):
    """A handle of a door or drawer: whose it is, the model's name of the joint, and its position when open."""

    owner: str
    model_joint: str
    reach: float


def grasp_target(scene: ArmScene, data: mujoco.MjData, within_m: float) -> str | None:
    """Returns the pickupable object whose surface is nearest to the finger tips, within a distance."""
    house = scene.house_scene
    gaps = {
        item.id: float(np.linalg.norm(gap))
        for item in house.house.objects
        if house.placed[item.id].free_joint and (gap := gap_to(scene, data, item.id)) is not None
    }
    nearest = min(gaps, key=lambda object_id: gaps[object_id], default=None)
    return nearest if nearest is not None and gaps[nearest] <= within_m else None


def gap_to(scene: ArmScene, data: mujoco.MjData, object_id: str) -> Floats | None:
    """Returns the way from the finger tips to an object's surface; ``None`` beyond `FARTHEST_M`."""
    model, body = scene.model, scene.house_scene.body_id(object_id)
    tips = model.geom(GRASP_POINT).id
    if np.linalg.norm(data.xpos[body] - data.geom_xpos[tips]) > LARGEST_OBJECT_M:
        return None
    own = (model.body_rootid[model.geom_bodyid] == body) & (model.geom_group == COLLISION_GROUP)
    ends, nearest = np.zeros(6), None
    least_m = FARTHEST_M
    for geom in np.flatnonzero(own):
        distance_m = mujoco.mj_geomDistance(model, data, tips, int(geom), FARTHEST_M, ends)
        if distance_m < least_m:
            # Tips inside a solid are at its surface.
            least_m, nearest = distance_m, (ends[3:] - ends[:3]) * float(distance_m > 0.0)
    return nearest


def nearest_handle(scene: ArmScene, data: mujoco.MjData, within_m: float) -> Handle | None:
    """Returns the handle nearest to the finger tips, within a distance."""
    house = scene.house_scene
    tips = data.geom(GRASP_POINT).xpos
    found: dict[Handle, float] = {}
    for placed in (*house.placed.values(), *house.leaves.values()):
        for joint, name in placed.joints.items():
            handle = Handle(placed.name, name, placed.asset.joint(joint).reach)
            found[handle] = float(np.linalg.norm(data.site(f"{name}/handle").xpos - tips))
    nearest = min(found, key=lambda handle: found[handle], default=None)
    return nearest if nearest is not None and found[nearest] <= within_m else None


def mass_kg(scene: ArmScene, object_id: str) -> float:
    """Returns what an object weighs, with its moving parts."""
    return float(scene.model.body_subtreemass[scene.house_scene.body_id(object_id)])
