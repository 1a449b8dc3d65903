"""Where objects are in a running simulation: bounds and sample points from the meshes that show."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.houses.assets.to_mujoco import VISUAL_GROUP
from pentathlon.worlds.houses.scene.house_scene import HouseScene

Floats = NDArray[np.float64]
# Of a sofa as many points are looked for as its surface needs, of a mug as many as tell it from what hides it.
SAMPLES_PER_OBJECT = 48, 400
SAMPLES_PER_PART = 4
AREA_PER_SAMPLE_M2 = 0.01
GOLDEN = (5**0.5 - 1) / 2


class ObjectGeometry:
    """Meshes of every object of a scene, to be asked for bounds and points in any state."""

    def __init__(self, scene: HouseScene) -> None:
        model = scene.model
        shown = (model.geom_group == VISUAL_GROUP) & (model.geom_rgba[:, 3] > 0) & (model.geom_dataid >= 0)
        shown[_vapour(scene)] = False
        self._count = len(scene.house.objects)
        self._geoms = [
            [int(geom) for geom in np.flatnonzero(shown & (scene.object_of_geom == i))] for i in range(self._count)
        ]
        self._corners = {geom: _vertices(model, geom) for geoms in self._geoms for geom in geoms}
        self._model = model
        self._samples: dict[int, list[tuple[int, Floats]]] = {}

    def bounds(self, data: Any) -> tuple[Floats, Floats]:
        """Returns the lower and upper corners of the objects' upright boxes, [N, 3] each."""
        boxes = [self.bounds_of(data, i) for i in range(self._count)]
        low, high = (np.array([box[side] for box in boxes]).reshape(-1, 3) for side in (0, 1))
        return low, high

    def bounds_of(self, data: Any, index: int) -> tuple[Floats, Floats]:
        """Returns the lower and upper corner of one object's upright box."""
        low, high = np.full(3, np.inf), np.full(3, -np.inf)
        for geom in self._geoms[index]:
            points = self._corners[geom] @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom]
            np.minimum(low, points.min(axis=0), out=low)
            np.maximum(high, points.max(axis=0), out=high)
        return low, high

    def place_of(self, data: Any, index: int) -> bytes:
        """Returns where all parts of one object are, to the millimetre: equal as long as nothing moved."""
        geoms = self._geoms[index]
        whole = np.concatenate([data.geom_xpos[geoms].ravel(), data.geom_xmat[geoms].ravel()])
        return np.rint(whole * 1e3).astype(np.int32).tobytes()

    def samples(self, data: Any, index: int) -> Floats:
        """Returns points spread over an object's surface, in the world."""
        if index not in self._samples:
            self._samples[index] = _samples(self._model, self._geoms[index])
        parts = [
            points @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom]
            for geom, points in self._samples[index]
        ]
        return np.concatenate(parts) if parts else np.zeros((0, 3))


def _vapour(scene: HouseScene) -> list[int]:
    """Geoms of the steam over hot things: it shows, but a mug is no taller for it."""
    names = (name for placed in scene.placed.values() for name, when in placed.switched if when == "hot")
    return [int(scene.model.geom(name).id) for name in names]


def _vertices(model: Any, geom: int) -> Floats:
    mesh = int(model.geom_dataid[geom])
    start, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
    return np.asarray(model.mesh_vert[start : start + count], dtype=float)


def _samples(model: Any, geoms: list[int]) -> list[tuple[int, Floats]]:
    """Points spread over the surface by area, a few on every part, the same every time."""
    corners = {geom: _triangles(model, geom) for geom in geoms}
    areas_m2 = {geom: _areas(triangles) for geom, triangles in corners.items()}
    whole_m2 = sum(float(areas.sum()) for areas in areas_m2.values())
    count = float(np.clip(whole_m2 / AREA_PER_SAMPLE_M2, *SAMPLES_PER_OBJECT))
    shares = {geom: float(areas.sum()) / max(whole_m2, 1e-12) for geom, areas in areas_m2.items()}
    return [
        (geom, _spread(corners[geom], areas_m2[geom], max(SAMPLES_PER_PART, round(count * shares[geom]))))
        for geom in geoms
    ]


def _triangles(model: Any, geom: int) -> Floats:
    mesh = int(model.geom_dataid[geom])
    start, count = int(model.mesh_faceadr[mesh]), int(model.mesh_facenum[mesh])
    found: Floats = _vertices(model, geom)[model.mesh_face[start : start + count]]
    return found


def _areas(triangles: Floats) -> Floats:
    a, b, c = triangles.transpose(1, 0, 2)
    found: Floats = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
    return found


def _spread(triangles: Floats, areas_m2: Floats, count: int) -> Floats:
    """Evenly spaced along the running sum of areas, and by the golden ratio across each triangle."""
    ends = np.cumsum(areas_m2)
    at = (np.arange(count) + 0.5) / count * ends[-1]
    chosen = np.minimum(np.searchsorted(ends, at), len(ends) - 1)
    along = np.sqrt(np.clip(1.0 - (ends[chosen] - at) / np.maximum(areas_m2[chosen], 1e-12), 0.0, 1.0))
    across = (np.arange(count) * GOLDEN) % 1.0
    a, b, c = triangles[chosen].transpose(1, 0, 2)
    found: Floats = a + along[:, None] * ((1 - across)[:, None] * (b - a) + across[:, None] * (c - a))
    return found
