"""Packs a model's textures, each with its chain of halved levels, into one array of RGBA texels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import mujoco
import numpy as np
import numpy.typing as npt

from pentathlon.worlds.rendering.kernels import halve_texels, pack_texels

_MAX_LEVELS: Final = 15  # a side of 16384
_CUBE_FACES: Final = 6
_NO_LOWEST_BITS: Final = np.uint32(0xFEFEFEFE)
_LEAST_SHARP: Final = 12  # texels of a level whose edges are kept sharp
Image = npt.NDArray[np.uint8]  # [faces, height, width, 4]


class TextureArrays(NamedTuple):
    """The texture fields of `SceneArrays`."""

    levels: npt.NDArray[np.int32]  # [textures, levels, 3] first texel, width, height
    counts: npt.NDArray[np.int32]
    texels: npt.NDArray[np.uint32]


def texture_arrays(model: mujoco.MjModel) -> TextureArrays:
    """Returns all textures of the model; a model without any gets one texel, so that no array is empty."""
    return joined_levels([_faces(model, number) for number in range(model.ntex)])


def joined_levels(images: Sequence[Image]) -> TextureArrays:
    """Returns textures with their chains of halved levels; without any, there is one texel."""
    chains = [halved_levels(image) for image in images]
    levels = np.zeros((max(1, len(chains)), _MAX_LEVELS, 3), np.int32)
    counts = np.ones(max(1, len(chains)), np.int32)
    first = 0
    for number, chain in enumerate(chains):
        counts[number] = len(chain)
        for level, image in enumerate(chain):
            levels[number, level] = first, image.shape[2], image.shape[1]
            first += image.size // 4
        levels[number, len(chain) :] = levels[number, len(chain) - 1]
    packed = [image.reshape(-1).view(np.uint32) for chain in chains for image in chain]
    texels = np.concatenate(packed) if packed else np.full(1, 0xFFFFFFFF, np.uint32)
    return TextureArrays(levels, counts, texels)


def _faces(model: mujoco.MjModel, number: int) -> Image:
    """Returns a texture as one RGBA image, or six for a cube; one square image serves all six sides of a cube."""
    width, height, channels = (int(field[number]) for field in (model.tex_width, model.tex_height, model.tex_nchannel))
    first = model.tex_adr[number]
    raw = model.tex_data[first : first + width * height * channels].reshape(height, width, channels)
    image = np.empty((height, width, 4), np.uint8)
    pack_texels(raw, image)
    if model.tex_type[number] == mujoco.mjtTexture.mjTEXTURE_2D:
        if model.tex_colorspace[number] == mujoco.mjtColorSpace.mjCOLORSPACE_SRGB:
            image[..., :3] = _SRGB_TO_LINEAR[image[..., :3]]
        return image[None]
    if width == height:
        return np.broadcast_to(image, (_CUBE_FACES, height, width, 4)).copy()
    return image.reshape(_CUBE_FACES, width, width, 4)


def halved_levels(faces: Image) -> list[Image]:
    """Returns the images of all levels, each half the size of the one before, down to one texel."""
    chain = [np.ascontiguousarray(faces)]
    while max(chain[-1].shape[1:3]) > 1 and len(chain) < _MAX_LEVELS:
        chain.append(_half(chain[-1]))
    return chain


def _half(image: Image) -> Image:
    faces, height, width, channels = image.shape
    if height % 2 or width % 2:
        return np.ascontiguousarray(_halve(_halve(image, axis=1), axis=2))
    half = np.empty((faces, height // 2, width // 2, channels), np.uint8)
    halve_texels(image.view(np.uint32)[..., 0], half.view(np.uint32)[..., 0])
    return half


def _halve(image: Image, axis: int) -> Image:
    """Returns the image at half the length along an axis, rounded down.

    A texel of an even length is the mean of two. Of a long odd one it is looked up in the middle of what it covers, as
    OpenGL's drivers do, and edges stay sharp. Of a short odd one, where a row left out would be missed, it is the mean
    of all that it covers: 2 + 1 / half texels, the outer two of three in part.
    """
    length = image.shape[axis]
    half = length // 2
    if length == 1:
        return image
    if length % 2 == 0:
        ahead = (slice(None),) * axis
        packed = np.ascontiguousarray(image).view(np.uint32)
        first, second = (packed[(*ahead, slice(start, None, 2))] for start in (0, 1))
        # The rounded mean of four bytes at once: half of the bits in which they differ, without what would carry over.
        return ((first | second) - (((first ^ second) & _NO_LOWEST_BITS) >> 1)).view(np.uint8)
    place = np.arange(half)
    if half >= _LEAST_SHARP:
        low, share = np.divmod(4 * half * place + 2 * place + half + 1, 2 * half)
        return _weighted(image, axis, [(low, 2 * half - share), (low + 1, share)])
    taps = [(2 * place, half - place), (2 * place + 1, np.full(half, half)), (2 * place + 2, place + 1)]
    return _weighted(image, axis, taps)


def _weighted(image: Image, axis: int, taps: list[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]]) -> Image:
    """Returns the mean of rows, each with its weight, along an axis."""
    total = np.uint32(sum(int(weights[0]) for _, weights in taps))
    mean = np.full(1, total // 2, np.uint32)
    for rows, weights in taps:
        scale = weights.astype(np.uint32).reshape((-1, *(1,) * (image.ndim - axis - 1)))
        mean = mean + np.take(image, rows, axis) * scale
    return (mean // total).astype(np.uint8)


def _srgb_table() -> npt.NDArray[np.uint8]:
    value = np.arange(256) / 255
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    return np.round(linear * 255).astype(np.uint8)


_SRGB_TO_LINEAR: Final = _srgb_table()
