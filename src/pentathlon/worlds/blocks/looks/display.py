"""The player's display over the picture: cross-hair, hearts, the bar of items, and the grid of a crafting table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from pentathlon.worlds.blocks.looks.icons import icon

SIDE_PX, SLOTS, SLOT_PX = 224, 9, 20
Stack = tuple[str, int]


@dataclass(frozen=True)
class Grid:
    """What a crafting table shows: nine places by name, empty for nothing, and what comes of them."""

    places: tuple[str, ...]
    result: str = ""


@dataclass(frozen=True)
class Display:
    """Everything that is drawn over the picture."""

    slots: tuple[Stack, ...]
    selected: int
    hearts: int = 10
    grid: Grid | None = None


def draw_over(rgb: NDArray[np.uint8], display: Display) -> NDArray[np.uint8]:
    """Returns the picture with the display over it; smaller pictures get a smaller one."""
    layer = _layer(display)
    if rgb.shape[0] != SIDE_PX:
        layer = np.asarray(Image.fromarray(layer).resize(rgb.shape[1::-1], Image.Resampling.BOX), np.uint8)
    alpha = layer[..., 3:].astype(np.uint16)
    mixed = (rgb * (255 - alpha) + layer[..., :3] * alpha) // 255
    return np.asarray(mixed, np.uint8)


@lru_cache(maxsize=64)
def _layer(display: Display) -> NDArray[np.uint8]:
    image = Image.new("RGBA", (SIDE_PX, SIDE_PX))
    pen = ImageDraw.Draw(image)
    if display.grid is None:
        _cross_hair(pen)
    else:
        _crafting(image, pen, display.grid)
    left, top = (SIDE_PX - SLOTS * SLOT_PX) // 2, SIDE_PX - SLOT_PX - 4
    for number in range(SLOTS):
        stack = display.slots[number] if number < len(display.slots) else ("", 0)
        _slot(image, pen, left + number * SLOT_PX, top, stack, number == display.selected)
    for number in range(display.hearts):
        _heart(pen, left + number * 8, top - 9)
    return np.asarray(image, np.uint8)


def _cross_hair(pen: ImageDraw.ImageDraw) -> None:
    middle = SIDE_PX // 2
    pen.rectangle((middle - 4, middle, middle + 4, middle), fill=(240, 240, 240, 200))
    pen.rectangle((middle, middle - 4, middle, middle + 4), fill=(240, 240, 240, 200))


def _slot(
    image: Image.Image, pen: ImageDraw.ImageDraw, x: int, y: int, stack: Stack, selected: bool, ground: int = 0
) -> None:
    edge = (250, 250, 250, 255) if selected else (90, 90, 90, 230)
    fill = (139, 139, 139, 255) if ground else (30, 30, 30, 150)
    pen.rectangle((x, y, x + SLOT_PX - 1, y + SLOT_PX - 1), fill=fill, outline=edge)
    if selected:
        pen.rectangle((x - 1, y - 1, x + SLOT_PX, y + SLOT_PX), outline=edge)
    name, count = stack
    if name:
        image.alpha_composite(Image.fromarray(icon(name)), (x + 2, y + 2))
    if count > 1:
        pen.text((x + SLOT_PX - 1, y + SLOT_PX), str(count), fill=(255, 255, 255, 255), anchor="rb", font_size=9)


def _heart(pen: ImageDraw.ImageDraw, x: int, y: int) -> None:
    red = (222, 32, 32, 255)
    for row, (left, right) in enumerate(((1, 5), (0, 6), (0, 6), (1, 5), (2, 4), (3, 3))):
        pen.line((x + left, y + row, x + right, y + row), fill=red)
    pen.point([(x + 3, y), (x + 3, y)], fill=(0, 0, 0, 0))
    pen.point([(x + 1, y + 1), (x + 2, y + 1)], fill=(255, 190, 190, 255))


def _crafting(image: Image.Image, pen: ImageDraw.ImageDraw, grid: Grid) -> None:
    left, top, right, bottom = 34, 44, 190, 132
    pen.rectangle((0, 0, SIDE_PX, SIDE_PX), fill=(0, 0, 0, 90))
    pen.rectangle((left, top, right, bottom), fill=(198, 198, 198, 255), outline=(40, 40, 40, 255))
    pen.text((left + 8, top + 4), "Crafting", fill=(64, 64, 64, 255), font_size=10)
    for place, name in enumerate(grid.places):
        x, y = left + 12 + place % 3 * SLOT_PX, top + 18 + place // 3 * SLOT_PX
        _slot(image, pen, x, y, (name, 1 if name else 0), False, ground=1)
    pen.rectangle((left + 84, top + 45, left + 100, top + 50), fill=(139, 139, 139, 255))
    pen.polygon([(left + 100, top + 39), (left + 111, top + 47), (left + 100, top + 56)], fill=(139, 139, 139, 255))
    _slot(image, pen, left + 122, top + 38, (grid.result, 1 if grid.result else 0), False, ground=1)


def stacks(items: Sequence[Stack]) -> tuple[Stack, ...]:
    """The first items that the bar has room for."""
    return tuple(items[:SLOTS])
