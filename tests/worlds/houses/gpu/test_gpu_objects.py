"""Kinds of things are goals on a device as on the CPU: as far away, and found by the same Stops."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from gymnasium.spaces import Discrete, MultiDiscrete

from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.worlds.houses.bodies.navigator import ACTIONS, Navigator, NavigatorSettings, Pose
from pentathlon.worlds.houses.gpu import HouseSet, HouseVectorEnv, PackedHouse, Team, TeamRules, pack_house
from pentathlon.worlds.houses.gpu.teacher import Teacher
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.scene.house_scene import compile_house
from pentathlon.worlds.houses.tasks.goals import TypeGoal

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
pytestmark = pytest.mark.skipif(
    DEVICE == "cpu" and shutil.which("c++") is None, reason="no GPU and no C++ compiler (apt install g++)"
)
SETTINGS = NavigatorSettings(size_px=(32, 24))
RULES = TeamRules(SETTINGS, step_limit=50, scattered=False)
KINDS = ("Bed", "Mug", "Fridge", "Apple")
PRESENT = KINDS[1:]
STOP = ACTIONS.index("Stop")


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
    made = HouseSet(DEVICE, kinds=KINDS)
    made.add(packed)
    return made


@pytest.fixture(scope="module")
def goals(navigator: Navigator) -> dict[str, TypeGoal]:
    return {kind: TypeGoal(navigator, kind) for kind in PRESENT}


def test_ways_begin_where_the_cpu_s_do(houses: HouseSet, navigator: Navigator, goals: dict[str, TypeGoal]) -> None:
    assert houses.found_kinds(0) == PRESENT
    for number, goal in enumerate(goals.values()):
        expected, found = goal.field_m[navigator.ways.free], houses.field_m(0, number).cpu().numpy()
        reachable = np.isfinite(expected)
        assert (expected == 0.0).sum() > 10
        assert np.array_equal(found[reachable], expected[reachable])
        assert (found[~reachable] > 1e29).all()


def test_walks_and_rewards_are_the_cpu_s(houses: HouseSet, navigator: Navigator, goals: dict[str, TypeGoal]) -> None:
    team, rng = Team(houses, 6, RULES), np.random.default_rng(0)
    team.begin(1)
    state = team.read(team.agents)
    chosen = [goals[PRESENT[row["goal"]]] for row in state]
    assert [KINDS[row] for row in team.goal_rows.tolist()] == [goal.type_name for goal in chosen]
    assert len(set(team.goal_rows.tolist())) > 1
    assert not team.senses[:, 3:].any()
    before = [float(row["distance"]) for row in state]
    poses = [Pose(row["x"], row["y"], row["yaw"], row["pitch"]) for row in state]
    for _ in range(30):
        actions = rng.choice(5, 6, p=[0.6, 0.15, 0.15, 0.05, 0.05])
        team.act(torch.from_numpy(actions).to(houses.device))
        for i, (row, reward) in enumerate(zip(team.read(team.agents), team.reward.tolist(), strict=True)):
            navigator.pose = poses[i]
            navigator.act(ACTIONS[actions[i]])
            poses[i] = navigator.pose
            assert (row["x"], row["y"], row["yaw"], row["pitch"]) == tuple(poses[i])
            distance = chosen[i].distance_m(poses[i].x_m, poses[i].y_m)
            assert row["distance"] == distance
            assert np.float32(reward) == np.float32(before[i] - distance - 0.01)
            before[i] = distance


def put(team: Team, goals: dict[str, TypeGoal], rng: np.random.Generator) -> list[bool]:
    """Puts everyone near a thing of its kind, looking anywhere; returns what Stop should give."""
    state, expected = team.read(team.agents), []
    for row in state:
        goal = goals[PRESENT[row["goal"]]]
        ways = goal._navigator.ways
        near = [goal.places_m[rng.integers(len(goal.places_m))] + rng.uniform(-0.3, 0.3, 2) for _ in range(100)]
        row["x"], row["y"] = next(place for place in near if ways.is_free(*place))
        row["yaw"], row["pitch"] = 30.0 * rng.integers(12), 30.0 * rng.integers(-1, 2)
        row["distance"] = goal.distance_m(row["x"], row["y"])
        expected.append(goal.reached(Pose(row["x"], row["y"], row["yaw"], row["pitch"])))
    team.write(state)
    return expected


def test_stop_succeeds_where_the_cpu_s_does(houses: HouseSet, goals: dict[str, TypeGoal]) -> None:
    team, rng = Team(houses, 200, RULES), np.random.default_rng(0)
    team.begin(0)
    expected = put(team, goals, rng)
    assert 20 < sum(expected) < 180
    team.act(torch.full((200,), STOP, device=houses.device))
    assert ((team.ends.cpu() & 4) != 0).tolist() == expected
    assert ((team.ends & 1) == 1).all()
    assert (team.reward > 4).tolist() == expected


def test_an_episode_may_end_by_itself_once_the_thing_is_seen(houses: HouseSet, goals: dict[str, TypeGoal]) -> None:
    team = Team(houses, 60, replace(RULES, stops_itself=True))
    team.begin(0)
    put(team, goals, np.random.default_rng(1))
    state = team.read(team.agents)
    turned = [Pose(row["x"], row["y"], (row["yaw"] + 30.0) % 360.0, row["pitch"]) for row in state]
    expected = [goals[PRESENT[row["goal"]]].reached(pose) for row, pose in zip(state, turned, strict=True)]
    assert 3 < sum(expected) < 57
    team.act(torch.full((60,), ACTIONS.index("RotateLeft"), device=houses.device))
    assert ((team.ends.cpu() & 4) != 0).tolist() == expected


def test_the_vector_environment_asks_for_kinds(houses: HouseSet, packed: PackedHouse) -> None:
    env = HouseVectorEnv(houses, 3, "objectnav", RULES)
    assert env.single_observation_space["goal"] == Discrete(4)
    assert isinstance(env.observation_space["goal"], MultiDiscrete)
    env.reset(seed=0)
    for _ in range(3):
        seen, reward, ended, _, info = env.step(torch.tensor([0, 1, STOP], device=houses.device))
        assert env.observation_space.contains({name: value.cpu().numpy() for name, value in seen.items()})
        assert all(KINDS[goal] in PRESENT for goal in seen["goal"].tolist())
        assert reward.shape == info["success"].shape == (3,)
    assert ended.tolist() == [False, False, True]
    places = HouseSet(DEVICE, goals_per_house=1)
    places.add(packed)
    with pytest.raises(UsageError, match="kinds as goals"):
        HouseVectorEnv(places, 3, "objectnav", RULES)
    with pytest.raises(UsageError, match="places as goals"):
        HouseVectorEnv(houses, 3, "imagenav", RULES)
    with pytest.raises(UnknownIdError):
        HouseVectorEnv(houses, 3, "objectsearch", RULES)  # type: ignore[arg-type]


def test_what_cannot_be_found_is_refused(houses: HouseSet, packed: PackedHouse) -> None:
    empty = HouseSet(DEVICE, kinds=("Bed",))
    with pytest.raises(UsageError, match="reachable Bed"):
        empty.add(packed)
    assert empty.numbers == []
    with pytest.raises(UsageError, match="within_m"):
        Team(houses, 2, replace(RULES, within_m=0.36))
    with pytest.raises(UsageError, match="facing"):
        Team(houses, 2, replace(RULES, facing=1.0))
    team = Team(houses, 2, RULES)
    with pytest.raises(UsageError, match="no pictures"):
        team.look_at_goals()
    with pytest.raises(UsageError, match="goals are places"):
        Teacher(team)


def test_a_packed_house_keeps_its_objects(packed: PackedHouse, tmp_path: Path) -> None:
    file = tmp_path / "house.npz"
    packed.save(file)
    for mine, theirs in zip(PackedHouse.load(file).objects, packed.objects, strict=True):
        assert np.array_equal(mine, theirs)


def test_a_house_that_leaves_takes_its_goals_along(packed: PackedHouse) -> None:
    houses = HouseSet(DEVICE, kinds=KINDS)
    houses.add(packed)
    before = houses.nbytes
    assert houses.add(packed) == 1
    houses.remove(1)
    assert abs(houses.nbytes - before) < 4096  # rows of the tables stay
