"""The loss: on sampled pixels, each sentence of the batch is right or wrong, known exactly."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from pentathlon.learning.detectors.looking import BACKGROUND, FEWEST_PX
from pentathlon.models.image_text.dense import DenseImageText

MOST_OBJECTS = 1024
BACKGROUND_SHARE = 0.2
SMALLNESS = 0.7
"""A thing's share of the samples falls as its pixels to the power of 1 minus this."""
SHARPEST = 60.0


class Losses(NamedTuple):
    """One number for thresholds, and two for ranking: of sentences at a pixel, and of pixels for a sentence."""

    sigmoid: Tensor
    of_pixel: Tensor
    of_sentence: Tensor

    def total(self) -> Tensor:
        """What is descended."""
        return self.sigmoid + 0.5 * (self.of_pixel + self.of_sentence)


def object_numbers(pictures: Tensor) -> Tensor:
    """Returns the object of each pixel of ``pictures[B, H, W, 6]``; -1 for the building."""
    numbers = pictures[..., 4].long() + 256 * pictures[..., 5].long()
    return torch.where(numbers == BACKGROUND, -1, numbers)


def sample_pixels(numbers: Tensor, count: int) -> Tensor:
    """Draws pixels ``[B, count]`` so that small things count nearly as much as large ones."""
    flat = numbers.flatten(1) + 1
    ones = torch.ones_like(flat, dtype=torch.float32)
    area = torch.zeros(len(flat), MOST_OBJECTS, device=flat.device).scatter_add_(1, flat, ones)
    weight = area.clamp(min=1.0).pow(-SMALLNESS)
    weight[area < FEWEST_PX] = 0.0
    things = weight * area
    things[:, 0] = 0.0
    weight[:, 0] = BACKGROUND_SHARE * things.sum(1).clamp(min=1.0) / area[:, 0].clamp(min=1.0)
    return torch.multinomial(weight.gather(1, flat), count, replacement=True)


def vectors_at(vectors: Tensor, pixels: Tensor, size: int) -> Tensor:
    """Interpolates the map ``[B, D, h, w]`` at pixels ``[B, P]`` of a picture of ``size``, as ``[B * P, D]``."""
    x, y = pixels % size, pixels // size
    grid = torch.stack([(x + 0.5) * 2 / size - 1, (y + 0.5) * 2 / size - 1], dim=-1)[:, None].float()
    found = F.grid_sample(vectors, grid, align_corners=False)[:, :, 0]
    return F.normalize(found.transpose(1, 2).flatten(0, 1), dim=-1)


def pair_losses(model: DenseImageText, cosine: Tensor, right: Tensor) -> Losses:
    """Compares ``cosine[pixels, sentences]`` with which pairs are ``right``."""
    positives = right.sum().clamp(min=1)
    wanted = right.to(cosine.dtype)
    sigmoid = F.binary_cross_entropy_with_logits(model.score(cosine), wanted, reduction="sum") / positives
    sharp = cosine * model.sharpness.exp().clamp(max=SHARPEST)
    wrong = sharp.masked_fill(right, -1e4)
    return Losses(sigmoid, _ranking(sharp, wrong, right, 1), _ranking(sharp, wrong, right, 0))


def _ranking(sharp: Tensor, wrong: Tensor, right: Tensor, along: int) -> Tensor:
    """Each right pair against all wrong ones along a dimension, averaged over the lines that hold a right one."""
    share = right / right.sum(along, keepdim=True).clamp(min=1)
    lost = F.softplus(wrong.logsumexp(along, keepdim=True) - sharp) * share
    return lost.sum() / right.any(along).sum().clamp(min=1)
