"""A judge as reward: on an environment whose picture grows greener, with a judge that likes green."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
import pytest

from pentathlon.core import JudgeSpec
from pentathlon.core.errors import UsageError
from pentathlon.events.judge.reward import JudgeReward


class Greening(gym.Env[Any, Any]):
    """Five steps; action 1 makes the picture greener and earns 1."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["rgb_array"]}
    observation_space = gym.spaces.Discrete(6)
    action_space = gym.spaces.Discrete(2)

    def __init__(self, render_mode: str | None = "rgb_array") -> None:
        self.render_mode = render_mode

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[int, dict[str, Any]]:
        super().reset(seed=seed)
        self._green = self._steps = 0
        return 0, {}

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        self._steps += 1
        self._green += action
        return self._green, float(action), False, self._steps == 5, {}

    def render(self) -> Any:
        return np.full((8, 8, 3), (0, 50 * self._green, 0), np.uint8)


class GreenJudge:
    spec = JudgeSpec(frames=3)

    def score(self, clip: np.ndarray, descriptions: Sequence[str]) -> np.ndarray:
        assert len(clip) == 3
        green = float(clip[-1, ..., 1].mean()) / 255
        return np.array([green if "green" in text else 0.5 for text in descriptions], np.float32)


def play(env: gym.Env[Any, Any], actions: Sequence[int]) -> tuple[list[float], float]:
    env.reset(seed=0)
    rewards: list[float] = []
    info: dict[str, Any] = {}
    for action in actions:
        _, reward, _, _, info = env.step(action)
        rewards.append(float(reward))
    return rewards, info["true_reward"]


def test_the_reward_comes_at_the_end_and_agrees_with_the_true_one() -> None:
    env = JudgeReward(Greening(), GreenJudge(), "it turns green")
    played = [play(env, [1] * good + [0] * (5 - good)) for good in range(6)]
    assert all(rewards[:-1] == [0.0] * 4 for rewards, _ in played)
    judged = [rewards[-1] for rewards, _ in played]
    assert judged == sorted(judged)
    assert [true for _, true in played] == [0, 1, 2, 3, 4, 5]
    assert judged[-1] == pytest.approx(250 / 255, abs=1e-6)


def test_against_something_else_it_is_a_share() -> None:
    env = JudgeReward(Greening(), GreenJudge(), "it turns green", instead=("nothing happens",))
    rewards, _ = play(env, [1] * 5)
    assert rewards[-1] == pytest.approx(1 / (1 + np.exp(0.5 - 250 / 255)), abs=1e-6)


def test_an_environment_without_pictures_is_refused() -> None:
    with pytest.raises(UsageError, match="rgb_array_list, got None"):
        JudgeReward(Greening(None), GreenJudge(), "it turns green")
    with pytest.raises(UsageError, match="Expected a sentence"):
        JudgeReward(Greening(), GreenJudge(), " ")


class GreeningSlowly(Greening):
    """Shows two pictures of every step."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["rgb_array_list"]}

    def render(self) -> Any:
        return [super().render()] * 2


def test_environments_that_show_several_pictures_of_a_step_are_judged_by_all() -> None:
    seen: list[int] = []

    class CountingJudge(GreenJudge):
        def score(self, clip: np.ndarray, descriptions: Sequence[str]) -> np.ndarray:
            seen.extend(int(one.max()) for one in clip)
            return super().score(clip, descriptions)

    env = JudgeReward(GreeningSlowly("rgb_array_list"), CountingJudge(), "it turns green")
    rewards, true = play(env, [1] * 5)
    assert (rewards[-1] > 0.9, true) == (True, 5.0)
    # Twelve pictures of a start and five steps: the first, one between the sixth and the seventh, and the last.
    assert seen[0] == 0
    assert seen[1] in (100, 150)
    assert seen[2] == 250
