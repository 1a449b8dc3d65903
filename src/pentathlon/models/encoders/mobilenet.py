"""Networks of inverted residual blocks: MobileNetV2 (Sandler et al. 2018) and EfficientNet-Lite0 (Tan and Le 2019)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from torch import Tensor, nn
from torch.nn import functional as F

from pentathlon.models.encoders.network import Tokens, pool_map


class Stage(NamedTuple):
    """Blocks of one width: expansion, output channels, their number, the first one's stride, the kernel."""

    expansion: int
    channels: int
    repeats: int
    stride: int
    kernel: int


@dataclass(frozen=True)
class InvertedResidualConfig:
    """Shape of the network.

    Attributes:
        same_padding: TensorFlow's rule, which pads more at the bottom and right.
    """

    stages: tuple[Stage, ...]
    norm_eps: float
    same_padding: bool


MOBILENET_V2 = InvertedResidualConfig(
    stages=(
        Stage(1, 16, 1, 1, 3),
        Stage(6, 24, 2, 2, 3),
        Stage(6, 32, 3, 2, 3),
        Stage(6, 64, 4, 2, 3),
        Stage(6, 96, 3, 1, 3),
        Stage(6, 160, 3, 2, 3),
        Stage(6, 320, 1, 1, 3),
    ),
    norm_eps=1e-5,
    same_padding=False,
)
EFFICIENTNET_LITE0 = InvertedResidualConfig(
    stages=(
        Stage(1, 16, 1, 1, 3),
        Stage(6, 24, 2, 2, 3),
        Stage(6, 40, 2, 2, 5),
        Stage(6, 80, 3, 2, 3),
        Stage(6, 112, 3, 1, 5),
        Stage(6, 192, 4, 2, 5),
        Stage(6, 320, 1, 1, 3),
    ),
    norm_eps=1e-3,
    same_padding=True,
)


class ConvNorm(nn.Module):
    """Convolution, batch norm and, unless linear, ReLU6."""

    def __init__(
        self,
        channels_in: int,
        channels_out: int,
        config: InvertedResidualConfig,
        *,
        kernel: int = 1,
        stride: int = 1,
        groups: int = 1,
        linear: bool = False,
    ) -> None:
        super().__init__()
        padding = 0 if config.same_padding else kernel // 2
        self.conv = nn.Conv2d(channels_in, channels_out, kernel, stride, padding, groups=groups, bias=False)
        self.norm = nn.BatchNorm2d(channels_out, eps=config.norm_eps)
        self.overhang = kernel - stride if config.same_padding else 0
        self.linear = linear

    def forward(self, x: Tensor) -> Tensor:
        """Maps ``x[B, C, H, W]``; H and W are multiples of the stride."""
        if self.overhang > 0:
            before = self.overhang // 2
            after = self.overhang - before
            x = F.pad(x, (before, after, before, after))
        x = self.norm(self.conv(x))
        return x if self.linear else F.relu6(x)


class InvertedResidual(nn.Module):
    """Expand, filter each channel, project back; a shortcut where the shape stays."""

    def __init__(self, channels_in: int, stage: Stage, stride: int, config: InvertedResidualConfig) -> None:
        super().__init__()
        hidden = channels_in * stage.expansion
        self.expand = ConvNorm(channels_in, hidden, config) if stage.expansion > 1 else nn.Identity()
        self.depthwise = ConvNorm(hidden, hidden, config, kernel=stage.kernel, stride=stride, groups=hidden)
        self.project = ConvNorm(hidden, stage.channels, config, linear=True)
        self.shortcut = stride == 1 and channels_in == stage.channels

    def forward(self, x: Tensor) -> Tensor:
        """Maps a feature map to the next."""
        out = self.project(self.depthwise(self.expand(x)))
        return x + out if self.shortcut else out  # type: ignore[no-any-return]


class InvertedResidualNet(nn.Module):
    """Stem, blocks and 1280-channel head without the classifier; pooled by the spatial mean."""

    def __init__(self, config: InvertedResidualConfig, *, image_size: int = 224) -> None:
        super().__init__()
        self.stem = ConvNorm(3, 32, config, kernel=3, stride=2)
        self.blocks = nn.ModuleList(_blocks(config))
        self.head = ConvNorm(config.stages[-1].channels, 1280, config)
        self.dim = 1280
        self.identity = config
        self.grid = (-(-image_size // 32), -(-image_size // 32))

    def forward(self, pixels: Tensor) -> Tokens:
        """Encodes normalised ``pixels[B, 3, S, S]``."""
        x = self.stem(pixels)
        for block in self.blocks:
            x = block(x)
        return pool_map(self.head(x))


def _blocks(config: InvertedResidualConfig) -> Iterator[InvertedResidual]:
    channels = 32
    for stage in config.stages:
        for index in range(stage.repeats):
            yield InvertedResidual(channels, stage, stage.stride if index == 0 else 1, config)
            channels = stage.channels
