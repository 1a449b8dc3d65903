"""A network whose feature is places: where each of its maps is brightest, and what is there."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from pentathlon.models.encoders.network import Tokens
from pentathlon.models.encoders.resnet import ResNet

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
        x, y = _places(fine.shape[-2], fine.shape[-1], share)
        # Sums and not matrix products, which would be rounded to bfloat16 under autocast: half a pixel.
        return Tokens(torch.cat([(share * values).sum(2) for values in (x, y, what)], dim=1), None)


def _places(height: int, width: int, like: Tensor) -> Tensor:
    """Returns x and y of each cell's centre in [-1, 1], row by row: ``[2, height * width]``."""
    down, across = (
        (torch.arange(count, dtype=like.dtype, device=like.device) + 0.5) * 2.0 / count - 1.0
        for count in (height, width)
    )
    y, x = torch.meshgrid(down, across, indexing="ij")
    return torch.stack([x.flatten(), y.flatten()])
