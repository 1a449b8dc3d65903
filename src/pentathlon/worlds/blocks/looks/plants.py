"""Grass tufts and flowers as sprites."""

from __future__ import annotations

from functools import cache

import numpy as np

from pentathlon.core.errors import UnknownIdError
from pentathlon.worlds.blocks.looks.sprites import SIDE, Sprite

_GREENS = ((74, 122, 44), (92, 146, 56), (112, 168, 70))
_PETALS = {"poppy": ((196, 32, 28), (142, 16, 16)), "dandelion": ((248, 214, 52), (214, 160, 24)), "tuft": ()}


@cache
def plant_sprite(name: str) -> Sprite:
    """Returns the picture of a plant, uint8[16, 16, 4]."""
    if name not in _PETALS:
        raise UnknownIdError("plant", name, _PETALS)
    found = np.zeros((SIDE, SIDE, 4), np.uint8)
    if name == "tuft":
        _blades(found, np.random.default_rng(3))
        return found
    found[8:16, 7] = (*_GREENS[0], 255)
    found[11, 8:10] = found[12, 5:7] = (*_GREENS[1], 255)
    light, dark = _PETALS[name]
    found[4:8, 6:10] = (*light, 255)
    found[5:7, 5:11] = (*light, 255)
    found[5:7, 7:9] = (*dark, 255)
    return found


def _blades(picture: Sprite, rng: np.random.Generator) -> None:
    for _ in range(9):
        x, lean = float(rng.uniform(3, 13)), float(rng.uniform(-0.35, 0.35))
        green = (*_GREENS[int(rng.integers(3))], 255)
        for y in range(SIDE - 1, int(rng.integers(4, 10)), -1):
            column = round(x)
            if 0 <= column < SIDE:
                picture[y, column] = green
            x += lean
