"""What the learners with networks share: seeds, perceptrons and weights as arrays."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from pentathlon.core.errors import DataError
from pentathlon.learning.policies.policy import Arrays, Progress

NETWORK = "network."
REPORTS = 100
"""How often a training tells its loss."""


@contextmanager
def seeded(seed: int, device: str) -> Iterator[None]:
    """Seeds torch inside the block and leaves the global generators as they were."""
    devices = [torch.device(device)] if device.startswith("cuda") else []
    with torch.random.fork_rng(devices=devices):
        torch.manual_seed(seed % 2**63)
        yield


def perceptron(inputs: int, hidden: tuple[int, ...], outputs: int, dropout: float = 0.0) -> nn.Sequential:
    """Stacks linear layers with ReLU between them, and dropout after each ReLU where it is asked for."""
    layers: list[nn.Module] = []
    for wide, narrow in pairwise((inputs, *hidden)):
        layers += [nn.Linear(wide, narrow), nn.ReLU()]
        if dropout:
            layers.append(nn.Dropout(dropout))
    return nn.Sequential(*layers, nn.Linear((inputs, *hidden)[-1], outputs))


def report(progress: Progress | None, done: int, total: int, loss: Tensor) -> None:
    """Tells the loss now and then and at the end, and ends a training that has none any more.

    Raises:
        DataError: when the loss is not finite.
    """
    if done != total and done % max(1, total // REPORTS):
        return
    value = float(loss.detach())
    if not math.isfinite(value):
        raise DataError(f"Expected a finite loss, got {value} after {done} of {total}. Lower the learning rate.")
    if progress is not None:
        progress(done, total, value)


def weights_of(network: nn.Module) -> dict[str, npt.NDArray[Any]]:
    """Returns the network's weights for a policy's state."""
    return {NETWORK + name: tensor.detach().cpu().numpy().copy() for name, tensor in network.state_dict().items()}


def load_weights(network: nn.Module, arrays: Arrays) -> None:
    """Fills the network with what :func:`weights_of` gave.

    Raises:
        DataError: when names or shapes differ.
    """
    tensors = {
        name.removeprefix(NETWORK): torch.from_numpy(np.array(array))
        for name, array in arrays.items()
        if name.startswith(NETWORK)
    }
    try:
        network.load_state_dict(tensors)
    except RuntimeError as error:
        reason = str(error).splitlines()[-1].strip()
        raise DataError(f"Expected the weights of a {type(network).__name__}, got others: {reason}") from error
    network.eval()
