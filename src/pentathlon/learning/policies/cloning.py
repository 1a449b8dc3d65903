"""Behaviour cloning on frozen features, as CortexBench trains its policies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from pentathlon.core import DataError
from pentathlon.learning.descent import descend
from pentathlon.learning.policies.recipes import CloningRecipe

Array: TypeAlias = npt.NDArray[np.float32]

SMALL_OUTPUT = 1e-2
NO_SPREAD = 1e-6


class Standardise(nn.Module):
    """Takes each input less its mean over the demonstrations, over its spread there; both are kept with the policy."""

    def __init__(self, inputs: int) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(inputs))
        self.register_buffer("spread", torch.ones(inputs))

    def measure(self, inputs: Tensor) -> None:
        """Takes mean and spread from ``inputs[steps, inputs]``; what never changes is left unscaled."""
        spread = inputs.std(dim=0, correction=0)
        self.mean = inputs.mean(dim=0)
        self.spread = torch.where(spread > NO_SPREAD, spread, 1.0)

    def forward(self, inputs: Tensor) -> Tensor:
        """Maps ``[B, inputs]`` to the same shape."""
        return (inputs - self.mean) / self.spread


class ClonedPolicy(nn.Module):
    """A perceptron from fused features and proprioception to the action."""

    def __init__(self, inputs: int, outputs: int, recipe: CloningRecipe) -> None:
        super().__init__()
        widths = (inputs, *recipe.hidden)
        layers: list[nn.Module] = [Standardise(inputs)] if recipe.standardise_input else []
        layers += [nn.BatchNorm1d(inputs)] if recipe.normalise_input else []
        for wide, narrow in pairwise(widths):
            layers += [nn.Linear(wide, narrow), nn.ReLU()]
        last = nn.Linear(widths[-1], outputs)
        with torch.no_grad():
            last.weight.mul_(SMALL_OUTPUT)
            last.bias.mul_(SMALL_OUTPUT)
        self.layers = nn.Sequential(*layers, last)

    def forward(self, inputs: Tensor) -> Tensor:
        """Maps ``[B, inputs]`` to ``[B, outputs]``."""
        output: Tensor = self.layers(inputs)
        return output

    @torch.no_grad()
    def act(self, inputs: Array) -> Array:
        """Returns the mean actions for a batch, in evaluation mode."""
        self.eval()
        device = next(self.parameters()).device
        actions: Array = self(torch.from_numpy(inputs).to(device)).cpu().numpy()
        return actions


@dataclass(frozen=True)
class Epoch:
    """The state of training after one pass."""

    number: int
    loss: float
    policy: ClonedPolicy


def clone(inputs: Array, actions: Array, recipe: CloningRecipe, seed: int, device: str = "cpu") -> Iterator[Epoch]:
    """Trains a policy by mean squared error and yields it after every epoch.

    Args:
        inputs: fused features and proprioception, ``[steps, inputs]``.
        actions: the expert's actions, ``[steps, outputs]``.
        recipe: widths, rates and epochs.
        seed: of the initial weights and of the order of batches.
        device: where to train.

    Raises:
        DataError: when the two do not fit together or are not finite.
    """
    _check(inputs, actions)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed % 2**63)
        policy = ClonedPolicy(inputs.shape[1], actions.shape[1], recipe).to(device)
    order = torch.Generator().manual_seed(seed % 2**63)
    x, y = torch.from_numpy(inputs).to(device), torch.from_numpy(actions).to(device)
    if isinstance(policy.layers[0], Standardise):
        policy.layers[0].measure(x)
    # One pass over the parameters instead of a dozen: most of the time of a wide policy on a CPU.
    optimiser = torch.optim.AdamW(
        policy.parameters(), lr=recipe.learning_rate, weight_decay=recipe.weight_decay, fused=True
    )
    for number in range(1, recipe.epochs + 1):
        yield Epoch(number, _one_pass(policy, optimiser, x, y, recipe.batch_size, order), policy)


def _one_pass(
    policy: ClonedPolicy,
    optimiser: torch.optim.Optimizer,
    x: Tensor,
    y: Tensor,
    batch_size: int,
    order: torch.Generator,
) -> float:
    policy.train()
    shuffled = torch.randperm(len(x), generator=order).to(x.device)
    losses = []
    for start in range(0, len(x), batch_size):
        rows = shuffled[start : start + batch_size]
        # Batch normalisation has no variance to divide by in a batch of one.
        if len(rows) == 1:
            continue
        loss = nn.functional.mse_loss(policy(x[rows]), y[rows])
        descend(optimiser, loss)
        losses.append(loss.detach())
    return float(torch.stack(losses).mean())


def _check(inputs: Array, actions: Array) -> None:
    if len(inputs) != len(actions) or len(inputs) < 2:
        raise DataError(f"Expected two or more steps with one action each, got {len(inputs)} and {len(actions)}.")
    for name, array in (("inputs", inputs), ("actions", actions)):
        if not np.isfinite(array).all():
            raise DataError(f"Expected finite {name}, got NaN or infinity. Check the encoder and the demonstrations.")
