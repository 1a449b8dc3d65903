"""PPO solves small worlds on a CPU in seconds, remembers, and goes on from a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
import torch
from torch import Tensor

from pentathlon.core.errors import UsageError
from pentathlon.learning.reinforcement.ppo import Learner, LearnerSettings, laid_out_as
from pentathlon.learning.reinforcement.ppo_policy import FlatEncoder, RecurrentPolicy


class CartPoles:
    """Gymnasium's CartPole, many at once, as tensors."""

    def __init__(self, count: int) -> None:
        mode = gym.vector.AutoresetMode.SAME_STEP
        self._poles = gym.vector.SyncVectorEnv([lambda: gym.make("CartPole-v1")] * count, autoreset_mode=mode)
        self.num_envs, self.lengths = count, []
        self._length = np.zeros(count)

    def reset(self, *, seed: int | None = None) -> tuple[dict[str, Tensor], dict[str, Any]]:
        seen, _ = self._poles.reset(seed=seed)
        return {"state": torch.from_numpy(seen)}, {}

    def step(self, actions: Tensor) -> tuple[dict[str, Tensor], Tensor, Tensor, Tensor, dict[str, Any]]:
        seen, reward, ended, cut, _ = self._poles.step(actions.numpy())
        self._length += 1
        self.lengths += list(self._length[ended | cut])
        self._length[ended | cut] = 0
        parts = (torch.from_numpy(np.asarray(part)) for part in ((reward / 20).astype(np.float32), ended, cut))
        return {"state": torch.from_numpy(seen)}, *parts, {}


class Corridors:
    """A signal at the start tells at which end of a corridor the prize lies; later it is not seen: memory is needed."""

    def __init__(self, count: int, length: int = 3) -> None:
        self.num_envs, self._length = count, length

    def reset(self, *, seed: int | None = None) -> tuple[dict[str, Tensor], dict[str, Any]]:
        self._random = torch.Generator().manual_seed(seed or 0)
        self._place, self._side, self._steps = (torch.zeros(self.num_envs, dtype=torch.int64) for _ in range(3))
        self._begin(torch.ones(self.num_envs, dtype=torch.bool))
        return self._seen(), {}

    def step(self, actions: Tensor) -> tuple[dict[str, Tensor], Tensor, Tensor, Tensor, dict[str, Any]]:
        self._place += 2 * actions - 1
        self._steps += 1
        ended, cut = self._place.abs() == self._length, self._steps >= 20
        success = ended & (self._place.sign() == self._side)
        reward = success.float() - 0.01
        self._begin(ended | cut)
        return self._seen(), reward, ended, cut & ~ended, {"success": success}

    def _begin(self, which: Tensor) -> None:
        sides = 2 * torch.randint(2, (self.num_envs,), generator=self._random) - 1
        self._side = torch.where(which, sides, self._side)
        self._place, self._steps = torch.where(which, 0, self._place), torch.where(which, 0, self._steps)

    def _seen(self) -> dict[str, Tensor]:
        signal = torch.where(self._steps == 0, self._side, 0)
        return {"signal": torch.stack([signal, self._place], dim=1).float()}


@pytest.fixture(autouse=True)
def _one_thread() -> Any:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def test_solves_cart_pole() -> None:
    torch.manual_seed(0)
    worlds = CartPoles(16)
    policy = RecurrentPolicy(FlatEncoder({"state": 4}, 32), 2, memory=32)
    learner = Learner(worlds, policy, LearnerSettings(steps=32, epochs=4, batches=4, learning_rate=3e-3))
    for _ in range(60):
        learner.round()
        if len(worlds.lengths) > 40 and np.mean(worlds.lengths[-20:]) > 195:
            break
    assert np.mean(worlds.lengths[-20:]) > 195  # CartPole-v0's own border of a solution; at random about 20


def corridor_learner() -> Learner:
    torch.manual_seed(0)
    policy = RecurrentPolicy(FlatEncoder({"signal": 2}, 16), 2, memory=32)
    return Learner(Corridors(64), policy, LearnerSettings(steps=16, epochs=4, batches=4, learning_rate=3e-3))


def test_remembers_what_is_no_longer_seen() -> None:
    learner = corridor_learner()
    reports = [learner.round() for _ in range(40)]
    assert reports[0].success < 0.7
    assert np.mean([report.success for report in reports[-3:]]) > 0.95


def test_goes_on_from_a_file(tmp_path: Path) -> None:
    first = corridor_learner()
    for _ in range(3):
        first.round()
    first.save(tmp_path / "state.pt", {"seconds": 3.5})
    again = corridor_learner()
    assert again.load(tmp_path / "state.pt") == {"seconds": 3.5}
    assert again.frames == first.frames == 3 * 16 * 64
    for mine, theirs in zip(again.policy.parameters(), first.policy.parameters(), strict=True):
        assert torch.equal(mine, theirs)
    assert again.optimizer.state_dict()["state"][0]["step"] == first.optimizer.state_dict()["state"][0]["step"]


def test_refuses_uneven_batches() -> None:
    with pytest.raises(UsageError, match="equal batches"):
        Learner(Corridors(10), RecurrentPolicy(FlatEncoder({"signal": 2}, 8), 2, memory=8), LearnerSettings(batches=4))


def test_gradients_lie_in_memory_as_their_weights_do() -> None:
    weights = torch.zeros(4, 3, 2, 2)
    gradient = torch.randn(4, 3, 2, 2).to(memory_format=torch.channels_last)
    assert gradient.stride() != weights.stride()
    found = laid_out_as(weights, gradient)
    assert found.stride() == weights.stride()
    assert torch.equal(found, gradient)
    assert laid_out_as(gradient, gradient) is gradient
