"""Textures repeat without a seam, come out the same each time, and materials differ."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from pentathlon.core.errors import UnknownIdError
from pentathlon.worlds.modelling import pictures
from pentathlon.worlds.modelling.colours import COLOURS, colour, pick_colour
from pentathlon.worlds.modelling.materials import MATERIALS, WOODS, look, wood
from pentathlon.worlds.modelling.textures import TILES, tile


@pytest.mark.parametrize("name", TILES)
def test_tile_is_seamless_and_not_flat(name: str) -> None:
    pixels = tile(name).pixels.astype(float)
    assert pixels.shape == (256, 256, 3)
    assert pixels.std() > 0.5
    assert pixels.mean() > 90, "a tile is a multiplier; a dark one would blacken every colour"
    for axis in (0, 1):
        steps = np.abs(np.diff(pixels, axis=axis)).mean(axis=(1 - axis, 2))
        seam = np.abs(np.take(pixels, 0, axis) - np.take(pixels, -1, axis)).mean()
        assert seam <= steps.max() + 2.0


def test_tiles_are_the_same_each_time_and_variants_differ() -> None:
    again = tile.__wrapped__("wood", 1)
    assert again.digest == tile("wood", 1).digest != tile("wood", 2).digest


def test_pictures_follow_their_generator() -> None:
    def make(seed: int) -> list[str]:
        rng = np.random.default_rng(seed)
        palette = [colour(name) for name in ("red", "cream", "navy")]
        made = [
            pictures.book_cover(rng, palette[0], "The Sea"),
            pictures.landscape(rng),
            pictures.abstract(rng, palette),
            pictures.screen(rng),
            pictures.rug(rng, *palette),
            pictures.tie_dye(rng),
            pictures.fruit_skin(rng, palette[0], palette[1]),
        ]
        return [item.digest for item in made]

    assert make(3) == make(3)
    assert all(first != second for first, second in zip(make(3), make(4), strict=True))


def test_label_writes_its_text() -> None:
    blank = pictures.label("", colour("black"), colour("white")).pixels
    written = pictures.label("CVPR", colour("black"), colour("white")).pixels
    assert written.shape == blank.shape
    assert 0.02 < (written.min(axis=2) < 128).mean() < 0.5


def test_colours_are_apart_and_shades_keep_their_name() -> None:
    assert len(COLOURS) >= 18
    for first, second in itertools.combinations(COLOURS.values(), 2):
        assert np.linalg.norm(np.subtract(first.rgb, second.rgb)) > 0.05, (first, second)
    rng = np.random.default_rng(0)
    for name, item in COLOURS.items():
        shade = item.shade(rng)
        assert shade.name == name
        assert np.abs(np.subtract(shade.rgb, item.rgb)).max() < 0.12
    assert pick_colour(rng, "red", "blue").name == "red"
    assert pick_colour(rng, None, "blue").name == "blue"


def test_materials_look_different_and_have_weight() -> None:
    needed = {"wood", "metal", "glass", "plastic", "ceramic", "fabric", "paper", "leather", "stone", "rubber"}
    assert needed <= set(MATERIALS)
    looks = [
        (item.specular, item.shininess, item.reflectance, item.alpha, item.texture)
        for item in MATERIALS.values()
        if item.name in needed
    ]
    assert len(set(looks)) == len(looks)
    assert all(20 <= item.density_kg_m3 <= 8000 for item in MATERIALS.values())
    assert look("glass", "white").material.alpha < 1
    assert {wood(np.random.default_rng(0), name).colour.name for name in WOODS} == {"beige", "brown", "black"}


def test_unknown_names_offer_the_nearest() -> None:
    with pytest.raises(UnknownIdError, match="'purple'"):
        colour("purpel")
    with pytest.raises(UnknownIdError, match="'ceramic'"):
        look("ceramics", "red")
    with pytest.raises(UnknownIdError, match="'fabric'"):
        tile("fabrik")
