"""Chunked cloning: indexing by hand, TOTO's network, learning, quasi-open-loop order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import numpy as np
import pytest
import torch

from pentathlon.core.errors import DataError, UsageError
from pentathlon.learning.policies import BcRecipe, Training, Trajectory
from pentathlon.learning.policies.chunked_cloning import BcPolicy, train_bc
from pentathlon.learning.policies.chunks import bounds_of, chunk_rows, chunk_starts
from pentathlon.learning.policies.scaling import Standard
from pentathlon.learning.policies.training import LearnedPoints

TINY = BcRecipe(horizon=3, hidden=(64, 64), epochs=150, batch_size=32, dropout=0.0)


def test_chunks_by_hand(counted: Callable[..., Trajectory]) -> None:
    bounds = bounds_of([counted(0, 5), counted(0, 2), counted(0, 3)])
    starts = chunk_starts(bounds, 3)
    # Rows 0-4, 5-6 and 7-9: three whole chunks, one padded with the last action, one that just fits.
    assert starts.tolist() == [0, 1, 2, 5, 7]
    assert chunk_rows(starts, bounds.lasts[starts], 3).tolist() == [
        [0, 1, 2],
        [1, 2, 3],
        [2, 3, 4],
        [5, 6, 6],
        [7, 8, 9],
    ]
    assert chunk_starts(bounds, 1).tolist() == list(range(10)), "closed loop learns from every step"


def test_chunks_come_out_in_the_order_of_time(counted: Callable[..., Trajectory]) -> None:
    data = [counted(0, 12), counted(0, 12)]
    policy = train_bc(data, replace(TINY, horizon=4, epochs=600), Training(seed=0))
    for now in (0, 3, 8):
        chunk = policy.act(data[0].joints[now], data[0].embeddings[now])  # type: ignore[index]
        assert chunk.shape == (4, 7)
        assert chunk.dtype == np.float32
        np.testing.assert_allclose(chunk, np.repeat(np.arange(now, now + 4)[:, None], 7, axis=1), atol=0.2)


def test_the_paper_s_network(reaching: list[Trajectory]) -> None:
    policy = train_bc(reaching, BcRecipe(epochs=1), Training(seed=0))
    shapes = {name: array.shape for name, array in policy.state().arrays.items()}
    assert shapes == {
        "network.0.weight": (128, 14),
        "network.0.bias": (128,),
        "network.3.weight": (128, 128),
        "network.3.bias": (128,),
        "network.6.weight": (350, 128),
        "network.6.bias": (350,),
        "inputs.mean": (14,),
        "inputs.spread": (14,),
        "outputs.mean": (350,),
        "outputs.spread": (350,),
    }


def test_weights_start_as_glorot_and_bengio_s(reaching: list[Trajectory]) -> None:
    arrays = train_bc(reaching, BcRecipe(epochs=1, learning_rate=0.0), Training(seed=0)).state().arrays
    assert arrays["network.0.weight"].std() == pytest.approx(np.sqrt(2 / (14 + 128)), rel=0.08)
    assert arrays["network.6.weight"].std() == pytest.approx(np.sqrt(2 / (128 + 350)), rel=0.03)


def test_it_learns_from_what_it_sees(reaching: list[Trajectory]) -> None:
    losses: list[float] = []
    policy = train_bc(reaching, TINY, Training(seed=0, progress=lambda done, total, loss: losses.append(loss)))
    assert len(losses) == TINY.epochs
    assert losses[-1] < 0.02 * losses[0]
    for trajectory in reaching[:3]:
        assert trajectory.embeddings is not None
        np.testing.assert_allclose(
            policy.act(trajectory.joints[0], trajectory.embeddings[0]), trajectory.actions[:3], atol=0.15
        )


def test_only_the_selection_is_cloned(counted: Callable[..., Trajectory]) -> None:
    data = [counted(0, 12, reward_g=1.0), counted(500, 12, reward_g=0.0)]
    everything = replace(TINY, selection=1.0, epochs=1)
    assert train_bc(data, TINY, Training(seed=0)).state().arrays["outputs.mean"].max() < 12
    assert train_bc(data, everything, Training(seed=0)).state().arrays["outputs.mean"].min() > 200


def test_columns_that_hardly_vary_are_only_shifted() -> None:
    standard = Standard.of(np.array([[1.0, 3.0], [1.00001, 5.0]]))
    np.testing.assert_allclose(standard.spread, [1.0, 1.0])
    many = np.random.default_rng(0).normal(3.0, 2.0, (20_000, 2)).astype(np.float32)
    np.testing.assert_allclose(Standard.of(many).spread, many.std(axis=0, dtype=np.float64), rtol=1e-6)
    applied = Standard.of(many).apply(many)
    np.testing.assert_allclose(Standard.of(many).apply_in_place(many), applied, rtol=1e-6)
    np.testing.assert_allclose(Standard.of(np.array([[0.0], [8.0]])).apply(np.array([[8.0]], np.float32)), [[1.0]])


def test_another_embedding_is_refused(reaching: list[Trajectory]) -> None:
    policy = train_bc(reaching, replace(TINY, epochs=1), Training(seed=0))
    with pytest.raises(DataError, match=r"an embedding \[7\], got \[7\] and \[3\]"):
        policy.act(np.zeros(7, np.float32), np.zeros(3, np.float32))
    with pytest.raises(DataError, match=r"got \[7\] and \[0\]"):
        policy.act(np.zeros(7, np.float32))


@pytest.mark.parametrize(("loss", "expected"), [("squared", 0.0), ("absolute", 0.3)])
def test_absolute_errors_follow_the_most_and_squared_ones_the_mean(
    loss: Literal["squared", "absolute"], expected: float, make_trajectory: Callable[..., Trajectory]
) -> None:
    # Three go right by 0.3 and one goes left by 0.9, from the same place.
    joints = np.zeros((40, 7), np.float32)
    shown = [make_trajectory(str(index), joints, np.full((40, 7), 0.3), 1.0) for index in range(3)]
    shown.append(make_trajectory("left", joints, np.full((40, 7), -0.9), 1.0))
    policy = train_bc(shown, replace(TINY, loss=loss, epochs=60), Training(seed=0))
    np.testing.assert_allclose(policy.act(joints[0]), expected, atol=0.06)


@pytest.fixture
def pictured(make_trajectory: Callable[..., Trajectory]) -> list[Trajectory]:
    """Forty episodes of which a patch of 4 x 4 tells the column and row to go to; noise is in a second number."""
    rng = np.random.default_rng(0)
    made = []
    for index in range(40):
        row, column = rng.integers(4, size=2)
        cells = np.zeros((2, 4, 4))
        cells[0, row, column] = 1.0
        cells[1] = rng.normal(0.0, 0.1, (4, 4))
        target = np.repeat(np.array([[column, row] + 5 * [0]]) / 4.0, 8, axis=0)
        embeddings = np.repeat(cells.reshape(1, -1), 8, axis=0)
        made.append(make_trajectory(str(index), rng.normal(0.0, 0.01, (8, 7)), target, 1.0, embeddings))
    return made


def test_points_are_learned_over_patches(pictured: list[Trajectory]) -> None:
    recipe = replace(TINY, points=4, cells=(4, 4), epochs=300)
    policy = train_bc(pictured, recipe, Training(seed=0))
    shapes = {name: array.shape for name, array in policy.state().arrays.items() if name.startswith("network.")}
    assert shapes["network.0.maps.weight"] == (8, 2), "a direction for where and one for what, over two numbers"
    assert shapes["network.1.weight"] == (64, 7 + 3 * 4)
    for trajectory in pictured[:10]:
        assert trajectory.embeddings is not None
        chosen = policy.act(trajectory.joints[0], trajectory.embeddings[0])
        np.testing.assert_allclose(chosen, trajectory.actions[:3], atol=0.08)
    again = BcPolicy.from_state(*policy.state())
    np.testing.assert_array_equal(again.act(trajectory.joints[0], trajectory.embeddings[0]), chosen)


def test_a_learned_point_is_where_its_patch_is() -> None:
    points = LearnedPoints(2 * 6, (2, 3), points=1)
    with torch.no_grad():
        points.maps.weight.copy_(torch.tensor([[90.0, 0.0], [0.0, 1.0]]))
        points.maps.bias.zero_()
    rows = torch.zeros(1, 7 + 12)
    rows[0, :7] = 5.0
    rows[0, 7 + 5] = 1.0  # The first number of the last cell: lower right of two rows and three columns.
    rows[0, 7 + 6 + 5] = 0.25  # Its second number.
    torch.testing.assert_close(points(rows), torch.tensor([[5.0] * 7 + [2 / 3, 0.5, 0.25]]))


def test_points_need_an_embedding_of_their_cells(pictured: list[Trajectory]) -> None:
    with pytest.raises(DataError, match=r"embeddings of 8 x 8 cells to learn places in, got 32 numbers. Name features"):
        train_bc(pictured, replace(TINY, points=4), Training(seed=0))
    with pytest.raises(UsageError, match="points of 1 or more in BcRecipe, got 0"):
        BcRecipe(points=0)
