"""Lights a packet by MuJoCo's rules: the fixed-function pipeline of OpenGL, evaluated at every pixel.

For each light, attenuation * spot * (ambient + diffuse + specular), with the local viewer; the sum is clamped to one
before the texture modulates it. A light that casts shadows is clamped by itself, as MuJoCo adds it in a pass of its
own, and where it is blocked even its ambient part is missing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pentathlon.worlds.rendering.embree import rtcOccluded16
from pentathlon.worlds.rendering.kernels import arrays as a
from pentathlon.worlds.rendering.kernels import packet as p
from pentathlon.worlds.rendering.kernels.packet import LANES, floor, inlined

_ZERO, _HALF, _ONE = np.float32(0), np.float32(0.5), np.float32(1)
_TINY = np.float32(1e-20)
_ENDLESS = np.float32(1e30)


@inlined
def _log2(x: Any) -> Any:
    """Returns log2 of a positive float to 1e-5: exponent from the bits, polynomial for the rest."""
    bits = np.float32(x).view(np.int32)
    exponent = np.float32((bits >> 23) - 127)
    m = np.int32((bits & 0x007FFFFF) | 0x3F800000).view(np.float32) - _ONE
    c = np.float32(-0.02512320) * m + np.float32(0.11796395)
    c = c * m + np.float32(-0.27521435)
    c = c * m + np.float32(0.45644549)
    c = c * m + np.float32(-0.71688478)
    c = c * m + np.float32(1.44281120)
    return exponent + c * m


@inlined
def _exp2(x: Any) -> Any:
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
    return _exp2(exponent * _log2(max(base, _TINY)))


@inlined
def _aim(s: Any, light: Any) -> None:
    """Writes the unit vector and distance to the light, and LAMP_SHARE: attenuation times spot."""
    x, y, z, point = light[0], light[1], light[2], light[3]
    axis_x, axis_y, axis_z, cutoff = light[4], light[5], light[6], light[7]
    a0, a1, a2 = light[9], light[10], light[11]
    for k in range(LANES):
        lx = x - point * s[p.POINT_X + k]
        ly = y - point * s[p.POINT_Y + k]
        lz = z - point * s[p.POINT_Z + k]
        squared = max(lx * lx + ly * ly + lz * lz, _TINY)
        inverse = _ONE / np.sqrt(squared)
        distance = squared * inverse
        lx, ly, lz = lx * inverse, ly * inverse, lz * inverse
        ahead = -(lx * axis_x + ly * axis_y + lz * axis_z)
        s[p.LIGHT_X + k] = lx
        s[p.LIGHT_Y + k] = ly
        s[p.LIGHT_Z + k] = lz
        s[p.LIGHT_DISTANCE + k] = distance
        fade = _ONE / max(a0 + a1 * distance + a2 * squared, _TINY)
        s[p.LAMP_SHARE + k] = fade if ahead >= cutoff else _ZERO
    exponent = light[8]
    if exponent > _ZERO:
        for k in range(LANES):
            ahead = -(s[p.LIGHT_X + k] * axis_x + s[p.LIGHT_Y + k] * axis_y + s[p.LIGHT_Z + k] * axis_z)
            s[p.LAMP_SHARE + k] *= power(min(ahead, _ONE), exponent)


@inlined
def _shine(s: Any, light: Any, glossy: Any) -> None:
    """Writes LAMP: what this light alone sends to the eye."""
    ambient_r, ambient_g, ambient_b = light[12], light[13], light[14]
    diffuse_r, diffuse_g, diffuse_b = light[15], light[16], light[17]
    for k in range(LANES):
        cosine = (
            s[p.NORMAL_X + k] * s[p.LIGHT_X + k]
            + s[p.NORMAL_Y + k] * s[p.LIGHT_Y + k]
            + s[p.NORMAL_Z + k] * s[p.LIGHT_Z + k]
        )
        cosine = max(cosine, _ZERO)
        share = s[p.LAMP_SHARE + k]
        s[p.LAMP_R + k] = share * s[p.COLOR_R + k] * (ambient_r + cosine * diffuse_r)
        s[p.LAMP_G + k] = share * s[p.COLOR_G + k] * (ambient_g + cosine * diffuse_g)
        s[p.LAMP_B + k] = share * s[p.COLOR_B + k] * (ambient_b + cosine * diffuse_b)
    if glossy:
        _add_gloss(s, light)


@inlined
def _add_gloss(s: Any, light: Any) -> None:
    r, g, b = light[18], light[19], light[20]
    for k in range(LANES):
        lx, ly, lz = s[p.LIGHT_X + k], s[p.LIGHT_Y + k], s[p.LIGHT_Z + k]
        nx, ny, nz = s[p.NORMAL_X + k], s[p.NORMAL_Y + k], s[p.NORMAL_Z + k]
        hx, hy, hz = lx + s[p.VIEW_X + k], ly + s[p.VIEW_Y + k], lz + s[p.VIEW_Z + k]
        inverse = _ONE / np.sqrt(max(hx * hx + hy * hy + hz * hz, _TINY))
        lobe = min(max((nx * hx + ny * hy + nz * hz) * inverse, _ZERO), _ONE)
        gloss = s[p.SPECULAR + k] * s[p.LAMP_SHARE + k] * power(lobe, s[p.SHININESS + k])
        gloss = gloss if nx * lx + ny * ly + nz * lz > _ZERO else _ZERO
        s[p.LAMP_R + k] += gloss * r
        s[p.LAMP_G + k] += gloss * g
        s[p.LAMP_B + k] += gloss * b


@inlined
def _block(s: Any, si: Any, light: Any, scene: Any, arguments: Any, base: Any, jitter: Any) -> None:
    """Darkens LAMP in the lanes that another surface hides from the light."""
    needed = 0
    for k in range(LANES):
        bright = s[p.LAMP_R + k] + s[p.LAMP_G + k] + s[p.LAMP_B + k] > np.float32(1 / 1024)
        wanted = bright and (si[p.KIND + k] == p.KIND_SOLID or si[p.KIND + k] == p.KIND_MIRROR)
        si[p.SHADOW_VALID + k] = -1 if wanted else 0
        needed += 1 if wanted else 0
    if needed == 0:
        return
    point, radius = light[3], light[22] if jitter else _ZERO
    for k in range(LANES):
        lx, ly, lz = s[p.LIGHT_X + k], s[p.LIGHT_Y + k], s[p.LIGHT_Z + k]
        # Two vectors across the ray, good enough for a disc whose exact turn does not matter.
        ax, ay, az = ly - lz, lz - lx, lx - ly
        bx, by, bz = ly * az - lz * ay, lz * ax - lx * az, lx * ay - ly * ax
        wide = radius / np.sqrt(max(ax * ax + ay * ay + az * az, _TINY))
        u, v = jitter_u(s[p.PIXEL_X + k]) * wide, jitter_u(s[p.PIXEL_Y + k]) * wide
        far = s[p.LIGHT_DISTANCE + k] if point > _ZERO else _ONE
        lift = np.float32(1e-4) * (_ONE + np.float32(0.02) * s[p.T_FAR + k])
        s[p.SHADOW + p.ORIGIN_X + k] = s[p.POINT_X + k] + lift * s[p.NORMAL_X + k]
        s[p.SHADOW + p.ORIGIN_Y + k] = s[p.POINT_Y + k] + lift * s[p.NORMAL_Y + k]
        s[p.SHADOW + p.ORIGIN_Z + k] = s[p.POINT_Z + k] + lift * s[p.NORMAL_Z + k]
        s[p.SHADOW + p.DIR_X + k] = lx * far + u * ax + v * bx
        s[p.SHADOW + p.DIR_Y + k] = ly * far + u * ay + v * by
        s[p.SHADOW + p.DIR_Z + k] = lz * far + u * az + v * bz
        s[p.SHADOW + p.T_NEAR + k] = lift
        s[p.SHADOW + p.T_FAR + k] = np.float32(0.999) if point > _ZERO else _ENDLESS
    rtcOccluded16(base + 4 * p.SHADOW_VALID, scene, base + 4 * p.SHADOW, arguments)
    for k in range(LANES):
        if si[p.SHADOW_VALID + k] != 0 and s[p.SHADOW + p.T_FAR + k] < _ZERO:
            s[p.LAMP_R + k] = _ZERO
            s[p.LAMP_G + k] = _ZERO
            s[p.LAMP_B + k] = _ZERO


@inlined
def jitter_u(coordinate: Any) -> Any:
    """Returns a place in [-1, 1] across a lamp from the sample's place in its pixel."""
    return (coordinate - np.float32(floor(coordinate))) * np.float32(2) - _ONE


@inlined
def _start(s: Any, ambient: Any) -> None:
    for k in range(LANES):
        own = s[p.EMISSION + k] + ambient
        s[p.LIT_R + k] = own * s[p.COLOR_R + k]
        s[p.LIT_G + k] = own * s[p.COLOR_G + k]
        s[p.LIT_B + k] = own * s[p.COLOR_B + k]


@inlined
def _add_lamp(s: Any) -> None:
    for k in range(LANES):
        s[p.LIT_R + k] += s[p.LAMP_R + k]
        s[p.LIT_G + k] += s[p.LAMP_G + k]
        s[p.LIT_B + k] += s[p.LAMP_B + k]


@inlined
def _add_clamped_lamp(s: Any) -> None:
    for k in range(LANES):
        s[p.LIT_R + k] += min(s[p.LAMP_R + k], _ONE)
        s[p.LIT_G + k] += min(s[p.LAMP_G + k], _ONE)
        s[p.LIT_B + k] += min(s[p.LAMP_B + k], _ONE)


@inlined
def _clamp(s: Any) -> None:
    for k in range(LANES):
        s[p.LIT_R + k] = min(s[p.LIT_R + k], _ONE)
        s[p.LIT_G + k] = min(s[p.LIT_G + k], _ONE)
        s[p.LIT_B + k] = min(s[p.LIT_B + k], _ONE)


@inlined
def _any_positive(si: Any, row: Any) -> Any:
    """Tells whether a float of the row is above zero, by its bits: maxima of integers vectorise."""
    largest = np.int32(0)
    for k in range(LANES):
        largest = max(largest, si[row + k])
    return largest > 0


@inlined
def light_packet(
    s: Any, si: Any, lights: Any, limits: Any, shadows: Any, jitter: Any, scene: Any, arguments: Any, base: Any
) -> None:
    """Writes LIT, the clamped light that each lane's surface sends to the eye, before its texture.

    Takes:
        s, si: the packet and its int32 view.
        lights, limits: of `SceneArrays`.
        shadows: whether lights that cast shadows are tested for blockers.
        jitter: whether rays towards a lamp go to a place on its disc, chosen by the sample's place in the pixel.
        scene, arguments, base: addresses of the Embree scene, of its query arguments, of the packet.
    """
    _start(s, limits[a.LIMIT_AMBIENT])
    glossy = _any_positive(si, p.SPECULAR)
    for i in range(lights.shape[0]):
        light = lights[i]
        if not (shadows and light[a.LIGHT_SHADOW] > _ZERO):
            _aim(s, light)
            if _any_positive(si, p.LAMP_SHARE):
                _shine(s, light, glossy and light[18] + light[19] + light[20] > _ZERO)
                _add_lamp(s)
    _clamp(s)
    if shadows:
        for i in range(lights.shape[0]):
            light = lights[i]
            if light[a.LIGHT_SHADOW] > _ZERO:
                _aim(s, light)
                if not _any_positive(si, p.LAMP_SHARE):
                    continue
                _shine(s, light, glossy and light[18] + light[19] + light[20] > _ZERO)
                _block(s, si, light, scene, arguments, base, jitter)
                _add_clamped_lamp(s)
        _clamp(s)
