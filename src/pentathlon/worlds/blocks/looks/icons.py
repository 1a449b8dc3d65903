"""Icons of items for the player's display: sprites as they are, blocks as small cubes seen from a corner."""

from __future__ import annotations

from functools import cache

import numpy as np
from PIL import Image

from pentathlon.worlds.blocks.land.kinds import CODES, kind_of
from pentathlon.worlds.blocks.looks.pixels import Pixels, texels
from pentathlon.worlds.blocks.looks.sprites import Sprite, sprite

ICON_PX = 16
_FINE = 64


@cache
def icon(name: str) -> Sprite:
    """Returns the icon of an item, uint8[16, 16, 4]."""
    return _cube(name) if name in CODES else sprite(name)


def _cube(name: str) -> Sprite:
    top, side, _, front = (texels(one) for one in kind_of(name).sides)
    image = Image.new("RGBA", (_FINE, _FINE))
    half, quarter = _FINE / 2, _FINE / 4
    for picture, shade, corner, right, down in (
        (top, 1.0, (0.0, quarter), (half, -quarter), (half, quarter)),
        (front, 0.82, (0.0, quarter), (half, quarter), (0.0, half)),
        (side, 0.62, (half, half), (half, -quarter), (0.0, half)),
    ):
        _paste(image, _shaded(picture, shade), corner, right, down)
    return np.asarray(image.resize((ICON_PX, ICON_PX), Image.Resampling.BOX), np.uint8)


def _shaded(picture: Pixels, shade: float) -> Image.Image:
    return Image.fromarray((picture * shade).astype(np.uint8)).convert("RGBA")


def _paste(
    image: Image.Image,
    picture: Image.Image,
    corner: tuple[float, float],
    right: tuple[float, float],
    down: tuple[float, float],
) -> None:
    """Draws a picture on the parallelogram from a corner along two edges."""
    edges = np.array([right, down]).T / np.array(picture.size)
    back = np.linalg.inv(edges)
    shift = -back @ np.array(corner)
    rows = (*back[0], shift[0], *back[1], shift[1])
    drawn = picture.transform(image.size, Image.Transform.AFFINE, rows, Image.Resampling.NEAREST)
    image.alpha_composite(drawn)
