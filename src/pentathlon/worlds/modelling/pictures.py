"""Pictures in their own colours: lettering, screens, paintings, covers, rugs and dyes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from pentathlon.worlds.modelling.colours import Colour, colour
from pentathlon.worlds.modelling.mesh import Floats
from pentathlon.worlds.modelling.textures import SIZE_PX, Texture, noise, to_pixels


def _bytes(rgb: Sequence[float] | Floats) -> tuple[int, int, int]:
    red, green, blue = (round(255 * channel) for channel in rgb)
    return red, green, blue


def _canvas(rgb: Sequence[float], aspect: float = 1.0) -> Image.Image:
    """Blank image whose longer side is SIZE_PX; aspect is width over height."""
    size = (SIZE_PX, max(16, round(SIZE_PX / aspect))) if aspect >= 1 else (max(16, round(SIZE_PX * aspect)), SIZE_PX)
    return Image.new("RGB", size, _bytes(rgb))


def picture(image: Image.Image | NDArray[np.uint8]) -> Texture:
    """Make a texture that covers a mesh with uvs of 0..1 once."""
    return Texture(np.asarray(image, dtype=np.uint8), None)


def write(image: Image.Image, text: str, centre: tuple[float, float], height: float, rgb: Sequence[float]) -> None:
    """Write a line of text on an image; centre and height are shares of its size."""
    font = ImageFont.load_default(max(6.0, height * image.height))
    at = (centre[0] * image.width, centre[1] * image.height)
    ImageDraw.Draw(image).text(at, text, fill=_bytes(rgb), font=font, anchor="mm")


def label(text: str, ink: Colour, ground: Colour, *, aspect: float = 2.0, height: float = 0.45) -> Texture:
    """A line of text on a plain ground."""
    image = _canvas(ground.rgb, aspect)
    write(image, text, (0.5, 0.5), height, ink.rgb)
    return picture(image)


def book_cover(rng: np.random.Generator, ground: Colour, title: str, *, aspect: float = 0.7) -> Texture:
    """A front cover: title, a plain emblem and a band."""
    image = _canvas(ground.rgb, aspect)
    draw = ImageDraw.Draw(image)
    width, height = image.size
    light = colour("cream").rgb
    accent = _bytes(colour(("gold", "cream", "orange", "cyan")[int(rng.integers(4))]).rgb)
    draw.rectangle((width * 0.06, height * 0.04, width * 0.94, height * 0.96), outline=accent, width=3)
    radius = width * rng.uniform(0.16, 0.26)
    middle = (width / 2, height * 0.62)
    if rng.random() < 0.5:
        draw.ellipse((middle[0] - radius, middle[1] - radius, middle[0] + radius, middle[1] + radius), fill=accent)
    else:
        draw.regular_polygon(
            (middle, radius * 1.2), int(rng.integers(3, 7)), rotation=int(rng.integers(60)), fill=accent
        )
    for i, word in enumerate(title.split()):
        write(image, word, (0.5, 0.17 + 0.12 * i), 0.11, light)
    return picture(image)


def landscape(rng: np.random.Generator, *, aspect: float = 1.4) -> Texture:
    """A painted landscape: sky, sun, hills behind hills."""
    height, width = 180, round(180 * aspect)
    y, x = np.mgrid[:height, :width] / np.array([height, width])[:, None, None]
    warm = rng.random() < 0.5
    top, low = ((0.35, 0.45, 0.75), (0.98, 0.75, 0.50)) if warm else ((0.30, 0.55, 0.85), (0.85, 0.92, 0.96))
    image = np.array(top) * (1 - y)[..., None] + np.array(low) * y[..., None]
    sun = rng.uniform((0.2, 0.18), (0.8, 0.4))
    image[np.hypot((x - sun[0]) * aspect, y - sun[1]) < 0.09] = (1.0, 0.93, 0.70)
    for i, level in enumerate(np.linspace(0.50, 0.82, 4)):
        crest = level + sum(rng.uniform(0.01, 0.05) * np.sin(2 * math.pi * (k * x + rng.random())) for k in (1, 2, 3))
        shade = np.array((0.25, 0.42, 0.40)) * (1.25 - 0.27 * i) + np.array((0.10, 0.06, -0.12)) * rng.random()
        image[y > crest] = shade
    strokes = np.kron(rng.uniform(0.93, 1.04, (height // 3, math.ceil(width / 6))), np.ones((3, 6)))[:height, :width]
    return picture(to_pixels(image * strokes[..., None]))


def abstract(rng: np.random.Generator, colours: Sequence[Colour], *, aspect: float = 1.0) -> Texture:
    """An abstract painting: blocks and discs in the given colours on cream."""
    image = _canvas(colour("cream").rgb, aspect)
    draw = ImageDraw.Draw(image)
    for i in range(9):
        tint = colours[i % len(colours)].rgb
        x, y = rng.uniform(0.0, 0.9, 2) * image.size
        w, h = rng.uniform(0.1, 0.45, 2) * image.size
        shape = draw.ellipse if rng.random() < 0.4 else draw.rectangle
        shape((float(x), float(y), float(x + w), float(y + h)), fill=_bytes(tint))
    return picture(image)


def screen(rng: np.random.Generator, *, aspect: float = 1.6) -> Texture:
    """A desktop on a lit screen: wallpaper, two windows with lines of text, a bar of icons."""
    wallpaper = landscape(rng, aspect=aspect).pixels
    image = Image.fromarray(wallpaper).resize((SIZE_PX, round(SIZE_PX / aspect)))
    draw = ImageDraw.Draw(image)
    for left, top, right, bottom in ((0.08, 0.12, 0.58, 0.74), (0.50, 0.28, 0.92, 0.82)):
        w, h = image.size
        draw.rounded_rectangle((left * w, top * h, right * w, bottom * h), 4, fill=(246, 247, 249))
        draw.rectangle((left * w, top * h, right * w, (top + 0.07) * h), fill=_bytes(rng.uniform(0.2, 0.6, 3)))
        for line in np.arange(top + 0.13, bottom - 0.05, 0.07):
            draw.rectangle(
                (left * w + 8, line * h, (left + rng.uniform(0.5, 0.95) * (right - left)) * w, line * h + 3),
                fill=(120, 128, 140),
            )
    for i in range(6):
        x = image.width * (0.32 + 0.06 * i)
        draw.rounded_rectangle(
            (x, image.height * 0.90, x + 10, image.height * 0.90 + 10), 2, fill=_bytes(rng.uniform(0.3, 1.0, 3))
        )
    return picture(image)


def rug(rng: np.random.Generator, ground: Colour, figure: Colour, border: Colour) -> Texture:
    """A woven rug: border bands, a field of diamonds and a medallion."""
    y, x = np.mgrid[:SIZE_PX, :SIZE_PX] / SIZE_PX - 0.5
    reach = np.maximum(np.abs(x), np.abs(y))
    image = np.broadcast_to(np.array(ground.rgb), (SIZE_PX, SIZE_PX, 3)).copy()
    diamonds = np.abs(((np.abs(x) + np.abs(y)) * int(rng.integers(6, 10))) % 1.0 - 0.5)
    image[(diamonds < 0.10) & (reach < 0.37)] = figure.rgb
    image[(diamonds > 0.42) & (reach < 0.37)] = border.rgb
    image[(reach > 0.38) & (reach < 0.46)] = border.rgb
    zigzag = np.abs(((x + y) * 16) % 1.0 - 0.5) < 0.2
    image[(reach > 0.40) & (reach < 0.44) & zigzag] = figure.rgb
    image[np.abs(x) + np.abs(y) < 0.11] = figure.rgb
    image[np.abs(x) + np.abs(y) < 0.07] = ground.rgb
    return picture(to_pixels(image * (0.80 + 0.20 * noise(rng, 90.0, 90.0))[..., None]))


def stripes(colours: Sequence[Colour], count: int = 8, *, tile_m: float | None = None) -> Texture:
    """Vertical stripes that cycle through the colours."""
    index = np.arange(SIZE_PX) * count // SIZE_PX % len(colours)
    row = np.array([item.rgb for item in colours])[index]
    return Texture(to_pixels(np.repeat(row[None], 16, axis=0)), tile_m)


def checks(first: Colour, second: Colour, count: int = 8, *, tile_m: float | None = None) -> Texture:
    """A chessboard of two colours."""
    y, x = np.mgrid[:SIZE_PX, :SIZE_PX] * count // SIZE_PX
    image = np.where(((x + y) % 2)[..., None] == 0, np.array(first.rgb), np.array(second.rgb))
    return Texture(to_pixels(image), tile_m)


def tie_dye(rng: np.random.Generator) -> Texture:
    """A rainbow spiral with ragged white creases."""
    y, x = (np.mgrid[:SIZE_PX, :SIZE_PX] / SIZE_PX - 0.5) * 2.0
    swirl = np.arctan2(y, x) / (2 * math.pi) * 6 + np.hypot(x, y) * 4 + noise(rng, 6.0, 6.0) * 0.9
    hues = np.array([colour(name).rgb for name in ("red", "orange", "yellow", "green", "blue", "purple")])
    place = (swirl % 1.0) * len(hues)
    index = place.astype(int) % len(hues)
    blend = (place - np.floor(place))[..., None] ** 2
    image: Floats = hues[index] * (1 - blend) + hues[(index + 1) % len(hues)] * blend
    bleach = np.clip((noise(rng, 9.0, 9.0) - 0.66) * 5, 0, 0.8)[..., None]
    return picture(to_pixels(image * (1 - bleach) + bleach))


@cache
def stained(ground: Colour) -> Texture:
    """Brown stains on a plain ground, tiling every 15 cm."""
    rng = np.random.default_rng(0)
    blots = np.clip((noise(rng, 6.0, 6.0, 128) - 0.52) * 5.0, 0.0, 0.9) * (0.6 + 0.4 * noise(rng, 30.0, 30.0, 128))
    share = blots[..., None]
    image = np.array(ground.rgb) * (1 - share) + np.array((0.30, 0.20, 0.10)) * share
    return Texture(to_pixels(image), 0.15)


def fruit_skin(rng: np.random.Generator, main: Colour, blush: Colour, *, streaks: float = 0.5) -> Texture:
    """Skin of a fruit over 0..1: the main colour, streaked towards the blush near both ends (v = 0 and 1)."""
    y = (np.mgrid[:SIZE_PX, :SIZE_PX] / SIZE_PX)[0]
    ends = np.clip(np.abs(y - 0.5) * 2.0 - 0.66, 0.0, 1.0) * 1.4
    lines = noise(rng, 40.0, 2.0) - 0.45
    patches = noise(rng, 2.0, 2.0) - 0.5
    share = np.clip(ends + streaks * lines * 0.8 + patches * 1.1 * streaks, 0.0, 1.0)[..., None]
    image = np.array(main.rgb) * (1 - share) + np.array(blush.rgb) * share
    freckles = noise(rng, 60.0, 60.0) > 0.83
    image[freckles] = image[freckles] * 0.7 + np.array(blush.rgb) * 0.3
    return picture(to_pixels(image * (0.92 + 0.1 * noise(rng, 6.0, 6.0))[..., None]))
