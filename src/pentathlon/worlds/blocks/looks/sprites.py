"""Sprites of items, sixteen texels a side, and the thin bodies that they are held and lie about as."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from pentathlon.core.errors import UnknownIdError
from pentathlon.worlds.blocks.land.kinds import CODES
from pentathlon.worlds.blocks.land.meshing import FACES, quad_mesh
from pentathlon.worlds.modelling.mesh import Mesh

SIDE = 16
Sprite = NDArray[np.uint8]
Rgb = tuple[int, int, int]

_PICKAXE = (
    "................", "......MMMMM.....", ".....MmmmmmMh...", "......MMMMmmM...", "..........hmmM..",
    ".........hHMmM..", "........hH.MmM..", ".......hH..MmM..", "......hH...MmM..", ".....hH....MmM..",
    "....hH......M...", "...hH...........", "..hH............", ".hH.............", ".H..............",
    "................",
)  # fmt: skip
_AXE = (
    "................", "........MMM.....", ".......MmmmM.h..", ".......MmmmmhH..", ".......MmmmhHM..",
    "........MmhHmM..", ".........hHmmM..", "........hHMMM...", ".......hH.......", "......hH........",
    ".....hH.........", "....hH..........", "...hH...........", "..hH............", ".hH.............",
    "................",
)  # fmt: skip
_SHOVEL = (
    "................", "...........MMM..", "..........MmmmM.", ".........MmmmmM.", ".........MmmmmM.",
    ".........MmmmM..", "........hHMMM...", ".......hH.......", "......hH........", ".....hH.........",
    "....hH..........", "...hH...........", "..hH............", ".hH.............", "................",
    "................",
)  # fmt: skip
_SWORD = (
    ".............MMM", "............MmmM", "...........MmmM.", "..........MmmM..", ".........MmmM...",
    "........MmmM....", ".......MmmM.....", "..M...MmmM......", "..MM.MmmM.......", "...MMmmM........",
    "....MMM.........", "...hHMMM........", "..hH..MM........", ".hH.............", "HH..............",
    "................",
)  # fmt: skip
_STICK = (
    "................", "............hh..", "...........hhH..", "..........hhH...", ".........hhH....",
    "........hhH.....", ".......hhH......", "......hhH.......", ".....hhH........", "....hhH.........",
    "...hhH..........", "..hhH...........", "..hH............", "................", "................",
    "................",
)  # fmt: skip
_LUMP = (
    "................", "................", "......MMM.......", "....MMmmmMM.....", "...MmmmmmmMM....",
    "..MmmMmmmmmmM...", "..MmmmmmMmmmM...", ".MmmmmmMMmmmMM..", ".MmmMmmmmmmmmM..", ".MmmmmmmmmMmMM..",
    "..MMmmMmmmmmM...", "...MMmmmmmMM....", ".....MMMMMM.....", "................", "................",
    "................",
)  # fmt: skip
_GEM = (
    "................", "................", "................", "....MMMMMMMM....", "...MmmwmmmmmM...",
    "..MmmwwmmmmmmM..", "..MmmmmmmmmmmM..", "...MmmmmmmmmM...", "....MmmmmmmM....", ".....MmmmmM.....",
    "......MmmM......", ".......MM.......", "................", "................", "................",
    "................",
)  # fmt: skip
_MEAT = (
    "................", "................", ".......MMMMM....", ".....MMmmmmwM...", "....MmmmmmmwwM..",
    "...MmmwwmmmmwM..", "..MmmmwwmmmmwM..", "..MmmmmmmwmmwM..", ".MwmmmmmmwmmM...", ".MwwmmmmmmmmM...",
    ".MwwwmmmmmMM....", "..MwwwMMMM......", "...MMMM.........", "................", "................",
    "................",
)  # fmt: skip
_LOAF = (
    "................", "................", "..........MMMM..", "........MMmmmmM.", "......MMmmwmmmM.",
    ".....MmmmmmwmmM.", "....MmwmmmmmmM..", "...MmmmwmmmmM...", "..MmmmmmmmMM....", ".MmmwmmmMM......",
    ".MmmmmMM........", ".MMMMM..........", "................", "................", "................",
    "................",
)  # fmt: skip
_TORCH = (
    "................", "................", ".......wm.......", "......mwwm......", "......mwwM......",
    ".......MM.......", ".......hH.......", ".......hH.......", ".......hH.......", ".......hH.......",
    ".......hH.......", ".......hH.......", ".......hH.......", "................", "................",
    "................",
)  # fmt: skip
_BOWL = (
    "................", "................", "................", "................", "................",
    "..MMMMMMMMMMMM..", ".MwwwwwwwwwwwwM.", ".MmMMMMMMMMMMmM.", "..MmmmmmmmmmmM..", "..MmmmmmmmmmmM..",
    "...MmmmmmmmmM...", "....MMmmmmMM....", "......MMMM......", "................", "................",
    "................",
)  # fmt: skip
_WOOD: tuple[Rgb, Rgb] = ((158, 120, 66), (104, 78, 42))
_STONE: tuple[Rgb, Rgb] = ((154, 154, 156), (94, 94, 97))
_IRON: tuple[Rgb, Rgb] = ((226, 226, 228), (142, 142, 146))
_HANDLE: tuple[Rgb, Rgb] = ((137, 103, 58), (92, 68, 36))

ITEMS: dict[str, tuple[tuple[str, ...], tuple[Rgb, Rgb], Rgb]] = {
    "pickaxe": (_PICKAXE, _IRON, (255, 255, 255)),
    "wooden pickaxe": (_PICKAXE, _WOOD, (255, 255, 255)),
    "stone pickaxe": (_PICKAXE, _STONE, (255, 255, 255)),
    "axe": (_AXE, _IRON, (255, 255, 255)),
    "stone axe": (_AXE, _STONE, (255, 255, 255)),
    "shovel": (_SHOVEL, _IRON, (255, 255, 255)),
    "wooden shovel": (_SHOVEL, _WOOD, (255, 255, 255)),
    "sword": (_SWORD, _IRON, (255, 255, 255)),
    "stone sword": (_SWORD, _STONE, (255, 255, 255)),
    "stick": (_STICK, _WOOD, (255, 255, 255)),
    "torch": (_TORCH, ((240, 200, 70), (210, 120, 30)), (255, 245, 190)),
    "bowl": (_BOWL, ((140, 98, 58), (92, 62, 34)), (70, 46, 26)),
    "bread": (_LOAF, ((198, 140, 62), (128, 84, 32)), (232, 192, 116)),
    "wheat": (_STICK, ((214, 186, 86), (150, 124, 46)), (255, 255, 255)),
    "coal": (_LUMP, ((58, 58, 62), (26, 26, 28)), (255, 255, 255)),
    "raw iron": (_LUMP, ((206, 172, 142), (142, 108, 82)), (255, 255, 255)),
    "raw gold": (_LUMP, ((248, 212, 78), (190, 136, 30)), (255, 255, 255)),
    "diamond": (_GEM, ((106, 228, 222), (34, 140, 142)), (228, 255, 254)),
    "beef": (_MEAT, ((184, 52, 46), (112, 24, 24)), (236, 196, 180)),
    "porkchop": (_MEAT, ((238, 142, 136), (170, 84, 82)), (250, 214, 204)),
    "rotten flesh": (_MEAT, ((150, 92, 52), (92, 50, 30)), (112, 128, 60)),
}
_EXTRAS: dict[str, Rgb] = {"h": _HANDLE[0], "H": _HANDLE[1]}


@cache
def sprite(name: str) -> Sprite:
    """Returns an item's picture, uint8[16, 16, 4]; clear where nothing is."""
    if name not in ITEMS:
        raise UnknownIdError("item", name, (*ITEMS, *CODES))
    rows, (light, dark), bright = ITEMS[name]
    colours = {"m": light, "M": dark, "w": bright, **_EXTRAS}
    if name in ("stick", "wheat"):
        colours |= {"h": light, "H": dark}
    found = np.zeros((SIDE, SIDE, 4), np.uint8)
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            if letter != ".":
                found[y, x] = (*colours[letter], 255)
    return found


def sprite_mesh(picture: Sprite, size_m: float, thick_m: float) -> Mesh:
    """The picture as a thin body in the xz plane about the origin: a small box for each texel that is filled."""
    step = size_m / SIDE
    filled = picture[..., 3] > 0
    vertices, normals, uvs = [], [], []
    for y, x in np.argwhere(filled).tolist():
        left, low = (x - SIDE / 2) * step, (SIDE / 2 - 1 - y) * step
        middle = ((x + 0.5) / SIDE, 1.0 - (y + 0.5) / SIDE)
        for normal, corners in _texel_faces(filled, y, x):
            vertices.append(corners * np.array([step, thick_m, step]) + np.array([left, -thick_m / 2, low]))
            normals.append(np.tile(normal, (4, 1)))
            uvs.append(np.tile(middle, (4, 1)))
    return quad_mesh(np.concatenate(vertices), np.concatenate(normals), np.concatenate(uvs))


def _texel_faces(filled: NDArray[np.bool_], y: int, x: int) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Normal and unit corners of the faces of a texel's box that nothing hides: front, back, and open edges."""
    padded = np.pad(filled, 1)
    beside = {(1, 0, 0): (0, 1), (-1, 0, 0): (0, -1), (0, 0, 1): (-1, 0), (0, 0, -1): (1, 0)}
    found = []
    for normal, corners in FACES:
        row, column = beside.get(normal, (0, 0))
        if (row, column) == (0, 0) or not padded[y + 1 + row, x + 1 + column]:
            found.append((np.array(normal, float), np.array(corners, float)))
    return found
