"""Lights a packet by MuJoCo's rules: the fixed-function pipeline of OpenGL, evaluated at every pixel.

For each light, attenuation * spot * (ambient + diffuse + specular), with the local viewer; the sum is clamped to one
before the texture modulates it. With shadows, MuJoCo adds each light that casts them to opaque surfaces in a pass of
its own: such a light is clamped by itself, its sum with the others only when the picture is, and where it is blocked
even its ambient part is missing. Transparent and mirrored surfaces have no shadows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pentathlon.worlds.rendering.kernels import arrays as a
from pentathlon.worlds.rendering.kernels import packet as p
from pentathlon.worlds.rendering.kernels.aiming import aim, exp2, log2, power
from pentathlon.worlds.rendering.kernels.packet import (
    LANES,
    any_positive,
    bits,
    choose,
    floor,
    inlined,
    largest,
    put,
    smallest,
)
from pentathlon.worlds.rendering.kernels.queries import occlude

_ZERO, _HALF, _ONE = np.float32(0), np.float32(0.5), np.float32(1)
_TINY = np.float32(1e-20)
_ENDLESS = np.float32(1e30)
_UNSEEN = np.float32(1 / 4096)  # a highlight too weak to show


@inlined
def _shine(s: Any, light: Any, least_lobe: Any, row: Any) -> None:
    """Adds what this light alone sends to the eye to the three rows from `row` on."""
    ambient_r, ambient_g, ambient_b = light[12], light[13], light[14]
    diffuse_r, diffuse_g, diffuse_b = light[15], light[16], light[17]
    for k in range(LANES):
        share, cosine = s[p.LAMP_SHARE + k], s[p.COSINE + k]
        s[row + k] += share * s[p.COLOR_R + k] * (ambient_r + cosine * diffuse_r)
        s[row + 16 + k] += share * s[p.COLOR_G + k] * (ambient_g + cosine * diffuse_g)
        s[row + 32 + k] += share * s[p.COLOR_B + k] * (ambient_b + cosine * diffuse_b)
    if least_lobe < _ONE and light[18] + light[19] + light[20] > _ZERO:
        _add_gloss(s, light, least_lobe, row)


@inlined
def _add_gloss(s: Any, light: Any, least_lobe: Any, row: Any) -> None:
    for k in range(LANES):
        lx, ly, lz = s[p.LIGHT_X + k], s[p.LIGHT_Y + k], s[p.LIGHT_Z + k]
        hx, hy, hz = lx + s[p.VIEW_X + k], ly + s[p.VIEW_Y + k], lz + s[p.VIEW_Z + k]
        along = s[p.NORMAL_X + k] * hx + s[p.NORMAL_Y + k] * hy + s[p.NORMAL_Z + k] * hz
        squared = along * along / max(hx * hx + hy * hy + hz * hz, _TINY)
        shown = along > _ZERO and s[p.COSINE + k] > _ZERO and squared > least_lobe
        s[p.LOBE + k] = choose(shown, min(squared, _ONE), _ZERO)
    if not any_positive(s, p.LOBE):
        return
    r, g, b = light[18], light[19], light[20]
    for k in range(LANES):
        lobe = power(s[p.LOBE + k], s[p.SHININESS + k] * _HALF)
        gloss = choose(s[p.LOBE + k] > _ZERO, s[p.SPECULAR + k] * s[p.LAMP_SHARE + k] * lobe, _ZERO)
        s[row + k] += gloss * r
        s[row + 16 + k] += gloss * g
        s[row + 32 + k] += gloss * b


@inlined
def _least_lobe(s: Any) -> Any:
    """Returns the squared cosine between normal and highlight below which no lane's highlight shows; 1 for none."""
    specular = np.int32(largest(s, p.SPECULAR)).view(np.float32)
    shininess = np.int32(smallest(s, p.SHININESS)).view(np.float32)
    if specular <= _UNSEEN:
        return _ONE
    return exp2(np.float32(2) / max(shininess, _TINY) * log2(_UNSEEN / specular))


@inlined
def _block(s: Any, light: Any, handles: Any, jitter: Any) -> None:
    """Looks which lanes another surface hides from the light: those of SHADOW_VALID whose shadow ray has no end."""
    point, radius = light[3], light[22] if jitter else _ZERO
    needed = np.int32(0)
    for k in range(LANES):
        bright = s[p.LAMP_R + k] + s[p.LAMP_G + k] + s[p.LAMP_B + k] > np.float32(1 / 255)
        kind = bits(s, p.KIND + k)
        opaque = kind == p.KIND_SOLID or kind == p.KIND_MIRROR
        wanted = choose(bright and opaque and s[p.WEIGHT + k] == _ONE, np.int32(-1), np.int32(0))
        put(s, p.SHADOW_VALID + k, wanted)
        needed |= wanted
        lx, ly, lz = s[p.LIGHT_X + k], s[p.LIGHT_Y + k], s[p.LIGHT_Z + k]
        # Two vectors across the ray, good enough for a disc whose exact turn does not matter.
        ax, ay, az = ly - lz, lz - lx, lx - ly
        bx, by, bz = ly * az - lz * ay, lz * ax - lx * az, lx * ay - ly * ax
        wide = radius / np.sqrt(max(ax * ax + ay * ay + az * az, _TINY))
        u, v = jitter_u(s[p.PIXEL_X + k]) * wide, jitter_u(s[p.PIXEL_Y + k]) * wide
        far = choose(point > _ZERO, s[p.LIGHT_DISTANCE + k], _ONE)
        lift = np.float32(1e-4) * (_ONE + np.float32(0.02) * s[p.T_FAR + k])
        s[p.SHADOW + p.ORIGIN_X + k] = s[p.POINT_X + k] + lift * s[p.NORMAL_X + k]
        s[p.SHADOW + p.ORIGIN_Y + k] = s[p.POINT_Y + k] + lift * s[p.NORMAL_Y + k]
        s[p.SHADOW + p.ORIGIN_Z + k] = s[p.POINT_Z + k] + lift * s[p.NORMAL_Z + k]
        s[p.SHADOW + p.DIR_X + k] = lx * far + u * ax + v * bx
        s[p.SHADOW + p.DIR_Y + k] = ly * far + u * ay + v * by
        s[p.SHADOW + p.DIR_Z + k] = lz * far + u * az + v * bz
        s[p.SHADOW + p.T_NEAR + k] = lift
        s[p.SHADOW + p.T_FAR + k] = np.float32(0.999) if point > _ZERO else _ENDLESS
    if needed != 0:
        occlude(s, handles)


@inlined
def jitter_u(coordinate: Any) -> Any:
    """Returns a place in [-1, 1] across a lamp from the sample's place in its pixel."""
    return (coordinate - np.float32(floor(coordinate))) * np.float32(2) - _ONE


@inlined
def _clear_lamp(s: Any) -> None:
    for k in range(LANES):
        s[p.LAMP_R + k] = _ZERO
        s[p.LAMP_G + k] = _ZERO
        s[p.LAMP_B + k] = _ZERO


@inlined
def _add_lamp(s: Any) -> None:
    """Adds LAMP where it is not blocked, clamped by itself; where surfaces have no shadows, the sum is clamped."""
    for k in range(LANES):
        limit = s[p.LIMIT + k]
        shadowless = limit > _ONE or bits(s, p.KIND + k) == p.KIND_CLEAR
        most = choose(shadowless, limit, _ENDLESS)
        blocked = bits(s, p.SHADOW_VALID + k) != 0 and s[p.SHADOW + p.T_FAR + k] < _ZERO
        own_limit = choose(blocked, _ZERO, limit)
        s[p.LIT_R + k] = min(s[p.LIT_R + k] + min(s[p.LAMP_R + k], own_limit), most)
        s[p.LIT_G + k] = min(s[p.LIT_G + k] + min(s[p.LAMP_G + k], own_limit), most)
        s[p.LIT_B + k] = min(s[p.LIT_B + k] + min(s[p.LAMP_B + k], own_limit), most)


@inlined
def _clamp(s: Any) -> None:
    """Clamps LIT to one; of a mirrored surface, after the mirror has weakened it."""
    for k in range(LANES):
        limit = s[p.LIMIT + k]
        s[p.LIT_R + k] = min(s[p.LIT_R + k], limit)
        s[p.LIT_G + k] = min(s[p.LIT_G + k], limit)
        s[p.LIT_B + k] = min(s[p.LIT_B + k], limit)


@inlined
def light_packet(s: Any, lights: Any, shadows: Any, jitter: Any, handles: Any) -> None:
    """Adds to LIT the light that each lane's surface sends to the eye, before its texture.

    Takes:
        s: the packet.
        lights: of `SceneArrays`.
        shadows: whether lights that cast shadows are tested for blockers.
        jitter: whether rays towards a lamp go to a place on its disc, chosen by the sample's place in the pixel.
        handles: as `trace_image` takes them.
    """
    least_lobe = _least_lobe(s)
    for i in range(lights.shape[0]):
        light = lights[i]
        if not (shadows and light[a.LIGHT_SHADOW] > _ZERO) and aim(s, light):
            _shine(s, light, least_lobe, p.LIT_R)
    _clamp(s)
    if shadows:
        for i in range(lights.shape[0]):
            light = lights[i]
            if light[a.LIGHT_SHADOW] > _ZERO and aim(s, light):
                _clear_lamp(s)
                _shine(s, light, least_lobe, p.LAMP_R)
                _block(s, light, handles, jitter)
                _add_lamp(s)
