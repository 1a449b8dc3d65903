"""Offline errors: by hand, and along chunks of any length."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from pentathlon.core.errors import DataError
from pentathlon.learning.policies import Trajectory
from pentathlon.learning.policies.metrics import Poses, angles_between, offline_errors, predict_along


class Shifted:
    """Repeats the joints it is shown, moved by a constant, for a number of steps; counts its looks."""

    embedding_size = 2

    def __init__(self, shift: float, horizon: int) -> None:
        self.shift, self.horizon, self.looks = shift, horizon, 0

    def reset(self) -> None:
        self.looks = 0

    def act(self, joints: np.ndarray, embedding: np.ndarray | None = None) -> np.ndarray:
        assert embedding is not None
        self.looks += 1
        return np.repeat(joints[None] + np.float32(self.shift), self.horizon, axis=0)


def turntable(joints: np.ndarray) -> Poses:
    """The first joint turns about z, the second moves along x."""
    half, zero = joints[:, 0] / 2, np.zeros(len(joints))
    return Poses(
        np.stack([joints[:, 1], zero, zero], axis=1), np.stack([np.cos(half), zero, zero, np.sin(half)], axis=1)
    )


def test_errors_by_hand(counted: Callable[..., Trajectory]) -> None:
    errors = offline_errors(Shifted(0.5, 1), [counted(0, 4), counted(9, 3)], turntable)  # type: ignore[arg-type]
    assert errors.joint_error_rad2 == pytest.approx(0.25)
    assert errors.position_error_m == pytest.approx(0.5)
    assert errors.orientation_error_rad == pytest.approx(0.5)
    assert errors.steps == 7


def test_a_chunk_is_followed_to_its_end(counted: Callable[..., Trajectory]) -> None:
    policy = Shifted(0.0, 3)
    assert predict_along(policy, counted(0, 7))[:, 0].tolist() == [0, 0, 0, 3, 3, 3, 6]  # type: ignore[arg-type]
    assert policy.looks == 3


def test_angles_of_equal_opposite_and_quarter_turned() -> None:
    still, quarter = np.array([[1.0, 0, 0, 0]]), np.array([[np.sqrt(0.5), 0, np.sqrt(0.5), 0]])
    angles = [angles_between(still, other).item() for other in (still, -still, quarter, -quarter)]
    np.testing.assert_allclose(angles, [0, 0, np.pi / 2, np.pi / 2], atol=1e-7)


def test_nothing_and_no_actions_are_refused(counted: Callable[..., Trajectory]) -> None:
    with pytest.raises(DataError, match="got none"):
        offline_errors(Shifted(0.0, 1), [], turntable)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="got none"):
        predict_along(Shifted(0.0, 0), counted(0, 2))  # type: ignore[arg-type]
