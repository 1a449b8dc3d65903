"""Follows a packet of sixteen rays through the scene until every lane has its colour."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from pentathlon.worlds.rendering.kernels import arrays as a
from pentathlon.worlds.rendering.kernels import packet as p
from pentathlon.worlds.rendering.kernels.lighting import light_packet
from pentathlon.worlds.rendering.kernels.lines import light_lines, meet_lines
from pentathlon.worlds.rendering.kernels.mapping import map_textures
from pentathlon.worlds.rendering.kernels.packet import LANES, bits, choose, inlined, put
from pentathlon.worlds.rendering.kernels.queries import intersect
from pentathlon.worlds.rendering.kernels.sampling import sample_textures
from pentathlon.worlds.rendering.kernels.surface import find_surfaces

MAX_LAYERS: Final = 16  # surfaces that one ray may pass or shine through; what lies behind them is not seen
_ZERO, _ONE = np.float32(0), np.float32(1)
_TINY = np.float32(1e-20)


@inlined
def _aim_rays(s: Any, camera: Any, limits: Any, window: Any) -> None:
    """Writes PIXEL, the rays through it, ACTIVE where it lies in the picture, and clears the sums.

    Along the optical axis a direction is one long, so that the distance `t` is metric depth.
    """
    x0, dx, y0, dy = camera[12], camera[13], camera[14], camera[15]
    orthographic = camera[a.CAMERA_ORTHOGRAPHIC]
    perspective = _ONE - orthographic
    left, top, width, height = window
    for k in range(LANES):
        x, y = left + s[p.SPOT_X + k], top + s[p.SPOT_Y + k]
        s[p.PIXEL_X + k] = x
        s[p.PIXEL_Y + k] = y
        put(s, p.ACTIVE + k, choose(x < width and y < height, np.int32(-1), np.int32(0)))
        u = x0 + x * dx
        v = y0 + y * dy
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
        s[p.LIMIT + k] = _ONE
        s[p.DEPTH + k] = _ZERO
        s[p.SHADE + k] = _ZERO
        put(s, p.FIRST_OBJECT + k, -1)


@inlined
def _set_far(s: Any, limits: Any) -> None:
    """Ends the rays at the far plane or at the sky, which hides what lies beyond it."""
    far, sky = limits[a.LIMIT_FAR], limits[a.LIMIT_SKY]
    sky = sky if sky > _ZERO else np.float32(np.inf)
    for k in range(LANES):
        x, y, z = s[p.DIR_X + k], s[p.DIR_Y + k], s[p.DIR_Z + k]
        reach = sky * (_ONE / np.sqrt(max(max(x * x + y * y, z * z), _TINY)))  # a cylinder as high as it is wide
        s[p.T_FAR + k] = min(far, reach)
        put(s, p.PLANE + k, -1)
        put(s, p.GEOMETRY + k, -1)
        put(s, p.INSTANCE + k, -1)


@inlined
def _meet_planes(s: Any, planes: Any) -> None:
    """Ends the rays at planes without end, which no tree of boxes can hold."""
    for i in range(planes.shape[0]):
        plane = planes[i]
        px, py, pz = plane[0], plane[1], plane[2]
        ax, ay, az, bx, by, bz = plane[3], plane[4], plane[5], plane[6], plane[7], plane[8]
        nx, ny, nz, half_x, half_y = plane[9], plane[10], plane[11], plane[12], plane[13]
        for k in range(LANES):
            ox, oy, oz = s[p.ORIGIN_X + k] - px, s[p.ORIGIN_Y + k] - py, s[p.ORIGIN_Z + k] - pz
            dx, dy, dz = s[p.DIR_X + k], s[p.DIR_Y + k], s[p.DIR_Z + k]
            t = -(ox * nx + oy * ny + oz * nz) / (dx * nx + dy * ny + dz * nz)
            x = (ox + t * dx) * ax + (oy + t * dy) * ay + (oz + t * dz) * az
            y = (ox + t * dx) * bx + (oy + t * dy) * by + (oz + t * dz) * bz
            inside = abs(x) <= half_x and abs(y) <= half_y
            far = s[p.T_FAR + k]
            met = inside and t > s[p.T_NEAR + k] and t < far
            s[p.T_FAR + k] = choose(met, t, far)
            put(s, p.PLANE + k, choose(met, np.int32(i), bits(s, p.PLANE + k)))


@inlined
def _settle_solids(s: Any) -> Any:
    """Adds what the lanes have met to their sums and ends all rays; returns the kinds that ask for more, as bits."""
    kinds = np.int32(0)
    for k in range(LANES):
        kind, weight = bits(s, p.KIND + k), s[p.WEIGHT + k]
        active = bits(s, p.ACTIVE + k) != 0
        lit = kind == p.KIND_SOLID or kind == p.KIND_MIRROR
        share = choose(active and (lit or kind == p.KIND_SKY), weight, _ZERO)
        r, g, b = s[p.LIT_R + k], s[p.LIT_G + k], s[p.LIT_B + k]
        s[p.SHADE + k] += choose(lit, share * (r + g + b) * np.float32(1 / 3), _ZERO)
        s[p.SOLID_R + k] += share * s[p.TEXTURE_R + k] * choose(lit, r, _ONE)
        s[p.SOLID_G + k] += share * s[p.TEXTURE_G + k] * choose(lit, g, _ONE)
        s[p.SOLID_B + k] += share * s[p.TEXTURE_B + k] * choose(lit, b, _ONE)
        kind = choose(active, kind, np.int32(p.KIND_NONE))
        kinds |= np.int32(np.int32(1) << kind)
        put(s, p.KIND + k, kind)
        put(s, p.ACTIVE + k, 0)
    return kinds


@inlined
def _add_layers(s: Any) -> None:
    """Adds transparent layers behind those met so far, and lets rays go on behind them and behind unseen surfaces.

    MuJoCo draws transparent geoms twice, from front to back and then from back to front; FRONT and BEHIND hold the
    two drawings apart. Its reflections show none.
    """
    for k in range(LANES):
        clear, weight = bits(s, p.KIND + k) == p.KIND_CLEAR, s[p.WEIGHT + k]
        alpha = choose(clear and weight == _ONE, min(s[p.ALPHA + k], _ONE), _ZERO)
        seen, rest = s[p.CLEAR + k] * alpha, _ONE - alpha
        lit_r, lit_g, lit_b = s[p.LIT_R + k], s[p.LIT_G + k], s[p.LIT_B + k]
        r, g, b = lit_r * s[p.TEXTURE_R + k], lit_g * s[p.TEXTURE_G + k], lit_b * s[p.TEXTURE_B + k]
        shown = choose(clear, weight * s[p.ALPHA + k], _ZERO)
        s[p.SHADE + k] += shown * (lit_r + lit_g + lit_b) * np.float32(1 / 3)
        s[p.FRONT_R + k] += seen * r
        s[p.FRONT_G + k] += seen * g
        s[p.FRONT_B + k] += seen * b
        s[p.BEHIND_R + k] = s[p.BEHIND_R + k] * rest + alpha * r
        s[p.BEHIND_G + k] = s[p.BEHIND_G + k] * rest + alpha * g
        s[p.BEHIND_B + k] = s[p.BEHIND_B + k] * rest + alpha * b
        s[p.CLEAR + k] *= rest
        on = clear or bits(s, p.KIND + k) == p.KIND_PASSED
        behind = s[p.T_FAR + k] * np.float32(1.00001) + np.float32(1e-6)
        s[p.T_NEAR + k] = choose(on, behind, s[p.T_NEAR + k])
        put(s, p.ACTIVE + k, choose(on, np.int32(-1), bits(s, p.ACTIVE + k)))


@inlined
def _reflect(s: Any) -> None:
    """Sends the direct rays that met a mirror on from there."""
    for k in range(LANES):
        mirrored = bits(s, p.KIND + k) == p.KIND_MIRROR and s[p.WEIGHT + k] == _ONE
        dx, dy, dz = s[p.DIR_X + k], s[p.DIR_Y + k], s[p.DIR_Z + k]
        nx, ny, nz = s[p.NORMAL_X + k], s[p.NORMAL_Y + k], s[p.NORMAL_Z + k]
        twice = choose(mirrored, np.float32(2) * (dx * nx + dy * ny + dz * nz), _ZERO)
        s[p.DIR_X + k] = dx - twice * nx
        s[p.DIR_Y + k] = dy - twice * ny
        s[p.DIR_Z + k] = dz - twice * nz
        s[p.ORIGIN_X + k] = choose(mirrored, s[p.POINT_X + k], s[p.ORIGIN_X + k])
        s[p.ORIGIN_Y + k] = choose(mirrored, s[p.POINT_Y + k], s[p.ORIGIN_Y + k])
        s[p.ORIGIN_Z + k] = choose(mirrored, s[p.POINT_Z + k], s[p.ORIGIN_Z + k])
        s[p.T_NEAR + k] = choose(mirrored, np.float32(1e-4), s[p.T_NEAR + k])
        share = min(s[p.REFLECTANCE + k], np.float32(0.9999))  # a weight of one marks the direct ray
        s[p.WEIGHT + k] = choose(mirrored, share, s[p.WEIGHT + k])
        s[p.LIMIT + k] = choose(mirrored, _ONE / share, s[p.LIMIT + k])
        put(s, p.ACTIVE + k, choose(mirrored, np.int32(-1), bits(s, p.ACTIVE + k)))


@inlined
def _settle(s: Any, reflections: Any) -> Any:
    """Adds what the lanes have met to their sums; tells whether any ray goes on."""
    kinds = _settle_solids(s)
    layered = kinds & ((1 << p.KIND_CLEAR) | (1 << p.KIND_PASSED)) != 0
    mirrored = reflections and kinds & (1 << p.KIND_MIRROR) != 0
    if layered:
        _add_layers(s)
    if mirrored:
        _reflect(s)
    active = np.int32(0)
    if layered or mirrored:
        for k in range(LANES):
            active |= bits(s, p.ACTIVE + k)
    return active != 0


@inlined
def _finish_surfaces(s: Any, camera: Any, ambient: Any) -> None:
    """Gives the normals length one, writes the unit vectors from the points to the eye, and notes first objects.

    LIT becomes the light that surfaces give themselves, and that comes from nowhere.
    """
    eye_x, eye_y, eye_z = camera[0], camera[1], camera[2]
    for k in range(LANES):
        own = s[p.EMISSION + k] + ambient
        s[p.LIT_R + k] = own * s[p.COLOR_R + k]
        s[p.LIT_G + k] = own * s[p.COLOR_G + k]
        s[p.LIT_B + k] = own * s[p.COLOR_B + k]
        before, now = bits(s, p.FIRST_OBJECT + k), bits(s, p.OBJECT + k)
        put(s, p.FIRST_OBJECT + k, choose(before < 0, now, before))
        s[p.DEPTH + k] = choose(before < 0 and now >= 0, s[p.T_FAR + k], s[p.DEPTH + k])
        x, y, z = s[p.NORMAL_X + k], s[p.NORMAL_Y + k], s[p.NORMAL_Z + k]
        inverse = _ONE / np.sqrt(max(x * x + y * y + z * z, _TINY))
        s[p.NORMAL_X + k] = x * inverse
        s[p.NORMAL_Y + k] = y * inverse
        s[p.NORMAL_Z + k] = z * inverse
        x, y, z = eye_x - s[p.POINT_X + k], eye_y - s[p.POINT_Y + k], eye_z - s[p.POINT_Z + k]
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
def trace_packet(s: Any, scene: Any, camera: Any, options: Any, handles: Any, window: Any, jitter: Any) -> None:
    """Colours the lanes whose samples, at (SPOT_X, SPOT_Y) from a window's left and top, lie in its width and height.

    Leaves RGB in the LIT rows, FIRST_OBJECT, the nearest one, and its DEPTH.
    """
    shadows, reflections, textures = options
    _aim_rays(s, camera, scene.limits, window)
    for _ in range(MAX_LAYERS):
        _set_far(s, scene.limits)
        _meet_planes(s, scene.planes)
        meet_lines(s, scene, camera)
        intersect(s, handles)
        met = find_surfaces(s, scene, textures)
        if met:
            _finish_surfaces(s, camera, scene.limits[a.LIMIT_AMBIENT])
        if map_textures(s, scene, camera):
            sample_textures(s, scene)
        if met:
            light_packet(s, scene.lights, shadows, jitter, handles)
            if scene.lines.shape[0] > 0:
                light_lines(s)
        if not _settle(s, reflections):
            break
    _mix(s)
