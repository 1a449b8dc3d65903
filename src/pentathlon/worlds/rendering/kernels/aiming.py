"""Aims packets at lights: which lanes a light reaches, from where, and how strongly."""

from __future__ import annotations

from typing import Any

import numpy as np

from pentathlon.worlds.rendering.kernels import arrays as a
from pentathlon.worlds.rendering.kernels import packet as p
from pentathlon.worlds.rendering.kernels.packet import LANES, any_positive, choose, floor, inlined

_ZERO, _ONE = np.float32(0), np.float32(1)
_TINY = np.float32(1e-20)
_ENDLESS = np.float32(1e30)
_USUAL_EXPONENT = np.float32(10)  # MuJoCo's default


@inlined
def log2(x: Any) -> Any:
    """Returns log2 of a positive float to 1e-5: exponent from the bits, polynomial for the rest."""
    bits = np.float32(x).view(np.int32)
    exponent = np.float32(np.int32((bits >> 23) - 127))
    m = np.int32((bits & 0x007FFFFF) | 0x3F800000).view(np.float32) - _ONE
    c = np.float32(-0.02512320) * m + np.float32(0.11796395)
    c = c * m + np.float32(-0.27521435)
    c = c * m + np.float32(0.45644549)
    c = c * m + np.float32(-0.71688478)
    c = c * m + np.float32(1.44281120)
    return exponent + c * m


@inlined
def exp2(x: Any) -> Any:
    """Returns 2**x to 1e-5 of its value, 0 below 2**-60."""
    x = max(x, np.float32(-60))
    whole = floor(x)
    f = x - np.float32(whole)
    c = np.float32(0.00189414) * f + np.float32(0.00894721)
    c = c * f + np.float32(0.05586630)
    c = c * f + np.float32(0.24013971)
    c = c * f + np.float32(0.69315245)
    c = c * f + _ONE
    return np.int32((whole + 127) << 23).view(np.float32) * c


@inlined
def power(base: Any, exponent: Any) -> Any:
    """Returns base**exponent for a base in [0, 1], without a call that would stop vectorisation."""
    return exp2(exponent * log2(max(base, _TINY)))


@inlined
def _in_bounds(s: Any, light: Any) -> Any:
    """Writes into LAMP_SHARE 1 for lanes within the light's bounds, 0 for others; tells whether any is within."""
    low_x, low_y, low_z, high_x, high_y, high_z = light[23], light[24], light[25], light[26], light[27], light[28]
    for k in range(LANES):
        x, y, z = s[p.POINT_X + k], s[p.POINT_Y + k], s[p.POINT_Z + k]
        margin = min(min(x - low_x, high_x - x), min(min(y - low_y, high_y - y), min(z - low_z, high_z - z)))
        s[p.LAMP_SHARE + k] = choose(margin >= _ZERO, _ONE, _ZERO)
    return any_positive(s, p.LAMP_SHARE)


@inlined
def _in_cone(s: Any, light: Any, bounded: Any) -> Any:
    """Does what `_in_bounds` does for a spot's cone, with a margin; no root is taken."""
    x, y, z, cutoff = light[0], light[1], light[2], light[7]
    axis_x, axis_y, axis_z = light[4], light[5], light[6]
    least = cutoff * cutoff * np.float32(0.9999)
    for k in range(LANES):
        lx, ly, lz = x - s[p.POINT_X + k], y - s[p.POINT_Y + k], z - s[p.POINT_Z + k]
        ahead = -(lx * axis_x + ly * axis_y + lz * axis_z)
        outside = ahead * abs(ahead) < least * (lx * lx + ly * ly + lz * lz)  # behind it, too
        s[p.LAMP_SHARE + k] = choose(outside, _ZERO, choose(bounded, s[p.LAMP_SHARE + k], _ONE))
    return any_positive(s, p.LAMP_SHARE)


@inlined
def aim(s: Any, light: Any) -> Any:
    """Writes the unit vector and distance to the light, COSINE, and LAMP_SHARE: attenuation times spot.

    Returns:
        Whether any lane is reached.
    """
    bounded = light[a.LIGHT_LOW] > -np.float32(np.inf)
    if bounded and not _in_bounds(s, light):
        return False
    least_cosine = -_ENDLESS if light[12] + light[13] + light[14] > _ZERO else _ZERO
    if light[a.LIGHT_IS_POINT] == _ZERO:
        _aim_along(s, light, least_cosine, bounded)
        return any_positive(s, p.LAMP_SHARE)
    if light[a.LIGHT_CUTOFF_COS] > _ZERO:
        if not _in_cone(s, light, bounded):
            return False
        bounded = True
    usual = light[a.LIGHT_EXPONENT] == _USUAL_EXPONENT
    _aim_at(s, light, least_cosine, usual, bounded)
    if not any_positive(s, p.LAMP_SHARE):
        return False
    if light[a.LIGHT_EXPONENT] > _ZERO and not usual:
        _focus(s, light[4], light[5], light[6], light[a.LIGHT_EXPONENT])
    return True


@inlined
def _aim_along(s: Any, light: Any, least_cosine: Any, bounded: Any) -> None:
    """Does the work of `aim` for a light from far away, which is the same everywhere."""
    x, y, z = light[0], light[1], light[2]
    inverse = _ONE / np.sqrt(max(x * x + y * y + z * z, _TINY))
    x, y, z = x * inverse, y * inverse, z * inverse
    for k in range(LANES):
        cosine = s[p.NORMAL_X + k] * x + s[p.NORMAL_Y + k] * y + s[p.NORMAL_Z + k] * z
        s[p.LIGHT_X + k] = x
        s[p.LIGHT_Y + k] = y
        s[p.LIGHT_Z + k] = z
        s[p.LIGHT_DISTANCE + k] = _ONE
        s[p.COSINE + k] = max(cosine, _ZERO)
        s[p.LAMP_SHARE + k] = choose(cosine <= least_cosine, _ZERO, choose(bounded, s[p.LAMP_SHARE + k], _ONE))


@inlined
def _aim_at(s: Any, light: Any, least_cosine: Any, usual: Any, bounded: Any) -> None:
    """Does the work of `aim` for a light that is somewhere, but for exponents of spots that are not the usual one."""
    x, y, z = light[0], light[1], light[2]
    axis_x, axis_y, axis_z, cutoff = light[4], light[5], light[6], light[7]
    a0, a1, a2 = light[9], light[10], light[11]
    for k in range(LANES):
        lx, ly, lz = x - s[p.POINT_X + k], y - s[p.POINT_Y + k], z - s[p.POINT_Z + k]
        squared = max(lx * lx + ly * ly + lz * lz, _TINY)
        inverse = _ONE / np.sqrt(squared)
        distance = squared * inverse
        lx, ly, lz = lx * inverse, ly * inverse, lz * inverse
        ahead = -(lx * axis_x + ly * axis_y + lz * axis_z)
        cosine = s[p.NORMAL_X + k] * lx + s[p.NORMAL_Y + k] * ly + s[p.NORMAL_Z + k] * lz
        s[p.LIGHT_X + k] = lx
        s[p.LIGHT_Y + k] = ly
        s[p.LIGHT_Z + k] = lz
        s[p.LIGHT_DISTANCE + k] = distance
        s[p.COSINE + k] = max(cosine, _ZERO)
        fade = _ONE / max(a0 + a1 * distance + a2 * squared, _TINY)
        second = ahead * ahead
        fade *= choose(usual, second * second * (second * second) * second, _ONE)
        lit = ahead >= cutoff and cosine > least_cosine and choose(bounded, s[p.LAMP_SHARE + k], _ONE) > _ZERO
        s[p.LAMP_SHARE + k] = choose(lit, fade, _ZERO)


@inlined
def _focus(s: Any, axis_x: Any, axis_y: Any, axis_z: Any, exponent: Any) -> None:
    """Weakens a spot's light away from its axis."""
    for k in range(LANES):
        ahead = -(s[p.LIGHT_X + k] * axis_x + s[p.LIGHT_Y + k] * axis_y + s[p.LIGHT_Z + k] * axis_z)
        s[p.LAMP_SHARE + k] *= power(min(ahead, _ONE), exponent)
