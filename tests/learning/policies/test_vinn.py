"""Nearest neighbours: weights by hand, exact search, replay of the nearest trajectory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial import KDTree

from pentathlon.core.errors import DataError
from pentathlon.learning.policies import Training, Trajectory, VinnRecipe
from pentathlon.learning.policies.vinn import neighbour_weights, train_vinn

CLOSED = VinnRecipe(horizon=1, neighbours=2)
Counted = Callable[..., Trajectory]


def test_weights_by_hand() -> None:
    weights = neighbour_weights(np.array([0.0, np.log(3.0), np.log(6.0)]))
    np.testing.assert_allclose(weights, [6 / 9, 2 / 9, 1 / 9])
    np.testing.assert_allclose(neighbour_weights(np.array([1e4, 1e4])), [0.5, 0.5], err_msg="must not underflow")


def test_closed_loop_averages_the_nearest(counted: Counted) -> None:
    policy = train_vinn([counted(0, 6)], CLOSED, Training(seed=0))
    near, far = 0.25 * np.sqrt(2), 0.75 * np.sqrt(2)
    expected = (2 * np.exp(-near) + 3 * np.exp(-far)) / (np.exp(-near) + np.exp(-far))
    action = policy.act(np.zeros(7, np.float32), np.full(2, 2.25, np.float32))
    np.testing.assert_allclose(action, np.full((1, 7), expected), rtol=1e-6)


def test_open_loop_replays_the_nearest_trajectory_and_holds_its_last_action(counted: Counted) -> None:
    policy = train_vinn([counted(0, 4), counted(100, 9)], replace(CLOSED, horizon=3), Training(seed=0))
    joints = np.zeros(7, np.float32)
    assert policy.act(joints, np.full(2, 2.2, np.float32))[:, 0].tolist() == [2, 3, 3]
    assert policy.act(joints, np.full(2, 102.9, np.float32))[:, 0].tolist() == [103, 104, 105]


def test_failures_are_never_neighbours(counted: Counted) -> None:
    policy = train_vinn([counted(0, 4), counted(100, 9, reward_g=0.0)], CLOSED, Training(seed=0))
    assert policy.act(np.zeros(7, np.float32), np.full(2, 104.0, np.float32)).max() <= 3


def test_search_is_exact_even_far_from_the_origin() -> None:
    rng = np.random.default_rng(0)
    keys = (1000.0 + rng.normal(size=(500, 24))).astype(np.float32)
    joints = np.zeros((500, 7), np.float32)
    data = [Trajectory("far", joints, joints, np.ones(500, np.float32), "teleop", {}, keys)]
    policy = train_vinn(data, CLOSED, Training(seed=0))
    tree = KDTree(keys.astype(np.float64))
    for query in keys[:40] + rng.normal(0, 0.5, (40, 24)).astype(np.float32):
        distances, rows = tree.query(query, k=5)
        found = policy.nearest(query, 5)
        assert found.rows.tolist() == rows.tolist()
        np.testing.assert_allclose(found.distances, distances, rtol=1e-4)


def test_joints_may_stand_beside_the_embedding(counted: Counted) -> None:
    data = [counted(0, 6)]
    joined = train_vinn(data, replace(CLOSED, neighbours=1, with_joints=True), Training(seed=0))
    seen, joints = np.zeros(2, np.float32), np.full(7, 5.0, np.float32)
    assert joined.act(joints, seen)[0, 0] == 4, "seven joints outweigh two numbers of embedding"
    assert train_vinn(data, replace(CLOSED, neighbours=1), Training(seed=0)).act(joints, seen)[0, 0] == 0


def test_there_must_be_something_to_compare(counted: Counted) -> None:
    blind = replace(counted(0, 4), embeddings=None)
    with pytest.raises(DataError, match="need embeddings"):
        train_vinn([blind], CLOSED, Training(seed=0))
    policy = train_vinn([blind], replace(CLOSED, with_joints=True), Training(seed=0))
    assert policy.act(np.zeros(7, np.float32)).shape == (1, 7)
