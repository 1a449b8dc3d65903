"""Animals and a zombie: boxes on joints, with faces drawn by code."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import cache

import numpy as np

from pentathlon.core.errors import UnknownIdError
from pentathlon.worlds.blocks.looks.pixels import Pixels, Rgb, scattered
from pentathlon.worlds.modelling.textures import to_pixels

Vector = tuple[float, float, float]
Palette = tuple[Rgb, ...]


@dataclass(frozen=True)
class Limb:
    """A box that hangs from a joint.

    Attributes:
        skin: name of its texture.
        size_m: extents, x ahead.
        joint_m: where the joint is, in the body's frame.
        middle_m: of the box, from the joint.
        phase: of its swing while walking, -1 or 1; 0 keeps it still.
        face: texture of its front; the skin where none is named.
    """

    name: str
    skin: str
    size_m: Vector
    joint_m: Vector
    middle_m: Vector
    phase: float = 0.0
    face: str = ""


@dataclass(frozen=True)
class Mob:
    """A kind of mob: its limbs, the body among them, what it leaves, and how many blows it takes."""

    name: str
    limbs: tuple[Limb, ...]
    drop: str
    blows: int = 3
    hostile: bool = False


def _legs(skin: str, wide_m: float, long_m: float, ahead_m: float, aside_m: float) -> tuple[Limb, ...]:
    places = ((1, 1, 1.0), (1, -1, -1.0), (-1, 1, -1.0), (-1, -1, 1.0))
    return tuple(
        Limb(f"leg{i}", skin, (wide_m, wide_m, long_m), (x * ahead_m, y * aside_m, long_m), (0, 0, -long_m / 2), phase)
        for i, (x, y, phase) in enumerate(places)
    )


def _animal(skin: str, face: str, legs: str, size_m: Vector, head_m: Vector, leg_m: float) -> tuple[Limb, ...]:
    long_m, wide_m, high_m = size_m
    middle = leg_m + high_m / 2
    neck = (long_m / 2 - 0.02, 0.0, leg_m + high_m * 0.75)
    return (
        Limb("body", skin, size_m, (0.0, 0.0, middle), (0.0, 0.0, 0.0)),
        Limb("head", legs, head_m, neck, (head_m[0] / 2, 0.0, 0.08), face=face),
        *_legs(legs, 0.24, leg_m, long_m / 2 - 0.17, wide_m / 2 - 0.14),
    )


_ZOMBIE = (
    Limb("body", "shirt", (0.25, 0.5, 0.75), (0.0, 0.0, 1.125), (0.0, 0.0, 0.0)),
    Limb("head", "zombie", (0.5, 0.5, 0.5), (0.0, 0.0, 1.5), (0.0, 0.0, 0.25), face="zombie face"),
    Limb("leg0", "trousers", (0.25, 0.24, 0.75), (0.0, 0.125, 0.75), (0.0, 0.0, -0.375), 1.0),
    Limb("leg1", "trousers", (0.25, 0.24, 0.75), (0.0, -0.125, 0.75), (0.0, 0.0, -0.375), -1.0),
    Limb("arm0", "zombie", (0.72, 0.24, 0.24), (0.0, 0.37, 1.38), (0.30, 0.0, 0.0), 0.15),
    Limb("arm1", "zombie", (0.72, 0.24, 0.24), (0.0, -0.37, 1.38), (0.30, 0.0, 0.0), -0.15),
)
MOBS: dict[str, Mob] = {
    mob.name: mob
    for mob in (
        Mob("sheep", _animal("wool", "sheep face", "sheep skin", (1.05, 0.72, 0.66), (0.46, 0.42, 0.44), 0.55), "wool"),
        Mob("cow", _animal("cow hide", "cow face", "cow skin", (1.2, 0.74, 0.68), (0.42, 0.5, 0.5), 0.62), "beef"),
        Mob("pig", _animal("pig", "pig face", "pig", (0.98, 0.62, 0.52), (0.46, 0.48, 0.46), 0.36), "porkchop"),
        Mob("zombie", _ZOMBIE, "rotten flesh", blows=4, hostile=True),
    )
}
_SKINS: dict[str, Palette] = {
    "wool": ((0.82, 0.81, 0.79), (0.88, 0.87, 0.85), (0.93, 0.92, 0.90), (0.96, 0.96, 0.94)),
    "sheep skin": ((0.72, 0.58, 0.48), (0.77, 0.63, 0.53), (0.81, 0.68, 0.58)),
    "cow hide": ((0.24, 0.17, 0.12), (0.28, 0.20, 0.14), (0.31, 0.23, 0.16), (0.86, 0.86, 0.85)),
    "cow skin": ((0.22, 0.16, 0.11), (0.27, 0.19, 0.14), (0.31, 0.23, 0.17)),
    "pig": ((0.89, 0.58, 0.56), (0.93, 0.63, 0.61), (0.95, 0.68, 0.66)),
    "zombie": ((0.26, 0.42, 0.21), (0.31, 0.48, 0.25), (0.36, 0.54, 0.29)),
    "shirt": ((0.05, 0.45, 0.47), (0.07, 0.51, 0.53), (0.09, 0.57, 0.59)),
    "trousers": ((0.21, 0.19, 0.44), (0.25, 0.23, 0.50), (0.29, 0.27, 0.55)),
    "sleeve": ((0.22, 0.32, 0.58), (0.26, 0.37, 0.64), (0.30, 0.42, 0.70)),
    "hand": ((0.72, 0.53, 0.42), (0.77, 0.58, 0.47), (0.81, 0.62, 0.51)),
}
_FACES: dict[str, tuple[str, str]] = {
    "sheep face": ("sheep skin", "sheep"),
    "cow face": ("cow skin", "cow"),
    "pig face": ("pig", "pig"),
    "zombie face": ("zombie", "zombie"),
}


def mob_of(name: str) -> Mob:
    """Returns the kind of that name."""
    if name not in MOBS:
        raise UnknownIdError("mob", name, MOBS)
    return MOBS[name]


@cache
def skin(name: str) -> Pixels:
    """Returns a texture of a mob, uint8[16, 16, 3]."""
    base, kind = _FACES.get(name, (name, ""))
    cycles = 3.0 if base == "cow hide" else 10.0
    image = scattered(np.random.default_rng(zlib.crc32(base.encode())), _SKINS[base], cycles)
    if kind:
        _draw_face(image, kind)
    return to_pixels(image)


def _draw_face(image: np.ndarray[tuple[int, ...], np.dtype[np.float64]], kind: str) -> None:
    black, white = (0.06, 0.06, 0.07), (0.95, 0.95, 0.95)
    if kind == "sheep":
        image[:4] = (0.93, 0.92, 0.90)
    if kind == "zombie":
        image[6:8, 2:6] = image[6:8, 10:14] = black
        image[11:13, 5:11] = (0.14, 0.25, 0.12)
        return
    image[6:8, 1:5] = image[6:8, 11:15] = white
    image[6:8, 1:3] = image[6:8, 13:15] = black
    muzzle = {"sheep": (0.62, 0.45, 0.42), "cow": (0.72, 0.66, 0.63), "pig": (0.86, 0.45, 0.45)}[kind]
    image[10:15, 4:12] = muzzle
    image[11:13, 5:7] = image[11:13, 9:11] = (0.30, 0.16, 0.16)
