"""Lines that are some pixels wide at any distance, as OpenGL draws the rays of rangefinders. They are not lit."""

from __future__ import annotations

from typing import Any

import numpy as np

from pentathlon.worlds.rendering.kernels import arrays as a
from pentathlon.worlds.rendering.kernels import packet as p
from pentathlon.worlds.rendering.kernels.packet import LANES, bits, choose, inlined, put

_ZERO, _ONE = np.float32(0), np.float32(1)
_TINY = np.float32(1e-20)


@inlined
def _seen_from(camera: Any, x: Any, y: Any, z: Any) -> Any:
    """Returns a point's places to the right of, above and ahead of the camera, in metres."""
    x, y, z = x - camera[0], y - camera[1], z - camera[2]
    return (
        x * camera[3] + y * camera[4] + z * camera[5],
        x * camera[6] + y * camera[7] + z * camera[8],
        -(x * camera[9] + y * camera[10] + z * camera[11]),
    )


@inlined
def _cut(right: Any, up: Any, ahead: Any, to_right: Any, to_up: Any, to_ahead: Any, near: Any) -> Any:
    """Returns an end of a line, moved along the line to the near plane where it lies before that."""
    share = (near - ahead) / (to_ahead - ahead) if ahead < near else _ZERO
    return right + share * (to_right - right), up + share * (to_up - up), ahead + share * (to_ahead - ahead)


@inlined
def _meet_line(s: Any, line: Any, number: Any, camera: Any, near: Any) -> None:
    right0, up0, ahead0 = _seen_from(camera, line[0], line[1], line[2])
    right1, up1, ahead1 = _seen_from(camera, line[3], line[4], line[5])
    if max(ahead0, ahead1) <= near:
        return
    right0, up0, ahead0 = _cut(right0, up0, ahead0, right1, up1, ahead1, near)
    right1, up1, ahead1 = _cut(right1, up1, ahead1, right0, up0, ahead0, near)
    parallel = camera[a.CAMERA_ORTHOGRAPHIC] > _ZERO
    shrink0, shrink1 = (_ONE, _ONE) if parallel else (_ONE / ahead0, _ONE / ahead1)
    x0, y0 = (right0 * shrink0 - camera[12]) / camera[13], (up0 * shrink0 - camera[14]) / camera[15]
    x1, y1 = (right1 * shrink1 - camera[12]) / camera[13], (up1 * shrink1 - camera[14]) / camera[15]
    across = abs(y1 - y0) > abs(x1 - x0)  # the width lies along the picture's other axis, as OpenGL's does
    length = (y1 - y0) if across else (x1 - x0)
    if abs(length) < _TINY:
        return
    slope = ((x1 - x0) if across else (y1 - y0)) / length
    start, beside = (y0, x0) if across else (x0, y0)
    for k in range(LANES):
        x, y = s[p.PIXEL_X + k], s[p.PIXEL_Y + k]
        along = choose(across, y, x) - start
        off = abs(choose(across, x, y) - beside - along * slope)
        share = along / length
        inverse = shrink0 + share * (shrink1 - shrink0)
        t = choose(parallel, ahead0 + share * (ahead1 - ahead0), _ONE / inverse)
        inside = share >= _ZERO and share <= _ONE and off <= line[6] and s[p.WEIGHT + k] == _ONE
        met = inside and t > s[p.T_NEAR + k] and t < s[p.T_FAR + k]
        s[p.T_FAR + k] = choose(met, t, s[p.T_FAR + k])
        put(s, p.PLANE + k, choose(met, np.int32(number), bits(s, p.PLANE + k)))


@inlined
def meet_lines(s: Any, scene: Any, camera: Any) -> None:
    """Ends the rays of lanes that see a line at its distance; the line's number in PLANE follows the planes'."""
    for i in range(scene.lines.shape[0]):
        _meet_line(s, scene.lines[i], scene.planes.shape[0] + i, camera, scene.limits[a.LIMIT_NEAR])


@inlined
def light_lines(s: Any) -> None:
    """Gives lines their own colour, whatever light falls on them."""
    for k in range(LANES):
        line = bits(s, p.OBJECT + k) >= 0 and bits(s, p.CORNER + k) == a.LINE
        s[p.LIT_R + k] = choose(line, s[p.COLOR_R + k], s[p.LIT_R + k])
        s[p.LIT_G + k] = choose(line, s[p.COLOR_G + k], s[p.LIT_G + k])
        s[p.LIT_B + k] = choose(line, s[p.COLOR_B + k], s[p.LIT_B + k])
