"""A second look where a picture may show what a sentence describes: at the picture enlarged; the mean of both counts.

It costs twice the first look, so that a walk, which sees nothing of its target in most pictures, would waste it there.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional as F

from pentathlon.models.image_text.dense import COARSE, PictureTower

TIMES = 1.5
WORTH = -1.0
"""A picture with a place of a higher score is looked at again; `bench/find_sights.py` compares."""


def look_twice(tower: PictureTower, score: Callable[[Tensor], Tensor], pixels: Tensor, sentences: Tensor) -> Tensor:
    """Returns the scores ``[B, K, h, w]`` of prepared pictures.

    Args:
        tower: embeds places.
        score: turns cosines into scores.
        pixels: prepared pictures ``[B, 4, H, W]``.
        sentences: vectors ``[B, K, vector]`` of what is asked of each; the first decides whether to look again.
    """
    scores = score(torch.einsum("bdhw,bkd->bkhw", tower(pixels), sentences))
    again = is_worth_it(scores)[:, 0]
    if again.any():
        larger = score(torch.einsum("bdhw,bkd->bkhw", tower(enlarged(pixels[again])), sentences[again]))
        scores[again] = (scores[again] + F.interpolate(larger, scores.shape[2:], mode="area")) / 2
    return scores


def is_worth_it(scores: Tensor) -> Tensor:
    """Tells for which maps ``[..., h, w]`` of scores a second look may change anything."""
    worth: Tensor = scores.flatten(-2).amax(-1) > WORTH
    return worth


def enlarged(pixels: Tensor) -> Tensor:
    """Returns prepared pictures at the size of the second look."""
    sides = [COARSE * round(side * TIMES / COARSE) for side in pixels.shape[2:]]
    larger = F.interpolate(pixels, sides, mode="bilinear", align_corners=False)
    return larger.contiguous(memory_format=torch.channels_last)
