"""One step down a gradient, and what decays, for all that is trained here."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn


def descend(optimizer: torch.optim.Optimizer, loss: Tensor, largest_gradient: float = math.inf) -> None:
    """Takes one step down the gradient of ``loss``, whose norm is cut at ``largest_gradient``."""
    optimizer.zero_grad(set_to_none=True)
    loss.backward()  # type: ignore[no-untyped-call]
    if math.isfinite(largest_gradient):
        weights = (weight for group in optimizer.param_groups for weight in group["params"])
        nn.utils.clip_grad_norm_(weights, largest_gradient)
    optimizer.step()


def decaying_matrices(module: nn.Module, weight_decay: float, beta2: float) -> torch.optim.AdamW:
    """Makes AdamW for what is trained of a module: matrices decay, vectors and numbers do not."""
    trained = [parameter for parameter in module.parameters() if parameter.requires_grad]
    groups: list[dict[str, Any]] = [
        {"params": [p for p in trained if p.ndim > 1], "weight_decay": weight_decay},
        {"params": [p for p in trained if p.ndim <= 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=0.0, betas=(0.9, beta2), fused=trained[0].is_cuda)
