"""From pictures of any size to what a network expects: resize the shorter side, crop the centre, normalise."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor
from torch.nn import functional as F

Rgb = tuple[float, float, float]

IMAGENET_MEAN: Rgb = (0.485, 0.456, 0.406)
IMAGENET_STD: Rgb = (0.229, 0.224, 0.225)
CLIP_MEAN: Rgb = (0.48145466, 0.4578275, 0.40821073)
CLIP_STD: Rgb = (0.26862954, 0.26130258, 0.27577711)


@dataclass(frozen=True)
class Preprocess:
    """The rule of one model.

    The shorter side becomes ``resize`` pixels (the longer one in proportion, rounded down), then the central
    ``crop`` x ``crop`` square is taken, scaled to 0..1, less ``mean``, over ``std``.

    Attributes:
        antialias: widen the filter when shrinking, as PIL does; off where a model was used without.
    """

    resize: int = 256
    crop: int = 224
    interpolation: Literal["bicubic", "bilinear"] = "bicubic"
    antialias: bool = True
    mean: Rgb = IMAGENET_MEAN
    std: Rgb = IMAGENET_STD

    def __call__(self, images: Tensor) -> Tensor:
        """Turns uint8 ``images[B, H, W, 3]`` into float32 ``[B, 3, crop, crop]`` on the same device."""
        pixels = self.resize_and_crop(images.permute(0, 3, 1, 2).float())
        mean, std = (torch.tensor(values, device=images.device).view(1, 3, 1, 1) for values in (self.mean, self.std))
        return (pixels / 255.0 - mean) / std

    def resize_and_crop(self, pixels: Tensor) -> Tensor:
        """Resizes and crops ``pixels[B, 3, H, W]`` in 0..255."""
        height, width = pixels.shape[2:]
        short = min(height, width)
        if short != self.resize:
            size = (self.resize * height // short, self.resize * width // short)
            pixels = F.interpolate(
                pixels, size=size, mode=self.interpolation, antialias=self.antialias, align_corners=False
            ).clamp(0.0, 255.0)
            height, width = size
        top, left = round((height - self.crop) / 2), round((width - self.crop) / 2)
        return pixels[:, :, top : top + self.crop, left : left + self.crop]

    def at(self, image_size: int) -> Preprocess:
        """Returns the rule for another input size, with the same margin cut away."""
        return replace(self, resize=round(self.resize * image_size / self.crop), crop=image_size)


@dataclass(frozen=True)
class Squeezed(Preprocess):
    """Makes a square of ``crop`` pixels of the whole picture: things at its edge have places too."""

    def resize_and_crop(self, pixels: Tensor) -> Tensor:
        """Resizes ``pixels[B, 3, H, W]`` in 0..255."""
        size = (self.crop, self.crop)
        if pixels.shape[2:] == size:
            return pixels
        return F.interpolate(
            pixels, size=size, mode=self.interpolation, antialias=self.antialias, align_corners=False
        ).clamp(0.0, 255.0)


VIT = Preprocess()
RESNET = Preprocess(interpolation="bilinear")
# R3M and VIP turn the picture into a tensor first; torchvision of that time then resized without a wider filter.
R3M = Preprocess(interpolation="bilinear", antialias=False)
CLIP = Preprocess(mean=CLIP_MEAN, std=CLIP_STD)
WHOLE = Squeezed(resize=224, interpolation="bilinear")
INCEPTION = Preprocess(interpolation="bilinear", mean=(0.5, 0.5, 0.5), std=(0.5, 0.5, 0.5))
