"""What every encoder network gives: a pooled feature and, where it has them, patch features."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from pentathlon.core.errors import UsageError


class Tokens(NamedTuple):
    """``pooled[B, D]`` and ``patches[B, N, D]``, the latter row by row from the top left."""

    pooled: Tensor
    patches: Tensor | None


class Network(Protocol):
    """An ``nn.Module`` that an encoder can wrap."""

    @property
    def dim(self) -> int:
        """Length of the pooled feature."""
        ...

    @property
    def grid(self) -> tuple[int, int] | None:
        """Rows and columns of patches."""
        ...

    @property
    def identity(self) -> Any:
        """Plain values that shape the features besides the weights."""
        ...

    def __call__(self, pixels: Tensor) -> Tokens:
        """Encodes normalised ``pixels[B, 3, S, S]``."""
        ...


def pool_map(features: Tensor) -> Tokens:
    """Turns a feature map ``[B, C, H, W]`` into its spatial mean and its cells."""
    return Tokens(features.mean(dim=(2, 3)), features.flatten(2).transpose(1, 2))


def parameters_of(network: Network) -> nn.Module:
    """Returns ``network`` as the module it is."""
    if not isinstance(network, nn.Module):
        raise TypeError(f"Expected an nn.Module, got {type(network).__name__}.")
    return network


def cell_places(height: int, width: int, like: Tensor) -> Tensor:
    """Returns x and y of each cell's centre in [-1, 1], row by row: ``[2, height * width]``."""
    down, across = (
        (torch.arange(count, dtype=like.dtype, device=like.device) + 0.5) * 2.0 / count - 1.0
        for count in (height, width)
    )
    y, x = torch.meshgrid(down, across, indexing="ij")
    return torch.stack([x.flatten(), y.flatten()])


class GridPooled(nn.Module):
    """Averages the patches of ``network`` over ``side`` x ``side`` cells, each with its own numbers in the feature.

    A pooled token of a few hundred numbers need not tell where things are, and the goals of control are places.
    Without a ``side`` all patches are kept as they are.
    """

    def __init__(self, network: Network, side: int | None) -> None:
        super().__init__()
        least = 1 if side is None else side
        if network.grid is None or min(network.grid) < least:
            found = "none" if network.grid is None else f"{network.grid[0]} x {network.grid[1]}"
            raise UsageError(
                f"Expected a network with {least} x {least} patches or more, got {found}. Name another encoder."
            )
        self.inner = parameters_of(network)
        self.patch_grid: tuple[int, int] = network.grid
        self.cells = self.patch_grid if side is None else (side, side)
        self.grid = None
        self.dim = network.dim * self.cells[0] * self.cells[1]
        self.identity: Any = [type(network).__name__, network.identity, side]

    def forward(self, pixels: Tensor) -> Tokens:
        """Encodes normalised ``pixels[B, 3, S, S]``."""
        patches: Tensor = self.inner(pixels).patches
        cells = patches.transpose(1, 2).reshape(len(patches), -1, *self.patch_grid)
        return Tokens(F.adaptive_avg_pool2d(cells, self.cells).flatten(1), None)
