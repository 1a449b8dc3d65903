"""Decision transformer: returns by hand, prompts, windows, history, and a choice that only the return decides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch

from pentathlon.learning.policies import DtRecipe, Training, Trajectory
from pentathlon.learning.policies.decision_transformer import (
    DtPolicy,
    HistoryWindows,
    Scale,
    Window,
    predict_actions,
    return_prompt,
    returns_to_go,
    train_dt,
)
from pentathlon.learning.policies.scaling import Standard

TINY = DtRecipe(period=2, window=4, width=32, layers=1, steps=300, warmup_steps=20, learning_rate=3e-3, dropout=0.0)
Counted = Callable[..., Trajectory]


def test_returns_to_go_by_hand() -> None:
    assert returns_to_go(np.array([1.0, 0.0, 2.0, 4.0], np.float32)).tolist() == [7.0, 6.0, 6.0, 4.0]
    assert returns_to_go(np.array([0.0, 0.0, 9.0], np.float32)).tolist() == [9.0, 9.0, 9.0]


def test_the_prompt_is_the_mean_of_the_best_tenth(counted: Counted) -> None:
    data = [counted(0, 3, reward_g=float(reward)) for reward in range(30)]
    assert return_prompt(data, 0.1) == pytest.approx((29 + 28 + 27) / 3)


@pytest.fixture(scope="module")
def forked(make_trajectory: Callable[..., Trajectory]) -> list[Trajectory]:
    """From one start, half of the walks climb and earn 8 g, half sink and earn nothing."""
    rng = np.random.default_rng(0)
    walks = []
    for index in range(24):
        stride = 0.1 if index % 2 else -0.1
        joints = rng.normal(0.0, 0.01) + stride * np.repeat(np.arange(16.0)[:, None], 7, axis=1)
        walks.append(make_trajectory(f"walk-{index}", joints, joints + stride, 8.0 if stride > 0 else 0.0))
    return walks


@pytest.fixture(scope="module")
def policy(forked: list[Trajectory]) -> DtPolicy:
    return train_dt(forked, TINY, Training(seed=0))


def test_the_return_asked_for_decides(policy: DtPolicy) -> None:
    start = np.zeros(7, np.float32)
    policy.reset()
    assert policy.act(start)[-1].mean() == pytest.approx(0.2, abs=0.06), "the target two frames on"
    modest = DtPolicy.from_state(policy.state().arrays, {**policy.state().settings, "prompt_g": 0.0})
    assert modest.act(start)[-1].mean() == pytest.approx(-0.2, abs=0.06)


def test_a_rollout_follows_the_good_walk(policy: DtPolicy) -> None:
    policy.reset()
    joints = np.zeros(7, np.float32)
    for _ in range(8):
        chunk = policy.act(joints)
        assert chunk.shape == (TINY.period, 7)
        joints = chunk[-1]
    assert joints.mean() == pytest.approx(1.6, abs=0.3)


def test_targets_in_between_lie_on_a_line(policy: DtPolicy) -> None:
    policy.reset()
    start = np.full(7, 0.05, np.float32)
    first = policy.act(start)
    np.testing.assert_allclose(first[0], (start + first[1]) / 2, atol=1e-6)
    second = policy.act(first[1] - np.float32(0.03))  # The arm lags; the next line starts at the target all the same.
    np.testing.assert_allclose(second[0], (first[1] + second[1]) / 2, atol=1e-6)


def test_history_counts_until_reset(policy: DtPolicy) -> None:
    joints = np.zeros(7, np.float32)
    policy.reset()
    fresh = policy.act(joints)
    policy.act(np.full(7, -0.4, np.float32))
    remembering = policy.act(joints)
    policy.reset()
    np.testing.assert_array_equal(policy.act(joints), fresh)
    assert not np.allclose(remembering[-1], fresh[-1], atol=1e-3)


def test_longer_episodes_than_recorded_are_borne(policy: DtPolicy) -> None:
    policy.reset()
    actions = [policy.act(np.zeros(7, np.float32)) for _ in range(20)]
    assert np.isfinite(actions).all()


def test_what_came_before_the_start_is_not_seen(policy: DtPolicy) -> None:
    generator = torch.Generator().manual_seed(0)

    def window(junk: float) -> Window:
        states = torch.randn(1, 4, 7, generator=generator.manual_seed(1))
        actions = torch.randn(1, 4, 7, generator=generator)
        states[:, :2], actions[:, :2] = junk, junk
        known = torch.tensor([[0.0, 0.0, 1.0, 1.0]])
        return Window(states, actions, torch.ones(1, 4, 1), torch.arange(4)[None], known)

    network = policy._network
    with torch.no_grad():
        first, second = (predict_actions(network, window(junk))[:, 2:] for junk in (0.0, 50.0))
        unpadded = predict_actions(network, Window(*(part[:, 2:] for part in window(0.0))))
    torch.testing.assert_close(first, second)
    torch.testing.assert_close(first, unpadded)


def test_windows_never_reach_into_another_trajectory(counted: Counted) -> None:
    plain = Standard(np.zeros(9, np.float32), np.ones(9, np.float32))
    as_told = Standard(np.zeros(7, np.float32), np.ones(7, np.float32))
    windows = HistoryWindows([counted(0, 6, 4.0), counted(100, 3, 2.0)], plain, as_told, Scale(4.0, 2.0, 6), 4, "cpu")
    drawn = windows.draw(200)
    known, times = drawn.known.bool(), drawn.times
    torch.testing.assert_close(known.sum(dim=1), (times[:, -1] + 1).clamp(max=4))
    first = drawn.states[:, -1, 0] < 100
    assert 0 < first.sum() < 200
    for mine, start, return_to_go in ((first, 0, 2.0), (~first, 100, 1.0)):
        seen = known[mine]
        torch.testing.assert_close(drawn.states[mine][seen][:, 0], times[mine][seen].float() + start)
        torch.testing.assert_close(drawn.actions[mine][seen], drawn.states[mine][seen][:, :7])
        assert (drawn.returns[mine][seen] == return_to_go).all()


def test_the_action_to_be_found_is_not_seen(policy: DtPolicy) -> None:
    states, known = torch.zeros(1, 3, 7), torch.ones(1, 3)
    windows = [
        Window(states, torch.zeros(1, 3, 7), torch.ones(1, 3, 1), torch.arange(3)[None], known) for _ in range(2)
    ]
    windows[1].actions[:, -1] = 9.0
    with torch.no_grad():
        plain, told = (predict_actions(policy._network, window) for window in windows)
    torch.testing.assert_close(plain[:, -1], told[:, -1])


def test_the_paper_s_model(reaching: list[Trajectory]) -> None:
    recipe = DtRecipe(steps=1)
    assert (recipe.period, recipe.window, recipe.prompt_share) == (8, 10, 0.1)
    policy = train_dt(reaching, recipe, Training(seed=0))
    arrays = policy.state().arrays
    assert arrays["network.embed_state.weight"].shape == (128, 14)
    assert sum("ln_1.weight" in name for name in arrays) == 3
    assert policy.scale.longest == 3, "twenty steps, one of eight seen"
    assert policy.scale.prompt_g == 12.0


def test_training_data_without_reward_is_borne(forked: list[Trajectory]) -> None:
    failures = [trajectory for trajectory in forked if not trajectory.successful]
    policy = train_dt(failures, replace(TINY, steps=2), Training(seed=0))
    assert np.isfinite(policy.act(np.zeros(7, np.float32))).all()
