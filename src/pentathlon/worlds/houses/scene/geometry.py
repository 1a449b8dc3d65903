"""Where objects are in a running simulation: bounds and sample points from the meshes that show."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.houses.assets.to_mujoco import VISUAL_GROUP
from pentathlon.worlds.houses.scene.house_scene import HouseScene

Floats = NDArray[np.float64]
SAMPLES_PER_OBJECT = 48


class ObjectGeometry:
    """Meshes of every object of a scene, to be asked for bounds and points in any state."""

    def __init__(self, scene: HouseScene) -> None:
        model = scene.model
        shown = (model.geom_group == VISUAL_GROUP) & (model.geom_rgba[:, 3] > 0) & (model.geom_dataid >= 0)
        self._count = len(scene.house.objects)
        self._geoms = [
            [int(geom) for geom in np.flatnonzero(shown & (scene.object_of_geom == i))] for i in range(self._count)
        ]
        self._corners = {geom: _vertices(model, geom) for geoms in self._geoms for geom in geoms}
        self._samples = [_samples(model, geoms) for geoms in self._geoms]

    def bounds(self, data: Any) -> tuple[Floats, Floats]:
        """Returns the lower and upper corners of the objects' upright boxes, [N, 3] each."""
        low, high = np.full((self._count, 3), np.inf), np.full((self._count, 3), -np.inf)
        for i, geoms in enumerate(self._geoms):
            for geom in geoms:
                points = self._corners[geom] @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom]
                np.minimum(low[i], points.min(axis=0), out=low[i])
                np.maximum(high[i], points.max(axis=0), out=high[i])
        return low, high

    def samples(self, data: Any, index: int) -> Floats:
        """Returns points spread over an object's surface, in the world."""
        parts = [
            points @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom]
            for geom, points in self._samples[index]
        ]
        return np.concatenate(parts) if parts else np.zeros((0, 3))


def _vertices(model: Any, geom: int) -> Floats:
    mesh = int(model.geom_dataid[geom])
    start, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
    return np.asarray(model.mesh_vert[start : start + count], dtype=float)


def _samples(model: Any, geoms: list[int]) -> list[tuple[int, Floats]]:
    """Middles of triangles, evenly picked, the same every time."""
    made = []
    for geom in geoms:
        mesh = int(model.geom_dataid[geom])
        start, count = int(model.mesh_faceadr[mesh]), int(model.mesh_facenum[mesh])
        share = max(4, SAMPLES_PER_OBJECT // len(geoms))
        faces = model.mesh_face[start : start + count][:: max(1, count // share)]
        made.append((geom, _vertices(model, geom)[faces].mean(axis=1)))
    return made
