"""Random walks on a device beside the CPU's navigator: how many steps are the same, bit for bit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from pentathlon.worlds.houses.bodies.navigator import ACTIONS, Navigator, Pose
from pentathlon.worlds.houses.gpu.team import SUCCEEDED, Team
from pentathlon.worlds.houses.tasks.goals import Goal, PlaceGoal, TypeGoal


def walk(team: Team, navigator: Navigator, found: dict[str, int]) -> None:
    """Walks 60 steps and then stops near the goals, and counts what is the same as the navigator's."""
    rng, places = np.random.default_rng(0), team.houses.goal_poses[:, :2]
    state = team.read(team.agents)
    goals = [PlaceGoal(navigator, tuple(places[row["goal"]]), team.rules.within_m) for row in state]
    _go(team, navigator, goals, found)
    state = team.read(team.agents)
    for row in state:
        near = [places[row["goal"]] + rng.uniform(-1, 1, 2) for _ in range(100)]
        row["x"], row["y"] = next(place for place in near if navigator.ways.is_free(*place))
    stop(team, goals, state, found)


def walk_to_kinds(team: Team, navigator: Navigator, stops: int, found: dict[str, int]) -> None:
    """Walks 60 steps with kinds of things as goals, then stops `stops` times near such things, looking anywhere."""
    rng, names = np.random.default_rng(1), team.houses.found_kinds(int(team.houses.numbers[0]))
    kinds = [TypeGoal(navigator, name) for name in names]
    ways = navigator.ways
    for number, kind in enumerate(kinds):
        mine = team.houses.field_m(team.houses.numbers[0], number).cpu().numpy()
        theirs = kind.field_m[ways.free]
        reachable = np.isfinite(theirs)
        same = np.where(reachable, mine == theirs, mine > 1e29)
        found["cells"] += len(same)
        found["same cells"] += int(same.sum())
        found["kinds"] += 1
        found["worst mm"] = max(found["worst mm"], round(1e3 * float(np.abs(mine - theirs)[reachable].max())))
    _go(team, navigator, [kinds[row["goal"]] for row in team.read(team.agents)], found)
    for _ in range(stops):
        state = team.read(team.agents)
        for row in state:
            places = kinds[row["goal"]].places_m
            near = [places[rng.integers(len(places))] + rng.uniform(-0.4, 0.4, 2) for _ in range(200)]
            row["x"], row["y"] = next(place for place in near if ways.is_free(*place))
            row["yaw"], row["pitch"] = 30.0 * rng.integers(12), 30.0 * rng.integers(-1, 2)
        stop(team, [kinds[row["goal"]] for row in state], state, found)


def stop(team: Team, goals: Sequence[Goal], state: np.ndarray, found: dict[str, int]) -> None:
    """Stops everyone in a state, and counts where success is the CPU's."""
    team.write(state)
    team.act(torch.full((len(team),), ACTIONS.index("Stop"), device=team.houses.device))
    succeeded = ((team.ends & SUCCEEDED) != 0).tolist()
    poses = [Pose(row["x"], row["y"], row["yaw"], row["pitch"]) for row in state]
    reached = [goal.reached(pose) for goal, pose in zip(goals, poses, strict=True)]
    found["stops"] += len(team)
    found["reached"] += int(sum(reached))
    found["same stops"] += int(sum(mine == theirs for mine, theirs in zip(reached, succeeded, strict=True)))


def _go(team: Team, navigator: Navigator, goals: Sequence[Goal], found: dict[str, int]) -> None:
    rng, state = np.random.default_rng(0), team.read(team.agents)
    known = [(Pose(row["x"], row["y"], row["yaw"], row["pitch"]), 0.0, row["distance"]) for row in state]
    for _ in range(60):
        actions = rng.choice(5, len(team), p=[0.6, 0.16, 0.16, 0.04, 0.04])
        team.act(torch.from_numpy(actions).to(team.houses.device))
        for i, (row, reward) in enumerate(zip(team.read(team.agents), team.reward.tolist(), strict=True)):
            navigator.pose, navigator.travelled_m, before_m = known[i]
            navigator.act(ACTIONS[actions[i]])
            pose, distance_m = navigator.pose, goals[i].distance_m(navigator.pose.x_m, navigator.pose.y_m)
            known[i] = pose, navigator.travelled_m, distance_m
            mine = (*pose, navigator.collided, navigator.travelled_m)
            theirs = tuple(row[name] for name in ("x", "y", "yaw", "pitch", "collided", "travelled"))
            rewarded = np.float32(before_m - distance_m - 0.01) == np.float32(reward)
            found["steps"] += 1
            found["collided"] += int(navigator.collided)
            found["same states"] += int(mine == theirs)
            found["same"] += int(mine == theirs and distance_m == row["distance"] and rewarded)
