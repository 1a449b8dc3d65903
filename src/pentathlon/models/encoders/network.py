"""What every encoder network gives: a pooled feature and, where it has them, patch features."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from torch import Tensor, nn


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
