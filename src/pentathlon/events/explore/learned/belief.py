"""The network of the learned agents: a GRU's belief, actor and critic heads, and prefix tokens for a frozen reader."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from pentathlon.events.explore.protocol import ACTIONS, GRASPS
from pentathlon.learning.answering.head import PrefixSettings

NO_ACTION = len(ACTIONS)
"""Stands for the last action where there was none."""
DONE = ACTIONS.index("Done")
NEVER = -1e9
"""The logit of what is not done; of an infinite one the entropy would be no number."""


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
        _start_even(self.actor[-1])

    def forward(self, features: Tensor, actions: Tensor, questions: Tensor, state: Tensor, fresh: Tensor) -> Thought:
        """Thinks through a stretch of steps; while no question is known, nothing is Done.

        Args:
            features: ``[T, N, F]``, of the pictures.
            actions: ``[T, N]``, the one before each picture; :data:`NO_ACTION` for none.
            questions: ``[T, N, Q]``, zero while none is known.
            state: ``[1, N, B]``, the belief before.
            fresh: ``[T, N]``, 1 where an episode begins and the belief is forgotten.
        """
        inputs = torch.cat([features, self.last_action(actions), questions], dim=-1)
        belief, state = self._remembered(inputs, state, fresh)
        logits = self.actor(belief)
        unasked = questions.abs().sum(-1, keepdim=True) == 0.0
        done = torch.arange(len(ACTIONS), device=logits.device) == DONE
        logits = logits.masked_fill(unasked & done, NEVER)
        return Thought(belief, logits, self.critic(belief).squeeze(-1), state)

    def _remembered(self, inputs: Tensor, state: Tensor, fresh: Tensor) -> tuple[Tensor, Tensor]:
        if not fresh.any():
            belief, state = self.memory(inputs, state)
            return belief, state
        beliefs = []
        for step in range(len(inputs)):
            state = state * (1.0 - fresh[step])[None, :, None]
            out, state = self.memory(inputs[step : step + 1], state)
            beliefs.append(out)
        return torch.cat(beliefs), state

    def tokens(self, beliefs: Tensor) -> Tensor:
        """Turns beliefs ``[..., B]`` into prefix tokens ``[..., K, D]``."""
        tokens: Tensor = self.prefix(beliefs)
        return tokens.reshape(*beliefs.shape[:-1], self.settings.prefix_tokens, self.settings.token_dim)

    def first_state(self, count: int) -> Tensor:
        """The belief of agents that have seen nothing."""
        return torch.zeros(1, count, self.settings.belief, device=self.last_action.weight.device)


def _head(inputs: int, hidden: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))


def _start_even(last: nn.Module) -> None:
    """Lets all verbs be about as likely at first: a grasp's forces share its chance, and Done has one in 130."""
    assert isinstance(last, nn.Linear)
    with torch.no_grad():
        last.weight.mul_(0.01)
        last.bias.zero_()
        for label in GRASPS:
            last.bias[ACTIONS.index(label)] = -math.log(len(GRASPS))
        last.bias[DONE] = -math.log(4)
