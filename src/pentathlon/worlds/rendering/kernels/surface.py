"""Finds what each lane's ray has met: the point, its normal, material and texture colour."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pentathlon.worlds.rendering.kernels import arrays as a
from pentathlon.worlds.rendering.kernels import packet as p
from pentathlon.worlds.rendering.kernels.packet import inlined
from pentathlon.worlds.rendering.kernels.sampling import log2_rough, sample_cube, sample_plane

_ZERO, _HALF, _ONE = np.float32(0), np.float32(0.5), np.float32(1)
_TINY = np.float32(1e-20)
_OPAQUE = np.float32(0.995)  # MuJoCo's border between opaque and transparent
_PLANE_FROM_BELOW = np.float32(0.3)  # MuJoCo's alpha of a plane's back


@inlined
def _rotate(rotation: Any, x: Any, y: Any, z: Any) -> Any:
    return (
        rotation[0] * x + rotation[1] * y + rotation[2] * z,
        rotation[3] * x + rotation[4] * y + rotation[5] * z,
        rotation[6] * x + rotation[7] * y + rotation[8] * z,
    )


@inlined
def _corner_normal(corner: Any, u: Any, v: Any) -> Any:
    w = _ONE - u - v
    x = w * corner[0] + u * corner[3] + v * corner[6]
    y = w * corner[1] + u * corner[4] + v * corner[7]
    z = w * corner[2] + u * corner[5] + v * corner[8]
    return x, y, z


@inlined
def _set_normal(s: Any, k: Any, x: Any, y: Any, z: Any) -> None:
    inverse = _ONE / np.sqrt(max(x * x + y * y + z * z, _TINY))
    s[p.NORMAL_X + k] = x * inverse
    s[p.NORMAL_Y + k] = y * inverse
    s[p.NORMAL_Z + k] = z * inverse


@inlined
def _set_material(s: Any, material: Any, k: Any, alpha_scale: Any) -> Any:
    """Writes the material's rows; returns the alpha."""
    s[p.COLOR_R + k] = material[0]
    s[p.COLOR_G + k] = material[1]
    s[p.COLOR_B + k] = material[2]
    s[p.ALPHA + k] = material[3] * alpha_scale
    s[p.EMISSION + k] = material[4]
    s[p.SPECULAR + k] = material[5]
    s[p.SHININESS + k] = material[6]
    s[p.REFLECTANCE + k] = material[7]
    s[p.TEXTURE_R + k] = _ONE
    s[p.TEXTURE_G + k] = _ONE
    s[p.TEXTURE_B + k] = _ONE
    return material[3] * alpha_scale


@inlined
def _footprint(s: Any, camera: Any, k: Any, axis: Any, step: Any) -> Any:
    """Returns how far the point moves on its surface from one pixel to the next along a camera axis."""
    scale = step * (_ONE if camera[a.CAMERA_ORTHOGRAPHIC] > _ZERO else s[p.T_FAR + k])
    ex, ey, ez = scale * camera[axis], scale * camera[axis + 1], scale * camera[axis + 2]
    dx, dy, dz = s[p.DIR_X + k], s[p.DIR_Y + k], s[p.DIR_Z + k]
    nx, ny, nz = s[p.NORMAL_X + k], s[p.NORMAL_Y + k], s[p.NORMAL_Z + k]
    facing = nx * dx + ny * dy + nz * dz
    facing = facing if abs(facing) > np.float32(1e-4) else np.float32(1e-4)
    slide = (nx * ex + ny * ey + nz * ez) / facing
    return ex - slide * dx, ey - slide * dy, ez - slide * dz


@inlined
def _apply(row: Any, first: Any, x: Any, y: Any, z: Any) -> Any:
    return row[first] * x + row[first + 1] * y + row[first + 2] * z


@inlined
def _plane_lod(s: Any, camera: Any, k: Any, row: Any, width: Any, height: Any) -> Any:
    rx, ry, rz = _footprint(s, camera, k, a.CAMERA_RIGHT, camera[a.CAMERA_RASTER + 1])
    ux, uy, uz = _footprint(s, camera, k, a.CAMERA_UP, camera[a.CAMERA_RASTER + 3])
    across, down = _apply(row, 0, rx, ry, rz) * width, _apply(row, 4, rx, ry, rz) * height
    spread = across * across + down * down
    across, down = _apply(row, 0, ux, uy, uz) * width, _apply(row, 4, ux, uy, uz) * height
    return _HALF * log2_rough(max(max(spread, across * across + down * down), np.float32(1e-12)))


@inlined
def _solid_lod(s: Any, camera: Any, k: Any, row: Any) -> Any:
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
def _set_texture(
    s: Any, camera: Any, k: Any, obj: Any, corner: Any, scene: Any, texture: Any, mapping: Any
) -> None:
    levels, count = scene.texture_levels[texture], scene.texture_counts[texture]
    row = scene.texture_maps[obj]
    x, y, z = s[p.POINT_X + k], s[p.POINT_Y + k], s[p.POINT_Z + k]
    if mapping == a.MAPPING_CUBE:
        u = _apply(row, 0, x, y, z) + row[3]
        v = _apply(row, 4, x, y, z) + row[7]
        w = _bend(_apply(row, 8, x, y, z) + row[11], row[12], row[13])
        r, g, b, alpha = sample_cube(scene.texels, levels, count, u, v, w, _solid_lod(s, camera, k, row))
    else:
        width, height = np.float32(levels[0, 1]), np.float32(levels[0, 2])
        if mapping == a.MAPPING_PLANE:
            u, v = _apply(row, 0, x, y, z) + row[3], _apply(row, 4, x, y, z) + row[7]
            lod = _plane_lod(s, camera, k, row, width, height)
        else:
            bu, bv = s[p.BARY_U + k], s[p.BARY_V + k]
            bw = _ONE - bu - bv
            c = scene.corners[corner]
            u, v = bw * c[9] + bu * c[11] + bv * c[13], bw * c[10] + bu * c[12] + bv * c[14]
            rx, ry, rz = _footprint(s, camera, k, a.CAMERA_RIGHT, camera[a.CAMERA_RASTER + 1])
            ux, uy, uz = _footprint(s, camera, k, a.CAMERA_UP, camera[a.CAMERA_RASTER + 3])
            reach = max(rx * rx + ry * ry + rz * rz, ux * ux + uy * uy + uz * uz)
            texels_per_m = c[15] * max(width, height)
            lod = _HALF * log2_rough(max(reach * texels_per_m * texels_per_m, np.float32(1e-12)))
        r, g, b, alpha = sample_plane(scene.texels, levels, count, u, v, lod)
    s[p.TEXTURE_R + k] = r
    s[p.TEXTURE_G + k] = g
    s[p.TEXTURE_B + k] = b
    s[p.ALPHA + k] *= alpha


@inlined
def _clear_lane(s: Any, si: Any, k: Any, kind: Any) -> int:
    """Marks a lane without a visible surface; it is lit with the others, so its rows must be finite."""
    si[p.KIND + k] = kind
    s[p.COLOR_R + k] = _ZERO
    s[p.COLOR_G + k] = _ZERO
    s[p.COLOR_B + k] = _ZERO
    s[p.SPECULAR + k] = _ZERO
    s[p.EMISSION + k] = _ZERO
    s[p.SHININESS + k] = _ONE
    return -1


@inlined
def find_surface(s: Any, si: Any, k: Any, scene: Any, camera: Any, textures: Any) -> int:
    """Writes the rows that shading reads for lane `k`; returns the object met, or -1 for none that is seen."""
    if si[p.ACTIVE + k] == 0:
        return _clear_lane(s, si, k, p.KIND_NONE)
    dx, dy, dz = s[p.DIR_X + k], s[p.DIR_Y + k], s[p.DIR_Z + k]
    corner, alpha_scale = a.FLAT, _ONE
    if si[p.GEOMETRY + k] != -1:
        part = si[p.INSTANCE + k]
        rotation = scene.part_rotation[part]
        gx, gy, gz = _rotate(rotation, s[p.NG_X + k], s[p.NG_Y + k], s[p.NG_Z + k])
        away = gx * dx + gy * dy + gz * dz > _ZERO
        if si[p.GEOMETRY + k] == 0:
            triangle = scene.part_first[part, 0] + si[p.PRIMITIVE + k]
            obj, corner = scene.triangles[triangle, 0], scene.triangles[triangle, 1]
            if away:
                if corner != a.PLANE_FACE:
                    return _clear_lane(s, si, k, p.KIND_PASSED)
                alpha_scale = _PLANE_FROM_BELOW
            if corner >= 0:
                cx, cy, cz = _corner_normal(scene.corners[corner], s[p.BARY_U + k], s[p.BARY_V + k])
                gx, gy, gz = _rotate(rotation, cx, cy, cz)
        else:
            obj = scene.quadrics[scene.part_first[part, 1] + si[p.PRIMITIVE + k]]
    elif si[p.PLANE + k] >= 0:
        plane = scene.planes[si[p.PLANE + k]]
        obj, corner = scene.plane_objects[si[p.PLANE + k]], a.PLANE_FACE
        gx, gy, gz = plane[9], plane[10], plane[11]
        if gx * dx + gy * dy + gz * dz > _ZERO:
            alpha_scale = _PLANE_FROM_BELOW
    else:
        return _clear_lane(s, si, k, p.KIND_NONE)
    _set_normal(s, k, gx, gy, gz)
    t = s[p.T_FAR + k]
    s[p.POINT_X + k] = s[p.ORIGIN_X + k] + t * dx
    s[p.POINT_Y + k] = s[p.ORIGIN_Y + k] + t * dy
    s[p.POINT_Z + k] = s[p.ORIGIN_Z + k] + t * dz
    alpha = _set_material(s, scene.materials[obj], k, alpha_scale)
    texture, mapping = scene.object_texture[obj, 0], scene.object_texture[obj, 1]
    if textures and mapping != a.MAPPING_NONE:
        _set_texture(s, camera, k, obj, corner, scene, texture, mapping)
    if alpha < _OPAQUE or alpha_scale < _ONE:
        si[p.KIND + k] = p.KIND_CLEAR
    elif corner <= a.FLAT_MIRROR and s[p.REFLECTANCE + k] > _ZERO:
        si[p.KIND + k] = p.KIND_MIRROR
    else:
        si[p.KIND + k] = p.KIND_SOLID
    return int(obj)
