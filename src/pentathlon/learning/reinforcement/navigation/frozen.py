"""A frozen encoder's patches of pictures, as many a second as worlds on a GPU show."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from pentathlon.core.errors import UsageError
from pentathlon.core.registry import resolve_entrant
from pentathlon.models.encoders.preprocess import Preprocess
from pentathlon.models.encoders.torch_encoder import TorchEncoder

_BLOCK = 1024  # pictures at once: one shape, for which the network is compiled once
_GREY, _STEP = 100.0, 50.0  # far enough from the ends that nothing is clamped


def open_frozen(encoder: str, device: str) -> TorchEncoder:
    """Opens an encoder by its name."""
    entry = resolve_entrant(encoder)
    networked = entry.kind == "encoder"
    network = replace(entry, options={**entry.options, "device": device}).make() if networked else None
    if not isinstance(network, TorchEncoder):
        raise UsageError(f"Expected an encoder of this package, got {encoder!r}.")
    return network


class FrozenFeatures:
    """Gives patches [N, P, D] of pictures uint8 [N, H, W, 3], or pooled features [N, D] where there are no patches.

    On a GPU a copy of the network runs in bfloat16, compiled, and pictures are resized by two matrix products; features
    differ from the encoder's own by rounding.

    Args:
        encoder: whose features.
        fast: whether to do so; on a GPU when not given.
        compiled: whether the fast way is compiled, which needs a C compiler.
    """

    def __init__(self, encoder: TorchEncoder, *, fast: bool | None = None, compiled: bool = True) -> None:
        self._encoder = encoder
        self._resize: ResizeByMatrix | None = None
        self._fast = encoder.device.type == "cuda" if fast is None else fast
        self._network: Any = copy.deepcopy(encoder.module).to(torch.bfloat16) if self._fast else encoder.module
        self._see = torch.compile(self._look, dynamic=False) if self._fast and compiled else self._look

    def __call__(self, rgb: Tensor) -> Tensor:
        """Encodes pictures; what is returned may be learned from."""
        return self._blocks(rgb).clone()  # inference tensors may not be saved for gradients

    @torch.inference_mode()
    def _blocks(self, rgb: Tensor) -> Tensor:
        if not self._fast:
            found = self._encoder.tokens(rgb)
            return (found.pooled if found.patches is None else found.patches).to(torch.bfloat16)
        if self._resize is None:
            self._resize = ResizeByMatrix(self._encoder.preprocess, (rgb.shape[1], rgb.shape[2]), rgb.device)
        padding = rgb.new_zeros(-len(rgb) % _BLOCK, *rgb.shape[1:])
        # Autocast, which a learner is under, would round the matrices of the resize further, and compile all anew.
        with torch.autocast(rgb.device.type, enabled=False):
            blocks = [self._see(block) for block in torch.split(torch.cat([rgb, padding]), _BLOCK)]
        return torch.cat(blocks)[: len(rgb)]

    def _look(self, rgb: Tensor) -> Tensor:
        assert self._resize is not None
        found = self._network(self._resize(rgb))
        patches: Tensor = found.pooled if found.patches is None else found.patches
        return patches


class ResizeByMatrix:
    """What a `Preprocess` does to pictures of one size, as two matrix products: the kernels for it are slow on a GPU.

    Args:
        rule: of the encoder.
        size: height and width of pictures, in pixels.
        device: where they lie.
    """

    def __init__(self, rule: Preprocess, size: tuple[int, int], device: torch.device) -> None:
        self._rows, self._columns = (
            matrix.to(device, torch.float16) for matrix in (_matrix(rule, size, 0), _matrix(rule, size, 1))
        )
        self._mean, self._std = (
            (255.0 * torch.tensor(values)).view(3, 1, 1).to(device, torch.float16) for values in (rule.mean, rule.std)
        )

    def __call__(self, rgb: Tensor) -> Tensor:
        """Turns uint8 pictures [N, H, W, 3] into what the network takes, in bfloat16."""
        pixels = self._rows @ rgb.permute(0, 3, 1, 2).half() @ self._columns.T
        return ((pixels.clamp(0.0, 255.0) - self._mean) / self._std).bfloat16()


def _matrix(rule: Preprocess, size: tuple[int, int], axis: int) -> Tensor:
    """Reads the matrix of an axis off the rule: what one brighter row, or column, does to a grey picture."""
    count = size[axis]
    bright = _STEP * torch.eye(count)
    shape = (count, 1, count, 1) if axis == 0 else (count, 1, 1, count)
    seen = rule.resize_and_crop((_GREY + bright.view(shape)).expand(count, 1, *size))
    middle = seen.shape[2:][1 - axis] // 2
    line = seen[:, 0, :, middle] if axis == 0 else seen[:, 0, middle, :]
    found: Tensor = ((line - _GREY) / _STEP).T
    return found
