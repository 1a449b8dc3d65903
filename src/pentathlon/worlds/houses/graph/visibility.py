"""What a camera sees of the objects: near enough, within the picture, and with nothing in between."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.houses.assets.to_mujoco import VISUAL_GROUP
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
from pentathlon.worlds.houses.scene.house_scene import CEILING_GROUP, HouseScene

Floats = NDArray[np.float64]
UNSEEN_GROUP = 5


@dataclass(frozen=True)
class Viewpoint:
    """A camera for questions of visibility.

    Attributes:
        position_m: of the camera.
        yaw_deg: counter-clockwise from +x.
        pitch_deg: positive looks down.
        horizontal_fov_deg: full width of the picture.
        vertical_fov_deg: full height of the picture.
        body: root body of the agent itself, which blocks nothing; -1 for none.
    """

    position_m: tuple[float, float, float]
    yaw_deg: float
    pitch_deg: float = 0.0
    horizontal_fov_deg: float = 79.0
    vertical_fov_deg: float = 63.5
    body: int = -1

    def axes(self) -> Floats:
        """Returns the unit vectors right, up and ahead as rows."""
        yaw, pitch = math.radians(self.yaw_deg), math.radians(self.pitch_deg)
        ahead = np.array([math.cos(yaw) * math.cos(pitch), math.sin(yaw) * math.cos(pitch), -math.sin(pitch)])
        right = np.array([math.sin(yaw), -math.cos(yaw), 0.0])
        return np.stack([right, np.cross(right, ahead), ahead])


def visible_objects(
    scene: HouseScene, data: Any, geometry: ObjectGeometry, view: Viewpoint, within_m: float
) -> NDArray[np.bool_]:
    """Tells for every object whether some point of it is within the distance and seen from the viewpoint."""
    low, high = geometry.bounds(data)
    gaps = np.maximum(low - view.position_m, 0.0) + np.maximum(view.position_m - high, 0.0)
    found = np.zeros(len(low), dtype=bool)
    for index in np.flatnonzero(np.linalg.norm(gaps, axis=1) <= within_m):
        found[index] = is_visible(scene, data, geometry, int(index), view, within_m)
    return found


def is_visible(
    scene: HouseScene, data: Any, geometry: ObjectGeometry, index: int, view: Viewpoint, within_m: float
) -> bool:
    """Tells whether some point of one object is within the distance and seen from the viewpoint."""
    origin = np.array(view.position_m, dtype=float)
    rays = geometry.samples(data, index) - origin
    rays = rays[in_picture(rays, view) & (np.linalg.norm(rays, axis=1) <= within_m)]
    return bool(np.any(unblocked(scene, data, index, origin, rays, view.body)))


def unblocked(
    scene: HouseScene, data: Any, index: int, origin_m: Floats, rays: Floats, body: int = -1
) -> NDArray[np.bool_]:
    """Tells which of the rays, that end on an object's surface, meet nothing else before it.

    Args:
        scene: the house.
        data: its state.
        index: the object's place in ``house.objects``.
        origin_m: where all rays begin.
        rays: [N, 3], from there to the surface.
        body: root body of the agent itself, which blocks nothing; -1 for none.
    """
    if not len(rays):
        return np.zeros(0, dtype=bool)
    hits = np.full(len(rays), -1, dtype=np.int32)
    distances = np.zeros(len(rays))
    groups = np.zeros(6, dtype=np.uint8)
    groups[[0, VISUAL_GROUP, CEILING_GROUP]] = 1
    # MuJoCo's rays have no end; this only spares bodies that are farther away than the surface.
    farthest_m = 1.05 * float(np.max(np.linalg.norm(rays, axis=1)))
    with _without_hidden(scene.model):
        mujoco.mj_multiRay(
            scene.model,
            data,
            origin_m,
            rays.ravel(),
            groups,
            True,
            body,
            hits,
            distances,
            None,
            len(rays),
            farthest_m,
        )
    return np.asarray((hits >= 0) & (scene.object_of_geom[hits] == index))


@contextmanager
def _without_hidden(model: mujoco.MjModel) -> Iterator[None]:
    """Takes hidden parts, such as the water of a tap that is off, out of the way of rays, which look at groups only."""
    shown = model.geom_group.copy()
    model.geom_group[model.geom_rgba[:, 3] == 0.0] = UNSEEN_GROUP
    try:
        yield
    finally:
        model.geom_group[:] = shown


def in_picture(rays: Floats, view: Viewpoint) -> NDArray[np.bool_]:
    """Tells which directions [N, 3] from the viewpoint lie within its picture."""
    right, up, ahead = (rays @ axis for axis in view.axes())
    widest = math.tan(math.radians(view.horizontal_fov_deg) / 2)
    highest = math.tan(math.radians(view.vertical_fov_deg) / 2)
    inside: NDArray[np.bool_] = (ahead > 1e-6) & (np.abs(right) <= widest * ahead) & (np.abs(up) <= highest * ahead)
    return inside
