"""Advantages and PPO's loss, by hand."""

from __future__ import annotations

import math

import pytest
import torch

from pentathlon.learning.reinforcement.ppo_loss import generalised_advantages, ppo_loss, standardised
from pentathlon.learning.reinforcement.settings import PpoSettings


def test_advantages_stop_at_the_end_of_an_episode() -> None:
    settings = PpoSettings(discount=0.5, trace=0.5)
    rewards, values = torch.tensor([[1.0], [2.0], [4.0]]), torch.tensor([[0.5], [1.0], [2.0], [6.0]])
    alive = torch.tensor([[1.0], [0.0], [1.0]])
    last = 4.0 + 0.5 * 6.0 - 2.0
    middle = 2.0 - 1.0
    first = 1.0 + 0.5 * 1.0 - 0.5 + 0.25 * middle
    found = generalised_advantages(rewards, values, alive, settings)
    assert found[:, 0].tolist() == pytest.approx([first, middle, last])


def test_standardised_advantages_have_mean_zero_and_deviation_one() -> None:
    found = standardised(torch.tensor([1.0, 2.0, 6.0]))
    assert (found.mean().item(), found.std().item()) == pytest.approx((0.0, 1.0), abs=1e-5)


def test_the_loss_where_the_policy_did_not_move() -> None:
    settings = PpoSettings(value_weight=0.5, entropy=0.01)
    gains, values, returns = torch.tensor([1.0, -1.0]), torch.tensor([0.0, 1.0]), torch.tensor([1.0, 1.0])
    old = torch.full((2,), -math.log(4))
    loss = ppo_loss(torch.zeros(2, 4), values, torch.tensor([0, 3]), old, gains, returns, settings)
    assert loss.total.item() == pytest.approx(0.5 * 0.5 - 0.01 * math.log(4), abs=1e-6)
    assert loss.entropy.item() == pytest.approx(math.log(4))


def test_the_clip_stops_the_gradient_of_what_moved_too_far() -> None:
    logits = torch.tensor([[3.0, 0.0], [0.0, 0.0]], requires_grad=True)
    old, gains = torch.full((2,), math.log(0.5)), torch.tensor([1.0, -1.0])
    none = torch.zeros(2)
    loss = ppo_loss(logits, none, torch.tensor([0, 0]), old, gains, none, PpoSettings(entropy=0.0))
    loss.total.backward()  # type: ignore[no-untyped-call]
    assert logits.grad is not None
    assert logits.grad[0].abs().sum() == 0.0
    assert logits.grad[1].abs().sum() > 0.0
