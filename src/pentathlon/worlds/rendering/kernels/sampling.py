"""Looks colours up in textures: bilinear within a level, linear between levels, as OpenGL does.

All sixteen lanes go together, each with a texture, a place on it and a level of detail of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pentathlon.worlds.rendering.kernels import packet as p
from pentathlon.worlds.rendering.kernels.packet import LANES, any_positive, bits, choose, floor, inlined, put

_ZERO, _HALF, _ONE = np.float32(0), np.float32(0.5), np.float32(1)
_TO_UNIT = np.float32(1 / 255)
_MARGIN, _STRETCH = np.float32(1 / 8), np.float32(4 / 3)


@inlined
def log2_rough(x: Any) -> Any:
    """Returns log2 to within 0.09, from the float's bits."""
    bits = np.float32(x).view(np.int32)
    return np.float32(bits) * np.float32(1 / (1 << 23)) - np.float32(127)


@inlined
def _choose_levels(s: Any) -> None:
    """Writes the finer of the two levels that each lane mixes. TEXTURE_LOD becomes the share of the coarser one.

    Near a level the other one hardly counts and is left out, in an eighth of the way on both sides; the share goes from
    zero to one between.
    """
    for k in range(LANES):
        wanted, last = s[p.TEXTURE_LOD + k], bits(s, p.LEVEL_LAST + k)
        lod = min(choose(wanted > _ZERO, wanted, _ZERO), np.float32(last))
        level = np.int32(lod + _MARGIN)
        part = max((lod - np.float32(level) - _MARGIN) * _STRETCH, _ZERO)
        sampled = bits(s, p.SAMPLED + k) >= 0
        s[p.TEXTURE_LOD + k] = choose(sampled, part, _ZERO)
        s[p.LEVEL_SHARE + k] = choose(sampled, _ONE - part, _ZERO)
        put(s, p.LEVEL + k, level)
        start = choose(sampled, _ZERO, _ONE)
        s[p.TEXTURE_R + k] = start
        s[p.TEXTURE_G + k] = start
        s[p.TEXTURE_B + k] = start
        s[p.TEXTURE_A + k] = start


@inlined
def _choose_coarser_levels(s: Any) -> None:
    for k in range(LANES):
        put(s, p.LEVEL + k, min(np.int32(bits(s, p.LEVEL + k) + 1), bits(s, p.LEVEL_LAST + k)))
        s[p.LEVEL_SHARE + k] = s[p.TEXTURE_LOD + k]


@inlined
def _find_levels(s: Any, texture_levels: Any) -> None:
    """Writes the first texel of each lane's level."""
    for k in range(LANES):
        texture = max(bits(s, p.SAMPLED + k), np.int32(0))
        put(s, p.LEVEL_FIRST + k, texture_levels[np.uint32(texture), np.uint32(bits(s, p.LEVEL + k)), 0])


@inlined
def _along(coordinate: Any, length: Any, wraps: Any) -> Any:
    """Returns the two nearest texels along one side, and the second one's share. A 2-D texture repeats, a cube ends."""
    last = np.int32(length - 1)
    inside = choose(wraps, coordinate - np.float32(floor(coordinate)), coordinate)
    place = inside * np.float32(length) - _HALF
    place = choose(wraps, place, min(max(place, _ZERO), np.float32(last)))
    low = floor(place)
    share = place - np.float32(low)
    first = choose(low < 0, last, min(low, last))
    after = np.int32(first + 1)
    beyond = choose(wraps, np.int32(0), last)
    return first, choose(after < length, after, beyond), share


@inlined
def _read_texels(s: Any, texels: Any) -> None:
    """Writes the four nearest texels of each lane's level, whose sides are halved from level to level."""
    for k in range(LANES):
        wraps = bits(s, p.FACE + k) < 0
        level, face = bits(s, p.LEVEL + k), bits(s, p.FACE + k)
        wide = max(np.int32(np.int32(s[p.TEXELS_WIDE + k]) >> level), np.int32(1))
        high = max(np.int32(np.int32(s[p.TEXELS_HIGH + k]) >> level), np.int32(1))
        first = bits(s, p.LEVEL_FIRST + k) + wide * wide * max(face, np.int32(0))
        x0, x1, right = _along(s[p.TEXTURE_U + k], wide, wraps)
        y0, y1, down = _along(s[p.TEXTURE_V + k], high, wraps)
        row0, row1 = first + y0 * wide, first + y1 * wide
        put(s, p.TEXEL + k, row0 + x0)
        put(s, p.TEXEL + 16 + k, row0 + x1)
        put(s, p.TEXEL + 32 + k, row1 + x0)
        put(s, p.TEXEL + 48 + k, row1 + x1)
        s[p.RIGHT + k] = right
        s[p.DOWN + k] = down
    for i in range(4 * LANES):
        put(s, p.TEXEL + i, texels[np.uint32(bits(s, p.TEXEL + i))])


@inlined
def _channel(texel: Any, shift: Any) -> Any:
    return np.float32((texel >> np.int32(shift)) & np.int32(255))


@inlined
def _mix(w0: Any, w1: Any, w2: Any, w3: Any, a: Any, b: Any, c: Any, d: Any, shift: Any) -> Any:
    return w0 * _channel(a, shift) + w1 * _channel(b, shift) + w2 * _channel(c, shift) + w3 * _channel(d, shift)


@inlined
def _add_texels(s: Any) -> None:
    """Adds the four texels, mixed by the place between them, to TEXTURE by LEVEL_SHARE."""
    for k in range(LANES):
        a, b = bits(s, p.TEXEL + k), bits(s, p.TEXEL + 16 + k)
        c, d = bits(s, p.TEXEL + 32 + k), bits(s, p.TEXEL + 48 + k)
        share = s[p.LEVEL_SHARE + k] * _TO_UNIT
        right, down = s[p.RIGHT + k], s[p.DOWN + k] * share
        w3 = right * down
        w1, w2 = right * share - w3, down - w3
        w0 = share - w1 - down
        s[p.TEXTURE_R + k] += _mix(w0, w1, w2, w3, a, b, c, d, 0)
        s[p.TEXTURE_G + k] += _mix(w0, w1, w2, w3, a, b, c, d, 8)
        s[p.TEXTURE_B + k] += _mix(w0, w1, w2, w3, a, b, c, d, 16)
        s[p.TEXTURE_A + k] += _mix(w0, w1, w2, w3, a, b, c, d, 24)


@inlined
def _add_level(s: Any, scene: Any) -> None:
    _find_levels(s, scene.texture_levels)
    _read_texels(s, scene.texels)
    _add_texels(s)


@inlined
def sample_textures(s: Any, scene: Any) -> None:
    """Writes TEXTURE for the lanes with a texture in SAMPLED, and lets its alpha weaken ALPHA.

    Reads TEXTURE_U, TEXTURE_V, TEXTURE_LOD (0 is the finest level), FACE, and the texture's size. Lanes without a
    texture must claim a size of one texel.
    """
    _choose_levels(s)
    _add_level(s, scene)
    if any_positive(s, p.TEXTURE_LOD):
        _choose_coarser_levels(s)
        _add_level(s, scene)
    for k in range(LANES):
        s[p.ALPHA + k] *= s[p.TEXTURE_A + k]
