"""Finds where on its texture each lane's point lies, and at which level of detail it is seen."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pentathlon.worlds.rendering.kernels import arrays as a
from pentathlon.worlds.rendering.kernels import packet as p
from pentathlon.worlds.rendering.kernels.packet import LANES, bits, inlined, put
from pentathlon.worlds.rendering.kernels.sampling import log2_rough

_ZERO, _HALF, _ONE = np.float32(0), np.float32(0.5), np.float32(1)
_TINY = np.float32(1e-20)
_LEAST = np.float32(1e-12)


@inlined
def _footprint(s: Any, camera: Any, k: Any, axis: Any, step: Any) -> Any:
    """Returns how far the point moves on its surface from one pixel to the next along a camera axis."""
    scale = step * (_ONE if camera[a.CAMERA_ORTHOGRAPHIC] > _ZERO else s[p.T_FAR + k])
    ex, ey, ez = scale * camera[axis], scale * camera[axis + 1], scale * camera[axis + 2]
    dx, dy, dz = s[p.DIR_X + k], s[p.DIR_Y + k], s[p.DIR_Z + k]
    nx, ny, nz = s[p.NORMAL_X + k], s[p.NORMAL_Y + k], s[p.NORMAL_Z + k]
    facing = nx * dx + ny * dy + nz * dz
    facing = facing if abs(facing) > _TINY else _TINY
    slide = (nx * ex + ny * ey + nz * ez) / facing
    return ex - slide * dx, ey - slide * dy, ez - slide * dz


@inlined
def _apply(row: Any, first: Any, x: Any, y: Any, z: Any) -> Any:
    return row[first] * x + row[first + 1] * y + row[first + 2] * z


@inlined
def _map_planes(s: Any, camera: Any) -> None:
    """Writes TEXTURE_U, TEXTURE_V and TEXTURE_LOD from the matrices in MAP.

    The level of detail follows the point from one pixel to the next on the plane that touches the surface there.
    """
    right, up = camera[a.CAMERA_RASTER + 1], camera[a.CAMERA_RASTER + 3]
    rx, ry, rz = right * camera[3], right * camera[4], right * camera[5]
    ux, uy, uz = up * camera[6], up * camera[7], up * camera[8]
    orthographic = camera[a.CAMERA_ORTHOGRAPHIC]
    for k in range(LANES):
        m0, m1, m2, m3 = s[p.MAP + k], s[p.MAP + 16 + k], s[p.MAP + 32 + k], s[p.MAP + 48 + k]
        m4, m5, m6, m7 = s[p.MAP + 64 + k], s[p.MAP + 80 + k], s[p.MAP + 96 + k], s[p.MAP + 112 + k]
        x, y, z = s[p.POINT_X + k], s[p.POINT_Y + k], s[p.POINT_Z + k]
        s[p.TEXTURE_U + k] = m0 * x + m1 * y + m2 * z + m3
        s[p.TEXTURE_V + k] = m4 * x + m5 * y + m6 * z + m7
        dx, dy, dz = s[p.DIR_X + k], s[p.DIR_Y + k], s[p.DIR_Z + k]
        nx, ny, nz = s[p.NORMAL_X + k], s[p.NORMAL_Y + k], s[p.NORMAL_Z + k]
        facing = nx * dx + ny * dy + nz * dz
        inverse = _ONE / (facing if abs(facing) > np.float32(1e-4) else np.float32(1e-4))
        along_u, along_v = m0 * dx + m1 * dy + m2 * dz, m4 * dx + m5 * dy + m6 * dz
        slide_r, slide_u = (nx * rx + ny * ry + nz * rz) * inverse, (nx * ux + ny * uy + nz * uz) * inverse
        wide, high = s[p.TEXELS_WIDE + k], s[p.TEXELS_HIGH + k]
        a_u, a_v = (
            (m0 * rx + m1 * ry + m2 * rz - slide_r * along_u) * wide,
            (m4 * rx + m5 * ry + m6 * rz - slide_r * along_v) * high,
        )
        b_u, b_v = (
            (m0 * ux + m1 * uy + m2 * uz - slide_u * along_u) * wide,
            (m4 * ux + m5 * uy + m6 * uz - slide_u * along_v) * high,
        )
        reach = orthographic + (_ONE - orthographic) * s[p.T_FAR + k]
        spread = max(a_u * a_u + a_v * a_v, b_u * b_u + b_v * b_v) * (reach * reach)
        s[p.TEXTURE_LOD + k] = _HALF * log2_rough(max(spread, _LEAST))


@inlined
def _solid_spread(s: Any, camera: Any, k: Any, row: Any) -> Any:
    """Returns the larger squared change of the three coordinates from one pixel to the next."""
    rx, ry, rz = _footprint(s, camera, k, a.CAMERA_RIGHT, camera[a.CAMERA_RASTER + 1])
    ux, uy, uz = _footprint(s, camera, k, a.CAMERA_UP, camera[a.CAMERA_RASTER + 3])
    right = _apply(row, 0, rx, ry, rz) ** 2 + _apply(row, 4, rx, ry, rz) ** 2 + _apply(row, 8, rx, ry, rz) ** 2
    up = _apply(row, 0, ux, uy, uz) ** 2 + _apply(row, 4, ux, uy, uz) ** 2 + _apply(row, 8, ux, uy, uz) ** 2
    return max(right, up)


@inlined
def _bend(z: Any, knee: Any, slope: Any) -> Any:
    """Continues a capsule's z coordinate over its caps, which MuJoCo scales by the radius."""
    beyond = abs(z) - knee
    if beyond <= _ZERO:
        return z
    return math.copysign(knee + beyond * slope, z)


@inlined
def _map_direction(s: Any, k: Any, x: Any, y: Any, z: Any, spread2: Any) -> None:
    """Writes OpenGL's cube face, in the order +x -x +y -y +z -z, the place on it and the level of detail.

    Takes:
        s, k: the lane.
        x, y, z: the direction, of any length.
        spread2: squared distance to the next pixel's direction, in the same units.
    """
    ax, ay, az = abs(x), abs(y), abs(z)
    if ax >= ay and ax >= az:
        face, major, across, down = (0, ax, -z, -y) if x >= _ZERO else (1, ax, z, -y)
    elif ay >= az:
        face, major, across, down = (2, ay, x, z) if y >= _ZERO else (3, ay, x, -z)
    else:
        face, major, across, down = (4, az, x, -y) if z >= _ZERO else (5, az, -x, -y)
    scale = _HALF / max(major, _TINY)
    texels = scale * s[p.TEXELS_WIDE + k]
    put(s, p.FACE + k, face)
    s[p.TEXTURE_U + k] = across * scale + _HALF
    s[p.TEXTURE_V + k] = down * scale + _HALF
    s[p.TEXTURE_LOD + k] = _HALF * log2_rough(max(spread2 * texels * texels, _LEAST))


@inlined
def _map_cube(s: Any, camera: Any, k: Any, row: Any) -> None:
    x, y, z = s[p.POINT_X + k], s[p.POINT_Y + k], s[p.POINT_Z + k]
    u = _apply(row, 0, x, y, z) + row[3]
    v = _apply(row, 4, x, y, z) + row[7]
    w = _bend(_apply(row, 8, x, y, z) + row[11], row[12], row[13])
    _map_direction(s, k, u, v, w, _solid_spread(s, camera, k, row))


@inlined
def _map_corners(s: Any, camera: Any, k: Any, c: Any) -> None:
    u, v = s[p.BARY_U + k], s[p.BARY_V + k]
    w = _ONE - u - v
    rx, ry, rz = _footprint(s, camera, k, a.CAMERA_RIGHT, camera[a.CAMERA_RASTER + 1])
    ux, uy, uz = _footprint(s, camera, k, a.CAMERA_UP, camera[a.CAMERA_RASTER + 3])
    reach = max(rx * rx + ry * ry + rz * rz, ux * ux + uy * uy + uz * uz)
    texels_per_m = c[15] * max(s[p.TEXELS_WIDE + k], s[p.TEXELS_HIGH + k])
    s[p.TEXTURE_U + k] = w * c[9] + u * c[11] + v * c[13]
    s[p.TEXTURE_V + k] = w * c[10] + u * c[12] + v * c[14]
    s[p.TEXTURE_LOD + k] = _HALF * log2_rough(max(reach * texels_per_m * texels_per_m, _LEAST))


@inlined
def _map_sky(s: Any, camera: Any, k: Any, scene: Any) -> None:
    texture = scene.sky[0]
    put(s, p.SAMPLED + k, texture)
    put(s, p.LEVEL_LAST + k, scene.texture_counts[texture] - 1)
    s[p.TEXELS_WIDE + k] = np.float32(scene.texture_levels[texture, 0, 1])
    s[p.TEXELS_HIGH + k] = s[p.TEXELS_WIDE + k]
    step = camera[13] if camera[a.CAMERA_ORTHOGRAPHIC] == _ZERO else _ZERO
    _map_direction(s, k, s[p.DIR_X + k], s[p.DIR_Z + k], -s[p.DIR_Y + k], step * step)


@inlined
def map_textures(s: Any, scene: Any, camera: Any) -> Any:
    """Writes the texture coordinates that `sample_textures` reads; tells whether any lane has a texture."""
    flat, other = np.int32(0), np.int32(0)
    for k in range(LANES):
        mapping = bits(s, p.MAPPING + k)
        flat |= np.int32(mapping == a.MAPPING_PLANE)
        other |= np.int32(mapping > a.MAPPING_PLANE) | np.int32(bits(s, p.KIND + k) == p.KIND_SKY)
    if flat != 0:
        _map_planes(s, camera)
    if other != 0:
        for k in range(LANES):
            if bits(s, p.KIND + k) == p.KIND_SKY:
                _map_sky(s, camera, k, scene)
            elif bits(s, p.MAPPING + k) == a.MAPPING_CUBE:
                _map_cube(s, camera, k, scene.texture_maps[bits(s, p.OBJECT + k)])
            elif bits(s, p.MAPPING + k) == a.MAPPING_CORNERS:
                _map_corners(s, camera, k, scene.corners[bits(s, p.CORNER + k)])
    return flat | other != 0
