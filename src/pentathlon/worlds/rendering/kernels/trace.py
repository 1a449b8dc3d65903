"""Follows a packet of sixteen rays through the scene until every lane has its colour."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from pentathlon.worlds.rendering.embree import rtcIntersect16
from pentathlon.worlds.rendering.kernels import arrays as a
from pentathlon.worlds.rendering.kernels import packet as p
from pentathlon.worlds.rendering.kernels.lighting import light_packet
from pentathlon.worlds.rendering.kernels.packet import LANES, inlined
from pentathlon.worlds.rendering.kernels.sampling import sample_cube
from pentathlon.worlds.rendering.kernels.surface import find_surface, sample_planes

MAX_LAYERS: Final = 16  # surfaces that one ray may pass or shine through; what lies behind them is not seen
_ZERO, _ONE = np.float32(0), np.float32(1)
_TINY = np.float32(1e-20)


@inlined
def _aim_rays(s: Any, si: Any, camera: Any, limits: Any) -> None:
    """Writes the rays through (PIXEL_X, PIXEL_Y) and clears the sums.

    Along the optical axis a direction is one long, so that the distance `t` is metric depth.
    """
    x0, dx, y0, dy = camera[12], camera[13], camera[14], camera[15]
    orthographic = camera[a.CAMERA_ORTHOGRAPHIC]
    perspective = _ONE - orthographic
    for k in range(LANES):
        u = x0 + s[p.PIXEL_X + k] * dx
        v = y0 + s[p.PIXEL_Y + k] * dy
        across_x, across_y, across_z = (
            u * camera[3] + v * camera[6],
            u * camera[4] + v * camera[7],
            u * camera[5] + v * camera[8],
        )
        s[p.ORIGIN_X + k] = camera[0] + orthographic * across_x
        s[p.ORIGIN_Y + k] = camera[1] + orthographic * across_y
        s[p.ORIGIN_Z + k] = camera[2] + orthographic * across_z
        s[p.DIR_X + k] = perspective * across_x - camera[9]
        s[p.DIR_Y + k] = perspective * across_y - camera[10]
        s[p.DIR_Z + k] = perspective * across_z - camera[11]
        s[p.T_NEAR + k] = limits[a.LIMIT_NEAR]
    for k in range(LANES):
        s[p.FRONT_R + k] = _ZERO
        s[p.FRONT_G + k] = _ZERO
        s[p.FRONT_B + k] = _ZERO
        s[p.BEHIND_R + k] = _ZERO
        s[p.BEHIND_G + k] = _ZERO
        s[p.BEHIND_B + k] = _ZERO
        s[p.SOLID_R + k] = _ZERO
        s[p.SOLID_G + k] = _ZERO
        s[p.SOLID_B + k] = _ZERO
        s[p.CLEAR + k] = _ONE
        s[p.WEIGHT + k] = _ONE
        s[p.DEPTH + k] = _ZERO
        s[p.SHADE + k] = _ZERO
    for k in range(LANES):
        si[p.FIRST_OBJECT + k] = -1


@inlined
def _set_far(s: Any, si: Any, limits: Any) -> None:
    """Ends the rays at the far plane or at the sky, which hides what lies beyond it."""
    far, sky = limits[a.LIMIT_FAR], limits[a.LIMIT_SKY]
    if sky > _ZERO:  # a cylinder as high as it is wide
        for k in range(LANES):
            x, y, z = s[p.DIR_X + k], s[p.DIR_Y + k], s[p.DIR_Z + k]
            s[p.T_FAR + k] = min(far, sky * (_ONE / np.sqrt(max(max(x * x + y * y, z * z), _TINY))))
    else:
        for k in range(LANES):
            s[p.T_FAR + k] = far
    for k in range(LANES):
        si[p.PLANE + k] = -1
        si[p.GEOMETRY + k] = -1
        si[p.INSTANCE + k] = -1


@inlined
def _meet_planes(s: Any, si: Any, planes: Any) -> None:
    """Ends the rays at planes without end, which no tree of boxes can hold."""
    for i in range(planes.shape[0]):
        plane = planes[i]
        for k in range(LANES):
            ox, oy, oz = s[p.ORIGIN_X + k] - plane[0], s[p.ORIGIN_Y + k] - plane[1], s[p.ORIGIN_Z + k] - plane[2]
            dx, dy, dz = s[p.DIR_X + k], s[p.DIR_Y + k], s[p.DIR_Z + k]
            height = ox * plane[9] + oy * plane[10] + oz * plane[11]
            sink = dx * plane[9] + dy * plane[10] + dz * plane[11]
            t = -height / sink
            x = (ox + t * dx) * plane[3] + (oy + t * dy) * plane[4] + (oz + t * dz) * plane[5]
            y = (ox + t * dx) * plane[6] + (oy + t * dy) * plane[7] + (oz + t * dz) * plane[8]
            inside = abs(x) <= plane[12] and abs(y) <= plane[13]
            far = s[p.T_FAR + k]
            met = inside and t > s[p.T_NEAR + k] and t < far
            s[p.T_FAR + k] = t if met else far
            si[p.PLANE + k] = np.int32(i) if met else si[p.PLANE + k]


@inlined
def _sky(s: Any, k: Any, scene: Any, camera: Any, blend: Any) -> Any:
    texture = scene.sky[0]
    if texture < 0:
        return _ZERO, _ZERO, _ZERO
    x, y, z = s[p.DIR_X + k], s[p.DIR_Y + k], s[p.DIR_Z + k]
    step = camera[13] if camera[a.CAMERA_ORTHOGRAPHIC] == _ZERO else _ZERO
    levels, count = scene.texture_levels[texture], scene.texture_counts[texture]
    r, g, b, _ = sample_cube(scene.texels, levels, count, x, z, -y, step * step, blend)
    return r, g, b


@inlined
def _add_layer(s: Any, k: Any, r: Any, g: Any, b: Any) -> None:
    """Adds a transparent layer behind those met so far.

    MuJoCo draws transparent geoms twice, from front to back and then from back to front; FRONT and BEHIND hold the
    two drawings apart.
    """
    alpha = min(s[p.ALPHA + k], _ONE)
    seen, rest = s[p.CLEAR + k] * alpha, _ONE - alpha
    s[p.FRONT_R + k] += seen * r
    s[p.FRONT_G + k] += seen * g
    s[p.FRONT_B + k] += seen * b
    s[p.BEHIND_R + k] = s[p.BEHIND_R + k] * rest + alpha * r
    s[p.BEHIND_G + k] = s[p.BEHIND_G + k] * rest + alpha * g
    s[p.BEHIND_B + k] = s[p.BEHIND_B + k] * rest + alpha * b
    s[p.CLEAR + k] *= rest


@inlined
def _go_on(s: Any, si: Any, k: Any) -> None:
    """Lets the lane's ray continue behind the surface it has met."""
    s[p.T_NEAR + k] = s[p.T_FAR + k] * np.float32(1.00001) + np.float32(1e-6)
    si[p.ACTIVE + k] = -1


@inlined
def _reflect(s: Any, si: Any, k: Any) -> None:
    dx, dy, dz = s[p.DIR_X + k], s[p.DIR_Y + k], s[p.DIR_Z + k]
    nx, ny, nz = s[p.NORMAL_X + k], s[p.NORMAL_Y + k], s[p.NORMAL_Z + k]
    twice = np.float32(2) * (dx * nx + dy * ny + dz * nz)
    s[p.ORIGIN_X + k] = s[p.POINT_X + k]
    s[p.ORIGIN_Y + k] = s[p.POINT_Y + k]
    s[p.ORIGIN_Z + k] = s[p.POINT_Z + k]
    s[p.DIR_X + k] = dx - twice * nx
    s[p.DIR_Y + k] = dy - twice * ny
    s[p.DIR_Z + k] = dz - twice * nz
    s[p.T_NEAR + k] = np.float32(1e-4)
    s[p.WEIGHT + k] = min(s[p.REFLECTANCE + k], np.float32(0.9999))  # a weight of one marks the direct ray
    si[p.ACTIVE + k] = -1


@inlined
def _settle(s: Any, si: Any, k: Any, scene: Any, camera: Any, reflections: Any, blend: Any) -> None:
    """Adds what lane `k` has met to its sums and ends its ray or sends it on."""
    kind = si[p.KIND + k]
    si[p.ACTIVE + k] = 0
    weight = s[p.WEIGHT + k]
    direct = weight == _ONE
    if kind == p.KIND_NONE:
        if direct:  # MuJoCo's reflections do not show the sky
            r, g, b = _sky(s, k, scene, camera, blend)
            s[p.SOLID_R + k] = r
            s[p.SOLID_G + k] = g
            s[p.SOLID_B + k] = b
        return
    if kind == p.KIND_PASSED:
        _go_on(s, si, k)
        return
    r = s[p.LIT_R + k] * s[p.TEXTURE_R + k]
    g = s[p.LIT_G + k] * s[p.TEXTURE_G + k]
    b = s[p.LIT_B + k] * s[p.TEXTURE_B + k]
    shade = (s[p.LIT_R + k] + s[p.LIT_G + k] + s[p.LIT_B + k]) * np.float32(1 / 3)
    s[p.SHADE + k] += shade * weight * (s[p.ALPHA + k] if kind == p.KIND_CLEAR else _ONE)
    if kind == p.KIND_CLEAR:
        if direct:
            _add_layer(s, k, r, g, b)
        _go_on(s, si, k)
        return
    s[p.SOLID_R + k] += weight * r
    s[p.SOLID_G + k] += weight * g
    s[p.SOLID_B + k] += weight * b
    if direct and kind == p.KIND_MIRROR and reflections:
        _reflect(s, si, k)


@inlined
def _normalise(s: Any, camera: Any) -> None:
    """Gives the normals length one, and writes the unit vectors from the points to the eye."""
    for k in range(LANES):
        x, y, z = s[p.NORMAL_X + k], s[p.NORMAL_Y + k], s[p.NORMAL_Z + k]
        inverse = _ONE / np.sqrt(max(x * x + y * y + z * z, _TINY))
        s[p.NORMAL_X + k] = x * inverse
        s[p.NORMAL_Y + k] = y * inverse
        s[p.NORMAL_Z + k] = z * inverse
        x, y, z = camera[0] - s[p.POINT_X + k], camera[1] - s[p.POINT_Y + k], camera[2] - s[p.POINT_Z + k]
        inverse = _ONE / np.sqrt(max(x * x + y * y + z * z, _TINY))
        s[p.VIEW_X + k] = x * inverse
        s[p.VIEW_Y + k] = y * inverse
        s[p.VIEW_Z + k] = z * inverse


@inlined
def _mix(s: Any) -> None:
    """Writes LIT, the lanes' final colours in [0, 1]: both drawings of the layers over what lies behind."""
    for k in range(LANES):
        clear = s[p.CLEAR + k]
        r = s[p.FRONT_R + k] + clear * (s[p.BEHIND_R + k] + clear * min(s[p.SOLID_R + k], _ONE))
        g = s[p.FRONT_G + k] + clear * (s[p.BEHIND_G + k] + clear * min(s[p.SOLID_G + k], _ONE))
        b = s[p.FRONT_B + k] + clear * (s[p.BEHIND_B + k] + clear * min(s[p.SOLID_B + k], _ONE))
        s[p.LIT_R + k] = min(max(r, _ZERO), _ONE)
        s[p.LIT_G + k] = min(max(g, _ZERO), _ONE)
        s[p.LIT_B + k] = min(max(b, _ZERO), _ONE)


@inlined
def trace_packet(s: Any, si: Any, scene: Any, camera: Any, options: Any, handles: Any, jitter: Any) -> None:
    """Colours the lanes whose ACTIVE row is set, for samples at (PIXEL_X, PIXEL_Y).

    Leaves RGB in the LIT rows, FIRST_OBJECT, the nearest one, and its DEPTH.
    """
    top, arguments, base = handles
    shadows, reflections, textures, blend = options
    _aim_rays(s, si, camera, scene.limits)
    for _ in range(MAX_LAYERS):
        _set_far(s, si, scene.limits)
        _meet_planes(s, si, scene.planes)
        rtcIntersect16(base + 4 * p.ACTIVE, top, base, arguments)
        met, sampled = 0, -1
        for k in range(LANES):
            obj = find_surface(s, si, k, scene, camera, textures, blend)
            if obj >= 0:
                met += 1
                if si[p.FIRST_OBJECT + k] < 0:
                    si[p.FIRST_OBJECT + k] = obj
                    s[p.DEPTH + k] = s[p.T_FAR + k]
            sampled = max(sampled, si[p.SAMPLED + k])
        if met > 0:
            _normalise(s, camera)
            if sampled >= 0:
                sample_planes(s, si, scene, camera, blend)
            light_packet(s, si, scene.lights, scene.limits, shadows, jitter, top, arguments, base)
        active = 0
        for k in range(LANES):
            if si[p.ACTIVE + k] != 0:
                _settle(s, si, k, scene, camera, reflections, blend)
                active |= si[p.ACTIVE + k]
        if active == 0:
            break
    _mix(s)
