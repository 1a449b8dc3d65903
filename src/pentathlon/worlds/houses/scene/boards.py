"""Floorboards: a texture larger than the tiles that objects share, so that its repetition does not show."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import numpy as np

from pentathlon.worlds.modelling.textures import VARIANTS, Texture, tile

SIZE_PX = 512
FLOOR_M = 1.2
BOARDS = 10


@lru_cache(maxsize=1)
def floorboards() -> Texture:
    """Staggered boards of 12 cm, cut from the wood tiles; seamless."""
    rng = np.random.default_rng(20)
    grains = [tile("wood", variant).pixels.astype(float) for variant in range(VARIANTS)]
    edges_px = np.linspace(0, SIZE_PX, BOARDS + 1).astype(int)
    image = np.empty((SIZE_PX, SIZE_PX, 3))
    for low, high in pairwise(edges_px):
        start = int(rng.integers(SIZE_PX))
        for half in range(2):
            rows = (start + half * SIZE_PX // 2 + np.arange(SIZE_PX // 2)) % SIZE_PX
            grain = np.roll(grains[int(rng.integers(VARIANTS))], int(rng.integers(256)), axis=0)
            left = int(rng.integers(256 - (high - low)))
            image[rows, low:high] = grain[:, left : left + high - low] * rng.uniform(0.88, 1.0)
            image[rows[0], low:high] *= 0.6
        image[:, low] *= 0.6
    return Texture(np.clip(image, 0, 255).astype(np.uint8), FLOOR_M)
