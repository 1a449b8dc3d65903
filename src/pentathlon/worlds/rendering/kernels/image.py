"""Fills images from packets: one ray for each pixel, then more rays where neighbours differ."""

from __future__ import annotations

from typing import Any

import numpy as np

from pentathlon.worlds.rendering.kernels import packet as p
from pentathlon.worlds.rendering.kernels.packet import LANES, bits, kernel, put
from pentathlon.worlds.rendering.kernels.trace import trace_packet

_HALF, _ONE = np.float32(0.5), np.float32(1)
_TO_BYTE = np.float32(255)
_SHADE_TO_BYTE = np.float32(255 / 2)  # with shadows, lights may add up to more than one before a texture


@kernel
def render_rows(
    s: Any, scene: Any, camera: Any, options: Any, handles: Any,
    first_row: int, last_row: int, rgb: Any, depth_m: Any, object_id: Any, shade: Any,
) -> None:  # fmt: skip
    """Renders rows `first_row` up to `last_row` of one image, a ray through each pixel's centre.

    Takes:
        s: a packet buffer of the calling thread.
        scene: `SceneArrays`.
        camera: a camera row.
        options: shadows, reflections, textures, blending of texture levels (booleans).
        handles: addresses of the Embree scene, of its query arguments, of the packet.
        first_row: a multiple of four.
        last_row: exclusive.
        rgb, depth_m, object_id: the whole image.
        shade: uint8[height, width], receives the brightness before textures, for `find_edges`.
    """
    width = rgb.shape[1]
    for top in range(first_row, last_row, 4):
        for left in range(0, width, 4):
            for k in range(LANES):
                x, y = left + (k & 3), top + (k >> 2)
                s[p.PIXEL_X + k] = np.float32(x) + _HALF
                s[p.PIXEL_Y + k] = np.float32(y) + _HALF
                put(s, p.ACTIVE + k, -1 if x < width and y < last_row else 0)
            trace_packet(s, scene, camera, options, handles, False)
            for k in range(LANES):
                x, y = left + (k & 3), top + (k >> 2)
                if x < width and y < last_row:
                    rgb[y, x, 0] = np.uint8(s[p.LIT_R + k] * _TO_BYTE + _HALF)
                    rgb[y, x, 1] = np.uint8(s[p.LIT_G + k] * _TO_BYTE + _HALF)
                    rgb[y, x, 2] = np.uint8(s[p.LIT_B + k] * _TO_BYTE + _HALF)
                    depth_m[y, x] = s[p.DEPTH + k]
                    object_id[y, x] = bits(s, p.FIRST_OBJECT + k)
                    shade[y, x] = np.uint8(min(s[p.SHADE + k] * _SHADE_TO_BYTE, _TO_BYTE))


@kernel
def find_edges(shade: Any, object_id: Any, contrast: int, edges: Any) -> int:
    """Lists pixels that differ from a neighbour in object, or by more than `contrast` in brightness.

    Textures do not count: their levels of detail are smooth already.

    Takes:
        shade, object_id: the image after one ray for each pixel.
        contrast: of 255, where 255 is a brightness of two.
        edges: receives indices y * width + x; as long as the image has pixels.

    Returns:
        How many were listed.
    """
    height, width = object_id.shape
    count = 0
    for y in range(height):
        above, below = max(y - 1, 0), min(y + 1, height - 1)
        for x in range(width):
            left, right = max(x - 1, 0), min(x + 1, width - 1)
            obj, here = object_id[y, x], np.int32(shade[y, x])
            same = obj == object_id[y, left] and obj == object_id[y, right]
            same = same and obj == object_id[above, x] and obj == object_id[below, x]
            difference = max(abs(here - np.int32(shade[y, left])), abs(here - np.int32(shade[y, right])))
            difference = max(difference, abs(here - np.int32(shade[above, x])), abs(here - np.int32(shade[below, x])))
            if difference > contrast or not same:
                edges[count] = y * width + x
                count += 1
    return count


@kernel
def smooth_edges(
    s: Any, scene: Any, camera: Any, options: Any, handles: Any,
    offsets: Any, edges: Any, first: int, last: int, sums: Any, rgb: Any,
) -> None:  # fmt: skip
    """Replaces the colour of listed pixels by the mean of several samples.

    Takes:
        s, scene, camera, options, handles: as for `render_rows`.
        offsets: [samples, 2] places in the pixel, in [0, 1).
        edges: pixel indices.
        first, last: the range of `edges` to do, last exclusive.
        sums: float32[pixels, 3] for `edges`, overwritten.
        rgb: the image.
    """
    width, samples = rgb.shape[1], offsets.shape[0]
    sums[first:last] = np.float32(0)
    total = (last - first) * samples
    for start in range(0, total, LANES):
        for k in range(LANES):
            i = min(start + k, total - 1)
            pixel, sample = edges[first + i // samples], i % samples
            s[p.PIXEL_X + k] = np.float32(pixel % width) + offsets[sample, 0]
            s[p.PIXEL_Y + k] = np.float32(pixel // width) + offsets[sample, 1]
            put(s, p.ACTIVE + k, -1 if start + k < total else 0)
        trace_packet(s, scene, camera, options, handles, True)
        for k in range(min(LANES, total - start)):
            row = first + (start + k) // samples
            sums[row, 0] += s[p.LIT_R + k]
            sums[row, 1] += s[p.LIT_G + k]
            sums[row, 2] += s[p.LIT_B + k]
    scale = np.float32(255 / samples)
    for row in range(first, last):
        y, x = edges[row] // width, edges[row] % width
        for c in range(3):
            rgb[y, x, c] = np.uint8(sums[row, c] * scale + _HALF)
