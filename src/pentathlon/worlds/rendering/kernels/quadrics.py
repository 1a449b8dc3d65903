"""Exact ray intersection with spheres, ellipsoids, capsules and cylinders, called back by Embree.

A primitive is a row of `QUADRIC_FLOATS`: the 3x4 matrix from the part's frame to the primitive's, half sizes, type,
and the bounding box in the part's frame. As in MuJoCo, a surface is seen from outside only, and casts shadows from
both sides.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np
from numba import cfunc, types

from pentathlon.worlds.rendering.kernels.packet import FASTMATH, floats_at, inlined, ints_at, pointer_type

ELLIPSOID: Final = 0
CAPSULE: Final = 1
CYLINDER: Final = 2
SIZE, TYPE, LOWER, UPPER = 12, 15, 16, 19
QUADRIC_FLOATS: Final = 24

_MISS: Final = np.float32(np.inf)
_ZERO, _ONE = np.float32(0), np.float32(1)


@inlined
def _sphere_span(ox: Any, oy: Any, oz: Any, dx: Any, dy: Any, dz: Any, radius: Any) -> Any:
    """Returns where a line enters and leaves a sphere at the origin; (inf, -inf) where it misses.

    Solved from the point of the line nearest the centre: with the ray's own origin float32 loses the root's digits.
    """
    inverse = _ONE / (dx * dx + dy * dy + dz * dz)
    middle = -(ox * dx + oy * dy + oz * dz) * inverse
    px, py, pz = ox + middle * dx, oy + middle * dy, oz + middle * dz
    room = radius * radius - (px * px + py * py + pz * pz)
    if not room >= _ZERO:
        return _MISS, -_MISS
    half = math.sqrt(room * inverse)
    return middle - half, middle + half


@inlined
def _capsule_end(t: Any, oz: Any, dz: Any, ox: Any, oy: Any, dx: Any, dy: Any, size: Any, leaving: Any) -> Any:
    """Returns `t` of the tube's wall, or of the cap where the wall's point lies beyond the tube, and the cap's z."""
    radius, length = size[0], size[2]
    z = oz + t * dz
    if abs(z) <= length:
        return t, _ZERO, True
    centre = length if z > _ZERO else -length
    enter, leave = _sphere_span(ox, oy, oz - centre, dx, dy, dz, radius)
    return (leave if leaving else enter), centre, False


@inlined
def _ellipsoid(size: Any, ox: Any, oy: Any, oz: Any, dx: Any, dy: Any, dz: Any) -> Any:
    ax, ay, az = _ONE / size[0], _ONE / size[1], _ONE / size[2]
    enter, leave = _sphere_span(ox * ax, oy * ay, oz * az, dx * ax, dy * ay, dz * az, _ONE)
    x, y, z = ox + enter * dx, oy + enter * dy, oz + enter * dz
    return enter, leave, x * ax * ax, y * ay * ay, z * az * az


@inlined
def _capsule(size: Any, ox: Any, oy: Any, oz: Any, dx: Any, dy: Any, dz: Any) -> Any:
    radius, length = size[0], size[2]
    if dx * dx + dy * dy < np.float32(1e-12) * dz * dz:  # along the axis: only the caps are met
        first = length if dz < _ZERO else -length
        enter, _ = _sphere_span(ox, oy, oz - first, dx, dy, dz, radius)
        _, leave = _sphere_span(ox, oy, oz + first, dx, dy, dz, radius)
        return enter, leave, ox + enter * dx, oy + enter * dy, oz + enter * dz - first
    wall_in, wall_out = _sphere_span(ox, oy, _ZERO, dx, dy, _ZERO, radius)
    if wall_in == _MISS:
        return _MISS, -_MISS, _ZERO, _ZERO, _ONE
    enter, centre, on_wall = _capsule_end(wall_in, oz, dz, ox, oy, dx, dy, size, False)
    leave, _, _ = _capsule_end(wall_out, oz, dz, ox, oy, dx, dy, size, True)
    z = _ZERO if on_wall else oz + enter * dz - centre
    return enter, leave, ox + enter * dx, oy + enter * dy, z


@inlined
def _cylinder(size: Any, ox: Any, oy: Any, oz: Any, dx: Any, dy: Any, dz: Any) -> Any:
    radius, length = size[0], size[2]
    if dx * dx + dy * dy < np.float32(1e-12) * dz * dz:
        inside = ox * ox + oy * oy <= radius * radius
        wall_in, wall_out = (-_MISS, _MISS) if inside else (_MISS, -_MISS)
    else:
        wall_in, wall_out = _sphere_span(ox, oy, _ZERO, dx, dy, _ZERO, radius)
    if dz == _ZERO:
        inside = abs(oz) <= length
        disc_in, disc_out = (-_MISS, _MISS) if inside else (_MISS, -_MISS)
    else:
        reach = length / abs(dz)
        disc_in, disc_out = -oz / dz - reach, -oz / dz + reach
    enter, leave = max(wall_in, disc_in), min(wall_out, disc_out)
    if not enter <= leave:
        return _MISS, -_MISS, _ZERO, _ZERO, _ONE
    if disc_in > wall_in:
        return enter, leave, _ZERO, _ZERO, (_ONE if dz < _ZERO else -_ONE)
    return enter, leave, ox + enter * dx, oy + enter * dy, _ZERO


@inlined
def _span(row: Any, ray: Any, lanes: Any, k: Any) -> Any:
    """Returns where lane `k` enters and leaves the primitive, and the outward normal in the primitive's frame."""
    x, y, z = ray[k], ray[lanes + k], ray[2 * lanes + k]
    u, v, w = ray[4 * lanes + k], ray[5 * lanes + k], ray[6 * lanes + k]
    ox = row[0] * x + row[1] * y + row[2] * z + row[3]
    oy = row[4] * x + row[5] * y + row[6] * z + row[7]
    oz = row[8] * x + row[9] * y + row[10] * z + row[11]
    dx = row[0] * u + row[1] * v + row[2] * w
    dy = row[4] * u + row[5] * v + row[6] * w
    dz = row[8] * u + row[9] * v + row[10] * w
    size = (row[SIZE], row[SIZE + 1], row[SIZE + 2])
    if row[TYPE] == np.float32(ELLIPSOID):
        return _ellipsoid(size, ox, oy, oz, dx, dy, dz)
    if row[TYPE] == np.float32(CAPSULE):
        return _capsule(size, ox, oy, oz, dx, dy, dz)
    return _cylinder(size, ox, oy, oz, dx, dy, dz)


_callback: Any = cfunc(types.void(pointer_type(types.int64)), cache=True, fastmath=FASTMATH, error_model="numpy")
_LOW = np.int64(0xFFFFFFFF)


@_callback
def _bounds(arguments: Any) -> None:
    """RTCBoundsFunction: user pointer, primitive (low half of word 1), bounds."""
    row = floats_at(arguments[0] + (arguments[1] & _LOW) * (4 * QUADRIC_FLOATS))
    bounds = floats_at(arguments[2])
    for axis in range(3):
        bounds[axis] = row[LOWER + axis]
        bounds[4 + axis] = row[UPPER + axis]


@_callback
def _intersect(arguments: Any) -> None:
    """RTCIntersectFunctionN: valid lanes, user pointer, primitive, context, rays and hits, lanes and geometry."""
    valid = ints_at(arguments[0])
    primitive = arguments[2] & _LOW
    row = floats_at(arguments[1] + primitive * (4 * QUADRIC_FLOATS))
    context = ints_at(arguments[3])
    ray, ray_int = floats_at(arguments[4]), ints_at(arguments[4])
    lanes = arguments[5] & _LOW
    geometry = arguments[5] >> 32
    for k in range(lanes):
        if valid[k] == 0:
            continue
        t, _, nx, ny, nz = _span(row, ray, lanes, k)
        if not (t > ray[3 * lanes + k] and t < ray[8 * lanes + k]):
            continue
        ray[8 * lanes + k] = t
        ray[12 * lanes + k] = row[0] * nx + row[4] * ny + row[8] * nz
        ray[13 * lanes + k] = row[1] * nx + row[5] * ny + row[9] * nz
        ray[14 * lanes + k] = row[2] * nx + row[6] * ny + row[10] * nz
        ray[15 * lanes + k] = _ZERO
        ray[16 * lanes + k] = _ZERO
        ray_int[17 * lanes + k] = np.int32(primitive)
        ray_int[18 * lanes + k] = np.int32(geometry)
        ray_int[19 * lanes + k] = context[0]
        ray_int[20 * lanes + k] = context[1]


@_callback
def _occluded(arguments: Any) -> None:
    """RTCOccludedFunctionN: as `_intersect`; a blocked ray gets an end of minus infinity."""
    valid = ints_at(arguments[0])
    row = floats_at(arguments[1] + (arguments[2] & _LOW) * (4 * QUADRIC_FLOATS))
    ray = floats_at(arguments[4])
    lanes = arguments[5] & _LOW
    for k in range(lanes):
        if valid[k] == 0:
            continue
        enter, leave, _, _, _ = _span(row, ray, lanes, k)
        near, far = ray[3 * lanes + k], ray[8 * lanes + k]
        if (enter > near and enter < far) or (leave > near and leave < far):
            ray[8 * lanes + k] = -_MISS


class QuadricCallbacks(NamedTuple):
    """Addresses of the functions that Embree calls; valid as long as this module is loaded."""

    bounds: int
    intersect: int
    occluded: int


QUADRIC_CALLBACKS: Final = QuadricCallbacks(_bounds.address, _intersect.address, _occluded.address)
