"""Small recordings to learn from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pentathlon.learning.policies import Trajectory

Maker = Callable[..., Trajectory]


@pytest.fixture(scope="session")
def make_trajectory() -> Maker:
    """Makes a trajectory from its joints and actions, with the reward at the end."""

    def make(name: str, joints: Any, actions: Any, reward_g: float, embeddings: Any = None) -> Trajectory:
        rewards = np.zeros(len(joints), np.float32)
        rewards[-1] = reward_g
        seen = None if embeddings is None else np.asarray(embeddings, np.float32)
        return Trajectory(
            name, np.asarray(joints, np.float32), np.asarray(actions, np.float32), rewards, "teleop", {}, seen
        )

    return make


@pytest.fixture(scope="session")
def counted(make_trajectory: Maker) -> Callable[..., Trajectory]:
    """Makes a trajectory whose action number is written in all its joints."""

    def make(first: int, steps: int, reward_g: float = 1.0) -> Trajectory:
        numbers = np.repeat(np.arange(first, first + steps, dtype=np.float32)[:, None], 7, axis=1)
        return make_trajectory(f"from-{first}", numbers, numbers, reward_g, embeddings=numbers[:, :2])

    return make


@pytest.fixture(scope="session")
def reaching(make_trajectory: Maker) -> list[Trajectory]:
    """Twelve reaches towards a place that only the embedding tells; the action is half way there."""
    rng = np.random.default_rng(0)
    made = []
    for index in range(12):
        place = rng.uniform(-1.0, 1.0, 7)
        joints = [rng.normal(0.0, 0.1, 7)]
        for _ in range(19):
            joints.append(joints[-1] + 0.5 * (place - joints[-1]))
        start = np.array(joints)
        embeddings = np.repeat(place[None], 20, axis=0)
        made.append(make_trajectory(f"reach-{index}", start, start + 0.5 * (place - start), 1.0 + index, embeddings))
    return made
