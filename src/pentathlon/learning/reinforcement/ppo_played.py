"""What was played between two updates of proximal policy optimisation, and the batches that are drawn from it."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from pentathlon.learning.reinforcement.peers import Peers
from pentathlon.learning.reinforcement.ppo_loss import chosen, generalised_advantages
from pentathlon.learning.reinforcement.ppo_policy import Observations, RecurrentPolicy
from pentathlon.learning.reinforcement.settings import PpoSettings


class Batch(NamedTuple):
    """Some worlds' part of what was played."""

    observations: Observations
    last: Tensor
    memory: Tensor
    alive: Tensor
    actions: Tensor
    log_shares: Tensor
    advantages: Tensor
    returns: Tensor


class Played:
    """What was played between two updates, in memory that is kept."""

    def __init__(
        self, first: Observations, steps: int, policy: RecurrentPolicy, device: torch.device, peers: Peers
    ) -> None:
        self._steps, count = steps, len(next(iter(first.values())))
        self._observations = {
            name: torch.empty((steps + 1, *value.shape), dtype=value.dtype, device=device)
            for name, value in first.items()
        }
        self.last = torch.zeros(steps + 1, count, dtype=torch.int64, device=device)
        self.begin(first, policy.actions)
        self._peers = peers
        self._actions = torch.zeros(steps, count, dtype=torch.int64, device=device)
        self._log_shares, self.rewards, self._alive, self._advantages, self._standard = (
            torch.zeros(steps, count, device=device) for _ in range(5)
        )
        self.values = torch.zeros(steps + 1, count, device=device)
        self.first_memory = torch.zeros(count, policy.memory, device=device)
        self._batch: Batch | None = None

    @property
    def batch(self) -> Batch:
        """What `gather` chose; always the same memory."""
        assert self._batch is not None
        return self._batch

    def begin(self, first: Observations, none: int) -> None:
        """Begins with these observations, before which nothing was done."""
        for name, value in first.items():
            self._observations[name][0].copy_(value)
        self.last[0] = none

    def seen(self, step: int) -> Observations:
        """Observations before a step."""
        return {name: value[step] for name, value in self._observations.items()}

    def note(self, step: int, actions: Tensor, logits: Tensor, values: Tensor) -> None:
        """Keeps what was chosen."""
        self._actions[step], self.values[step] = actions, values
        self._log_shares[step] = chosen(F.log_softmax(logits, dim=-1), actions)

    def follow(
        self, step: int, observations: Observations, reward: Tensor, done: Tensor, actions: Tensor, none: int
    ) -> None:
        """Keeps what followed."""
        for name, value in observations.items():
            self._observations[name][step + 1].copy_(value)
        self.rewards[step], self._alive[step] = reward, (~done).float()
        self.last[step + 1] = torch.where(done, none, actions)

    def weigh(self, settings: PpoSettings) -> None:
        """Writes the generalised advantages; an episode cut by its limit counts as ended."""
        self._advantages.copy_(generalised_advantages(self.rewards, self.values, self._alive, settings))
        self._standard.copy_(self._peers.standardised(self._advantages))

    def gather(self, rows: Tensor) -> None:
        """Copies the worlds of these numbers into the batch."""
        gathered = Batch(
            {name: value[: self._steps, rows] for name, value in self._observations.items()},
            self.last[: self._steps, rows],
            self.first_memory[rows],
            self._alive[:, rows],
            self._actions[:, rows],
            self._log_shares[:, rows],
            self._standard[:, rows],
            (self._advantages + self.values[: self._steps])[:, rows],
        )
        if self._batch is None:
            self._batch = gathered
            return
        for name, value in gathered.observations.items():
            self._batch.observations[name].copy_(value)
        for kept, value in zip(self._batch[1:], gathered[1:], strict=True):
            kept.copy_(value)

    def turn_over(self) -> None:
        """Lets the next round begin where this one ended."""
        for value in (*self._observations.values(), self.last):
            value[0].copy_(value[self._steps])
