"""Finds what each lane's ray has met: the point, its normal, material and texture colour."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pentathlon.worlds.rendering.kernels import arrays as a
from pentathlon.worlds.rendering.kernels import packet as p
from pentathlon.worlds.rendering.kernels.packet import LANES, inlined
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
    """Writes a normal of any length; all lanes' are brought to length one together, later."""
    s[p.NORMAL_X + k] = x
    s[p.NORMAL_Y + k] = y
    s[p.NORMAL_Z + k] = z


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
    facing = facing if abs(facing) > _TINY else _TINY
    slide = (nx * ex + ny * ey + nz * ez) / facing
    return ex - slide * dx, ey - slide * dy, ez - slide * dz


@inlined
def _apply(row: Any, first: Any, x: Any, y: Any, z: Any) -> Any:
    return row[first] * x + row[first + 1] * y + row[first + 2] * z


@inlined
def _plane_coordinates(s: Any, camera: Any) -> None:
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
        s[p.TEXTURE_LOD + k] = _HALF * log2_rough(max(spread, np.float32(1e-12)))


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
def _tint(s: Any, k: Any, r: Any, g: Any, b: Any, alpha: Any) -> None:
    s[p.TEXTURE_R + k] = r
    s[p.TEXTURE_G + k] = g
    s[p.TEXTURE_B + k] = b
    s[p.ALPHA + k] *= alpha


@inlined
def _set_cube(s: Any, camera: Any, k: Any, obj: Any, scene: Any, texture: Any, blend: Any) -> None:
    row = scene.texture_maps[obj]
    x, y, z = s[p.POINT_X + k], s[p.POINT_Y + k], s[p.POINT_Z + k]
    u = _apply(row, 0, x, y, z) + row[3]
    v = _apply(row, 4, x, y, z) + row[7]
    w = _bend(_apply(row, 8, x, y, z) + row[11], row[12], row[13])
    levels, count = scene.texture_levels[texture], scene.texture_counts[texture]
    r, g, b, alpha = sample_cube(scene.texels, levels, count, u, v, w, _solid_lod(s, camera, k, row), blend)
    _tint(s, k, r, g, b, alpha)


@inlined
def _set_corners(s: Any, camera: Any, k: Any, corner: Any, scene: Any, texture: Any, blend: Any) -> None:
    u, v = s[p.BARY_U + k], s[p.BARY_V + k]
    w = _ONE - u - v
    c = scene.corners[corner]
    rx, ry, rz = _footprint(s, camera, k, a.CAMERA_RIGHT, camera[a.CAMERA_RASTER + 1])
    ux, uy, uz = _footprint(s, camera, k, a.CAMERA_UP, camera[a.CAMERA_RASTER + 3])
    reach = max(rx * rx + ry * ry + rz * rz, ux * ux + uy * uy + uz * uz)
    levels, count = scene.texture_levels[texture], scene.texture_counts[texture]
    texels_per_m = c[15] * np.float32(max(levels[0, 1], levels[0, 2]))
    lod = _HALF * log2_rough(max(reach * texels_per_m * texels_per_m, np.float32(1e-12)))
    s_u, s_v = w * c[9] + u * c[11] + v * c[13], w * c[10] + u * c[12] + v * c[14]
    r, g, b, alpha = sample_plane(scene.texels, levels, count, s_u, s_v, lod, blend)
    _tint(s, k, r, g, b, alpha)


@inlined
def _set_map(s: Any, si: Any, k: Any, obj: Any, scene: Any, texture: Any) -> None:
    """Notes what `_plane_coordinates` needs for the lane."""
    si[p.SAMPLED + k] = texture
    row = scene.texture_maps[obj]
    for i in range(8):
        s[p.MAP + 16 * i + k] = row[i]
    s[p.TEXELS_WIDE + k] = np.float32(scene.texture_levels[texture, 0, 1])
    s[p.TEXELS_HIGH + k] = np.float32(scene.texture_levels[texture, 0, 2])


@inlined
def sample_planes(s: Any, si: Any, scene: Any, camera: Any, blend: Any) -> None:
    """Looks up the 2-D textures that `find_surface` noted in SAMPLED."""
    _plane_coordinates(s, camera)
    for k in range(LANES):
        texture = si[p.SAMPLED + k]
        if texture >= 0:
            r, g, b, alpha = sample_plane(
                scene.texels, scene.texture_levels[texture], scene.texture_counts[texture],
                s[p.TEXTURE_U + k], s[p.TEXTURE_V + k], s[p.TEXTURE_LOD + k], blend,
            )  # fmt: skip
            _tint(s, k, r, g, b, alpha)


@inlined
def _clear_lane(s: Any, si: Any, k: Any, kind: Any) -> Any:
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
def find_surface(s: Any, si: Any, k: Any, scene: Any, camera: Any, textures: Any, blend: Any) -> Any:
    """Writes the rows that shading reads for lane `k`; returns the object met, or -1 for none that is seen."""
    si[p.SAMPLED + k] = -1
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
    if textures and mapping == a.MAPPING_PLANE:
        _set_map(s, si, k, obj, scene, texture)
    elif textures and mapping == a.MAPPING_CUBE:
        _set_cube(s, camera, k, obj, scene, texture, blend)
    elif textures and mapping == a.MAPPING_CORNERS:
        _set_corners(s, camera, k, corner, scene, texture, blend)
    if alpha < _OPAQUE or alpha_scale < _ONE:
        si[p.KIND + k] = p.KIND_CLEAR
    elif corner <= a.FLAT_MIRROR and s[p.REFLECTANCE + k] > _ZERO:
        si[p.KIND + k] = p.KIND_MIRROR
    else:
        si[p.KIND + k] = p.KIND_SOLID
    return obj
