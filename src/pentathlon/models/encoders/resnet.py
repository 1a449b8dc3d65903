"""Residual networks (He et al. 2016) of 18, 34 and 50 layers, with torchvision's parameter names, and one of places."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from pentathlon.models.encoders.network import Tokens, cell_places, pool_map


class BasicBlock(nn.Module):
    """Two 3x3 convolutions and a shortcut."""

    expansion = 1

    def __init__(self, channels_in: int, channels: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(channels_in, channels, 3, stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(channels)
        self.downsample = _shortcut(channels_in, channels, stride)

    def forward(self, x: Tensor) -> Tensor:
        """Adds the convolutions' result to the shortcut."""
        out = F.relu(self.bn1(self.conv1(x)))
        return F.relu(self.bn2(self.conv2(out)) + self.downsample(x))


class Bottleneck(nn.Module):
    """1x1, 3x3 (which carries the stride) and 1x1 convolutions and a shortcut."""

    expansion = 4

    def __init__(self, channels_in: int, channels: int, stride: int) -> None:
        super().__init__()
        channels_out = channels * self.expansion
        self.conv1 = nn.Conv2d(channels_in, channels, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, stride, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(channels)
        self.conv3 = nn.Conv2d(channels, channels_out, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(channels_out)
        self.downsample = _shortcut(channels_in, channels_out, stride)

    def forward(self, x: Tensor) -> Tensor:
        """Adds the convolutions' result to the shortcut."""
        out = F.relu(self.bn1(self.conv1(x)))
        out = F.relu(self.bn2(self.conv2(out)))
        return F.relu(self.bn3(self.conv3(out)) + self.downsample(x))


def _shortcut(channels_in: int, channels_out: int, stride: int) -> nn.Module:
    if stride == 1 and channels_in == channels_out:
        return nn.Identity()
    return nn.Sequential(nn.Conv2d(channels_in, channels_out, 1, stride, bias=False), nn.BatchNorm2d(channels_out))


class ResNetLayout(NamedTuple):
    """Kind of block and number of them in each of the four stages."""

    block: type[BasicBlock] | type[Bottleneck]
    counts: tuple[int, int, int, int]


LAYOUTS: dict[int, ResNetLayout] = {
    18: ResNetLayout(BasicBlock, (2, 2, 2, 2)),
    34: ResNetLayout(BasicBlock, (3, 4, 6, 3)),
    50: ResNetLayout(Bottleneck, (3, 4, 6, 3)),
}


class ResNet(nn.Module):
    """Residual network without its classifier; the pooled feature is the spatial mean of the last stage.

    Args:
        layers: 18, 34 or 50.
        image_size: edge of the input in pixels, from which the grid follows.
        projection: length of a linear map on the pooled feature (VIP has one), or ``None``; with it there are no
            patch features, since those lie in another space.
    """

    def __init__(self, layers: int, *, image_size: int = 224, projection: int | None = None) -> None:
        super().__init__()
        block, counts = LAYOUTS[layers]
        self.conv1 = nn.Conv2d(3, 64, 7, stride=2, padding=3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        channels_in = 64
        for stage, count in enumerate(counts):
            channels, stride = 64 * 2**stage, 1 if stage == 0 else 2
            blocks = [block(channels_in, channels, stride)]
            channels_in = channels * block.expansion
            blocks += [block(channels_in, channels, 1) for _ in range(count - 1)]
            self.add_module(f"layer{stage + 1}", nn.Sequential(*blocks))
        if projection is not None:
            self.fc = nn.Linear(channels_in, projection)
        self.dim = projection or channels_in
        self.layers, self.image_size = layers, image_size
        self.identity = (layers, projection)
        side = -(-image_size // 32)
        self.grid = None if projection else (side, side)

    def forward(self, pixels: Tensor) -> Tokens:
        """Encodes normalised ``pixels[B, 3, S, S]``."""
        x = F.relu(self.bn1(self.conv1(pixels)))
        x = F.max_pool2d(x, 3, stride=2, padding=1)
        for stage in range(4):
            x = self.get_submodule(f"layer{stage + 1}")(x)
        tokens = pool_map(x)
        return tokens if self.grid else Tokens(self.fc(tokens.pooled), None)


TRUNK_LAYERS = 18
FINE_CHANNELS, COARSE_CHANNELS = 128, 256
"""Of ResNet-18's second and third stages."""


class KeypointNet(nn.Module):
    """The first three stages of ResNet-18 and a spatial softmax (Levine et al. 2016).

    The third stage, which sees much of the picture, is added to the second, which is finer. Of the sum ``points`` maps
    are made; the softmax of each over the picture gives an expected place, and the mean of a second map under it.

    Args:
        points: places in the feature, which has three numbers for each: x and y in [-1, 1], and what is there.
        image_size: edge of the input in pixels.
    """

    def __init__(self, points: int = 128, *, image_size: int = 224) -> None:
        super().__init__()
        trunk = ResNet(TRUNK_LAYERS, image_size=image_size)
        self.conv1, self.bn1 = trunk.conv1, trunk.bn1
        for stage in (1, 2, 3):
            self.add_module(f"layer{stage}", trunk.get_submodule(f"layer{stage}"))
        self.lateral = nn.Conv2d(COARSE_CHANNELS, FINE_CHANNELS, 1)
        self.mix = nn.Conv2d(FINE_CHANNELS, FINE_CHANNELS, 3, padding=1)
        self.maps = nn.Conv2d(FINE_CHANNELS, 2 * points, 1)
        self.points, self.image_size = points, image_size
        self.dim, self.grid, self.identity = 3 * points, None, points

    def forward(self, pixels: Tensor) -> Tokens:
        """Encodes normalised ``pixels[B, 3, S, S]``."""
        stem = F.max_pool2d(F.relu(self.bn1(self.conv1(pixels))), 3, stride=2, padding=1)
        fine = self.get_submodule("layer2")(self.get_submodule("layer1")(stem))
        coarse = self.lateral(self.get_submodule("layer3")(fine))
        mixed = F.relu(fine + F.interpolate(coarse, size=fine.shape[-2:], mode="bilinear", align_corners=False))
        where, what = self.maps(F.relu(self.mix(mixed))).float().flatten(2).chunk(2, dim=1)
        share = where.softmax(dim=2)
        x, y = cell_places(fine.shape[-2], fine.shape[-1], share)
        # Sums and not matrix products, which would be rounded to bfloat16 under autocast: half a pixel.
        return Tokens(torch.cat([(share * values).sum(2) for values in (x, y, what)], dim=1), None)
