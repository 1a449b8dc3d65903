"""Surface textures made with numpy: seamless tiles that a material's colour tints.

A tile holds multipliers in 0..1 with a natural size in metres, so that one tile serves every colour and every
object of its material. Pictures with colours of their own are in `pictures.py`.
"""

from __future__ import annotations

import hashlib
import math
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from pentathlon.core.errors import UnknownIdError
from pentathlon.worlds.modelling.mesh import Floats

SIZE_PX = 256
VARIANTS = 3


@dataclass(frozen=True, eq=False)
class Texture:
    """An image on a surface.

    Attributes:
        pixels: uint8[H, W, 3], first row at the top of the picture.
        tile_m: Metres of surface that one repetition covers; None where mesh uvs already run 0..1.
    """

    pixels: NDArray[np.uint8]
    tile_m: float | None

    @cached_property
    def digest(self) -> str:
        """Content hash: equal images have equal digests."""
        return pixels_digest(self.pixels)

    def known_as(self, digest: str) -> None:
        """Tell the texture its digest, which saves computing it."""
        self.__dict__["digest"] = digest


def pixels_digest(pixels: NDArray[np.uint8]) -> str:
    """Hash an image by its content."""
    return hashlib.blake2b(pixels.tobytes() + repr(pixels.shape).encode(), digest_size=12).hexdigest()


def to_pixels(image: Floats) -> NDArray[np.uint8]:
    """Turn 0..1 greys or colours into bytes."""
    colours = np.repeat(image[..., None], 3, axis=2) if image.ndim == 2 else image
    return np.clip(np.round(colours * 255.0), 0, 255).astype(np.uint8)


def noise(rng: np.random.Generator, across_cycles: float, along_cycles: float, size_px: int = SIZE_PX) -> Floats:
    """Smooth seamless noise in 0..1, with about the given cycles per tile across (x) and along (y)."""
    fx = np.fft.fftfreq(size_px, 1.0 / size_px)
    spectrum = np.fft.fft2(rng.standard_normal((size_px, size_px)))
    spectrum *= np.exp(-0.5 * ((fx[None, :] / across_cycles) ** 2 + (fx[:, None] / along_cycles) ** 2))
    field = np.real(np.fft.ifft2(spectrum))
    field = (field - field.mean()) / max(float(field.std()), 1e-12)
    result: Floats = np.clip(0.5 + field / 5.0, 0.0, 1.0)
    return result


def _grid() -> tuple[Floats, Floats]:
    y, x = np.mgrid[:SIZE_PX, :SIZE_PX] / SIZE_PX
    return x, y


def _wood(rng: np.random.Generator) -> Floats:
    x, _ = _grid()
    wander = noise(rng, 1.5, 0.6)
    rings = 0.5 + 0.5 * np.sin(2 * math.pi * (9 * x + 4.0 * wander))
    bands = noise(rng, 9.0, 0.8)
    pores = noise(rng, 90.0, 3.0) ** 2
    depth = 0.11 * rings**2 + 0.22 * bands + 0.24 * pores
    # Grain darkens blue most, so that dark streaks turn warmer and not grey.
    image: Floats = 1.0 - depth[..., None] * np.array([0.75, 0.95, 1.1])
    return image


def _planks(rng: np.random.Generator) -> Floats:
    boards = 4
    width = SIZE_PX // boards
    image = np.empty((SIZE_PX, SIZE_PX, 3))
    grain = _wood(rng)
    for i in range(boards):
        shifted = np.roll(grain, (int(rng.integers(SIZE_PX)), int(rng.integers(SIZE_PX))), axis=(0, 1))
        board = shifted[:, :width] * rng.uniform(0.82, 1.0)
        joint = int(rng.integers(SIZE_PX))
        board[joint] *= 0.55
        board[:, 0] *= 0.5
        image[:, i * width : (i + 1) * width] = board
    return image


def _fabric(rng: np.random.Generator) -> Floats:
    x, y = _grid()
    threads = 64
    warp, weft = np.sin(2 * math.pi * threads * x), np.sin(2 * math.pi * threads * y)
    checker = np.sign(np.sin(math.pi * threads * x) * np.sin(math.pi * threads * y))
    weave = 0.5 + 0.25 * np.where(checker > 0, np.abs(warp), np.abs(weft))
    slubs = noise(rng, 4.0, 90.0) + noise(rng, 90.0, 4.0)
    return 0.70 + 0.22 * weave + 0.12 * (slubs - 1.0) + 0.05 * noise(rng, 8.0, 8.0)


def _knit(rng: np.random.Generator) -> Floats:
    x, y = _grid()
    columns = 20
    lean = np.abs((x * columns) % 1.0 - 0.5)
    stitch = np.abs(np.sin(math.pi * (y * columns + lean)))
    return 0.62 + 0.34 * stitch * (0.6 + 0.8 * lean) + 0.08 * noise(rng, 60.0, 60.0)


def _leather(rng: np.random.Generator) -> Floats:
    fine, coarse = noise(rng, 40.0, 40.0), noise(rng, 4.0, 4.0)
    creases = np.abs(fine - 0.5) * 2.0
    return 0.80 + 0.16 * np.clip(creases * 3.0, 0, 1) + 0.08 * (coarse - 0.5)


def _plaster(rng: np.random.Generator) -> Floats:
    return 0.94 + 0.05 * noise(rng, 50.0, 50.0) + 0.04 * (noise(rng, 3.0, 3.0) - 0.5)


def _tile(rng: np.random.Generator) -> Floats:
    x, y = _grid()
    count = 4
    grout = np.maximum(np.abs((x * count) % 1 - 0.5), np.abs((y * count) % 1 - 0.5)) > 0.475
    tones = rng.uniform(0.92, 1.0, (count, count))
    image = tones[(y * count).astype(int), (x * count).astype(int)] * (0.97 + 0.03 * noise(rng, 12.0, 12.0))
    return np.where(grout, 0.72, image)


def _stone(rng: np.random.Generator) -> Floats:
    x, y = _grid()
    clouds = noise(rng, 3.0, 3.0)
    veins = np.zeros_like(clouds)
    for slant, width in (((2, 1), 9.0), ((1, 2), 16.0), ((3, -1), 22.0)):
        bent = slant[0] * x + slant[1] * y + 1.6 * noise(rng, 4.0, 4.0) + 0.3 * noise(rng, 16.0, 16.0)
        faint = np.clip((noise(rng, 3.0, 3.0) - 0.42) * 5.0, 0.0, 1.0)
        veins = np.maximum(veins, faint * np.exp(-np.abs(np.sin(math.pi * bent)) * width))
    return 0.84 + 0.16 * clouds - 0.42 * veins


def _granite(rng: np.random.Generator) -> Floats:
    grains = noise(rng, 55.0, 55.0)
    flecks = noise(rng, 80.0, 80.0) > 0.74
    return np.where(flecks, 0.45, 0.66 + 0.40 * grains)


def _brushed(rng: np.random.Generator) -> Floats:
    return 0.80 + 0.20 * noise(rng, 110.0, 1.2) + 0.06 * (noise(rng, 3.0, 2.0) - 0.5)


def _wicker(rng: np.random.Generator) -> Floats:
    x, y = _grid()
    count = 10
    over = (np.floor(x * count) + np.floor(y * count * 2)) % 2
    strand = np.abs(np.sin(math.pi * y * count * 2))
    post = np.abs(np.sin(math.pi * x * count))
    woven = np.where(over > 0, strand**0.6 * (0.55 + 0.45 * post), strand**0.6 * (1.0 - 0.45 * post))
    return 0.36 + 0.60 * woven + 0.12 * noise(rng, 30.0, 60.0)


def _paper(rng: np.random.Generator) -> Floats:
    return 0.95 + 0.05 * noise(rng, 70.0, 20.0)


def _speckle(rng: np.random.Generator) -> Floats:
    dots = noise(rng, 45.0, 45.0)
    return np.where(dots > 0.80, 0.70, 1.0) * (0.96 + 0.04 * noise(rng, 5.0, 5.0))


def _skin(rng: np.random.Generator) -> Floats:
    mottled = noise(rng, 5.0, 5.0)
    freckles = np.where(noise(rng, 45.0, 45.0) > 0.80, 1.0, 0.0)
    return 0.82 + 0.18 * mottled + 0.05 * freckles


def _crumb(rng: np.random.Generator) -> Floats:
    pores = noise(rng, 28.0, 28.0)
    return np.where(pores > 0.66, 0.80, 1.0) * (0.90 + 0.10 * noise(rng, 6.0, 6.0))


def _ribbed(rng: np.random.Generator) -> Floats:
    x, _ = _grid()
    return 0.74 + 0.26 * np.abs(np.sin(math.pi * 24 * x)) ** 0.5 + 0.02 * noise(rng, 40.0, 40.0)


def _brick(rng: np.random.Generator) -> Floats:
    x, y = _grid()
    rows, columns = 8, 4
    row = np.floor(y * rows)
    shifted = (x * columns + 0.5 * (row % 2)) % columns
    mortar = (np.abs((y * rows) % 1 - 0.5) > 0.43) | (np.abs(shifted % 1 - 0.5) > 0.465)
    tones = rng.uniform(0.75, 1.0, (rows, columns))[row.astype(int), shifted.astype(int)]
    return np.where(mortar, 0.95, tones * (0.82 + 0.18 * noise(rng, 40.0, 40.0)))


_RECIPES: dict[str, tuple[Callable[[np.random.Generator], Floats], float]] = {
    "brick": (_brick, 0.9),
    "brushed": (_brushed, 0.5),
    "crumb": (_crumb, 0.10),
    "fabric": (_fabric, 0.22),
    "granite": (_granite, 0.35),
    "knit": (_knit, 0.20),
    "leather": (_leather, 0.30),
    "paper": (_paper, 0.25),
    "planks": (_planks, 0.6),
    "plaster": (_plaster, 1.0),
    "ribbed": (_ribbed, 0.20),
    "skin": (_skin, 0.16),
    "speckle": (_speckle, 0.12),
    "stone": (_stone, 0.8),
    "tile": (_tile, 0.8),
    "wicker": (_wicker, 0.20),
    "wood": (_wood, 0.45),
}
TILES = tuple(sorted(_RECIPES))


@cache
def tile(name: str, variant: int = 0) -> Texture:
    """Return the seamless tile of that name; variants differ in detail only."""
    if name not in _RECIPES:
        raise UnknownIdError("texture", name, TILES)
    recipe, tile_m = _RECIPES[name]
    rng = np.random.default_rng([zlib.crc32(name.encode()), variant])
    return Texture(to_pixels(recipe(rng)), tile_m)
