"""Finds what each lane's ray has met: the point, its normal and its material."""

from __future__ import annotations

from typing import Any

import numpy as np

from pentathlon.worlds.rendering.kernels import arrays as a
from pentathlon.worlds.rendering.kernels import packet as p
from pentathlon.worlds.rendering.kernels.packet import LANES, bits, choose, inlined, put

_ZERO, _ONE = np.float32(0), np.float32(1)
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
def _start(s: Any) -> None:
    """Writes the points, the normals of part 0, whose frame is the world's, and the rows of a lane that met nothing.

    Such a lane is lit with the others, so its rows must be finite.
    """
    for k in range(LANES):
        t = s[p.T_FAR + k]
        s[p.POINT_X + k] = s[p.ORIGIN_X + k] + t * s[p.DIR_X + k]
        s[p.POINT_Y + k] = s[p.ORIGIN_Y + k] + t * s[p.DIR_Y + k]
        s[p.POINT_Z + k] = s[p.ORIGIN_Z + k] + t * s[p.DIR_Z + k]
        met = bits(s, p.GEOMETRY + k) != -1
        s[p.NORMAL_X + k] = choose(met, s[p.NG_X + k], _ZERO)
        s[p.NORMAL_Y + k] = choose(met, s[p.NG_Y + k], _ZERO)
        s[p.NORMAL_Z + k] = choose(met, s[p.NG_Z + k], _ZERO)
        s[p.COLOR_R + k] = _ZERO
        s[p.COLOR_G + k] = _ZERO
        s[p.COLOR_B + k] = _ZERO
        s[p.ALPHA + k] = _ONE
        s[p.EMISSION + k] = _ZERO
        s[p.SPECULAR + k] = _ZERO
        s[p.SHININESS + k] = np.float32(128)
        s[p.TEXTURE_R + k] = _ONE
        s[p.TEXTURE_G + k] = _ONE
        s[p.TEXTURE_B + k] = _ONE
        s[p.TEXELS_WIDE + k] = _ONE
        s[p.TEXELS_HIGH + k] = _ONE
        put(s, p.KIND + k, p.KIND_NONE)
        put(s, p.OBJECT + k, -1)
        put(s, p.CORNER + k, a.FLAT)
        put(s, p.SAMPLED + k, -1)
        put(s, p.MAPPING + k, a.MAPPING_NONE)
        put(s, p.FACE + k, -1)
        put(s, p.LEVEL_LAST + k, 0)


@inlined
def _identify(s: Any, k: Any, scene: Any) -> None:
    """Writes OBJECT, CORNER, ALPHA as a factor and the normal of lane `k`, or its KIND where nothing is seen."""
    dx, dy, dz = s[p.DIR_X + k], s[p.DIR_Y + k], s[p.DIR_Z + k]
    if bits(s, p.GEOMETRY + k) != -1:
        part = bits(s, p.INSTANCE + k)
        gx, gy, gz = s[p.NORMAL_X + k], s[p.NORMAL_Y + k], s[p.NORMAL_Z + k]
        if part > 0:
            gx, gy, gz = _rotate(scene.part_rotation[part], gx, gy, gz)
            _set_normal(s, k, gx, gy, gz)
        if bits(s, p.GEOMETRY + k) != 0:
            put(s, p.OBJECT + k, scene.quadrics[scene.part_first[part, 1] + bits(s, p.PRIMITIVE + k)])
            return
        triangle = scene.triangles[scene.part_first[part, 0] + bits(s, p.PRIMITIVE + k)]
        corner = triangle[1]
        if gx * dx + gy * dy + gz * dz > _ZERO:
            if corner != a.PLANE_FACE:
                put(s, p.KIND + k, p.KIND_PASSED)
                _set_normal(s, k, _ZERO, _ZERO, _ZERO)
                return
            s[p.ALPHA + k] = _PLANE_FROM_BELOW
        if corner >= 0:
            cx, cy, cz = _corner_normal(scene.corners[corner], s[p.BARY_U + k], s[p.BARY_V + k])
            if part > 0:
                cx, cy, cz = _rotate(scene.part_rotation[part], cx, cy, cz)
            _set_normal(s, k, cx, cy, cz)
        put(s, p.OBJECT + k, triangle[0])
        put(s, p.CORNER + k, corner)
    elif bits(s, p.PLANE + k) >= scene.planes.shape[0]:
        put(s, p.OBJECT + k, scene.line_objects[bits(s, p.PLANE + k) - scene.planes.shape[0]])
        put(s, p.CORNER + k, a.LINE)
    elif bits(s, p.PLANE + k) >= 0:
        plane = scene.planes[bits(s, p.PLANE + k)]
        _set_normal(s, k, plane[9], plane[10], plane[11])
        if plane[9] * dx + plane[10] * dy + plane[11] * dz > _ZERO:
            s[p.ALPHA + k] = _PLANE_FROM_BELOW
        put(s, p.OBJECT + k, scene.plane_objects[bits(s, p.PLANE + k)])
        put(s, p.CORNER + k, a.PLANE_FACE)
    elif s[p.WEIGHT + k] == _ONE and scene.sky[0] >= 0:  # MuJoCo's reflections do not show the sky
        put(s, p.KIND + k, p.KIND_SKY)


@inlined
def _put_on_material(s: Any, obj: Any, material: Any) -> None:
    """Writes the material's rows of all lanes that met the object."""
    red, green, blue, alpha = material[0], material[1], material[2], material[3]
    emission, specular, shininess, reflectance = material[4], material[5], material[6], material[7]
    for k in range(LANES):
        mine = bits(s, p.OBJECT + k) == obj
        s[p.COLOR_R + k] = choose(mine, red, s[p.COLOR_R + k])
        s[p.COLOR_G + k] = choose(mine, green, s[p.COLOR_G + k])
        s[p.COLOR_B + k] = choose(mine, blue, s[p.COLOR_B + k])
        s[p.EMISSION + k] = choose(mine, emission, s[p.EMISSION + k])
        s[p.SPECULAR + k] = choose(mine, specular, s[p.SPECULAR + k])
        s[p.SHININESS + k] = choose(mine, shininess, s[p.SHININESS + k])
        factor = s[p.ALPHA + k]
        seen = alpha * factor
        mirrors = bits(s, p.CORNER + k) <= a.FLAT_MIRROR and reflectance > _ZERO
        kind = choose(mirrors, np.int32(p.KIND_MIRROR), np.int32(p.KIND_SOLID))
        kind = choose(seen < _OPAQUE or factor < _ONE, np.int32(p.KIND_CLEAR), kind)
        s[p.REFLECTANCE + k] = choose(mine, reflectance, s[p.REFLECTANCE + k])
        s[p.ALPHA + k] = choose(mine, seen, factor)
        put(s, p.KIND + k, choose(mine, kind, bits(s, p.KIND + k)))
        put(s, p.UNDRESSED + k, choose(mine, np.int32(-1), bits(s, p.UNDRESSED + k)))


@inlined
def _put_on_texture(s: Any, obj: Any, texture: Any, mapping: Any, scene: Any) -> None:
    """Notes the texture in all lanes that met the object."""
    row = scene.texture_maps[obj]
    m0, m1, m2, m3, m4, m5, m6, m7 = row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7]
    last = scene.texture_counts[texture] - np.int32(1)
    wide, high = np.float32(scene.texture_levels[texture, 0, 1]), np.float32(scene.texture_levels[texture, 0, 2])
    for k in range(LANES):
        mine = bits(s, p.OBJECT + k) == obj
        put(s, p.SAMPLED + k, choose(mine, texture, bits(s, p.SAMPLED + k)))
        put(s, p.MAPPING + k, choose(mine, mapping, bits(s, p.MAPPING + k)))
        put(s, p.LEVEL_LAST + k, choose(mine, last, bits(s, p.LEVEL_LAST + k)))
        s[p.TEXELS_WIDE + k] = choose(mine, wide, s[p.TEXELS_WIDE + k])
        s[p.TEXELS_HIGH + k] = choose(mine, high, s[p.TEXELS_HIGH + k])
        s[p.MAP + k] = choose(mine, m0, s[p.MAP + k])
        s[p.MAP + 16 + k] = choose(mine, m1, s[p.MAP + 16 + k])
        s[p.MAP + 32 + k] = choose(mine, m2, s[p.MAP + 32 + k])
        s[p.MAP + 48 + k] = choose(mine, m3, s[p.MAP + 48 + k])
        s[p.MAP + 64 + k] = choose(mine, m4, s[p.MAP + 64 + k])
        s[p.MAP + 80 + k] = choose(mine, m5, s[p.MAP + 80 + k])
        s[p.MAP + 96 + k] = choose(mine, m6, s[p.MAP + 96 + k])
        s[p.MAP + 112 + k] = choose(mine, m7, s[p.MAP + 112 + k])


@inlined
def find_surfaces(s: Any, scene: Any, textures: Any) -> Any:
    """Writes the rows that shading reads, except where textures are looked up; tells whether any lane met an object.

    Lanes are dressed object by object: neighbouring rays meet few, and all lanes of one object are written at once.
    """
    _start(s)
    for k in range(LANES):
        if bits(s, p.ACTIVE + k) != 0:
            _identify(s, k, scene)
    for k in range(LANES):
        put(s, p.UNDRESSED + k, bits(s, p.OBJECT + k))
    met = False
    for k in range(LANES):
        obj = bits(s, p.UNDRESSED + k)
        if obj >= 0:
            met = True
            _put_on_material(s, obj, scene.materials[obj])
            texture, mapping = scene.object_texture[obj, 0], scene.object_texture[obj, 1]
            if textures and mapping != a.MAPPING_NONE:
                _put_on_texture(s, obj, texture, mapping, scene)
    return met
