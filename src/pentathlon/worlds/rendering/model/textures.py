"""Packs a model's textures, each with its chain of halved levels, into one array of RGBA texels."""

from __future__ import annotations

from typing import Final, NamedTuple

import mujoco
import numpy as np
import numpy.typing as npt

_MAX_LEVELS: Final = 15  # a side of 16384
_CUBE_FACES: Final = 6
Image = npt.NDArray[np.uint8]  # [faces, height, width, 4]


class TextureArrays(NamedTuple):
    """The texture fields of `SceneArrays`."""

    levels: npt.NDArray[np.int32]  # [textures, levels, 3] first texel, width, height
    counts: npt.NDArray[np.int32]
    texels: npt.NDArray[np.uint32]


def texture_arrays(model: mujoco.MjModel) -> TextureArrays:
    """Returns all textures of the model; a model without any gets one texel, so that no array is empty."""
    chains = [halved_levels(_faces(model, number)) for number in range(model.ntex)]
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
    image = np.full((height, width, 4), 255, np.uint8)
    image[..., : min(channels, 4)] = raw[..., :4] if channels >= 3 else raw[..., :1]
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
        chain.append(_halve(_halve(chain[-1], axis=1), axis=2))
    return chain


def _halve(image: Image, axis: int) -> Image:
    """Returns the image at half the length along an axis, rounded down; each texel is the mean of what it covers.

    Of an odd length 2 h + 1 a texel covers 2 + 1 / h texels: the outer two of three in part.
    """
    length = image.shape[axis]
    if length == 1:
        return image
    half = length // 2
    ahead = (slice(None),) * axis
    first, second = (image[(*ahead, slice(start, 2 * half, 2))].astype(np.uint32) for start in (0, 1))
    if length % 2 == 0:
        return ((first + second + 1) >> 1).astype(np.uint8)
    third = image[(*ahead, slice(2, None, 2))]
    place = np.arange(half, dtype=np.uint32).reshape((-1, *(1,) * (image.ndim - axis - 1)))
    total = (half - place) * first + half * second + (place + 1) * third
    mean: Image = ((total + half) // length).astype(np.uint8)
    return mean


def _srgb_table() -> npt.NDArray[np.uint8]:
    value = np.arange(256) / 255
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    return np.round(linear * 255).astype(np.uint8)


_SRGB_TO_LINEAR: Final = _srgb_table()
