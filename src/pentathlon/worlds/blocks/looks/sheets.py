"""Pictures for boxes: the textures of several faces side by side in one, and where each face finds its own."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.blocks.land.kinds import Kind
from pentathlon.worlds.blocks.looks.pixels import SIDE, Pixels, cracked, enlarged, texels

TIMES = 3
STAGES = 4
Tile = tuple[float, float, float, float]


def sheet(faces: tuple[Pixels, ...]) -> Pixels:
    """Puts square pictures side by side; each is repeated at its edges, so that none bleeds into the next."""
    tiles = [np.pad(enlarged(face, TIMES), ((0, 0), (TIMES, TIMES), (0, 0)), mode="edge") for face in faces]
    return np.concatenate(tiles, axis=1)


def tiles(count: int) -> tuple[Tile, ...]:
    """Where each of ``count`` pictures lies in a sheet."""
    wide = SIDE + 2
    return tuple(
        ((i * wide + 1) / (count * wide), 0.0, (i * wide + 1 + SIDE) / (count * wide), 1.0) for i in range(count)
    )


def block_sheet(kind: Kind, stage: int = 0) -> NDArray[np.uint8]:
    """Top, side, bottom and front of a block, cracked as far as ``stage`` of :data:`STAGES`."""
    pictures = tuple(texels(name) for name in kind.sides)
    return sheet(tuple(cracked(one, stage, STAGES) if stage else one for one in pictures))


def block_tiles() -> tuple[Tile, ...]:
    """The faces of a block in its sheet; its front looks along -y."""
    top, side, bottom, front = tiles(4)
    return top, bottom, side, side, side, front
