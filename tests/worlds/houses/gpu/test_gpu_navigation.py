"""Navigators on a device go, collide, measure and see exactly as those of the CPU."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
import torch

from pentathlon.core.errors import DataError, UsageError
from pentathlon.worlds.houses.bodies.navigator import ACTIONS, Navigator, NavigatorSettings, Pose
from pentathlon.worlds.houses.gpu import HouseSet, HouseVectorEnv, PackedHouse, Team, TeamRules, pack_house
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.scene.house_scene import compile_house
from pentathlon.worlds.houses.tasks.goals import PlaceGoal

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
pytestmark = pytest.mark.skipif(
    DEVICE == "cpu" and shutil.which("c++") is None, reason="no GPU and no C++ compiler (apt install g++)"
)
SETTINGS = NavigatorSettings(size_px=(48, 48))
RULES = TeamRules(SETTINGS, step_limit=50, scattered=False)
GOALS = 3


@pytest.fixture(scope="module")
def navigator(small_house: House) -> Iterator[Navigator]:
    made = Navigator(compile_house(small_house, switchable=False), SETTINGS)
    yield made
    made.close()


@pytest.fixture(scope="module")
def packed(navigator: Navigator) -> PackedHouse:
    return pack_house(navigator)


@pytest.fixture(scope="module")
def houses(packed: PackedHouse) -> HouseSet:
    made = HouseSet(DEVICE, goals_per_house=GOALS)
    made.add(packed)
    return made


def test_distances_are_the_cpu_s(houses: HouseSet, navigator: Navigator) -> None:
    ways = navigator.ways
    for goal in range(GOALS):
        expected = ways.distances_to([(houses.goal_poses[goal, 0], houses.goal_poses[goal, 1])])[ways.free]
        found = houses.field_m(0, goal).cpu().numpy()
        reachable = np.isfinite(expected)
        assert np.array_equal(found[reachable], expected[reachable])
        assert (found[~reachable] > 1e29).all()


@pytest.mark.parametrize("collisions", ["stop", "slide"])
def test_walks_are_the_cpu_s_bit_for_bit(
    houses: HouseSet, navigator: Navigator, collisions: Literal["stop", "slide"], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = replace(SETTINGS, collisions=collisions)
    monkeypatch.setattr(navigator, "settings", settings)
    team = Team(houses, 6, replace(RULES, settings=settings))
    team.begin(1)
    state, rng = team.read(team.agents), np.random.default_rng(0)
    goals = [PlaceGoal(navigator, tuple(houses.goal_poses[row["goal"], :2]), RULES.within_m) for row in state]
    poses = [Pose(row["x"], row["y"], row["yaw"], row["pitch"]) for row in state]
    travelled, collisions = [0.0] * 6, 0
    for _ in range(RULES.step_limit - 1):
        actions = rng.choice(5, 6, p=[0.6, 0.15, 0.15, 0.05, 0.05])
        before = [goal.distance_m(pose.x_m, pose.y_m) for goal, pose in zip(goals, poses, strict=True)]
        team.act(torch.from_numpy(actions).to(houses.device))
        state, rewards = team.read(team.agents), team.reward.cpu().numpy()
        for i, row in enumerate(state):
            navigator.pose, navigator.travelled_m = poses[i], travelled[i]
            navigator.act(ACTIONS[actions[i]])
            poses[i], travelled[i] = navigator.pose, navigator.travelled_m
            assert (row["x"], row["y"], row["yaw"], row["pitch"]) == tuple(navigator.pose)
            assert bool(row["collided"]) == navigator.collided
            assert row["travelled"] == navigator.travelled_m
            distance = goals[i].distance_m(navigator.pose.x_m, navigator.pose.y_m)
            assert row["distance"] == distance
            assert rewards[i] == np.float32(before[i] - distance - 0.01)
            collisions += navigator.collided
    assert collisions > 20  # or the walk said nothing about collisions
    assert not team.ends.any()


def test_stop_succeeds_where_the_cpu_s_does(houses: HouseSet, navigator: Navigator) -> None:
    team, rng = Team(houses, 64, RULES), np.random.default_rng(0)
    team.begin(0)
    state = team.read(team.agents)
    for row in state:
        x, y = navigator.ways.random_place(rng)
        row["x"], row["y"] = x, y
        row["distance"] = PlaceGoal(navigator, tuple(houses.goal_poses[row["goal"], :2]), 1.0).distance_m(x, y)
    team.write(state)
    team.act(torch.full((64,), ACTIONS.index("Stop"), dtype=torch.int64, device=houses.device))
    found = (team.ends.cpu().numpy() & 4) != 0
    poses = [Pose(row["x"], row["y"], 0.0) for row in state]
    goals = [PlaceGoal(navigator, tuple(houses.goal_poses[row["goal"], :2]), 1.0) for row in state]
    expected = np.array([goal.reached(pose) for goal, pose in zip(goals, poses, strict=True)])
    assert 5 < expected.sum() < 60
    assert (found == expected).mean() >= 0.98  # ways round a corner are measured on the grid
    assert ((team.ends.cpu().numpy() & 1) == 1).all()


def test_facing_the_goal_s_view_is_rewarded_near_it(houses: HouseSet) -> None:
    rewards = []
    for facing in (0.0, 2.0):
        team = Team(houses, 2, replace(RULES, facing=facing))
        team.begin(0)
        state = team.read(team.agents)
        for row, off in zip(state, (60, 200), strict=True):
            row["x"], row["y"], goal_yaw = houses.goal_poses[row["goal"]]
            row["yaw"], row["distance"] = (goal_yaw - off) % 360, 0.0
        team.write(state)
        for action in ("RotateLeft", "Stop"):
            team.act(torch.full((2,), ACTIONS.index(action), dtype=torch.int64, device=houses.device))
            rewards.append(team.reward.tolist())
    turning, stopping = np.subtract(rewards[2], rewards[0]), np.subtract(rewards[3], rewards[1])
    assert np.allclose(turning, [2 * np.radians(30), -2 * np.radians(10)], atol=1e-5)  # 160 -> 170 degrees off
    assert np.allclose(stopping, [0, 0], atol=1e-5)  # 30 and 170 degrees off at success


def test_sees_what_the_cpu_sees(houses: HouseSet, navigator: Navigator) -> None:
    team = Team(houses, 4, RULES)
    team.begin(2)
    seen = team.look()
    assert seen.rgb is not None
    assert seen.depth_m is not None
    for i, row in enumerate(team.read(team.agents)):
        sight = navigator.look(Pose(row["x"], row["y"], row["yaw"], row["pitch"]))
        assert np.mean(np.abs(seen.depth_m[i].cpu().numpy() - sight.depth_m) < 1e-3) >= 0.995
        assert np.mean(np.abs(seen.rgb[i].cpu().numpy().astype(int) - sight.rgb)) <= 1


def test_episodes_end_and_begin_in_one_step(houses: HouseSet) -> None:
    team = Team(houses, 5, replace(RULES, step_limit=3))
    team.begin(0)
    first = team.read(team.agents)
    turn = torch.full((5,), ACTIONS.index("RotateLeft"), dtype=torch.int64, device=houses.device)
    for _ in range(3):
        team.act(turn)
    assert (team.ends == 2).all()
    ended, now = team.read(team.finished), team.read(team.agents)
    assert np.array_equal(ended["steps"], [3] * 5)
    assert np.array_equal(ended["x"], first["x"])
    assert np.array_equal(now["steps"], [0] * 5)
    assert np.array_equal(now["episode"], [2] * 5)
    assert (now["distance"] >= 1.0).all()
    assert not np.array_equal(now["x"], first["x"])


def test_noise_has_robothor_s_deviations(houses: HouseSet) -> None:
    team = Team(houses, 4000, replace(RULES, settings=replace(SETTINGS, noisy=True)))
    team.begin(0)
    start = team.read(team.agents)
    team.act(torch.full((4000,), ACTIONS.index("RotateLeft"), dtype=torch.int64, device=houses.device))
    turned = (team.read(team.agents)["yaw"] - start["yaw"]) % 360
    assert abs(turned.mean() - 30) < 0.03
    assert abs(turned.std() - 0.5) < 0.03
    team.act(torch.zeros(4000, dtype=torch.int64, device=houses.device))
    gone = team.read(team.agents)["travelled"]
    assert abs(gone[gone > 0].mean() - 0.25) < 5e-4
    assert abs(gone[gone > 0].std() - 0.005) < 5e-4


def test_the_vector_environment_keeps_its_spaces(houses: HouseSet) -> None:
    for task in ("imagenav", "pointnav"):
        env = HouseVectorEnv(houses, 3, task, RULES)
        seen, _ = env.reset(seed=0)
        again, _ = env.reset(seed=0)
        assert all(torch.equal(seen[name], again[name]) for name in seen)
        for _ in range(3):
            seen, reward, ended, cut, info = env.step(torch.tensor([0, 1, 5], device=houses.device))
            assert env.observation_space.contains({name: value.cpu().numpy() for name, value in seen.items()})
            assert reward.shape == ended.shape == cut.shape == info["success"].shape == (3,)
        assert ended.tolist() == [False, False, True]
        counted, _ = env.reset(seed=np.int64(0))  # type: ignore[arg-type]
        assert all(torch.equal(seen, again[name]) for name, seen in counted.items())
        with pytest.raises(UsageError, match="one seed for all 3"):
            env.reset(seed=[0, 1, 2])


def test_a_packed_house_survives_its_file(packed: PackedHouse, tmp_path: Path) -> None:
    packed.save(tmp_path / "house.npz")
    again = PackedHouse.load(tmp_path / "house.npz")
    for mine, theirs in zip((*again.shape, *again.arrays), (*packed.shape, *packed.arrays), strict=True):
        assert np.array_equal(mine, theirs)
    assert np.array_equal(again.free, packed.free)
    (tmp_path / "broken.npz").write_bytes(b"nothing")
    with pytest.raises(DataError, match="packed house"):
        PackedHouse.load(tmp_path / "broken.npz")


def test_houses_come_and_go(packed: PackedHouse) -> None:
    houses = HouseSet(DEVICE, goals_per_house=1)
    assert [houses.add(packed), houses.add(packed)] == [0, 1]
    both = houses.nbytes
    houses.remove(0)
    assert houses.numbers == [1]
    assert houses.nbytes < both
    team = Team(houses, 4, RULES)
    assert houses.add(packed) == 0
    assert houses.nbytes == both
    team.spread()
    team.begin(0)
    assert team.read(team.agents)["floor"].tolist() == team.scene_of.tolist() == [0, 0, 1, 1]
    team.act(torch.zeros(4, dtype=torch.int64, device=houses.device))
    assert (team.read(team.agents)["steps"] == 1).all()
    with pytest.raises(UsageError, match="step_limit"):
        TeamRules(SETTINGS, step_limit=0)
