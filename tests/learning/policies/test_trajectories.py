"""Recorded trajectories: what is refused, selection, sub-sampling and the held-out split."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pentathlon.core.errors import DataError
from pentathlon.learning.policies.trajectories import Trajectory, embedding_size, select, split, subsample


def trajectory(reward_g: float = 1.0, steps: int = 4, **changes: Any) -> Trajectory:
    ramp = np.repeat(np.arange(steps, dtype=np.float32)[:, None], 7, axis=1)
    rewards = np.zeros(steps, np.float32)
    rewards[-1:] = reward_g
    values: dict[str, Any] = {
        "id": f"of-{reward_g}",
        "joints": ramp,
        "actions": ramp + 1,
        "rewards": rewards,
        "source": "teleop",
        "facts": {},
    }
    return Trajectory(**{**values, **changes})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"steps": 0}, "no steps"),
        ({"actions": np.zeros((3, 7), np.float32)}, r"actions float32\[3, 7\], expected float32\[4, 7\]"),
        ({"joints": np.zeros((4, 6), np.float32)}, r"joints float32\[4, 6\]"),
        ({"rewards": np.zeros(4)}, "rewards float64"),
        ({"rewards": np.full(4, np.nan, np.float32)}, "NaN or infinity in rewards"),
        ({"embeddings": np.zeros((5, 2), np.float32)}, "embeddings"),
        ({"embeddings": np.zeros(4, np.float32)}, "embeddings"),
        ({"joints": np.array(1.0, np.float32)}, r"joints float32\[\]"),
        ({"source": "dream"}, "source 'dream'"),
    ],
)
def test_malformed_trajectories_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        trajectory(**changes)


def test_inputs_are_joints_then_embedding() -> None:
    embeddings = np.full((4, 2), 9.0, np.float32)
    assert trajectory().inputs.shape == (4, 7)
    np.testing.assert_array_equal(trajectory(embeddings=embeddings).inputs[2], [2] * 7 + [9, 9])


def test_selection() -> None:
    rewards = (0.0, 5.0, 1.0, 0.0, 3.0)
    data = [trajectory(reward) for reward in rewards]
    assert [t.total_reward_g for t in select(data, "successful")] == [5, 1, 3]
    assert [t.total_reward_g for t in select(data, 0.4)] == [5, 3]
    assert [t.total_reward_g for t in select(data, 0.01)] == [5]
    assert len(select(data, 1.0)) == 5
    assert [t.total_reward_g for t in select([trajectory(i) for i in (3, 9, 3)], 0.7)] == [3, 9], "ties keep the first"


@pytest.mark.parametrize(("count", "selection"), [(0, "successful"), (0, 1.0), (3, "successful"), (3, 0.0), (3, 1.5)])
def test_selections_of_nothing_are_refused(count: int, selection: Any) -> None:
    with pytest.raises(DataError):
        select([trajectory(0.0)] * count, selection)


def test_subsampling_keeps_frames_their_last_targets_and_the_total_reward() -> None:
    kept = subsample(trajectory(6.0, steps=8, embeddings=np.arange(8, dtype=np.float32)[:, None]), 3)
    assert kept.joints[:, 0].tolist() == [0, 3, 6]
    assert kept.actions[:, 0].tolist() == [3, 6, 8]
    assert kept.rewards.tolist() == [0, 0, 6]
    assert kept.embeddings is not None
    assert kept.embeddings[:, 0].tolist() == [0, 3, 6]
    with pytest.raises(DataError, match="got 0"):
        subsample(kept, 0)


def test_the_split_parts_whole_trajectories_by_seed() -> None:
    data = [trajectory(float(i)) for i in range(120)]
    train, validation = split(data, seed=1)
    assert (len(train), len(validation)) == (20, 100)
    assert {t.id for t in train} | {t.id for t in validation} == {t.id for t in data}
    assert split(data, seed=1).train == train
    assert split(data, seed=2).train != train
    with pytest.raises(DataError, match="Cannot hold 100 out of 100"):
        split(data[:100], seed=1)


def test_embeddings_must_be_of_one_length() -> None:
    with_two = trajectory(embeddings=np.zeros((4, 2), np.float32))
    assert embedding_size([trajectory()]) == 0
    assert embedding_size([with_two, with_two]) == 2
    with pytest.raises(DataError, match=r"got \[0, 2\]"):
        embedding_size([trajectory(), with_two])
    with pytest.raises(DataError, match="got none"):
        embedding_size([])
