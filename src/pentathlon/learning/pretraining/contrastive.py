"""Contrastive pre-training: MoCo v3 (Chen et al. 2021) and BYOL (Grill et al. 2020) on any of our encoders.

Both pull two views of a frame together across an encoder and its slowly moving average; MoCo also pushes different
frames apart.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from pentathlon.learning.pretraining.augment import Views, random_views
from pentathlon.learning.pretraining.settings import ContrastiveSettings
from pentathlon.models.encoders.resnet import ResNet
from pentathlon.models.encoders.vit import SIZES, ViT


def make_backbone(name: str, image_size: int) -> ViT | ResNet:
    """Makes an encoder by name with new weights."""
    if name.startswith("vit-"):
        encoder = ViT(replace(SIZES[name.removeprefix("vit-")], image_size=image_size))
        encoder.pos_embed.requires_grad_(False)
        # MoCo v3, section 4: a trained patch projection makes vision transformers unstable.
        encoder.patch_embed.requires_grad_(False)
        return encoder
    return ResNet(int(name.removeprefix("resnet")), image_size=image_size)


def projector(widths: tuple[int, ...], *, last_norm: bool) -> nn.Sequential:
    """Linear layers with batch norm and ReLU between them, and perhaps a norm without scale at the end."""
    layers: list[nn.Module] = []
    for index, (before, after) in enumerate(pairwise(widths)):
        layers.append(nn.Linear(before, after, bias=False))
        if index < len(widths) - 2:
            layers += [nn.BatchNorm1d(after), nn.ReLU()]
    if last_norm:
        layers.append(nn.BatchNorm1d(widths[-1], affine=False))
    return nn.Sequential(*layers)


class Branch(nn.Module):
    """An encoder and its projection head."""

    def __init__(self, encoder: ViT | ResNet, head: nn.Module) -> None:
        super().__init__()
        self.encoder = encoder
        self.head = head

    def forward(self, pixels: Tensor) -> Tensor:
        """Projects pooled features ``[B, D]``."""
        return self.head(self.encoder(pixels).pooled)  # type: ignore[no-any-return]


class SiameseNetwork(nn.Module):
    """The trained branch with its predictor, and the averaged branch."""

    def __init__(self, settings: ContrastiveSettings) -> None:
        super().__init__()
        encoder = make_backbone(settings.backbone, settings.image_size)
        moco = settings.method == "moco"
        hidden, out = settings.hidden, settings.projection
        # MoCo v3 gives vision transformers one layer more than ResNets; BYOL has two everywhere.
        deep = moco and isinstance(encoder, ViT)
        widths = (encoder.dim, hidden, hidden, out) if deep else (encoder.dim, hidden, out)
        self.online = Branch(encoder, projector(widths, last_norm=moco))
        self.predictor = projector((out, hidden, out), last_norm=moco)
        self.average = copy.deepcopy(self.online).requires_grad_(False)

    @torch.no_grad()
    def move_average(self, kept: float) -> None:
        """Moves the average towards the trained branch by ``1 - kept``; batch statistics are its own."""
        torch._foreach_lerp_(tuple(self.average.parameters()), tuple(self.online.parameters()), 1.0 - kept)


def moco_loss(query: Tensor, key: Tensor, temperature: float) -> Tensor:
    """InfoNCE with the other frames of the batch as negatives, times 2τ (MoCo v3, algorithm 1)."""
    logits = F.normalize(query.float(), dim=1) @ F.normalize(key.float(), dim=1).T / temperature
    return 2 * temperature * F.cross_entropy(logits, torch.arange(len(query), device=query.device))


def byol_loss(query: Tensor, key: Tensor) -> Tensor:
    """Squared distance of unit vectors, ``2 - 2 cos`` (BYOL, equation 2)."""
    return 2 - 2 * F.cosine_similarity(query.float(), key.float(), dim=1).mean()


def views_of(settings: ContrastiveSettings) -> tuple[Views, Views]:
    """How the two views of a frame are drawn."""
    if settings.crops_only:
        crops = Views(smallest_area=settings.smallest_area, flip_chance=0.0)
        return crops, crops
    colour = Views(smallest_area=settings.smallest_area, jitter_chance=0.8, grey_chance=0.2)
    return replace(colour, blur_chance=1.0), replace(colour, blur_chance=0.1, solarise_chance=0.2)


class ContrastiveObjective:
    """Draws two views of each frame and compares them both ways."""

    def __init__(self, settings: ContrastiveSettings, device: torch.device) -> None:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(settings.seed)
            self.module = SiameseNetwork(settings)
        self.module.to(device)
        self.encoder = self.module.online.encoder
        self.image_size = settings.image_size
        self._settings = settings
        self._views = views_of(settings)
        fast = settings.compile and device.type == "cuda"
        self._online: Callable[[Tensor], Tensor] = torch.compile(self.module.online) if fast else self.module.online
        self._average: Callable[[Tensor], Tensor] = torch.compile(self.module.average) if fast else self.module.average

    def loss(self, frames: Tensor, generator: torch.Generator) -> Tensor:
        """Returns the symmetric loss of two random views of each frame."""
        with torch.no_grad():
            first, second = (random_views(frames, self.image_size, views, generator) for views in self._views)
            keys = self._average(first), self._average(second)
        queries = (self.module.predictor(self._online(view)) for view in (first, second))
        one, other = (self._compare(query, key) for query, key in zip(queries, reversed(keys), strict=True))
        return one + other

    def after_step(self, progress: float) -> None:
        """Moves the average, less and less."""
        start = self._settings.momentum
        self.module.move_average(1 - (1 - start) * 0.5 * (1 + math.cos(math.pi * progress)))

    def _compare(self, query: Tensor, key: Tensor) -> Tensor:
        if self._settings.method == "moco":
            return moco_loss(query, key, self._settings.temperature)
        return byol_loss(query, key)
