"""The Gymnasium environments pass Gymnasium's own checks and pay what is weighed."""

from __future__ import annotations

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import pentathlon.worlds.tabletop  # noqa: F401 (registers the environments)
from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.worlds.tabletop import Setup
from pentathlon.worlds.tabletop.env import PourEnv

POUR = Setup("pour", "red_cup", "hazelnuts", "front_left", 1)
SCOOP = Setup("scoop", "white_bowl", "chickpeas", "front_centre", 1)


@pytest.mark.filterwarnings("ignore::UserWarning")  # the checker suggests symmetric actions; joints have limits
@pytest.mark.parametrize("setup", [POUR, SCOOP], ids=["pour", "scoop"])
def test_gymnasium_finds_nothing_wrong(setup: Setup) -> None:
    name = f"Pentathlon{setup.task.title()}-v1"
    env = gym.make(name, image_size=(24, 32), setups=(setup,), render_mode="rgb_array", disable_env_checker=True)
    check_env(env.unwrapped, skip_render_check=True)
    observation, info = env.reset(seed=3)
    assert env.observation_space.contains(observation)
    assert info["grams"] == 0.0
    assert env.render().shape == (24, 32, 3)
    env.close()


def test_a_seed_draws_the_same_training_setup_again() -> None:
    env = PourEnv(image_size=(24, 32))
    setups = [env.reset(seed=seed)[1]["setup"] for seed in (5, 5, 6)]
    assert setups[0] == setups[1] != setups[2]
    env.close()


def test_rewards_sum_up_to_the_grams() -> None:
    env = PourEnv(image_size=(24, 32))
    env.reset(options={"setup": POUR})
    bench = env.robot.bench
    inside = bench.scene.container_pose(bench.data).position_m + np.array([0.0, 0.0, 0.04])
    bench.data.qpos[bench.scene.grain_start :].reshape(-1, 7)[:3, :3] = inside + 0.016 * np.eye(3)
    hold = env.robot.sense_joints()
    rewards, info = [], {}
    for _ in range(10):
        _, reward, terminated, truncated, info = env.step(hold)
        rewards.append(reward)
        assert not terminated
        assert not truncated
    assert info["grams"] == pytest.approx(3 * 1.131, rel=1e-3)
    assert sum(rewards) == pytest.approx(info["grams"])
    env.close()


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"setup": Setup("scoop", "white_bowl", "pasta", "front_left", 0)}, UsageError, "setup for pour"),
        ({"set_up": POUR}, UnknownIdError, "Did you mean 'setup'"),
        ({"setup": "red_cup"}, UsageError, "Expected a Setup"),
    ],
)
def test_bad_options_are_refused(options: dict[str, object], error: type[Exception], words: str) -> None:
    env = PourEnv(image_size=(24, 32))
    with pytest.raises(error, match=words):
        env.reset(options=options)
    env.close()


def test_no_setups_and_unknown_render_modes_are_refused() -> None:
    with pytest.raises(UsageError, match="at least one setup"):
        PourEnv(setups=())
    with pytest.raises(UnknownIdError, match="render mode"):
        PourEnv(render_mode="human")
