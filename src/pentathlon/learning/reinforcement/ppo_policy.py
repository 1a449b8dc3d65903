"""A policy with memory for proximal policy optimisation: an encoder of one's own, a GRU, an actor and a critic."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

Observations = dict[str, Tensor]
_NEVER = -1e9
_UNLIKELY = -30.0


class Encoder(nn.Module):
    """Turns observations [B, ...] into features [B, width].

    Attributes:
        width: of the features.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width

    def prepare(self) -> Any:
        """Returns what is the same for a whole batch, such as codes of goal pictures; here nothing."""
        return None

    def watch(self, goals: Tensor) -> None:
        """Takes other goals, those of other worlds; encoders without goals take none."""

    def forward(self, observations: Observations, prepared: Any) -> Tensor:
        """Features of a batch."""
        raise NotImplementedError


class FlatEncoder(Encoder):
    """Joins flat observations, of these sizes, through one layer."""

    def __init__(self, sizes: dict[str, int], width: int) -> None:
        super().__init__(width)
        self._names = sorted(sizes)
        self.layer = nn.Linear(sum(sizes.values()), width)

    def forward(self, observations: Observations, prepared: Any) -> Tensor:
        """Features of a batch."""
        flat = [observations[name].flatten(1).float() for name in self._names]
        return torch.tanh(self.layer(torch.cat(flat, dim=1)))


class Judgement(NamedTuple):
    """What a policy says of some steps: logits [..., actions], values [...] and, of some policies, guesses [..., G]."""

    logits: Tensor
    values: Tensor
    guesses: Tensor | None = None


class RecurrentPolicy(nn.Module):
    """Chooses among actions by what it sees now and what it remembers.

    The action before, or that there is none, is joined to the features. Memory is cleared where an episode begins.

    Args:
        encoder: of observations.
        actions: how many there are.
        memory: width of the GRU.
        guesses: how many numbers it guesses beside, to learn what to remember.
    """

    def __init__(self, encoder: Encoder, actions: int, memory: int = 512, guesses: int = 0) -> None:
        super().__init__()
        self.encoder, self.actions, self.memory = encoder, actions, memory
        self.joining = nn.Linear(encoder.width + actions + 1, memory)
        self.gates, self.recall = nn.Linear(memory, 3 * memory), nn.Linear(memory, 3 * memory)
        self.actor, self.critic = nn.Linear(memory, actions), nn.Linear(memory, 1)
        self.guess = nn.Linear(memory, guesses) if guesses else None
        nn.init.orthogonal_(self.recall.weight)
        nn.init.orthogonal_(self.actor.weight, 0.01)
        nn.init.zeros_(self.actor.bias)
        self._leaning: Tensor
        self.register_buffer("_leaning", torch.zeros(actions), persistent=False)

    @torch.no_grad()
    def leave_out(self, action: int) -> None:
        """Lets an action never be chosen, by its weights, so that it stays so in a file."""
        self.actor.weight[action] = 0.0
        self.actor.bias[action] = _UNLIKELY

    def forbid(self, action: int) -> None:
        """Lets an action never be chosen by this object; its weights stay as they are."""
        self._leaning[action] = _NEVER

    def first_memory(self, count: int, device: torch.device) -> Tensor:
        """The memory of policies that remember nothing."""
        return torch.zeros(count, self.memory, device=device)

    def step(self, observations: Observations, last: Tensor, memory: Tensor, prepared: Any) -> tuple[Judgement, Tensor]:
        """Judges one step of each and returns the memory after it.

        Args:
            observations: [N, ...].
            last: int64 [N] actions before, `actions` where an episode begins.
            memory: [N, memory].
            prepared: what `encoder.prepare` gave.
        """
        memory = self._remember(self.gates(self._join(self.encoder(observations, prepared), last)), memory)
        return self._judge(memory), memory

    def unroll(self, observations: Observations, last: Tensor, memory: Tensor, alive: Tensor) -> Judgement:
        """Judges T steps of each, [T, N, ...]; `alive` [T, N] is 0 where an episode ended with the step."""
        steps, count = last.shape
        flat = {name: value.flatten(0, 1) for name, value in observations.items()}
        features = self.encoder(flat, self.encoder.prepare())
        gates = self.gates(self._join(features, last.flatten())).view(steps, count, -1)
        states = []
        for step in range(steps):
            memory = self._remember(gates[step], memory)
            states.append(memory)
            memory = memory * alive[step, :, None]
        return self._judge(torch.stack(states))

    def _join(self, features: Tensor, last: Tensor) -> Tensor:
        before = F.one_hot(last, self.actions + 1).to(features.dtype)
        return F.relu(self.joining(torch.cat([features, before], dim=-1)))

    def _remember(self, gates: Tensor, memory: Tensor) -> Tensor:
        """One step of a GRU; `gates` are the inputs' part."""
        recalled, width = self.recall(memory), 2 * self.memory
        reset, keep = torch.sigmoid(gates[..., :width] + recalled[..., :width]).chunk(2, dim=-1)
        fresh = torch.tanh(gates[..., width:] + reset * recalled[..., width:])
        return fresh + keep * (memory - fresh)

    def _judge(self, memory: Tensor) -> Judgement:
        guesses = None if self.guess is None else self.guess(memory).float()
        return Judgement(self.actor(memory).float() + self._leaning, self.critic(memory).float().squeeze(-1), guesses)
