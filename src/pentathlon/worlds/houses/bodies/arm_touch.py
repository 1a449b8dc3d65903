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
    model, geoms = scene.model, scene.loose_geoms
    away_m = np.linalg.norm(data.geom_xpos[geoms] - data.geom(GRASP_POINT).xpos, axis=1) - model.geom_rbound[geoms]
    near_by = dict.fromkeys(scene.name_of_geom(int(geom)) for geom in geoms[away_m <= within_m])
    gaps = {name: float(np.linalg.norm(gap)) for name in near_by if (gap := gap_to(scene, data, name)) is not None}
    near = sorted((object_id for object_id in gaps if gaps[object_id] <= within_m), key=lambda item: gaps[item])
    return next((object_id for object_id in near if _is_open_way(scene, data, object_id)), None)


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


def _is_open_way(scene: ArmScene, data: mujoco.MjData, object_id: str) -> bool:
    """Tells whether nothing, such as a table top, lies between the finger tips and an object."""
    gap_m = gap_to(scene, data, object_id)
    if gap_m is None or np.linalg.norm(gap_m) < 1e-3:
        return gap_m is not None
    groups, geom = np.zeros(6, dtype=np.uint8), np.zeros(1, dtype=np.int32)
    groups[COLLISION_GROUP] = 1
    hand = scene.model.body(scene.hand.name).id
    share = mujoco.mj_ray(scene.model, data, data.geom(GRASP_POINT).xpos, gap_m, groups, True, hand, geom)
    return not 0.0 <= share < 0.9 or scene.name_of_geom(int(geom[0])) == object_id


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
