"""Numbers of what can be seen: geoms, then sites, tendons, skins, flexes, sensors and actuators."""

from __future__ import annotations

from typing import Final

import mujoco
import numpy as np
import numpy.typing as npt

_OBJECT: Final = mujoco.mjtObj
KINDS: Final = (
    (int(_OBJECT.mjOBJ_GEOM), "ngeom"),
    (int(_OBJECT.mjOBJ_SITE), "nsite"),
    (int(_OBJECT.mjOBJ_TENDON), "ntendon"),
    (int(_OBJECT.mjOBJ_SKIN), "nskin"),
    (int(_OBJECT.mjOBJ_FLEX), "nflex"),
    (int(_OBJECT.mjOBJ_SENSOR), "nsensor"),
    (int(_OBJECT.mjOBJ_ACTUATOR), "nu"),
)
Ids = npt.NDArray[np.int32]


class Numbering:
    """Turns MuJoCo's pairs of an object's type and number into one number, and back."""

    def __init__(self, model: mujoco.MjModel) -> None:
        counts = [int(getattr(model, field)) for _, field in KINDS]
        self._starts = np.cumsum([0, *counts])
        self.first = {kind: int(start) for (kind, _), start in zip(KINDS, self._starts[:-1], strict=True)}
        self.count = int(self._starts[-1])

    def ids(self, numbers: Ids, types: Ids) -> Ids:
        """Returns one number for each pair; -1 for what has none."""
        ids = np.full(numbers.shape, -1, np.int32)
        for kind, first in self.first.items():
            ids = np.where(types == kind, first + numbers, ids)
        return ids.astype(np.int32)

    def pairs(self, ids: Ids) -> Ids:
        """Returns MuJoCo's (number, type) pairs on a new last axis, (-1, -1) for the background."""
        which = np.clip(np.searchsorted(self._starts, ids, side="right") - 1, 0, len(KINDS) - 1)
        types = np.array([kind for kind, _ in KINDS], np.int32)[which]
        pairs = np.stack([ids - self._starts[which], types], axis=-1)
        return np.where((ids < 0)[..., None], -1, pairs).astype(np.int32)
