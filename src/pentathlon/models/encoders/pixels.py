"""Encoders without weights: the picture itself, shrunk. They show what a task gives away for nothing."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional as F

from pentathlon.models.encoders.network import Tokens


class Pixels(nn.Module):
    """Mean colours of a ``side`` x ``side`` grid, one after the other."""

    def __init__(self, side: int) -> None:
        super().__init__()
        self.side = side
        self.dim = 3 * side * side
        self.grid = None
        self.identity = side

    def forward(self, pixels: Tensor) -> Tokens:
        """Shrinks normalised ``pixels[B, 3, S, S]``."""
        return Tokens(F.adaptive_avg_pool2d(pixels, self.side).flatten(1), None)


class Blind(nn.Module):
    """Sees nothing: one constant. What a policy reaches with it, it reaches by proprioception and memory alone."""

    dim = 1
    grid = None
    identity = "blind"

    def forward(self, pixels: Tensor) -> Tokens:
        """Gives zeros for ``pixels[B, 3, S, S]``."""
        return Tokens(pixels.new_zeros(len(pixels), 1), None)
