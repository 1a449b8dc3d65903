"""Random walks on a device beside the CPU's navigator: how many steps are the same, bit for bit."""

from __future__ import annotations

import numpy as np
import torch

from pentathlon.worlds.houses.bodies.navigator import ACTIONS, Navigator, Pose
from pentathlon.worlds.houses.gpu.team import SUCCEEDED, Team
from pentathlon.worlds.houses.tasks.goals import PlaceGoal


def walk(team: Team, navigator: Navigator, found: dict[str, int]) -> None:
    """Walks 60 steps and then stops near the goals, and counts what is the same as the navigator's."""
    rng, device = np.random.default_rng(0), team.houses.device
    state, places = team.read(team.agents), team.houses.goal_poses[:, :2]
    goals = [PlaceGoal(navigator, tuple(places[row["goal"]]), team.rules.within_m) for row in state]
    known = [(Pose(row["x"], row["y"], row["yaw"], row["pitch"]), 0.0, row["distance"]) for row in state]
    for _ in range(60):
        actions = rng.choice(5, len(team), p=[0.6, 0.16, 0.16, 0.04, 0.04])
        team.act(torch.from_numpy(actions).to(device))
        for i, (row, reward) in enumerate(zip(team.read(team.agents), team.reward.tolist(), strict=True)):
            navigator.pose, navigator.travelled_m, before_m = known[i]
            navigator.act(ACTIONS[actions[i]])
            pose, distance_m = navigator.pose, goals[i].distance_m(navigator.pose.x_m, navigator.pose.y_m)
            known[i] = pose, navigator.travelled_m, distance_m
            mine = (*pose, navigator.collided, navigator.travelled_m, distance_m)
            theirs = tuple(row[name] for name in ("x", "y", "yaw", "pitch", "collided", "travelled", "distance"))
            found["steps"] += 1
            found["collided"] += int(navigator.collided)
            found["same"] += int(mine == theirs and np.float32(before_m - distance_m - 0.01) == np.float32(reward))
    state = team.read(team.agents)
    for row in state:
        near = [places[row["goal"]] + rng.uniform(-1, 1, 2) for _ in range(100)]
        row["x"], row["y"] = next(place for place in near if navigator.ways.is_free(*place))
    team.write(state)
    team.act(torch.full((len(team),), ACTIONS.index("Stop"), device=device))
    succeeded = ((team.ends & SUCCEEDED) != 0).tolist()
    reached = [goal.reached(Pose(row["x"], row["y"], 0.0)) for goal, row in zip(goals, state, strict=True)]
    found["stops"] += len(team)
    found["reached"] += int(sum(reached))
    found["same stops"] += int(sum(mine == theirs for mine, theirs in zip(reached, succeeded, strict=True)))
