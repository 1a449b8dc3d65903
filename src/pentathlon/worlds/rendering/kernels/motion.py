"""Brings the scene up to the state of an MjData: moves what has moved."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from pentathlon.worlds.rendering.embree import FORMAT_FLOAT3X4_ROW_MAJOR
from pentathlon.worlds.rendering.kernels import arrays as a
from pentathlon.worlds.rendering.kernels.packet import bytes_at, kernel

_set_transform: Any = types.ExternalFunction(
    "rtcSetGeometryTransform", types.void(types.intp, types.uint32, types.int32, types.intp)
)
_commit_geometry: Any = types.ExternalFunction("rtcCommitGeometry", types.void(types.intp))
_commit_scene: Any = types.ExternalFunction("rtcCommitScene", types.void(types.intp))

ALL_MOVED = -1  # results of `move_instances` other than a body's number
BAD_POSE = -2


@kernel
def move_instances(
    bodies: Any, instances: Any, top: int, xpos: Any, xmat: Any, seen: Any, transforms: Any, address: int,
    rotations: Any, static: Any,
) -> tuple[int, int]:  # fmt: skip
    """Moves the instances of bodies whose pose changed and commits the top scene if any did.

    Takes:
        bodies: [parts] body of each part; part 0, the static one, has -1.
        instances: [parts] Embree's instance handles.
        top: the top scene's handle.
        xpos, xmat: poses of all bodies.
        seen: [bodies, 12] poses at the last call, updated.
        transforms, address: [parts, 12] memory for the matrices that Embree reads, and where it lies.
        rotations: [parts, 9] of `SceneArrays`, updated.
        static: [bodies] whether a body is merged into part 0.

    Returns:
        (ALL_MOVED, 0); (BAD_POSE, body) for a pose that is not finite; or (body, 0) for a static body that moved.
    """
    for body in range(seen.shape[0]):
        changed = False
        for i in range(12):
            value = xpos[body, i] if i < 3 else xmat[body, i - 3]
            if not np.isfinite(value):
                return BAD_POSE, body
            changed = changed or seen[body, i] != value
        if changed and static[body]:
            return body, 0
    moved = False
    for part in range(1, bodies.shape[0]):
        body = bodies[part]
        changed = False
        for i in range(3):
            changed = changed or seen[body, i] != xpos[body, i]
        for i in range(9):
            changed = changed or seen[body, 3 + i] != xmat[body, i]
        if not changed:
            continue
        moved = True
        for row in range(3):
            transforms[part, 4 * row + 3] = np.float32(xpos[body, row])
            for column in range(3):
                value = np.float32(xmat[body, 3 * row + column])
                transforms[part, 4 * row + column] = value
                rotations[part, 3 * row + column] = value
        _set_transform(instances[part], np.uint32(0), np.int32(FORMAT_FLOAT3X4_ROW_MAJOR), address + part * 48)
        _commit_geometry(instances[part])
    for body in range(seen.shape[0]):
        for i in range(3):
            seen[body, i] = xpos[body, i]
        for i in range(9):
            seen[body, 3 + i] = xmat[body, i]
    if moved:
        _commit_scene(top)
    return ALL_MOVED, 0


@kernel
def place_textures(
    objects: Any, scales: Any, geom_count: int, gpos: Any, gmat: Any, spos: Any, smat: Any, maps: Any
) -> None:
    """Writes the matrices from world to texture coordinates.

    Takes:
        objects: numbers of the objects that need one.
        scales: [objects, 6] scale and offset of each texture coordinate, from the object's own x, y, z.
        geom_count: objects from this number on are sites.
        gpos, gmat, spos, smat: poses of geoms and sites.
        maps: `texture_maps` of `SceneArrays`.
    """
    for obj in objects:
        site = obj >= geom_count
        i = obj - geom_count if site else obj
        for axis in range(3):
            scale = scales[obj, axis]
            offset = scales[obj, 3 + axis]
            for world in range(3):
                element = smat[i, 3 * world + axis] if site else gmat[i, 3 * world + axis]
                position = spos[i, world] if site else gpos[i, world]
                maps[obj, 4 * axis + world] = np.float32(scale * element)
                offset -= scale * element * position
            maps[obj, 4 * axis + 3] = np.float32(offset)


@kernel
def place_planes(objects: Any, gpos: Any, gmat: Any, lifts: Any, planes: Any) -> None:
    """Writes the poses of planes without end, each lifted along its normal by so many metres."""
    for row in range(objects.shape[0]):
        geom = objects[row]
        for world in range(3):
            lift = lifts[row] * gmat[geom, 3 * world + 2]
            planes[row, a.PLANE_ORIGIN + world] = np.float32(gpos[geom, world] + lift)
            planes[row, a.PLANE_X + world] = np.float32(gmat[geom, 3 * world])
            planes[row, a.PLANE_Y + world] = np.float32(gmat[geom, 3 * world + 1])
            planes[row, a.PLANE_NORMAL + world] = np.float32(gmat[geom, 3 * world + 2])


@kernel
def any_byte_differs(places: Any) -> bool:
    """Tells whether any two stretches of memory differ.

    Takes:
        places: [n, 3] two addresses and the length in bytes.
    """
    for row in range(places.shape[0]):
        left, right = bytes_at(places[row, 0]), bytes_at(places[row, 1])
        different = np.uint8(0)
        for i in range(places[row, 2]):
            different |= left[i] ^ right[i]
        if different != 0:
            return True
    return False
