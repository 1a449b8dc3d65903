"""How far a policy's actions are from recorded ones, without a robot (Zhou et al. 2023, VI-D)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import DataError
from pentathlon.learning.policies.policy import OfflinePolicy
from pentathlon.learning.policies.trajectories import Floats, Trajectory, embedding_size

Numbers: TypeAlias = npt.NDArray[np.floating[Any]]


class Poses(NamedTuple):
    """Poses of the end effector: ``positions_m[N, 3]`` and unit ``quaternions[N, 4]``, in any one order."""

    positions_m: Numbers
    quaternions: Numbers


ForwardKinematics: TypeAlias = Callable[[Floats], Poses]
"""From joint angles ``[N, 7]`` in radians."""


@dataclass(frozen=True)
class OfflineErrors:
    """Errors over held-out trajectories.

    Attributes:
        joint_error_rad2: mean squared difference of joint targets.
        position_error_m: mean distance of the end effector.
        orientation_error_rad: mean angle between the end effector's orientations.
        steps: actions compared.
    """

    joint_error_rad2: float
    position_error_m: float
    orientation_error_rad: float
    steps: int


def offline_errors(
    policy: OfflinePolicy, trajectories: Sequence[Trajectory], kinematics: ForwardKinematics
) -> OfflineErrors:
    """Compares what the policy would do along recorded trajectories with what was done.

    Each trajectory is walked as a trial would be: a look, a chunk of actions, the next look where the recording is
    by then. So every recorded action is compared once, whatever the length of a chunk.

    Raises:
        DataError: when there are no trajectories, or their embeddings are not those of the policy.
    """
    embedding_size(trajectories)
    predicted = np.concatenate([predict_along(policy, trajectory) for trajectory in trajectories])
    actual = np.concatenate([trajectory.actions for trajectory in trajectories])
    ours, theirs = kinematics(predicted), kinematics(actual)
    distances_m = np.linalg.norm(ours.positions_m - theirs.positions_m, axis=1)
    return OfflineErrors(
        joint_error_rad2=float(np.mean(np.square(predicted - actual, dtype=np.float64))),
        position_error_m=float(distances_m.mean()),
        orientation_error_rad=float(angles_between(ours.quaternions, theirs.quaternions).mean()),
        steps=len(actual),
    )


def predict_along(policy: OfflinePolicy, trajectory: Trajectory) -> Floats:
    """Returns the policy's action at each step of the trajectory, ``[T, 7]``."""
    policy.reset()
    chunks: list[Floats] = []
    at = 0
    while at < len(trajectory):
        embedding = None if trajectory.embeddings is None else trajectory.embeddings[at]
        chunk = policy.act(trajectory.joints[at], embedding)
        if not len(chunk):
            raise DataError("Expected one or more actions from the policy, got none.")
        chunks.append(chunk)
        at += len(chunk)
    return np.concatenate(chunks)[: len(trajectory)]


def angles_between(first: Numbers, second: Numbers) -> npt.NDArray[np.float64]:
    """Angle of the rotation between unit quaternions ``[N, 4]``, in ``[0, pi]``; opposite quaternions are equal."""
    likeness = np.abs(np.einsum("nd,nd->n", first.astype(np.float64), second.astype(np.float64)))
    angles: npt.NDArray[np.float64] = 2.0 * np.arccos(np.clip(likeness, 0.0, 1.0))
    return angles
