from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from pentathlon.core.entrants import Briefing
from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.worlds.houses.bodies.navigator import ACTIONS, NavigatorSettings, Pose
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.tasks.agents import OracleAgent, RandomAgent, StopAgent
from pentathlon.worlds.houses.tasks.navigation_env import NavigationEnv

TASKS = ("ObjectNav", "ImageNav", "PointNav")


def make(task: str, house: House, **arguments: Any) -> gym.Env[Any, Any]:
    if task == "ObjectNav":
        arguments.setdefault("targets", ("Mug", "Apple", "Fridge"))
    name = f"pentathlon.worlds.houses:Pentathlon{task}-v1"
    return gym.make(name, houses=(house,), size_px=(32, 24), **arguments)


@contextmanager
def begun(task: str, house: House, seed: int, **arguments: Any) -> Iterator[tuple[gym.Env[Any, Any], Any]]:
    """An environment and what it shows at first."""
    made = make(task, house, **arguments)
    yield made, made.reset(seed=seed)[0]
    made.close()


def goal_pose(environment: gym.Env[Any, Any]) -> Pose:
    target = inner(environment).episode.target
    assert not isinstance(target, str)
    return target


@pytest.fixture(params=TASKS)
def environment(request: pytest.FixtureRequest, small_house: House) -> Iterator[gym.Env[Any, Any]]:
    made = make(request.param, small_house)
    yield made
    made.close()


def inner(environment: gym.Env[Any, Any]) -> NavigationEnv:
    found = environment.unwrapped
    assert isinstance(found, NavigationEnv)
    return found


def run(environment: gym.Env[Any, Any], agent: Any, episode: int) -> tuple[float, dict[str, Any]]:
    observation, info = environment.reset(options={"house": 0, "episode": episode})
    agent.reset(Briefing("", seed=episode))
    total, over = 0.0, False
    while not over:
        observation, reward, terminated, truncated, info = environment.step(agent.act(observation))
        total, over = total + float(reward), terminated or truncated
    return total, info


def test_passes_gymnasiums_checker(environment: gym.Env[Any, Any]) -> None:
    check_env(environment.unwrapped)


def test_oracle_succeeds_and_the_others_do_not(environment: gym.Env[Any, Any]) -> None:
    episodes = range(5)
    oracle = [run(environment, OracleAgent(inner(environment)), i) for i in episodes]
    assert all(info["success"] for _, info in oracle)
    assert np.mean([info["spl"] for _, info in oracle]) > 0.85
    assert all(total > 5.0 for total, _ in oracle)
    assert not any(run(environment, StopAgent(), i)[1]["success"] for i in episodes)
    assert sum(run(environment, RandomAgent(), i)[1]["success"] for i in episodes) <= 1


def test_rewards_add_up_to_success_and_the_way_won(environment: gym.Env[Any, Any]) -> None:
    total, info = run(environment, OracleAgent(inner(environment)), 7)
    start = inner(environment).episode.start
    begun_m = inner(environment).goal.distance_m(start.x_m, start.y_m)
    assert total == pytest.approx(5.0 + begun_m - info["distance_m"] - 0.01 * info["steps"])
    assert info["spl"] == pytest.approx(info["length_m"] / max(info["length_m"], info["travelled_m"]))


def test_seed_and_options_give_the_same_episode(environment: gym.Env[Any, Any]) -> None:
    first, info = environment.reset(seed=5)
    environment.reset()
    again, info_again = environment.reset(seed=5)
    assert info["episode"] == info_again["episode"]
    assert np.array_equal(first["rgb"], again["rgb"])
    named = environment.reset(options={"house": 0, "episode": 3})[1]
    assert named["episode"].endswith("/small/3")


def test_step_limit_is_gymnasiums(environment: gym.Env[Any, Any]) -> None:
    assert environment.spec is not None
    assert environment.spec.max_episode_steps in (500, 1000)


@pytest.mark.parametrize("task", TASKS)
def test_oracle_copes_with_noise(task: str, small_house: House) -> None:
    environment = make(task, small_house, settings=NavigatorSettings(noisy=True))
    results = [run(environment, OracleAgent(inner(environment)), i)[1] for i in range(4)]
    assert all(info["success"] for info in results)
    environment.close()


def test_pointnav_tells_where_the_goal_is(small_house: House) -> None:
    with begun("PointNav", small_house, seed=1) as (environment, _):
        target = goal_pose(environment)
        for action in ("RotateLeft", "MoveAhead", "RotateLeft"):
            observation, *_, info = environment.step(ACTIONS.index(action))
    x, y, yaw_deg, _ = info["pose"]
    distance_m, angle_rad = observation["goal"]
    direction = math.radians(yaw_deg) + angle_rad
    found = x + distance_m * math.cos(direction), y + distance_m * math.sin(direction)
    assert found == pytest.approx(target[:2], abs=1e-4)


def test_imagenav_shows_what_the_goal_pose_sees(small_house: House) -> None:
    with begun("ImageNav", small_house, seed=1) as (environment, observation):
        navigator = inner(environment).course.navigator
        navigator.place(goal_pose(environment))
        assert np.array_equal(navigator.look().rgb, observation["goal"])
        assert observation["goal"].std() > 5


def test_segmentation_and_rendering_on_request(small_house: House) -> None:
    environment = make("ObjectNav", small_house, segmentation=True, render_mode="rgb_array")
    observation, _ = environment.reset(seed=0)
    assert observation["object_index"].shape == (24, 32)
    assert observation["object_index"].max() < len(small_house.objects)
    assert np.array_equal(environment.render(), observation["rgb"])  # type: ignore[arg-type]
    environment.close()


def test_a_house_is_kept_while_episodes_stay_in_it(small_house: House) -> None:
    environment = make("PointNav", small_house, episodes_per_house=2)
    environment.reset(seed=0)
    course = inner(environment).course
    environment.reset()
    environment.reset()
    assert inner(environment).course is course, "the only house is entered again without being built again"
    environment.close()


def test_wrong_arguments_are_refused(small_house: House) -> None:
    environment = make("PointNav", small_house)
    with pytest.raises(UnknownIdError, match="episode"):
        environment.reset(options={"episod": 1})
    with pytest.raises(UsageError, match="house from 0 to 0"):
        environment.reset(options={"house": 1})
    for wrong in ({"house": "a"}, {"house": 0.5}, {"house": None}, {"house": 0, "episode": "first"}):
        with pytest.raises(UsageError, match="whole number"):
            environment.reset(options=wrong)
    with pytest.raises(UsageError, match="reset"):
        _ = inner(make("PointNav", small_house)).course
    for refused in ({"split": "tset", "houses": 3}, {"houses": 0}, {"houses": 2_000_000}, {"episodes_per_house": 0}):
        with pytest.raises(UsageError):
            gym.make("pentathlon.worlds.houses:PentathlonPointNav-v1", **refused)
    environment.close()
