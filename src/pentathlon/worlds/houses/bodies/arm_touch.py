"""What the arm agent's finger tips are near: objects to grasp and handles to pull."""

from __future__ import annotations

import math
from typing import NamedTuple

import mujoco
import numpy as np

from pentathlon.worlds.houses.assets.to_mujoco import COLLISION_GROUP
from pentathlon.worlds.houses.bodies.arm_model import GRASP_POINT
from pentathlon.worlds.houses.bodies.arm_scene import ArmScene

# No object's origin is farther than this from the nearest point of its surface.
LARGEST_OBJECT_M = 1.0


class Handle(NamedTuple):
    """A handle of a door or drawer: whose it is, the model's name of the joint, and its position when open."""

    owner: str
    model_joint: str
    reach: float


def grasp_target(scene: ArmScene, data: mujoco.MjData, within_m: float) -> str | None:
    """Returns the pickupable object whose surface is nearest to the finger tips, within a distance."""
    house = scene.house_scene
    gaps = {
        item.id: grasp_gap_m(scene, data, item.id) for item in house.house.objects if house.placed[item.id].free_joint
    }
    nearest = min(gaps, key=lambda object_id: gaps[object_id], default=None)
    return nearest if nearest is not None and gaps[nearest] <= within_m else None


def grasp_gap_m(scene: ArmScene, data: mujoco.MjData, object_id: str) -> float:
    """Returns the distance of the finger tips from an object's surface; infinite beyond half a metre."""
    model, body = scene.model, scene.house_scene.body_id(object_id)
    tips = model.geom(GRASP_POINT).id
    if np.linalg.norm(data.xpos[body] - data.geom_xpos[tips]) > LARGEST_OBJECT_M:
        return math.inf
    own = (model.body_rootid[model.geom_bodyid] == body) & (model.geom_group == COLLISION_GROUP)
    gaps = [mujoco.mj_geomDistance(model, data, tips, int(geom), 0.5, None) for geom in np.flatnonzero(own)]
    nearest = min(gaps, default=math.inf)
    return math.inf if nearest >= 0.5 else nearest


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
