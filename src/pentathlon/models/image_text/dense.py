"""The dense image-text network: a vector every four pixels, and one of each sentence; their scaled product is a score.

A convolutional tower goes down to one place every 16 pixels, where attention brings in context, and back up. Depth is
a fourth channel that may be missing. Sentences are read by a frozen MiniLM and a few trained layers over its tokens.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from pentathlon.models.image_text.minilm import MiniLm

STRIDE = 4
COARSE = 16
SENTENCE_TOKENS = 32
FARTHEST_M = 12.75
"""Depth is told up to here; what is farther is as far."""
_MEAN, _STD = 0.45, 0.25
_UNKNOWN_DEPTH = -1.0


@dataclass(frozen=True)
class DenseShape:
    """Sizes of the network.

    Attributes:
        width: channels at one place every 16 pixels.
        vector: length of the common vectors.
        layers: of attention over the places.
        text_width: of the trained layers over tokens.
        text_layers: how many of them.
        image_size: side of the square picture in pixels.
        fine: blocks at one place every four pixels, where small things are told apart.
    """

    width: int = 256
    vector: int = 256
    layers: int = 3
    text_width: int = 256
    text_layers: int = 2
    image_size: int = 224
    fine: int = 1


def prepare(rgb: Tensor, depth_m: Tensor | None) -> Tensor:
    """Turns ``rgb[B, H, W, 3]`` of bytes and ``depth_m[B, H, W]`` into the network's four channels."""
    pixels = (rgb.permute(0, 3, 1, 2).float() / 255 - _MEAN) / _STD
    if depth_m is None:
        far = torch.full_like(pixels[:, :1], _UNKNOWN_DEPTH)
    else:
        far = depth_m.clamp(0.0, FARTHEST_M)[:, None] / 5.0 - 0.6
    return torch.cat([pixels, far], dim=1).contiguous(memory_format=torch.channels_last)


def forget_depth(pixels: Tensor, forgotten: Tensor) -> Tensor:
    """Returns prepared pictures with the depth of those where ``forgotten[B]`` holds missing."""
    far = torch.where(forgotten[:, None, None, None], _UNKNOWN_DEPTH, pixels[:, 3:])
    return torch.cat([pixels[:, :3], far], dim=1).contiguous(memory_format=torch.channels_last)


def _convolution(inward: int, outward: int, size: int = 3, stride: int = 1, groups: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inward, outward, size, stride, size // 2, groups=groups, bias=False), nn.BatchNorm2d(outward)
    )


class _Residual(nn.Module):
    def __init__(self, inward: int, outward: int, stride: int = 1) -> None:
        super().__init__()
        self.first, self.second = _convolution(inward, outward, 3, stride), _convolution(outward, outward)
        plain = stride == 1 and inward == outward
        self.skip = nn.Identity() if plain else _convolution(inward, outward, 1, stride)

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(self.second(F.relu(self.first(x))) + self.skip(x))


class _FineBlock(nn.Module):
    """Looks around in each channel, then mixes them, beside the way past it."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.around, self.mix = _convolution(width, width, 5, groups=width), _convolution(width, width, 1)

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(x + self.mix(F.relu(self.around(x))))


class AttentionLayer(nn.Module):
    """A transformer layer that normalizes first."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """Lets every place look at all others that the mask allows."""
        return self.mixed(x, F.scaled_dot_product_attention(*self.parts(x), attn_mask=mask))

    def parts(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Returns queries, keys and values ``[B, heads, places, channels]``."""
        count, length, width = x.shape
        parts = self.qkv(self.norm1(x)).view(count, length, 3, self.heads, width // self.heads)
        queries, keys, values = parts.permute(2, 0, 3, 1, 4)
        return queries, keys, values

    def mixed(self, x: Tensor, seen: Tensor) -> Tensor:
        """Adds what was seen to what came in, and goes through the layer's second half."""
        x = x + self.out(seen.transpose(1, 2).reshape(x.shape))
        deeper: Tensor = x + self.down(F.gelu(self.up(self.norm2(x))))
        return deeper


class PictureTower(nn.Module):
    """Returns unit vectors ``[B, vector, H / 4, W / 4]`` of prepared pictures ``[B, 4, H, W]``."""

    def __init__(self, shape: DenseShape) -> None:
        super().__init__()
        width, side = shape.width, shape.image_size // COARSE
        self.stem1, self.stem2 = _convolution(4, 32, 3, 2), _convolution(32, 64, 3, 2)
        self.stage2 = _Residual(64, 64)
        self.stage3 = nn.Sequential(_Residual(64, 128, 2), _Residual(128, 128))
        self.stage4 = nn.Sequential(_Residual(128, width, 2), _Residual(width, width))
        self.places = nn.Parameter(torch.randn(1, width, side, side) * 0.02)
        self.context = nn.ModuleList([AttentionLayer(width, 8) for _ in range(shape.layers)])
        self.from4, self.from3, self.mix3 = nn.Conv2d(width, 128, 1), nn.Conv2d(128, 128, 1), _Residual(128, 128)
        self.from2 = nn.Conv2d(64, 128, 1)
        self.mix2 = nn.Sequential(_convolution(128, 128, 3, groups=128), nn.ReLU(), _convolution(128, 128, 1))
        self.refine = nn.Sequential(*[_FineBlock(128) for _ in range(shape.fine - 1)])
        self.head = nn.Conv2d(128, shape.vector, 1)

    def forward(self, pixels: Tensor) -> Tensor:
        """Embeds every place."""
        pixels = pixels.to(self.places.dtype)
        fine = self.stage2(F.relu(self.stem2(F.relu(self.stem1(pixels)))))
        middle = self.stage3(fine)
        coarse = self._in_context(self.stage4(middle))
        x = self.mix3(self.from3(middle) + F.interpolate(self.from4(coarse), scale_factor=2.0))
        x = self.refine(F.relu(self.mix2(self.from2(fine) + F.interpolate(x, scale_factor=2.0))))
        return F.normalize(self.head(x).float(), dim=1)

    def _in_context(self, coarse: Tensor) -> Tensor:
        count, width, height, across = coarse.shape
        places: Tensor = self.places
        if places.shape[2:] != coarse.shape[2:]:
            places = F.interpolate(places, (height, across), mode="bilinear", align_corners=False)
        x = (coarse + places).flatten(2).transpose(1, 2)
        for layer in self.context:
            x = layer(x)
        return x.transpose(1, 2).reshape(count, width, height, across)


class TextTower(nn.Module):
    """Returns unit vectors ``[K, vector]`` of token numbers ``[K, L]``."""

    def __init__(self, shape: DenseShape, minilm: MiniLm) -> None:
        super().__init__()
        width = shape.text_width
        self.minilm = minilm
        self.enter = nn.Sequential(nn.LayerNorm(minilm.shape.width), nn.Linear(minilm.shape.width, width))
        self.places = nn.Parameter(torch.randn(1, SENTENCE_TOKENS, width) * 0.02)
        self.layers = nn.ModuleList([AttentionLayer(width, 4) for _ in range(shape.text_layers)])
        self.norm, self.out = nn.LayerNorm(width), nn.Linear(width, shape.vector)

    def forward(self, numbers: Tensor) -> Tensor:
        """Embeds sentences."""
        real = numbers != 0
        with torch.no_grad():
            states = self.minilm(numbers)
        x = self.enter(states.float()) + self.places[:, : numbers.shape[1]]
        for layer in self.layers:
            x = layer(x, real[:, None, None, :])
        weight = real[:, :, None].float()
        mean = (self.norm(x) * weight).sum(1) / weight.sum(1)
        return F.normalize(self.out(mean).float(), dim=-1)


class DenseImageText(nn.Module):
    """Both towers, and what turns a cosine into a score: positive means that the sentence fits."""

    def __init__(self, shape: DenseShape, minilm: MiniLm) -> None:
        super().__init__()
        self.shape = shape
        self.pictures, self.texts = PictureTower(shape), TextTower(shape, minilm)
        self.scale = nn.Parameter(torch.tensor(math.log(12.0)))
        self.bias = nn.Parameter(torch.tensor(-7.0))
        self.sharpness = nn.Parameter(torch.tensor(math.log(14.0)))

    def score(self, cosine: Tensor) -> Tensor:
        """The logit of "this place shows what this sentence describes"."""
        return cosine * self.scale.exp() + self.bias
