"""The common Gymnasium contract: checker, determinism, frames, refusals."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from pentathlon.core.errors import UsageError
from pentathlon.worlds.control import CONTROL_TASKS, ControlTask, control_task
from pentathlon.worlds.control.env import ControlEnv

ONE_PER_SUITE = [control_task(name) for name in ("adroit-pen", "metaworld-hammer", "trifinger-reach-cube")]


@pytest.mark.parametrize("task", CONTROL_TASKS, ids=lambda task: task.name)
def test_gymnasium_finds_no_fault(task: ControlTask) -> None:
    env = ControlEnv(task, images=False, horizon=3)
    with warnings.catch_warnings():
        # Proprioception has no bounds, and the environment is checked as it is made, without a registered id.
        warnings.filterwarnings("ignore", message=".*(infinity|spec).*")
        check_env(env, skip_render_check=True)
    env.close()


@pytest.mark.parametrize("task", ONE_PER_SUITE, ids=lambda task: task.suite)
def test_frames_follow_from_seed_and_state(task: ControlTask) -> None:
    env, other = ControlEnv(task), ControlEnv(task, images=False)
    first, _ = env.reset(seed=5)
    assert first["image"].shape == (task.image_size, task.image_size, 3)
    assert first["image"].std() > 5.0
    assert first["proprio"].shape == (task.proprio_size,)
    action = np.full(env.action_space.shape or (), 0.5, np.float32)
    image = env.step(action)[0]["image"].copy()
    state = env.physics_state()
    other.reset(seed=6)
    other.frame()
    other.reset(seed=5)
    other.set_physics_state(state)
    np.testing.assert_array_equal(other.frame(), image)
    for each in (env, other):
        each.close()


def test_episode_ends_at_the_horizon_and_is_scored_by_the_rule() -> None:
    env = ControlEnv("dmcontrol-reacher-easy", images=False, horizon=4)
    env.reset(seed=0)
    rewards = []
    for step in range(4):
        _, reward, terminated, truncated, _ = env.step(np.zeros(2, np.float32))
        rewards.append(reward)
        assert not terminated
        assert truncated == (step == 3)
    assert env.success() == pytest.approx(100.0 * np.mean(rewards))
    with pytest.raises(UsageError, match="Call reset"):
        env.step(np.zeros(2, np.float32))


def test_bad_actions_are_refused() -> None:
    env = ControlEnv("dmcontrol-reacher-easy", images=False)
    with pytest.raises(UsageError, match="Call reset"):
        env.step(np.zeros(2, np.float32))
    env.reset(seed=0)
    with pytest.raises(UsageError, match=r"shape \(2,\), got \(3,\)"):
        env.step(np.zeros(3, np.float32))
    with pytest.raises(UsageError, match="finite"):
        env.step(np.array([np.nan, 0.0], np.float32))
