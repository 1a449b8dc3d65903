"""Who does what the teacher says finds the goal, looks as its picture does and stops, by the CPU's navigator too."""

from __future__ import annotations

import shutil
from dataclasses import replace

import numpy as np
import pytest
import torch

from pentathlon.core.errors import UsageError
from pentathlon.worlds.houses.bodies.navigator import ACTIONS, Navigator, NavigatorSettings, Pose
from pentathlon.worlds.houses.gpu import HouseSet, PackedHouse, Team, TeamRules, pack_house
from pentathlon.worlds.houses.gpu.teacher import Teacher
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.scene.house_scene import compile_house
from pentathlon.worlds.houses.tasks.goals import PlaceGoal

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
pytestmark = pytest.mark.skipif(
    DEVICE == "cpu" and shutil.which("c++") is None, reason="no GPU and no C++ compiler (apt install g++)"
)
RULES = TeamRules(NavigatorSettings(size_px=(16, 16)), step_limit=400, scattered=False)
AGENTS = 40


@pytest.fixture(scope="module")
def navigator(small_house: House) -> Navigator:
    return Navigator(compile_house(small_house, switchable=False), RULES.settings)


@pytest.fixture(scope="module")
def packed(navigator: Navigator) -> PackedHouse:
    return pack_house(navigator)


@pytest.fixture(scope="module")
def houses(packed: PackedHouse) -> HouseSet:
    made = HouseSet(DEVICE, goals_per_house=16)
    made.add(packed)
    return made


def test_whoever_follows_succeeds(houses: HouseSet, navigator: Navigator) -> None:
    team = Team(houses, AGENTS, RULES)
    team.begin(0)
    teacher, state = Teacher(team), team.read(team.agents)
    goals = [houses.goal_poses[row["goal"]] for row in state]
    poses = [Pose(row["x"], row["y"], row["yaw"], row["pitch"]) for row in state]
    reached: dict[int, bool] = {}
    faced: list[float] = []
    for _ in range(RULES.step_limit):
        for i, action in enumerate(teacher.advise().tolist()):
            if i in reached:
                continue
            if ACTIONS[action] == "Stop":
                reached[i] = PlaceGoal(navigator, (goals[i][0], goals[i][1]), 1.0).reached(poses[i])
                faced.append(abs(float(np.remainder(poses[i].yaw_deg - goals[i][2] + 180, 360)) - 180))
            navigator.pose = poses[i]
            navigator.act(ACTIONS[action])
            poses[i] = navigator.pose
        team.act(teacher.actions)
    assert len(reached) == AGENTS
    assert all(reached.values())
    assert max(faced) < 16


def test_the_goal_is_known_once_it_was_seen(houses: HouseSet) -> None:
    team = Team(houses, AGENTS, RULES)
    team.begin(1)
    teacher = Teacher(team)
    teacher.advise()
    first, corners = teacher.known[:, 3].clone(), teacher.known[:, 6].clone()
    assert first.mean() < 0.5
    for _ in range(20):
        team.act(teacher.advise().clone())
    now = teacher.known
    same = team.read(team.agents)["episode"] == 1
    assert (now[same, 6] >= corners[same]).all()
    assert now[same, 6].mean() > corners[same].mean()
    assert (now[same, 3] >= first[same]).all()
    assert now[same, 3].mean() > first[same].mean()
    team.begin(1)
    teacher.forget()
    teacher.advise()
    assert torch.equal(teacher.known[:, 6], corners)


def test_who_strays_is_seldom_told_to_turn_back(houses: HouseSet) -> None:
    """The corner that is meant lies in nobody's sight, so that another one, ahead now, will do as well."""
    turned_back = []
    for heeded in (False, True):
        team = Team(houses, 400, RULES)
        team.begin(3)
        teacher = Teacher(team)
        told = teacher.advise().clone()
        other = torch.where(told == 1, 2, torch.where(told == 2, 1, told))
        if heeded:
            teacher.heed(other)
        team.act(other)
        turning = (told != other) & (teacher.known[:, 3] == 0)
        assert turning.sum() > 50
        turned_back.append(int((teacher.advise() == told)[turning].sum()))
    assert turned_back[1] < 0.8 * turned_back[0]


def test_what_is_known_is_true(houses: HouseSet) -> None:
    team = Team(houses, 1, RULES)
    team.begin(0)
    state = team.read(team.agents)
    x, y, yaw = houses.goal_poses[state["goal"][0]]
    state["x"], state["y"], state["yaw"] = x, y, (yaw + 90) % 360
    team.write(state)
    teacher = Teacher(team)
    assert ACTIONS[int(teacher.advise()[0])] == "RotateRight"
    assert np.allclose(teacher.known[0, [0, 1, 2, 4, 5]].cpu(), [0, 0, 0, 0, -1], atol=1e-5)
    state["yaw"] = yaw
    team.write(state)
    assert ACTIONS[int(teacher.advise()[0])] == "Stop"


def test_a_patient_team_passes_over_a_false_stop(houses: HouseSet) -> None:
    for patient in (False, True):
        team = Team(houses, 8, replace(RULES, patient=patient))
        team.begin(0)
        team.act(torch.full((8,), ACTIONS.index("Stop"), dtype=torch.int64, device=houses.device))
        assert bool((team.ends == 0).all()) is patient


def test_a_house_has_at_most_64_corners(packed: PackedHouse) -> None:
    many = HouseSet(DEVICE, goals_per_house=65)
    many.add(packed)
    with pytest.raises(UsageError, match="at most 64"):
        Teacher(Team(many, 1, RULES))
