"""What is seen from windows: hills, a garden, a forest, the sea, a city, a street."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from pentathlon.worlds.modelling.pictures import landscape, picture
from pentathlon.worlds.modelling.textures import Texture

ViewKind = Literal["hills", "garden", "forest", "sea", "city", "street"]
Rgb = tuple[int, int, int]
WIDTH_PX, HEIGHT_PX = 360, 256
SKIES: tuple[tuple[Rgb, Rgb], ...] = (
    ((120, 170, 225), (214, 230, 242)),
    ((160, 175, 192), (220, 224, 228)),
    ((110, 140, 200), (250, 214, 176)),
    ((92, 156, 214), (196, 222, 240)),
)


def window_view(rng: np.random.Generator, kind: ViewKind) -> Texture:
    """Draws a view through a window; draws of one kind differ in sky, season and layout."""
    if kind == "hills":
        return landscape(rng, aspect=WIDTH_PX / HEIGHT_PX)
    image = _sky(rng)
    _SCENES[kind](ImageDraw.Draw(image), rng)
    return picture(image.filter(ImageFilter.GaussianBlur(0.8)))


def _sky(rng: np.random.Generator) -> Image.Image:
    high, low = (np.array(tone, dtype=float) for tone in SKIES[int(rng.integers(len(SKIES)))])
    share = np.linspace(0.0, 1.0, HEIGHT_PX)[:, None, None]
    pixels = np.broadcast_to(high * (1 - share) + low * share, (HEIGHT_PX, WIDTH_PX, 3))
    image = Image.fromarray(pixels.astype(np.uint8))
    draw = ImageDraw.Draw(image)
    for _ in range(int(rng.integers(2, 6))):
        x, y, wide = rng.uniform(0, WIDTH_PX), rng.uniform(10, 90), rng.uniform(30, 80)
        for step in range(4):
            left, top = x + step * wide / 4 + rng.uniform(-6, 6), y + rng.uniform(-5, 5)
            draw.ellipse((left, top, left + wide / 2, top + wide / 5), fill=(244, 246, 248))
    return image


def _shade(rng: np.random.Generator, rgb: Rgb, amount: float = 0.15) -> Rgb:
    red, green, blue = np.clip(np.array(rgb) * rng.uniform(1 - amount, 1 + amount), 0, 255).astype(int).tolist()
    return red, green, blue


def _ridge(draw: ImageDraw.ImageDraw, rng: np.random.Generator, base: float, rise: float, rgb: Rgb) -> None:
    xs = np.linspace(0, WIDTH_PX, 60)
    waves = np.sum([np.sin(xs / rng.uniform(20, 90) + rng.uniform(0, 6.28)) for _ in range(3)], axis=0)
    top = base - rise * (waves + 3) / 6
    draw.polygon([(0, HEIGHT_PX), *zip(xs.tolist(), top.tolist(), strict=True), (WIDTH_PX, HEIGHT_PX)], fill=rgb)


def _tree(draw: ImageDraw.ImageDraw, rng: np.random.Generator, x: float, foot: float, high: float) -> None:
    trunk, leaf = _shade(rng, (92, 66, 44)), _shade(rng, (70, 118, 58), 0.35)
    draw.rectangle((x - high * 0.04, foot - high * 0.5, x + high * 0.04, foot), fill=trunk)
    if rng.random() < 0.4:
        for level in range(3):
            y, half = foot - high * (0.25 + 0.25 * level), high * (0.28 - 0.07 * level)
            draw.polygon([(x - half, y), (x + half, y), (x, y - high * 0.38)], fill=_shade(rng, leaf, 0.08))
        return
    for _ in range(9):
        dx, dy, r = rng.normal(0, high * 0.14), rng.normal(0, high * 0.11), high * rng.uniform(0.12, 0.2)
        cx, cy = x + dx, foot - high * 0.68 + dy
        draw.ellipse((cx - r, cy - r, cx + r, cy + r), fill=_shade(rng, leaf, 0.14))


def _garden(draw: ImageDraw.ImageDraw, rng: np.random.Generator) -> None:
    _ridge(draw, rng, 150, 30, _shade(rng, (104, 146, 104)))
    draw.rectangle((0, 165, WIDTH_PX, HEIGHT_PX), fill=_shade(rng, (112, 164, 78)))
    for x in np.arange(0, WIDTH_PX, 16.0):
        draw.rectangle((x, 140, x + 11, 178), fill=_shade(rng, (196, 178, 150), 0.06))
    for _ in range(int(rng.integers(2, 4))):
        _tree(draw, rng, float(rng.uniform(20, WIDTH_PX - 20)), 186.0, float(rng.uniform(80, 140)))
    blooms: tuple[Rgb, ...] = ((208, 58, 66), (238, 196, 60), (196, 96, 182), (245, 245, 245))
    for _ in range(90):
        x, y, r = rng.uniform(0, WIDTH_PX), rng.uniform(196, 240), rng.uniform(1.5, 3.5)
        draw.ellipse((x - r, y - r, x + r, y + r), fill=blooms[int(rng.integers(len(blooms)))])


def _forest(draw: ImageDraw.ImageDraw, rng: np.random.Generator) -> None:
    _ridge(draw, rng, 150, 60, _shade(rng, (96, 130, 112)))
    draw.rectangle((0, 190, WIDTH_PX, HEIGHT_PX), fill=_shade(rng, (82, 104, 58)))
    for row, (foot, high) in enumerate(((176, 80), (200, 120), (236, 170))):
        for x in rng.uniform(-10, WIDTH_PX + 10, 12 - 3 * row).tolist():
            _tree(draw, rng, x, float(foot + rng.uniform(-6, 6)), float(high * rng.uniform(0.8, 1.15)))


def _sea(draw: ImageDraw.ImageDraw, rng: np.random.Generator) -> None:
    line = float(rng.uniform(118, 140))
    water = _shade(rng, (62, 128, 168))
    draw.rectangle((0, line, WIDTH_PX, HEIGHT_PX), fill=water)
    for _ in range(70):
        y = line + (HEIGHT_PX - line) * float(rng.random()) ** 1.5
        x, wide = rng.uniform(-20, WIDTH_PX), 4 + (y - line) * 0.25
        draw.line((x, y, x + wide, y), fill=_shade(rng, (120, 172, 200), 0.1), width=1)
    beach = float(rng.uniform(200, 226))
    draw.polygon([(0, beach), (WIDTH_PX, beach + 16), (WIDTH_PX, HEIGHT_PX), (0, HEIGHT_PX)], fill=(222, 202, 160))
    for _ in range(int(rng.integers(1, 4))):
        x, y, s = rng.uniform(30, WIDTH_PX - 30), line + rng.uniform(2, 30), rng.uniform(10, 22)
        draw.polygon([(x, y), (x, y - 2 * s), (x + s, y - 2)], fill=(246, 246, 242))
        hull = [(x - s * 0.6, y), (x + s, y), (x + s * 0.6, y + s * 0.3), (x - s * 0.3, y + s * 0.3)]
        draw.polygon(hull, fill=(120, 52, 46))


def _building(
    draw: ImageDraw.ImageDraw, rng: np.random.Generator, x: float, wide: float, top: float, foot: float
) -> None:
    walls: tuple[Rgb, ...] = ((166, 152, 140), (128, 138, 150), (188, 178, 160), (146, 104, 86), (204, 200, 192))
    draw.rectangle((x, top, x + wide, foot), fill=_shade(rng, walls[int(rng.integers(len(walls)))], 0.1))
    pitch = rng.uniform(11, 17)
    for row in np.arange(top + 7, foot - 10, pitch):
        for column in np.arange(x + 5, x + wide - 8, pitch * 0.85):
            glow = (250, 226, 160) if rng.random() < 0.15 else _shade(rng, (86, 104, 124), 0.2)
            draw.rectangle((column, row, column + pitch * 0.42, row + pitch * 0.5), fill=glow)


def _city(draw: ImageDraw.ImageDraw, rng: np.random.Generator) -> None:
    for foot, low, high in ((210, 50, 120), (HEIGHT_PX, 100, 180)):
        x = -10.0
        while x < WIDTH_PX:
            wide = float(rng.uniform(34, 72))
            _building(draw, rng, x, wide, float(rng.uniform(low, high)), float(foot))
            x += wide + float(rng.uniform(0, 8))


def _street(draw: ImageDraw.ImageDraw, rng: np.random.Generator) -> None:
    x = -20.0
    while x < WIDTH_PX:
        wide, top = float(rng.uniform(70, 110)), float(rng.uniform(70, 105))
        roof = _shade(rng, (140, 72, 58), 0.25)
        draw.polygon([(x - 4, top), (x + wide + 4, top), (x + wide / 2, top - wide * 0.42)], fill=roof)
        _building(draw, rng, x, wide, top, 190.0)
        draw.rectangle((x + wide * 0.42, 160, x + wide * 0.58, 190), fill=_shade(rng, (96, 60, 40), 0.3))
        x += wide + float(rng.uniform(4, 20))
    draw.rectangle((0, 190, WIDTH_PX, 206), fill=(178, 176, 170))
    draw.rectangle((0, 206, WIDTH_PX, HEIGHT_PX), fill=(92, 94, 98))
    for dash in range(0, WIDTH_PX, 40):
        draw.rectangle((dash, 230, dash + 20, 233), fill=(220, 218, 206))
    cars: tuple[Rgb, ...] = ((190, 44, 44), (52, 92, 160), (226, 226, 226), (44, 48, 54))
    for _ in range(int(rng.integers(1, 3))):
        x, paint = float(rng.uniform(10, WIDTH_PX - 90)), cars[int(rng.integers(len(cars)))]
        draw.rounded_rectangle((x, 206, x + 78, 226), 6, fill=paint)
        draw.rounded_rectangle((x + 16, 193, x + 60, 212), 7, fill=paint)
        draw.rectangle((x + 22, 197, x + 54, 206), fill=(180, 204, 220))
        for wheel in (x + 18, x + 60):
            draw.ellipse((wheel - 7, 219, wheel + 7, 233), fill=(28, 28, 30))
    _tree(draw, rng, float(rng.uniform(20, WIDTH_PX - 20)), 204.0, float(rng.uniform(90, 130)))


_SCENES: dict[str, Callable[[ImageDraw.ImageDraw, np.random.Generator], None]] = {
    "garden": _garden,
    "forest": _forest,
    "sea": _sea,
    "city": _city,
    "street": _street,
}
VIEW_KINDS: tuple[ViewKind, ...] = ("hills", "garden", "forest", "sea", "city", "street")
