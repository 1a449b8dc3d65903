"""The sky over the blocks as a cube of pictures, and the air that pales what is far."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.modelling.textures import noise, to_pixels

SIDE_PX = 128
HIGH_RGB, LOW_RGB, CLOUD_RGB = (0.36, 0.58, 0.93), (0.74, 0.85, 0.97), (0.97, 0.98, 1.0)
SUN_M = (0.52, 0.36, 0.78)
CLEAR_M, HIDDEN_M = 15.0, 33.0


def _directions(face: int) -> NDArray[np.float64]:
    """Directions, z up, through the texels of a face of a sky box as MuJoCo numbers and turns them."""
    v, u = (np.mgrid[:SIDE_PX, :SIDE_PX] + 0.5) / SIDE_PX * 2 - 1
    one = np.ones_like(u)
    x, y, z = (
        (one, -v, -u), (-one, -v, u), (u, one, v), (u, -one, -v), (u, -v, one), (-u, -v, -one),
    )[face]  # fmt: skip
    found = np.stack([x, -z, y], axis=-1)
    return np.asarray(found / np.linalg.norm(found, axis=-1, keepdims=True))


@cache
def sky_box() -> NDArray[np.uint8]:
    """Returns the six faces below each other: paler towards the horizon, square clouds and a square sun."""
    rng = np.random.default_rng(11)
    cover = np.kron(noise(rng, 5.0, 9.0, 32) > 0.60, np.ones((4, 4))) > 0
    return np.concatenate([to_pixels(_face(face, cover)) for face in range(6)])


def _face(face: int, cover: NDArray[np.bool_]) -> NDArray[np.float64]:
    ways = _directions(face)
    up = np.clip(ways[..., 2], 0.0, 1.0)
    share = (1.0 - up[..., None]) ** 3
    clear = np.array(HIGH_RGB) * (1 - share) + np.array(LOW_RGB) * share
    at = np.floor(ways[..., :2] / np.maximum(ways[..., 2:], 1e-3) * 14.0).astype(int) % cover.shape[0]
    cloud = cover[at[..., 0], at[..., 1]] & (ways[..., 2] > 0.10)
    thick = np.clip((up - 0.10) * 6.0, 0.0, 0.8)[..., None] * cloud[..., None]
    image: NDArray[np.float64] = clear * (1 - thick) + np.array(CLOUD_RGB) * thick
    sun = np.array(SUN_M) / np.linalg.norm(SUN_M)
    across = np.cross((0.0, 0.0, 1.0), sun)
    across /= np.linalg.norm(across)
    off = np.maximum(np.abs(ways @ across), np.abs(ways @ np.cross(sun, across)))
    image[(off < 0.09) & (ways @ sun > 0)] = (1.0, 0.98, 0.84)
    return image


def pale(rgb: NDArray[np.uint8], depth_m: NDArray[np.float32], seen: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Mixes the colour of the horizon into what is far; the sky stays as it is."""
    share = np.clip((depth_m - CLEAR_M) / (HIDDEN_M - CLEAR_M), 0.0, 1.0) ** 1.3 * seen
    haze = np.array(LOW_RGB, np.float32) * 255.0
    mixed = rgb * (1.0 - share[..., None]) + haze * share[..., None]
    return np.asarray(mixed, np.uint8)


def shade_corners(rgb: NDArray[np.uint8], depth_m: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Darkens what lies behind its surroundings in the picture, as light is lost in corners.

    Each pixel is compared with the mean of two opposite ones, several times; a flat surface is equal to it.
    """
    depth = np.where(depth_m > 0, depth_m, HIDDEN_M).astype(np.float32)
    reach = max(1, round(0.012 * depth.shape[0]))
    hollow = np.zeros_like(depth)
    for step in (reach, 2 * reach, 4 * reach):
        padded = np.pad(1.0 / depth, step, mode="edge")
        for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
            first = _shifted(padded, step, dy * step, dx * step, depth.shape)
            second = _shifted(padded, step, -dy * step, -dx * step, depth.shape)
            nearer = ((first + second) / 2 * depth - 1.0) * depth / (step / depth.shape[0])
            hollow += np.clip(nearer * 0.35, 0.0, 1.0) * (np.maximum(first, second) * depth < 1.12)
    dark = 1.0 - 0.40 * np.clip(hollow / 6.0, 0.0, 1.0)
    return np.asarray(rgb * dark[..., None], np.uint8)


def _shifted(padded: NDArray[np.float32], margin: int, dy: int, dx: int, shape: tuple[int, ...]) -> NDArray[np.float32]:
    return padded[margin + dy : margin + dy + shape[0], margin + dx : margin + dx + shape[1]]
