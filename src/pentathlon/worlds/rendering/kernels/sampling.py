"""Looks colours up in textures: bilinear within a level, linear between levels, as OpenGL does.

Texels are packed RGBA bytes. A texel is spread over a 64-bit word, 16 bits a channel, so that one multiplication
weights all four channels; weights have 8 bits, the precision of graphics hardware.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pentathlon.worlds.rendering.kernels.packet import floor, inlined

_EVEN, _ODD = np.uint64(0x00FF00FF), np.uint64(0xFF00FF00)
_FIELDS = np.uint64(0x00FF00FF00FF00FF)
_U8, _U16, _U24, _U32, _U48 = np.uint64(8), np.uint64(16), np.uint64(24), np.uint64(32), np.uint64(48)
_ZERO, _HALF, _ONE = np.float32(0), np.float32(0.5), np.float32(1)
_TO_UNIT = np.float32(1 / 65280)  # 255 * 256


@inlined
def log2_rough(x: Any) -> Any:
    """Returns log2 to within 0.09, from the float's bits."""
    bits = np.float32(x).view(np.int32)
    return np.float32(bits) * np.float32(1 / (1 << 23)) - np.float32(127)


@inlined
def _spread(texel: Any) -> Any:
    word = np.uint64(texel)
    return (word & _EVEN) | ((word & _ODD) << _U24)


@inlined
def _blend4(texels: Any, a: Any, b: Any, c: Any, d: Any, right: Any, down: Any) -> Any:
    """Returns four texels mixed by position: `right` and `down` are parts of 256."""
    w3 = (right * down) >> 8
    w2, w1 = down - w3, right - w3
    w0 = 256 - right - down + w3
    return (
        _spread(texels[np.uint32(a)]) * np.uint64(w0)
        + _spread(texels[np.uint32(b)]) * np.uint64(w1)
        + _spread(texels[np.uint32(c)]) * np.uint64(w2)
        + _spread(texels[np.uint32(d)]) * np.uint64(w3)
    )


@inlined
def _wrapped(texels: Any, level: Any, u: Any, v: Any) -> Any:
    """Samples one level of a repeating 2-D texture; `u`, `v` in [0, 1]."""
    first, width, height = level[0], level[1], level[2]
    x, y = u * np.float32(width) - _HALF, v * np.float32(height) - _HALF
    left, top = floor(x), floor(y)
    right, down = int((x - np.float32(left)) * np.float32(256)), int((y - np.float32(top)) * np.float32(256))
    x0 = left + width if left < 0 else left
    y0 = top + height if top < 0 else top
    x0, y0 = min(x0, width - 1), min(y0, height - 1)
    x1 = 0 if x0 + 1 >= width else x0 + 1
    y1 = 0 if y0 + 1 >= height else y0 + 1
    row0, row1 = first + y0 * width, first + y1 * width
    return _blend4(texels, row0 + x0, row0 + x1, row1 + x0, row1 + x1, right, down)


@inlined
def _clamped(texels: Any, level: Any, face: Any, u: Any, v: Any) -> Any:
    """Samples one level of one face of a cube texture; `u`, `v` in [0, 1]."""
    width = level[1]
    first = level[0] + face * width * width
    limit = np.float32(width - 1)
    x = min(max(u * np.float32(width) - _HALF, _ZERO), limit)
    y = min(max(v * np.float32(width) - _HALF, _ZERO), limit)
    x0, y0 = int(x), int(y)
    right, down = int((x - np.float32(x0)) * np.float32(256)), int((y - np.float32(y0)) * np.float32(256))
    x1, y1 = min(x0 + 1, width - 1), min(y0 + 1, width - 1)
    row0, row1 = first + y0 * width, first + y1 * width
    return _blend4(texels, row0 + x0, row0 + x1, row1 + x0, row1 + x1, right, down)


@inlined
def _unpack(fields: Any) -> Any:
    r = np.float32(np.int64(fields & np.uint64(0xFFFF))) * _TO_UNIT
    b = np.float32(np.int64((fields >> _U16) & np.uint64(0xFFFF))) * _TO_UNIT
    g = np.float32(np.int64((fields >> _U32) & np.uint64(0xFFFF))) * _TO_UNIT
    a = np.float32(np.int64(fields >> _U48)) * _TO_UNIT
    return r, g, b, a


@inlined
def _between(near: Any, far: Any, part: Any) -> Any:
    """Mixes two levels; `part` of 256 comes from the far one."""
    return ((near >> _U8) & _FIELDS) * np.uint64(256 - part) + ((far >> _U8) & _FIELDS) * np.uint64(part)


@inlined
def sample_plane(texels: Any, levels: Any, count: Any, u: Any, v: Any, lod: Any, blend: Any) -> Any:
    """Returns RGBA in [0, 1] of a repeating 2-D texture at level of detail `lod` (0 is the finest level).

    Between two levels the nearer one is taken, or both are mixed if `blend`.
    """
    u -= np.float32(floor(u))
    v -= np.float32(floor(v))
    if not lod > _ZERO:
        return _unpack(_wrapped(texels, levels[0], u, v))
    if not blend:
        return _unpack(_wrapped(texels, levels[min(int(lod + _HALF), count - 1)], u, v))
    lod = min(lod, np.float32(count - 1))
    base = min(int(lod), count - 1)
    part = int((lod - np.float32(base)) * np.float32(256))
    near = _wrapped(texels, levels[base], u, v)
    if part == 0:
        return _unpack(near)
    return _unpack(_between(near, _wrapped(texels, levels[base + 1], u, v), part))


@inlined
def _cube_face(x: Any, y: Any, z: Any) -> Any:
    """Returns OpenGL's cube face in the order +x -x +y -y +z -z, and the place on it."""
    ax, ay, az = abs(x), abs(y), abs(z)
    if ax >= ay and ax >= az:
        face, major, s, t = (0, ax, -z, -y) if x >= _ZERO else (1, ax, z, -y)
    elif ay >= az:
        face, major, s, t = (2, ay, x, z) if y >= _ZERO else (3, ay, x, -z)
    else:
        face, major, s, t = (4, az, x, -y) if z >= _ZERO else (5, az, -x, -y)
    scale = _HALF / max(major, np.float32(1e-20))
    return face, scale, s * scale + _HALF, t * scale + _HALF


@inlined
def sample_cube(texels: Any, levels: Any, count: Any, x: Any, y: Any, z: Any, spread2: Any, blend: Any) -> Any:
    """Returns RGBA of a cube texture in a direction.

    Takes:
        texels, levels, count: the texture.
        x, y, z: the direction, of any length.
        spread2: squared distance to the next pixel's direction, in the same units.
        blend: whether two levels are mixed.
    """
    face, scale, u, v = _cube_face(x, y, z)
    size = np.float32(levels[0, 1])
    lod = _HALF * log2_rough(max(spread2 * (scale * scale * size * size), np.float32(1e-12)))
    if not lod > _ZERO:
        return _unpack(_clamped(texels, levels[0], face, u, v))
    if not blend:
        return _unpack(_clamped(texels, levels[min(int(lod + _HALF), count - 1)], face, u, v))
    lod = min(lod, np.float32(count - 1))
    base = min(int(lod), count - 1)
    part = int((lod - np.float32(base)) * np.float32(256))
    near = _clamped(texels, levels[base], face, u, v)
    if part == 0:
        return _unpack(near)
    return _unpack(_between(near, _clamped(texels, levels[base + 1], face, u, v), part))
