"""Fills images from packets: one ray for each pixel, then more rays where neighbours differ."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pentathlon.worlds.rendering.kernels import packet as p
from pentathlon.worlds.rendering.kernels.packet import LANES, bits, inlined, kernel, put
from pentathlon.worlds.rendering.kernels.trace import trace_packet

_HALF = np.float32(0.5)
_TO_BYTE = np.float32(255)
_SHADE_TO_BYTE = np.float32(255 / 2)  # with shadows, lights may add up to more than one before a texture

# What `trace_image` does.
FIRST_RAYS: Final = 0
SMOOTH_EDGES: Final = 1


class ImageArrays(NamedTuple):
    """One image and the work space beside it."""

    rgb: npt.NDArray[np.uint8]
    depth_m: npt.NDArray[np.float32]
    object_id: npt.NDArray[np.int32]
    shade: npt.NDArray[np.uint8]  # brightness before textures, for `find_edges`
    edges: npt.NDArray[np.int64]  # pixels to smooth, y * width + x
    sums: npt.NDArray[np.float32]  # [edges, 3]
    offsets: npt.NDArray[np.float32]  # [samples, 2] places in the pixel, in [0, 1)


@inlined
def _aim_at_tile(s: Any) -> None:
    """Writes the middles of a tile's pixels, counted from the tile's corner."""
    for k in range(LANES):
        s[p.SPOT_X + k] = np.float32(k & 3) + _HALF
        s[p.SPOT_Y + k] = np.float32(k >> 2) + _HALF


@inlined
def _to_bytes(s: Any) -> None:
    """Brings LIT and SHADE to integers from 0 to 255."""
    for k in range(LANES):
        put(s, p.LIT_R + k, np.int32(s[p.LIT_R + k] * _TO_BYTE + _HALF))
        put(s, p.LIT_G + k, np.int32(s[p.LIT_G + k] * _TO_BYTE + _HALF))
        put(s, p.LIT_B + k, np.int32(s[p.LIT_B + k] * _TO_BYTE + _HALF))
        put(s, p.SHADE + k, np.int32(min(s[p.SHADE + k] * _SHADE_TO_BYTE, _TO_BYTE)))


@inlined
def _write_pixel(s: Any, image: Any, k: Any, y: Any, x: Any) -> None:
    image.rgb[y, x, 0] = np.uint8(bits(s, p.LIT_R + k))
    image.rgb[y, x, 1] = np.uint8(bits(s, p.LIT_G + k))
    image.rgb[y, x, 2] = np.uint8(bits(s, p.LIT_B + k))
    image.depth_m[y, x] = s[p.DEPTH + k]
    image.object_id[y, x] = bits(s, p.FIRST_OBJECT + k)
    image.shade[y, x] = np.uint8(bits(s, p.SHADE + k))


@inlined
def _write_tile(s: Any, image: Any, left: Any, top: Any, width: Any, height: Any) -> None:
    """Writes the pixels of a tile that lie in the image. Unsigned indices spare a test for negative ones."""
    _to_bytes(s)
    if left + 4 <= width and top + 4 <= height:
        for k in range(LANES):
            _write_pixel(s, image, k, np.uint64(top + (k >> 2)), np.uint64(left + (k & 3)))
        return
    for k in range(LANES):
        x, y = left + (k & 3), top + (k >> 2)
        if x < width and y < height:
            _write_pixel(s, image, k, np.uint64(y), np.uint64(x))


@inlined
def _aim_at_edges(s: Any, image: Any, first: Any, start: Any, total: Any) -> None:
    width, samples = image.rgb.shape[1], image.offsets.shape[0]
    for k in range(LANES):
        i = min(start + k, total - 1)
        pixel, sample = image.edges[first + i // samples], i % samples
        beside = width if start + k >= total else 0  # lanes without a sample lie outside of the picture
        s[p.SPOT_X + k] = np.float32(pixel % width + beside) + image.offsets[sample, 0]
        s[p.SPOT_Y + k] = np.float32(pixel // width) + image.offsets[sample, 1]


@inlined
def _add_samples(s: Any, image: Any, first: Any, start: Any, total: Any) -> None:
    samples = image.offsets.shape[0]
    for k in range(min(LANES, total - start)):
        row = first + (start + k) // samples
        image.sums[row, 0] += s[p.LIT_R + k]
        image.sums[row, 1] += s[p.LIT_G + k]
        image.sums[row, 2] += s[p.LIT_B + k]


@inlined
def _write_means(image: Any, first: Any, last: Any) -> None:
    width, scale = image.rgb.shape[1], _TO_BYTE / np.float32(image.offsets.shape[0])
    for row in range(first, last):
        y, x = image.edges[row] // width, image.edges[row] % width
        for c in range(3):
            image.rgb[y, x, c] = np.uint8(image.sums[row, c] * scale + _HALF)


@kernel
def trace_image(
    s: Any, scene: Any, camera: Any, options: Any, handles: Any, image: Any, job: int, first: int, last: int
) -> None:
    """Renders a part of one image. One function does both jobs, because to compile a tracer takes long.

    Takes:
        s: a packet buffer of the calling thread.
        scene: `SceneArrays`.
        camera: a camera row.
        options: shadows, reflections, textures (booleans).
        handles: addresses of Embree's scenes of what is still and of what moves, 0 for an empty one, of their query
            arguments, of the packet; how many rays a query takes.
        image: `ImageArrays`.
        job: FIRST_RAYS writes the rows from `first` to `last`, a ray through each pixel's centre; SMOOTH_EDGES
            replaces the colour of pixels in that range of `image.edges` by the mean of several samples.
        first: for rows a multiple of four.
        last: exclusive.
    """
    width, smooth = image.rgb.shape[1], job == SMOOTH_EDGES
    tiles = (width + 3) // 4
    total = (last - first) * image.offsets.shape[0]
    packets = (total + LANES - 1) // LANES if smooth else (last - first + 3) // 4 * tiles
    wide, high = np.float32(width), np.float32(image.rgb.shape[0] if smooth else last)
    if smooth:
        image.sums[first:last] = np.float32(0)
    else:
        _aim_at_tile(s)
    for number in range(packets):
        left, top = number % tiles * 4, first + number // tiles * 4
        if smooth:
            left, top = 0, 0
            _aim_at_edges(s, image, first, number * LANES, total)
        window = np.float32(left), np.float32(top), wide, high
        trace_packet(s, scene, camera, options, handles, window, smooth)
        if smooth:
            _add_samples(s, image, first, number * LANES, total)
        else:
            _write_tile(s, image, left, top, width, last)
    if smooth:
        _write_means(image, first, last)


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
