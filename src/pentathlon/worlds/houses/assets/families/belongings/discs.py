"""Discs of music and films."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw

from pentathlon.worlds.houses.assets.asset import Asset, Part
from pentathlon.worlds.houses.assets.handheld import thing
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import pick_colour
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.pictures import picture
from pentathlon.worlds.modelling.shapes import lathe
from pentathlon.worlds.modelling.textures import Texture

RADIUS_M, HOLE_M = 0.060, 0.0075


@object_type("CD", "electronics", "a shiny disc with a hole", rooms=("LivingRoom", "Bedroom"), shape="flat", noun="CD")
def compact_disc(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A compact disc: a rainbow sheen or a printed label around a clear hub with a hole."""
    low, high = 0.0, 0.0030
    body = lathe([(HOLE_M, low), (RADIUS_M, low), (RADIUS_M, high), (HOLE_M, high), (HOLE_M, low)], 48)
    hub = lathe([(HOLE_M, high), (0.018, high), (0.018, high + 0.0006), (HOLE_M, high + 0.0006), (HOLE_M, high)], 32)
    printed = rng.random() < 0.4
    tint = pick_colour(rng, colour, "red", "blue", "green", "yellow", "purple") if printed else None
    face = _label(tint.rgb) if tint is not None else _sheen(float(rng.uniform(0, 1)))
    top = body.with_projected_uvs("z")
    return thing(
        [Part(top, look("plastic", "white", texture=face)), Part(hub, look("glass", "white"))],
        touch="cylinder",
        mass_kg=0.016,
        colours=("silver",) if tint is None else (tint.name, "silver"),
        materials=("plastic",),
    )


def _sheen(turn: float) -> Texture:
    """Silver with two fans of rainbow, as light falls on it."""
    y, x = np.mgrid[-1:1:256j, -1:1:256j]
    angle = np.arctan2(y, x) / (2 * np.pi) + turn
    fan = np.exp(-(((angle * 2 % 1.0) - 0.5) ** 2) / 0.012)[..., None]
    hue = (np.hypot(x, y) * 2.2 + angle)[..., None] * 2 * np.pi + np.array([0.0, 2.1, 4.2])
    rainbow = 0.55 + 0.45 * np.cos(hue)
    silver = 0.74 + 0.10 * np.cos(4 * np.pi * angle)[..., None] * np.ones(3)
    return picture((np.clip(silver * (1 - 0.85 * fan) + rainbow * 0.85 * fan, 0, 1) * 255).astype(np.uint8))


def _label(rgb: tuple[float, float, float]) -> Texture:
    ink = tuple(round(255 * channel) for channel in rgb)
    image = Image.new("RGB", (256, 256), (205, 208, 212))
    draw = ImageDraw.Draw(image)
    draw.ellipse((8, 8, 248, 248), fill=ink)
    draw.rectangle((60, 40, 196, 58), fill=(245, 245, 245))
    draw.rectangle((80, 196, 176, 204), fill=(245, 245, 245))
    draw.ellipse((84, 84, 172, 172), fill=(205, 208, 212))
    return picture(image)
