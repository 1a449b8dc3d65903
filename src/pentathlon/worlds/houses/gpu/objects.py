"""What of a house's objects one must know to look for a kind of them: their names, and points of their surfaces."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pentathlon.worlds.houses.bodies.navigator import Navigator

PASSED: Final = -2  # the object of what rays pass


class PackedObjects(NamedTuple):
    """The objects of one house, in their order there.

    Attributes:
        kinds: [objects] their types' names.
        object_of: int32 [geoms and sites] the object that each belongs to; -1 for the building, PASSED for sites.
        points_m: float64 [points, 3], spread by area over each object's surface, object by object.
        first_point: int32 [objects + 1].
    """

    kinds: npt.NDArray[np.str_]
    object_of: npt.NDArray[np.int32]
    points_m: npt.NDArray[np.float64]
    first_point: npt.NDArray[np.int32]

    def goals(self, kinds: tuple[str, ...]) -> tuple[str, ...]:
        """Returns which of these kinds are in the house."""
        return tuple(kind for kind in kinds if kind in self.kinds)


def pack_objects(navigator: Navigator) -> PackedObjects:
    """Returns the objects of the house that a navigator stands in."""
    scene, objects = navigator.scene, navigator.scene.house.objects
    points = [navigator.geometry.samples(navigator.data, i) for i in range(len(objects))]
    return PackedObjects(
        np.array([item.type for item in objects], dtype=np.str_),
        np.concatenate([scene.object_of_geom, np.full(scene.model.nsite, PASSED)]).astype(np.int32),
        np.concatenate([np.zeros((0, 3)), *points]),
        np.cumsum([0, *map(len, points)], dtype=np.int32),
    )
