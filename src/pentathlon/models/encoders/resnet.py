"""Residual networks (He et al. 2016) of 18, 34 and 50 layers, with torchvision's parameter names."""

from __future__ import annotations

from typing import NamedTuple

from torch import Tensor, nn
from torch.nn import functional as F

from pentathlon.models.encoders.network import Tokens, pool_map


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
