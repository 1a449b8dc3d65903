"""The network of the learned agents: a GRU's belief, actor and critic heads, and prefix tokens for a frozen reader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from pentathlon.events.explore.protocol import ACTIONS
from pentathlon.learning.answering.head import PrefixSettings


@dataclass(frozen=True)
class BeliefSettings(PrefixSettings):
    """Sizes of the network; the belief is the GRU's state.

    Attributes:
        features: length of the encoder's feature of a picture.
        action_dim: length of the embedding of the last action.
        hidden: width of the heads.
        question_dim: length of what the reader makes of all questions, which phase III is conditioned on.
        token_dim: length of the reader's tokens.
    """

    features: int
    question_dim: int
    token_dim: int
    action_dim: int = 32
    hidden: int = 256


class Thought(NamedTuple):
    """What the network makes of a stretch of steps ``[T, N]``; ``state`` is the belief after the last."""

    beliefs: Tensor
    logits: Tensor
    values: Tensor
    state: Tensor


class BeliefNetwork(nn.Module):
    """Turns what was seen and done into a belief, and the belief into an action, a value and prefix tokens."""

    def __init__(self, settings: BeliefSettings) -> None:
        super().__init__()
        self.settings = settings
        self.last_action = nn.Embedding(len(ACTIONS) + 1, settings.action_dim)
        inputs = settings.features + settings.action_dim + settings.question_dim
        self.memory = nn.GRU(inputs, settings.belief)
        self.actor = _head(settings.belief, settings.hidden, len(ACTIONS))
        self.critic = _head(settings.belief, settings.hidden, 1)
        self.prefix = nn.Sequential(
            nn.Linear(settings.belief, settings.hidden),
            nn.ReLU(),
            nn.Linear(settings.hidden, settings.hidden),
            nn.ReLU(),
            nn.Linear(settings.hidden, settings.prefix_tokens * settings.token_dim),
        )

    def forward(self, features: Tensor, actions: Tensor, questions: Tensor, state: Tensor, fresh: Tensor) -> Thought:
        """Thinks through a stretch of steps.

        Args:
            features: ``[T, N, F]``, of the pictures.
            actions: ``[T, N]``, the one before each picture; ``len(ACTIONS)`` for none.
            questions: ``[T, N, Q]``, zero while none is known.
            state: ``[1, N, B]``, the belief before.
            fresh: ``[T, N]``, 1 where an episode begins and the belief is forgotten.
        """
        inputs = torch.cat([features, self.last_action(actions), questions], dim=-1)
        beliefs = []
        for step in range(len(inputs)):
            state = state * (1.0 - fresh[step])[None, :, None]
            out, state = self.memory(inputs[step : step + 1], state)
            beliefs.append(out)
        belief = torch.cat(beliefs)
        return Thought(belief, self.actor(belief), self.critic(belief).squeeze(-1), state)

    def tokens(self, beliefs: Tensor) -> Tensor:
        """Turns beliefs ``[..., B]`` into prefix tokens ``[..., K, D]``."""
        tokens: Tensor = self.prefix(beliefs)
        return tokens.reshape(*beliefs.shape[:-1], self.settings.prefix_tokens, self.settings.token_dim)

    def first_state(self, count: int) -> Tensor:
        """The belief of agents that have seen nothing."""
        return torch.zeros(1, count, self.settings.belief, device=self.last_action.weight.device)


def _head(inputs: int, hidden: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))
