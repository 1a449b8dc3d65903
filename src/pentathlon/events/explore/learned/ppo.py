"""Proximal policy optimisation: advantages of a stretch of steps, and the clipped loss (Schulman et al. 2017)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class PpoSettings:
    """Constants of the update.

    Attributes:
        discount: of rewards, for each step.
        smoothing: of advantages, lambda of GAE.
        clip: how far the policy may move from the one that acted, as a ratio of chances.
        value_weight: of the critic's loss.
        entropy_weight: of the policy's entropy.
        passes: over each stretch.
        learning_rate: of Adam.
        most_norm: of the gradient.
    """

    discount: float = 0.99
    smoothing: float = 0.95
    clip: float = 0.1
    value_weight: float = 0.5
    entropy_weight: float = 0.01
    passes: int = 4
    learning_rate: float = 3e-4
    most_norm: float = 0.5


def advantages(rewards: Tensor, values: Tensor, ended: Tensor, last_value: Tensor, settings: PpoSettings) -> Tensor:
    """Generalised advantage estimates ``[T, N]``.

    Args:
        rewards: ``[T, N]``, after each action.
        values: ``[T, N]``, of the states acted in.
        ended: ``[T, N]``, 1 where the episode ended with the action.
        last_value: ``[N]``, of the state after the last action.
        settings: discount and smoothing.
    """
    found, following, value = torch.zeros_like(rewards), torch.zeros_like(last_value), last_value
    for step in range(len(rewards) - 1, -1, -1):
        goes_on = 1.0 - ended[step]
        surprise = rewards[step] + settings.discount * value * goes_on - values[step]
        following = surprise + settings.discount * settings.smoothing * goes_on * following
        found[step], value = following, values[step]
    return found


def ppo_loss(
    logits: Tensor,
    values: Tensor,
    actions: Tensor,
    old_log_chance: Tensor,
    gains: Tensor,
    returns: Tensor,
    settings: PpoSettings,
) -> Tensor:
    """The clipped policy loss, the critic's, and the entropy bonus, all as means."""
    log_chances = torch.log_softmax(logits, dim=-1)
    ratio = torch.exp(log_chances.gather(-1, actions[..., None]).squeeze(-1) - old_log_chance)
    scaled = (gains - gains.mean()) / (gains.std() + 1e-8)
    clipped = torch.clamp(ratio, 1.0 - settings.clip, 1.0 + settings.clip)
    policy_loss = -torch.minimum(ratio * scaled, clipped * scaled).mean()
    value_loss = 0.5 * (values - returns).pow(2).mean()
    entropy = -(log_chances.exp() * log_chances).sum(-1).mean()
    loss: Tensor = policy_loss + settings.value_weight * value_loss - settings.entropy_weight * entropy
    return loss
