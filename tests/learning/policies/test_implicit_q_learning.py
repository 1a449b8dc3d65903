"""IQL: its two formulas by hand, and a corridor where the better of two behaviours must be found."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch

from pentathlon.learning.policies import BcRecipe, IqlRecipe, Training, Trajectory
from pentathlon.learning.policies.chunked_cloning import train_bc
from pentathlon.learning.policies.iql import Critics, advantage_weights, expectile_loss, train_iql


def test_expectile_loss_by_hand() -> None:
    differences = torch.tensor([2.0, -1.0, 0.0, -3.0])
    # (0.7 * 4 + 0.3 * 1 + 0 + 0.3 * 9) / 4
    assert expectile_loss(differences, 0.7).item() == pytest.approx(1.45)
    assert expectile_loss(differences, 0.5).item() == pytest.approx(0.5 * differences.square().mean().item())


def test_the_minimum_is_the_expectile() -> None:
    values = torch.tensor([0.0, 0.0, 0.0, 10.0])
    places = torch.linspace(0.0, 10.0, 10_001)
    losses = torch.stack([expectile_loss(values - place, 0.9) for place in places])
    # 0.9 * (10 - v) = 0.1 * 3 v
    assert places[losses.argmin()].item() == pytest.approx(7.5, abs=2e-3)


def test_advantage_weights_by_hand() -> None:
    weights = advantage_weights(torch.tensor([0.0, np.log(2.0) / 3.0, -np.log(2.0) / 3.0, 50.0]), 3.0, 100.0)
    np.testing.assert_allclose(weights.numpy(), [1.0, 2.0, 0.5, 100.0], rtol=1e-6)


def test_the_lower_critic_is_believed() -> None:
    critics = Critics(3, (4,))
    with torch.no_grad():
        for parameter in critics.parameters():
            parameter.zero_()
        for critic, value in zip(critics.pair, (2.0, -1.0), strict=True):
            critic[-1].bias.fill_(value)  # type: ignore[index, union-attr]
    assert critics.believed(torch.zeros(5, 3), torch.zeros(5, 7)).tolist() == [-1.0] * 5


def corridor(make: Callable[..., Trajectory], count: int = 40) -> list[Trajectory]:
    """Half of the walks step by +0.1 and earn 3 g, half by -0.1 and earn nothing; all start alike."""
    rng = np.random.default_rng(0)
    walks = []
    for index in range(count):
        stride = 0.1 if index % 2 else -0.1
        places = rng.normal(0.0, 0.02) + stride * np.arange(6)
        joints = np.repeat(places[:, None], 7, axis=1)
        walks.append(make(f"walk-{index}", joints, joints + stride, 3.0 if stride > 0 else 0.0))
    return walks


def test_it_finds_the_better_of_two_behaviours_where_cloning_averages(
    make_trajectory: Callable[..., Trajectory],
) -> None:
    walks = corridor(make_trajectory)
    recipe = IqlRecipe(hidden=(32, 32), steps=300, learning_rate=3e-3, batch_size=64, discount=0.95, target_rate=0.05)
    losses: list[float] = []
    policy = train_iql(walks, recipe, Training(seed=0, progress=lambda done, total, loss: losses.append(loss)))
    cloned = train_bc(walks, BcRecipe(horizon=1, selection=1.0, epochs=60), Training(seed=0))
    start = np.zeros(7, np.float32)
    assert policy.act(start).shape == (1, 7)
    assert policy.act(start).mean() == pytest.approx(0.1, abs=0.03)
    assert abs(cloned.act(start).mean()) < 0.04
    assert len(losses) == 100
