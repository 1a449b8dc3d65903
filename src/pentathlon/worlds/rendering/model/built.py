"""The parts of one model in Embree: built, moved and given back."""

from __future__ import annotations

from typing import Final

import mujoco
import numpy as np
import numpy.typing as npt

from pentathlon.worlds.rendering import embree
from pentathlon.worlds.rendering.kernels import move_instances
from pentathlon.worlds.rendering.model.coincidence import NO_FLATS, Flats
from pentathlon.worlds.rendering.model.extras import Extras
from pentathlon.worlds.rendering.model.objects import ObjectTable
from pentathlon.worlds.rendering.model.parts import STATIC, Part, PartBuilder
from pentathlon.worlds.rendering.rays import RayOptions

LEAST_APART: Final = 256  # triangles and quadrics of what is still, from which on it is a scene of its own


class BuiltScene:
    """What lives in Embree, apart from `Scene` so that it can be released when that one is gone."""

    def __init__(self, model: mujoco.MjModel, table: ObjectTable, rays: RayOptions) -> None:
        self._library = embree.load()
        self._device = self._library.new_device(rays.device_config)
        self.ray_width = rays.width or self._library.native_width(self._device)
        self.builder = PartBuilder(model, table, self._library, self._device)
        self.parts: dict[int, Part] = {}
        self.extras: Part | None = None
        self.top = 0
        self._stands_apart = False
        self.rotations = np.zeros((0, 9), np.float32)
        self.seen = np.zeros((model.nbody, 12))
        self._bodies = np.zeros(0, np.int64)
        self._instances = np.zeros(0, np.int64)
        self._transforms = np.zeros((0, 12), np.float32)

    @property
    def handles(self) -> tuple[int, int]:
        """Embree's scenes of what is still and of what moves; 0 for an empty one.

        Little that is still stands among what moves, as a query takes longer than a step through an instance.
        """
        still = self.parts[STATIC]
        moves = len(self.parts) > 1 or self.extras is not None or not self._stands_apart
        return (still.scene if self._stands_apart else 0), (self.top if moves else 0)

    def replace(
        self,
        wanted: dict[int, npt.NDArray[np.intp]],
        dirty: set[int],
        poses: npt.NDArray[np.float64],
        planes: Flats,
    ) -> None:
        """Builds the wanted parts that are new or dirty, drops those not wanted, and makes the top scene.

        Args:
            wanted: objects of each part.
            dirty: parts to build anew.
            poses: of all bodies.
            planes: the static ones without end.
        """
        old, self.parts = self.parts, {}
        for body in [STATIC, *sorted(set(wanted) - {STATIC})]:
            if body in old and body not in dirty:
                self.parts[body] = old.pop(body)
            else:
                objects = [int(i) for i in wanted.get(body, ())]
                own_planes = planes if body == STATIC else NO_FLATS
                self.parts[body] = self.builder.build(body, objects, poses, own_planes)
        for part in old.values():
            self.builder.release(part)
        self._stands_apart = self.parts[STATIC].primitives >= LEAST_APART
        raw = self._library.raw
        self._drop_extras()
        if self.top:
            raw.rtcReleaseScene(self.top)
        self.top = int(raw.rtcNewScene(self._device))
        raw.rtcSetSceneFlags(self.top, 0)
        for number, part in enumerate(self.parts.values()):
            if part.body != STATIC or not self._stands_apart:
                raw.rtcAttachGeometryByID(self.top, part.instance, number)
        raw.rtcCommitScene(self.top)
        self._library.check(self._device)
        self._bodies = np.array([part.body for part in self.parts.values()], np.int64)
        self._instances = np.array([part.instance for part in self.parts.values()], np.int64)
        self._transforms = np.zeros((len(self.parts), 12), np.float32)
        self.rotations = np.tile(np.eye(3, dtype=np.float32).ravel(), (len(self.parts), 1))

    def replace_extras(self, extras: Extras) -> Part:
        """Puts what has a new shape in every state after all other parts."""
        raw, number = self._library.raw, len(self.parts)
        if self.extras is not None:
            raw.rtcDetachGeometry(self.top, number)
        self._drop_extras()
        self.extras = self.builder.build_extras(extras)
        raw.rtcAttachGeometryByID(self.top, self.extras.instance, number)
        raw.rtcCommitScene(self.top)
        self._library.check(self._device)
        return self.extras

    def _drop_extras(self) -> None:
        if self.extras is not None:
            self.builder.release(self.extras)
            self.extras = None

    def forget_poses(self, poses: npt.NDArray[np.float64], moving: npt.NDArray[np.bool_]) -> None:
        """Takes static bodies to be where they were built, and moving ones to be nowhere yet."""
        self.seen[:] = poses
        self.seen[moving] = np.nan

    def move(self, data: mujoco.MjData, static: npt.NDArray[np.bool_]) -> tuple[int, int]:
        """Calls `move_instances` for the parts."""
        state, body = move_instances(
            self._bodies, self._instances, self.top, data.xpos, data.xmat, self.seen, self._transforms,
            self._transforms.ctypes.data, self.rotations, static,
        )  # fmt: skip
        return int(state), int(body)

    def placed_parts(self) -> list[tuple[Part, npt.NDArray[np.float32]]]:
        """Returns all parts with their places, [3, 4] matrices to the world: the static one first, extras last."""
        identity = np.eye(3, 4, dtype=np.float32)
        places = [identity, *self._transforms[1:].reshape(-1, 3, 4), identity]
        parts = [*self.parts.values(), *([self.extras] if self.extras is not None else [])]
        return list(zip(parts, places, strict=False))

    def close(self) -> None:
        """Gives everything back to Embree."""
        self._drop_extras()
        for part in self.parts.values():
            self.builder.release(part)
        self.parts = {}
        if self.top:
            self._library.raw.rtcReleaseScene(self.top)
            self.top = 0
        self._library.raw.rtcReleaseDevice(self._device)
