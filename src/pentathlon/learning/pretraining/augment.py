"""Random views of frames, made on the device: crops and blurs are matrix products, so a whole batch takes one pass."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor

from pentathlon.models.encoders.preprocess import IMAGENET_MEAN, IMAGENET_STD

LUMA = (0.299, 0.587, 0.114)


@dataclass(frozen=True)
class Views:
    """How a view is drawn; the defaults are MAE's: crops and flips only.

    Attributes:
        smallest_area: least share of the frame that a crop covers.
        jitter: largest change of brightness, contrast, saturation (factors) and hue (turns).
        jitter_chance: chance of that change.
        blur_chance: chance of a Gaussian blur with a deviation of 0.1 to 2 pixels at an edge of 224.
    """

    smallest_area: float = 0.2
    flip_chance: float = 0.5
    jitter: tuple[float, float, float, float] = (0.4, 0.4, 0.2, 0.1)
    jitter_chance: float = 0.0
    grey_chance: float = 0.0
    blur_chance: float = 0.0
    solarise_chance: float = 0.0


def random_views(frames: Tensor, size: int, views: Views, generator: torch.Generator) -> Tensor:
    """Makes one normalised view ``[B, 3, size, size]`` of each of the uint8 ``frames[B, H, W, 3]``."""
    # Autocast would make bfloat16 of the products, which holds every other level above 128.
    with torch.autocast(frames.device.type, enabled=False):
        rows, columns = crop_matrices(frames, size, views, draw_crops(len(frames), generator))
        if views.blur_chance:
            blur = blur_matrices(len(frames), size, views.blur_chance, generator)
            rows, columns = blur @ rows, blur @ columns
        pixels = resample(frames, rows, columns).float() / 255.0
        if views.jitter_chance or views.grey_chance:
            pixels = jitter_colours(pixels, views, generator)
        if views.solarise_chance:
            chosen = _chosen(len(pixels), views.solarise_chance, generator)
            pixels = torch.where(chosen & (pixels >= 0.5), 1.0 - pixels, pixels)
        mean, std = statistics(frames.device)
        return (pixels - mean) / std


@cache
def statistics(device: torch.device) -> tuple[Tensor, Tensor]:
    """ImageNet's mean and deviation ``[1, 3, 1, 1]``, copied once: each copy would wait for all queued work."""
    mean, std = (torch.tensor(values, device=device).view(1, 3, 1, 1) for values in (IMAGENET_MEAN, IMAGENET_STD))
    return mean, std


def draw_crops(count: int, generator: torch.Generator) -> Tensor:
    """Draws what :func:`crop_matrices` needs, ``[5, count]`` in 0..1."""
    return _uniform((5, count), generator)


def crop_matrices(frames: Tensor, size: int, views: Views, draws: Tensor) -> tuple[Tensor, Tensor]:
    """Makes crops of random area, shape (3:4 to 4:3) and place, as resampling matrices for rows and columns."""
    height, width = frames.shape[1:3]
    area, shape, top, left, flip = draws
    area = views.smallest_area + (1 - views.smallest_area) * area
    ratio = torch.exp((2 * shape - 1) * math.log(4 / 3))
    high, wide = (area / ratio).sqrt().clamp(max=1.0), (area * ratio).sqrt().clamp(max=1.0)
    rows = resampling(top * (1 - high) * height, high * height, height, size)
    columns = resampling(left * (1 - wide) * width, wide * width, width, size)
    return rows, torch.where((flip < views.flip_chance)[:, None, None], columns.flip(1), columns)


def resampling(start: Tensor, length: Tensor, source: int, target: int) -> Tensor:
    """Makes ``[B, target, source]`` matrices that stretch an interval by an antialiased triangle filter.

    Args:
        start: where the interval begins, in source pixels ``[B]``.
        length: how long it is, in source pixels ``[B]``.
        source: pixels before.
        target: pixels after.
    """
    scale = (length / target)[:, None, None]
    centre = start[:, None, None] + (torch.arange(target, device=start.device)[:, None] + 0.5) * scale
    distance = (torch.arange(source, device=start.device) + 0.5 - centre).abs() / scale.clamp(min=1.0)
    weights = (1 - distance).clamp(min=0.0)
    return weights / weights.sum(dim=2, keepdim=True)


def blur_matrices(count: int, size: int, chance: float, generator: torch.Generator) -> Tensor:
    """Makes ``[B, size, size]`` Gaussian blurs for a share ``chance`` of the batch, identities for the rest."""
    (deviation,) = _uniform((1, count), generator)
    chosen = _chosen(count, chance, generator).view(count)
    deviation = torch.where(chosen, (0.1 + 1.9 * deviation) * size / 224, 0.01)[:, None, None]
    place = torch.arange(size, device=generator.device)
    weights = torch.exp(-0.5 * ((place[:, None] - place) / deviation) ** 2)
    return weights / weights.sum(dim=2, keepdim=True)


def resample(frames: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
    """Applies the matrices to uint8 ``frames[B, H, W, 3]``; gives ``[B, 3, size, size]`` in 0..255."""
    # Half precision holds all 256 levels exactly and doubles the speed where the device has it.
    dtype = torch.float16 if frames.is_cuda else torch.float32
    count, height, width, _ = frames.shape
    size = rows.shape[1]
    # Channels move between rows and columns while bytes become numbers, so neither product needs a copy.
    planes = frames.transpose(2, 3).to(dtype).reshape(count, height * 3, width)
    across = torch.bmm(planes, columns.to(dtype).transpose(1, 2)).view(count, height, 3 * size)
    return torch.bmm(rows.to(dtype), across).view(count, size, 3, size).transpose(1, 2)


def jitter_colours(pixels: Tensor, views: Views, generator: torch.Generator) -> Tensor:
    """Changes brightness, contrast, saturation and hue of ``pixels[B, 3, S, S]`` in 0..1, and greys some."""
    count = len(pixels)
    draws = 2 * _uniform((4, count), generator) - 1
    chosen = _chosen(count, views.jitter_chance, generator).view(count)
    brightness, contrast, saturation, hue = (
        torch.where(chosen, draw * limit, 0.0).view(count, 1, 1)
        for draw, limit in zip(draws, views.jitter, strict=True)
    )
    grey = _chosen(count, views.grey_chance, generator).view(count, 1, 1)
    saturation = torch.where(grey, 0.0, 1 + saturation)
    luma = torch.tensor(LUMA, device=pixels.device)
    turned = saturation * hue_rotation(hue.view(count)) + (1 - saturation) * luma.expand(3, 3)
    coloured = torch.bmm(turned, (pixels * (1 + brightness)[..., None]).flatten(2))
    middle = (luma @ coloured).mean(dim=1).view(count, 1, 1)
    return ((coloured - middle) * (1 + contrast) + middle).clamp(0.0, 1.0).view_as(pixels)


def hue_rotation(turns: Tensor) -> Tensor:
    """Makes ``[B, 3, 3]`` rotations of colour about the grey axis, which keep greys as they are."""
    angle = turns * 2 * math.pi
    cosine, sine = angle.cos()[:, None, None], angle.sin()[:, None, None]
    identity = torch.eye(3, device=turns.device)
    mean = torch.full((3, 3), 1 / 3, device=turns.device)
    across = (identity.roll(1, 0) - identity.roll(-1, 0)) / math.sqrt(3)
    return cosine * identity + (1 - cosine) * mean + sine * across


def _uniform(shape: tuple[int, ...], generator: torch.Generator) -> Tensor:
    return torch.rand(shape, generator=generator, device=generator.device)


def _chosen(count: int, chance: float, generator: torch.Generator) -> Tensor:
    return (_uniform((count,), generator) < chance).view(count, 1, 1, 1)
