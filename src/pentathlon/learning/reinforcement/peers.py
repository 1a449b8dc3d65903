"""Processes that learn as one: each plays in worlds of its own, and their gradients are averaged."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import torch
from torch import Tensor, nn
from torch import distributed as processes

from pentathlon.core.errors import UsageError
from pentathlon.learning.reinforcement.ppo_loss import standardised

_SEEDS_APART: Final = 1_000_003
_PATIENCE: Final = timedelta(hours=1)  # one process may still pack houses


class Peers:
    """The processes of one training; one alone needs nobody.

    Args:
        rank: of this process, from 0; it alone writes files.
        count: of all processes.
    """

    def __init__(self, rank: int = 0, count: int = 1) -> None:
        if not 0 <= rank < count:
            raise UsageError(f"Expected a rank below the number of processes, got {rank} of {count}.")
        self.rank, self.count = rank, count

    @classmethod
    def join(cls, rank: int, count: int, address: str, device: str) -> Peers:
        """Meets the others.

        Args:
            rank: of this process.
            count: of all.
            address: host and port at which the process of rank 0 waits.
            device: where they learn; GPUs talk by NCCL, CPUs by Gloo.
        """
        backend = "nccl" if torch.device(device).type == "cuda" else "gloo"
        meeting = f"tcp://{address}"
        processes.init_process_group(backend, init_method=meeting, rank=rank, world_size=count, timeout=_PATIENCE)
        return cls(rank, count)

    @property
    def leads(self) -> bool:
        """Whether this process writes files and tests."""
        return self.rank == 0

    def own_seed(self, seed: int) -> int:
        """Returns a seed that no other process has."""
        return seed + _SEEDS_APART * self.rank

    def share(self, count: int) -> range:
        """Returns which of so many things are this process's."""
        return range(self.rank, count, self.count)

    def total(self, values: Tensor) -> Tensor:
        """Sums a tensor over all processes, in place."""
        if self.count > 1:
            processes.all_reduce(values)
        return values

    def average(self, gradients: Sequence[Tensor]) -> None:
        """Averages gradients over all processes, in place and in one message."""
        if self.count == 1:
            return
        flat = torch.cat([gradient.reshape(-1) for gradient in gradients])
        self.total(flat).div_(self.count)
        first = 0
        for gradient in gradients:
            gradient.copy_(flat[first : first + gradient.numel()].view_as(gradient))
            first += gradient.numel()

    def standardised(self, advantages: Tensor) -> Tensor:
        """Shifts and scales advantages [T, N] to mean 0 and deviation 1 over those of all processes."""
        if self.count == 1:
            return standardised(advantages)
        wide = advantages.double()
        sums = self.total(torch.stack([wide.sum(), torch.full_like(wide[0, 0], wide.numel())]))
        mean = sums[0] / sums[1]
        spread = self.total((wide - mean).square().sum())
        return ((wide - mean) / ((spread / (sums[1] - 1)).sqrt() + 1e-6)).to(advantages.dtype)

    def begin_alike(self, network: nn.Module) -> None:
        """Gives all processes the weights of the first."""
        if self.count > 1:
            for weights in network.state_dict().values():
                processes.broadcast(weights, 0)

    def told(self, value: float, device: torch.device) -> float:
        """Returns the first process's value, so that all decide alike."""
        if self.count == 1:
            return value
        tensor = torch.tensor(value, dtype=torch.float64, device=device)
        processes.broadcast(tensor, 0)
        return float(tensor)

    def agree(self, value: int, what: str, device: torch.device) -> None:
        """Refuses to go on where processes differ.

        Raises:
            UsageError: they do.
        """
        first = self.total(torch.tensor([float(value), float(value * value)], dtype=torch.float64, device=device))
        if self.count * float(first[1]) != float(first[0]) ** 2:
            raise UsageError(f"Expected {what} alike in all processes. Give an --out folder that all machines share.")


ALONE: Final = Peers()
