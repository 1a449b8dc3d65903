"""What all learners by proximal policy optimisation compute alike: advantages and the clipped loss.

Schulman et al. 2017; advantages are generalised (Schulman et al. 2016).
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from pentathlon.learning.reinforcement.settings import PpoSettings


class PpoLoss(NamedTuple):
    """What is made small, and the policy's entropy; both are means."""

    total: Tensor
    entropy: Tensor


def generalised_advantages(rewards: Tensor, values: Tensor, alive: Tensor, settings: PpoSettings) -> Tensor:
    """Returns how much better each action was than the critic expected, ``[T, N]``.

    Args:
        rewards: ``[T, N]``, after each action.
        values: ``[T + 1, N]``, of the states acted in and of the one after the last action.
        alive: ``[T, N]``, 0 where the episode ended with the action.
        settings: discount and trace.
    """
    found, gain = torch.zeros_like(rewards), torch.zeros_like(values[0])
    for step in range(len(rewards) - 1, -1, -1):
        ahead = settings.discount * alive[step]
        gain = rewards[step] + ahead * values[step + 1] - values[step] + ahead * settings.trace * gain
        found[step] = gain
    return found


def standardised(advantages: Tensor) -> Tensor:
    """Shifts and scales advantages to mean 0 and deviation 1."""
    return (advantages - advantages.mean()) / (advantages.std() + 1e-6)


def clipped_gain(ratio: Tensor, advantages: Tensor, clip: float) -> Tensor:
    """Returns the mean gain of a policy that chooses actions ``ratio`` times as often as the one that acted."""
    return torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages).mean()


def chosen(log_shares: Tensor, actions: Tensor) -> Tensor:
    """Returns of ``log_shares[..., A]`` those of the actions ``[...]``."""
    return log_shares.gather(-1, actions[..., None]).squeeze(-1)


def ppo_loss(
    logits: Tensor,
    values: Tensor,
    actions: Tensor,
    old_log_shares: Tensor,
    advantages: Tensor,
    returns: Tensor,
    settings: PpoSettings,
) -> PpoLoss:
    """The clipped loss of a policy that chooses among actions, the critic's, and the bonus for undecided policies."""
    log_shares = F.log_softmax(logits, dim=-1)
    ratio = (chosen(log_shares, actions) - old_log_shares).exp()
    gain = clipped_gain(ratio, advantages, settings.clip)
    entropy = -(log_shares.exp() * log_shares).sum(-1).mean()
    error = (values - returns).square().mean()
    return PpoLoss(settings.value_weight * error - gain - settings.entropy * entropy, entropy)
