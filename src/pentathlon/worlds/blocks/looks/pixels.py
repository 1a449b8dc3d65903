"""Textures of blocks, sixteen texels a side: a palette scattered by noise, with what each kind shows on top of it."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from pentathlon.core.errors import UnknownIdError
from pentathlon.worlds.modelling.textures import noise, to_pixels

SIDE = 16
Rgb = tuple[float, float, float]
Image = NDArray[np.float64]
Pixels = NDArray[np.uint8]

GRASS: tuple[Rgb, ...] = ((0.36, 0.56, 0.24), (0.41, 0.62, 0.28), (0.46, 0.68, 0.32), (0.52, 0.73, 0.37))
DIRT: tuple[Rgb, ...] = ((0.38, 0.27, 0.18), (0.46, 0.33, 0.23), (0.53, 0.38, 0.27), (0.60, 0.44, 0.32))
STONE: tuple[Rgb, ...] = ((0.42, 0.42, 0.43), (0.48, 0.48, 0.49), (0.53, 0.53, 0.54), (0.58, 0.58, 0.59))
SAND: tuple[Rgb, ...] = ((0.80, 0.75, 0.57), (0.85, 0.80, 0.62), (0.88, 0.84, 0.66), (0.91, 0.87, 0.71))
PLANKS: tuple[Rgb, ...] = ((0.57, 0.44, 0.26), (0.63, 0.50, 0.30), (0.68, 0.54, 0.33), (0.73, 0.59, 0.37))
OAK: tuple[Rgb, ...] = ((0.30, 0.23, 0.14), (0.37, 0.29, 0.18), (0.43, 0.34, 0.21), (0.49, 0.39, 0.25))
BIRCH: tuple[Rgb, ...] = ((0.78, 0.78, 0.75), (0.84, 0.84, 0.81), (0.88, 0.88, 0.85), (0.92, 0.92, 0.90))
RINGS: tuple[Rgb, ...] = ((0.55, 0.43, 0.26), (0.63, 0.50, 0.31), (0.70, 0.57, 0.36), (0.75, 0.62, 0.40))
BRICK: tuple[Rgb, ...] = ((0.50, 0.26, 0.20), (0.56, 0.30, 0.24), (0.62, 0.34, 0.27), (0.66, 0.39, 0.31))
MORTAR: Rgb = (0.66, 0.62, 0.58)
ORES: dict[str, tuple[Rgb, Rgb]] = {
    "coal ore": ((0.13, 0.13, 0.14), (0.25, 0.25, 0.26)),
    "iron ore": ((0.69, 0.55, 0.44), (0.86, 0.73, 0.62)),
    "gold ore": ((0.86, 0.69, 0.16), (0.99, 0.90, 0.42)),
    "diamond ore": ((0.20, 0.70, 0.72), (0.55, 0.93, 0.92)),
}


def scattered(rng: np.random.Generator, palette: tuple[Rgb, ...], cycles: float = 9.0) -> Image:
    """Texels that take the colours of a palette in equal shares, in clumps of smooth noise and single grains."""
    field = noise(rng, cycles, cycles, SIDE) + 0.35 * rng.random((SIDE, SIDE))
    places = np.searchsorted(np.quantile(field, np.linspace(0, 1, len(palette) + 1)[1:-1]), field)
    return np.array(palette)[places]


def _grass_side(rng: np.random.Generator) -> Image:
    image, turf = scattered(rng, DIRT), scattered(rng, GRASS)
    depth = rng.integers(2, 6, SIDE)
    hangs = np.arange(SIDE)[:, None] < depth[None, :]
    image[hangs] = turf[hangs]
    edge = np.arange(SIDE)[:, None] == depth[None, :]
    image[edge] *= 0.78
    return image


def _cobble(rng: np.random.Generator) -> Image:
    """Rounded stones: each texel belongs to the nearest of some middles, and darkens where two are as near."""
    middles = rng.random((11, 2)) * SIDE
    y, x = np.mgrid[:SIDE, :SIDE, :1][:2] + 0.5
    down, across = np.abs(y - middles[:, 0]), np.abs(x - middles[:, 1])
    far = np.hypot(np.minimum(down, SIDE - down), np.minimum(across, SIDE - across))
    near, owner = np.sort(far, axis=2), np.argmin(far, axis=2)
    tones = rng.uniform(0.46, 0.62, len(middles))[owner]
    shade = np.where(near[..., 1] - near[..., 0] < 1.1, 0.66, 1.0)
    return np.repeat((tones * shade + rng.uniform(-0.03, 0.03, (SIDE, SIDE)))[..., None], 3, axis=2)


def _planks(rng: np.random.Generator) -> Image:
    image = np.empty((SIDE, SIDE, 3))
    for row in range(0, SIDE, 4):
        grain = np.roll(noise(rng, 3.0, 14.0, SIDE), int(rng.integers(SIDE)), axis=1)[:4]
        image[row : row + 4] = np.array(PLANKS)[np.clip((grain * 5 - 0.6).astype(int), 0, 3)]
        image[row + 3] *= 0.70
        image[row : row + 3, int(rng.integers(SIDE))] *= 0.74
    return image


def _bark(palette: tuple[Rgb, ...]) -> Callable[[np.random.Generator], Image]:
    def draw(rng: np.random.Generator) -> Image:
        field = noise(rng, 14.0, 2.0, SIDE) + 0.25 * rng.random((SIDE, SIDE))
        places = np.searchsorted(np.quantile(field, (0.25, 0.5, 0.75)), field)
        return np.array(palette)[places]

    return draw


def _birch_side(rng: np.random.Generator) -> Image:
    image = _bark(BIRCH)(rng)
    for _ in range(7):
        row, column, wide = int(rng.integers(SIDE)), int(rng.integers(SIDE)), int(rng.integers(2, 6))
        image[row, (column + np.arange(wide)) % SIDE] = (0.20, 0.19, 0.18)
    return image


def _log_top(rng: np.random.Generator) -> Image:
    y, x = np.mgrid[:SIDE, :SIDE] - (SIDE - 1) / 2
    ring = np.maximum(np.abs(x), np.abs(y))
    image: Image = np.array(RINGS)[(ring.astype(int) + rng.integers(0, 2, (SIDE, SIDE))) % 4]
    image[ring > 6.8] = scattered(rng, OAK)[ring > 6.8]
    return image


def _leaves(rng: np.random.Generator) -> Image:
    greens: tuple[Rgb, ...] = ((0.10, 0.22, 0.07), (0.19, 0.38, 0.13), (0.25, 0.47, 0.17), (0.32, 0.56, 0.22))
    return scattered(rng, greens, 16.0)


def _ore(name: str) -> Callable[[np.random.Generator], Image]:
    def draw(rng: np.random.Generator) -> Image:
        image = scattered(rng, STONE)
        dark, light = ORES[name]
        for row, column in ((2, 3), (3, 10), (7, 6), (10, 12), (12, 3), (8, 1)):
            y, x = row + int(rng.integers(0, 2)), column + int(rng.integers(0, 2))
            image[y : y + 2, x : x + 3] = dark
            image[y, x : x + 2] = light
            image[y + 2, x + 1 : x + 3] = np.array(STONE[0]) * 0.8
        return image

    return draw


def _bricks(rng: np.random.Generator) -> Image:
    image = scattered(rng, BRICK)
    image[3::4] = MORTAR
    image[0:3, 7] = image[8:11, 7] = MORTAR
    image[4:7, 15] = image[12:15, 15] = MORTAR
    return image


def _table_top(rng: np.random.Generator) -> Image:
    image = _planks(rng)
    image[[0, 15], :] = image[:, [0, 15]] = (0.36, 0.26, 0.15)
    image[2:14, [5, 10]] *= 0.62
    image[[5, 10], 2:14] *= 0.62
    return image


def _table_side(rng: np.random.Generator) -> Image:
    image = _planks(rng)
    image[:3] = (0.42, 0.31, 0.18)
    image[:, [0, 15]] = (0.36, 0.26, 0.15)
    image[5:13, 4] = (0.32, 0.23, 0.13)
    image[4:7, 3:6] = (0.62, 0.62, 0.64)
    for step in range(6):
        image[5 + step, 9 + step // 2 : 12] = (0.70, 0.70, 0.72) if step < 4 else (0.32, 0.23, 0.13)
    return image


def _furnace(front: bool) -> Callable[[np.random.Generator], Image]:
    def draw(rng: np.random.Generator) -> Image:
        image = scattered(rng, STONE)
        image[[0, 15], :] = image[:, [0, 15]] = (0.36, 0.36, 0.37)
        if front:
            image[2:6, 4:12] = (0.22, 0.22, 0.23)
            image[9:14, 3:13] = (0.11, 0.10, 0.10)
            image[12:14, 4:12] = scattered(rng, ((0.75, 0.28, 0.06), (0.92, 0.52, 0.12), (0.98, 0.80, 0.30)))[:2, :8]
        return image

    return draw


def _plain(palette: tuple[Rgb, ...], cycles: float = 9.0) -> Callable[[np.random.Generator], Image]:
    return lambda rng: scattered(rng, palette, cycles)


_WOOL: tuple[Rgb, ...] = ((0.83, 0.83, 0.84), (0.88, 0.88, 0.89), (0.92, 0.92, 0.93), (0.96, 0.96, 0.97))
_GRAVEL: tuple[Rgb, ...] = ((0.40, 0.37, 0.36), (0.50, 0.48, 0.47), (0.58, 0.55, 0.53), (0.66, 0.62, 0.60))
_RECIPES: dict[str, Callable[[np.random.Generator], Image]] = {
    "grass top": _plain(GRASS, 14.0),
    "grass side": _grass_side,
    "dirt": _plain(DIRT),
    "stone": _plain(STONE, 6.0),
    "cobblestone": _cobble,
    "sand": _plain(SAND, 16.0),
    "gravel": _plain(_GRAVEL, 5.0),
    "oak planks": _planks,
    "oak side": _bark(OAK),
    "birch side": _birch_side,
    "log top": _log_top,
    "leaves": _leaves,
    "bricks": _bricks,
    "wool": _plain(_WOOL, 12.0),
    "table top": _table_top,
    "table side": _table_side,
    "furnace front": _furnace(True),
    "furnace side": _furnace(False),
    **{name: _ore(name) for name in ORES},
}
NAMES = tuple(sorted(_RECIPES))


@cache
def texels(name: str) -> Pixels:
    """Returns the texture of that name, uint8[16, 16, 3], first row at the top."""
    if name not in _RECIPES:
        raise UnknownIdError("block texture", name, NAMES)
    return to_pixels(_RECIPES[name](np.random.default_rng(zlib.crc32(name.encode()))))


def cracked(image: Pixels, stage: int, stages: int) -> Pixels:
    """Returns a texture with cracks that spread from its middle; the last stage reaches its edges."""
    rng = np.random.default_rng(5)
    found = image.copy()
    for arm in range(7):
        angle = 2 * np.pi * (arm + 0.4 * rng.random()) / 7
        y = x = SIDE / 2 - 0.5
        for _ in range(round(9 * stage / stages)):
            angle += rng.uniform(-0.7, 0.7)
            y, x = y + np.sin(angle), x + np.cos(angle)
            row, column = round(y), round(x)
            if 0 <= row < SIDE and 0 <= column < SIDE:
                found[row, column] = found[row, column] * 0.30
    return found


def enlarged(image: Pixels, times: int) -> Pixels:
    """Repeats each texel, so that what is near shows squares and no blur."""
    return np.repeat(np.repeat(image, times, axis=0), times, axis=1)
