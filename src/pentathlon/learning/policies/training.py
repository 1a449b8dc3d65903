"""What the learners with networks share: seeds, networks and weights as arrays."""

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
from pentathlon.learning.policies.trajectories import JOINTS
from pentathlon.models.encoders.network import cell_places

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


class LearnedPoints(nn.Module):
    """Finds places in frozen patches, by directions that are learned with the policy (Levine et al. 2016).

    Joints and patches ``[B, 7 + D * cells]`` become joints, places and what is there, ``[B, 7 + 3 * points]``. Each
    point has a direction in the space of patches; its place is the mean of the cells' places under the softmax of how
    far they lie in that direction, and what is there the mean of a second direction under the same softmax.

    Args:
        embedding_size: of ``D`` numbers for each cell, number by number, as ``grid@`` and ``patches@`` lay them out.
        cells: rows and columns.
        points: how many.

    Raises:
        DataError: when the embedding has no such cells.
    """

    def __init__(self, embedding_size: int, cells: tuple[int, int], points: int) -> None:
        super().__init__()
        count = cells[0] * cells[1]
        if not embedding_size or embedding_size % count:
            raise DataError(
                f"Expected embeddings of {cells[0]} x {cells[1]} cells to learn places in, got {embedding_size} "
                "numbers. Name features such as patches@mae-tiny, and their cells in the recipe."
            )
        self.cells, self.size = cells, 3 * points
        self.maps = nn.Linear(embedding_size // count, 2 * points)

    def forward(self, rows: Tensor) -> Tensor:
        """Maps standardised rows."""
        joints, patches = rows[:, :JOINTS], rows[:, JOINTS:]
        by_cell = patches.reshape(len(patches), -1, self.cells[0] * self.cells[1]).transpose(1, 2)
        where, what = self.maps(by_cell).chunk(2, dim=2)
        share = where.softmax(dim=1)
        x, y = torch.einsum("ac,bcp->abp", cell_places(*self.cells, share), share)
        return torch.cat([joints, x, y, (share * what).sum(dim=1)], dim=1)


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
