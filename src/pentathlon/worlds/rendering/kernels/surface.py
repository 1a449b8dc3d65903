"""Finds what each lane's ray has met: the point, its normal and its material."""

from __future__ import annotations

from typing import Any

import numpy as np

from pentathlon.worlds.rendering.kernels import arrays as a
from pentathlon.worlds.rendering.kernels import packet as p
from pentathlon.worlds.rendering.kernels.packet import LANES, bits, choose, inlined, largest, put, smallest

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
        s[p.EMISSION + k] = _ZERO
        s[p.SPECULAR + k] = _ZERO
        s[p.SHININESS + k] = np.float32(128)
        s[p.TEXTURE_R + k] = _ONE
        s[p.TEXTURE_G + k] = _ONE
        s[p.TEXTURE_B + k] = _ONE
        s[p.TEXELS_WIDE + k] = _ONE
        s[p.TEXELS_HIGH + k] = _ONE
        part = choose(met, max(bits(s, p.INSTANCE + k), np.int32(0)), np.int32(-1))
        put(s, p.PART + k, part)
        put(s, p.UNDRESSED + k, part)
        put(s, p.ROW + k, bits(s, p.PRIMITIVE + k))
        put(s, p.OBJECT + k, -1)
        put(s, p.CORNER + k, a.FLAT)
        put(s, p.SAMPLED + k, -1)
        put(s, p.MAPPING + k, a.MAPPING_NONE)
        put(s, p.FACE + k, -1)
        put(s, p.LEVEL_LAST + k, 0)


@inlined
def _turn_parts(s: Any, scene: Any) -> None:
    """Brings normals to the world's frame, and ROW to the scene's arrays, part by part: a packet meets few."""
    if largest(s, p.PART) <= 0:
        return
    for k in range(LANES):
        part = bits(s, p.UNDRESSED + k)
        if part > 0:
            _turn_part(s, part, scene.part_rotation[part], scene.part_first[part])


@inlined
def _turn_part(s: Any, part: Any, rotation: Any, first: Any) -> None:
    first_triangle, first_quadric = first[0], first[1]
    for k in range(LANES):
        mine = bits(s, p.PART + k) == part
        x, y, z = s[p.NORMAL_X + k], s[p.NORMAL_Y + k], s[p.NORMAL_Z + k]
        turned_x, turned_y, turned_z = _rotate(rotation, x, y, z)
        s[p.NORMAL_X + k] = choose(mine, turned_x, x)
        s[p.NORMAL_Y + k] = choose(mine, turned_y, y)
        s[p.NORMAL_Z + k] = choose(mine, turned_z, z)
        row = bits(s, p.PRIMITIVE + k) + choose(bits(s, p.GEOMETRY + k) == 0, first_triangle, first_quadric)
        put(s, p.ROW + k, choose(mine, np.int32(row), bits(s, p.ROW + k)))
        put(s, p.UNDRESSED + k, choose(mine, np.int32(-1), bits(s, p.UNDRESSED + k)))


@inlined
def _name(s: Any, scene: Any) -> None:
    """Writes OBJECT and CORNER of lanes that met a triangle or a quadric."""
    for k in range(LANES):
        row = np.uint32(bits(s, p.ROW + k))
        if bits(s, p.GEOMETRY + k) == 0:
            put(s, p.OBJECT + k, scene.triangles[row, 0])
            put(s, p.CORNER + k, scene.triangles[row, 1])
        elif bits(s, p.GEOMETRY + k) > 0:
            put(s, p.OBJECT + k, scene.quadrics[row])


@inlined
def _pass_backs(s: Any) -> None:
    """Lets lanes that met a triangle's back pass it; a plane's is faintly seen."""
    for k in range(LANES):
        corner = bits(s, p.CORNER + k)
        x, y, z = s[p.NORMAL_X + k], s[p.NORMAL_Y + k], s[p.NORMAL_Z + k]
        facing = x * s[p.DIR_X + k] + y * s[p.DIR_Y + k] + z * s[p.DIR_Z + k]
        behind = bits(s, p.GEOMETRY + k) == 0 and facing > _ZERO
        faint = behind and corner == a.PLANE_FACE
        passed = behind and corner != a.PLANE_FACE
        s[p.ALPHA + k] = choose(faint, _PLANE_FROM_BELOW, _ONE)
        s[p.NORMAL_X + k] = choose(passed, _ZERO, x)
        s[p.NORMAL_Y + k] = choose(passed, _ZERO, y)
        s[p.NORMAL_Z + k] = choose(passed, _ZERO, z)
        put(s, p.KIND + k, choose(passed, np.int32(p.KIND_PASSED), np.int32(p.KIND_NONE)))
        obj = choose(passed, np.int32(-1), bits(s, p.OBJECT + k))
        put(s, p.OBJECT + k, obj)
        put(s, p.UNDRESSED + k, obj)
        put(s, p.CORNER + k, choose(passed, np.int32(a.FLAT), corner))


@inlined
def _smooth(s: Any, k: Any, scene: Any) -> None:
    """Writes the normal of lane `k` from those at its triangle's corners."""
    x, y, z = _corner_normal(scene.corners[bits(s, p.CORNER + k)], s[p.BARY_U + k], s[p.BARY_V + k])
    part = bits(s, p.PART + k)
    if part > 0:
        x, y, z = _rotate(scene.part_rotation[part], x, y, z)
    _set_normal(s, k, x, y, z)


@inlined
def _meet_others(s: Any, k: Any, scene: Any) -> None:
    """Writes what lane `k` met that no tree of boxes holds: a plane without end, a line, or the sky."""
    if bits(s, p.PLANE + k) >= scene.planes.shape[0]:
        put(s, p.OBJECT + k, scene.line_objects[bits(s, p.PLANE + k) - scene.planes.shape[0]])
        put(s, p.UNDRESSED + k, bits(s, p.OBJECT + k))
        put(s, p.CORNER + k, a.LINE)
    elif bits(s, p.PLANE + k) >= 0:
        plane = scene.planes[bits(s, p.PLANE + k)]
        _set_normal(s, k, plane[9], plane[10], plane[11])
        if plane[9] * s[p.DIR_X + k] + plane[10] * s[p.DIR_Y + k] + plane[11] * s[p.DIR_Z + k] > _ZERO:
            s[p.ALPHA + k] = _PLANE_FROM_BELOW
        put(s, p.OBJECT + k, scene.plane_objects[bits(s, p.PLANE + k)])
        put(s, p.UNDRESSED + k, bits(s, p.OBJECT + k))
        put(s, p.CORNER + k, a.PLANE_FACE)
    elif s[p.WEIGHT + k] == _ONE and scene.sky[0] >= 0:  # MuJoCo's reflections do not show the sky
        put(s, p.KIND + k, p.KIND_SKY)


@inlined
def _identify(s: Any, scene: Any) -> None:
    """Writes OBJECT, CORNER, ALPHA as a factor and normals, or KIND where nothing is seen."""
    _turn_parts(s, scene)
    _name(s, scene)
    _pass_backs(s)
    if largest(s, p.CORNER) >= 0:
        for k in range(LANES):
            if bits(s, p.CORNER + k) >= 0:
                _smooth(s, k, scene)
    if smallest(s, p.GEOMETRY) < 0:
        for k in range(LANES):
            if bits(s, p.GEOMETRY + k) < 0 and bits(s, p.ACTIVE + k) != 0:
                _meet_others(s, k, scene)


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
    _identify(s, scene)
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
