"""Recorded robot trajectories: which to learn from, at what rate, and which to hold out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import DataError
from pentathlon.core.identity import derive_seed

Floats: TypeAlias = npt.NDArray[np.float32]
Source = Literal["teleop", "cloned", "replay", "submitted"]
"""Operated by a person or an expert, by a cloned policy, repeated, or by a policy that somebody handed in."""
Selection: TypeAlias = float | Literal["successful"]
"""``"successful"``, or the share of trajectories with the highest reward; 1 takes all."""

JOINTS = 7
HELD_OUT = 100


@dataclass(frozen=True, eq=False)
class Trajectory:
    """One recorded episode of ``T`` steps.

    Attributes:
        id: unique in its dataset.
        joints: angles before each action, ``[T, 7]`` in radians.
        actions: absolute joint targets, ``[T, 7]`` in radians.
        rewards: grams, ``[T]``; zero but for the last step.
        source: how it was recorded.
        facts: what stood on the bench: container, material, location, seed.
        embeddings: of the images, ``[T, D]``, once an encoder has seen them.
    """

    id: str
    joints: Floats
    actions: Floats
    rewards: Floats
    source: Source
    facts: Mapping[str, Any]
    embeddings: Floats | None = None

    def __post_init__(self) -> None:
        steps = len(self.joints) if self.joints.ndim else 0
        _check(self.id, "joints", self.joints, (steps, JOINTS))
        _check(self.id, "actions", self.actions, (steps, JOINTS))
        _check(self.id, "rewards", self.rewards, (steps,))
        if self.embeddings is not None:
            _check(self.id, "embeddings", self.embeddings, (steps, *self.embeddings.shape[-1:]))
        if not steps:
            raise DataError(f"Trajectory {self.id!r} has no steps, expected one or more. Leave it out.")
        if self.source not in get_args(Source):
            raise DataError(f"Trajectory {self.id!r} has source {self.source!r}, expected one of {get_args(Source)}.")

    def __len__(self) -> int:
        return len(self.joints)

    @property
    def total_reward_g(self) -> float:
        """Grams transferred."""
        return float(self.rewards.sum())

    @property
    def successful(self) -> bool:
        """Whether anything was transferred."""
        return self.total_reward_g > 0.0

    @property
    def inputs(self) -> Floats:
        """What a policy is given at each step: joints, then the embedding, ``[T, 7 + D]``."""
        return self.joints if self.embeddings is None else np.concatenate([self.joints, self.embeddings], axis=1)


class Split(NamedTuple):
    """Trajectories to learn from and trajectories to measure with."""

    train: tuple[Trajectory, ...]
    validation: tuple[Trajectory, ...]


def select(trajectories: Sequence[Trajectory], selection: Selection) -> tuple[Trajectory, ...]:
    """Keeps the successful trajectories, or the given share with the highest reward, in their order.

    Raises:
        DataError: when the share is not in (0, 1] or nothing is left.
    """
    if isinstance(selection, str):
        kept = tuple(trajectory for trajectory in trajectories if trajectory.successful)
    elif 0.0 < selection <= 1.0:
        rewards = np.array([trajectory.total_reward_g for trajectory in trajectories])
        best = np.argsort(-rewards, kind="stable")[: max(1, int(selection * len(rewards)))]
        kept = tuple(trajectories[index] for index in sorted(best))
    else:
        raise DataError(f"Expected a share in (0, 1] or 'successful', got {selection}.")
    if not kept:
        raise DataError(f"Selection {selection!r} leaves nothing of {len(trajectories)} trajectories. Widen it.")
    return kept


def subsample(trajectory: Trajectory, period: int) -> Trajectory:
    """Keeps every ``period``-th frame, for control at a ``period``-th of the rate.

    A kept frame takes the last target before the next one, since that is where the arm must be by then, and the sum
    of the rewards in between, so that the total stays.
    """
    if period < 1:
        raise DataError(f"Expected a sub-sampling period of 1 or more, got {period}.")
    starts = np.arange(0, len(trajectory), period)
    lasts = np.minimum(starts + period, len(trajectory)) - 1
    embeddings = trajectory.embeddings
    return replace(
        trajectory,
        joints=trajectory.joints[starts],
        actions=trajectory.actions[lasts],
        rewards=np.add.reduceat(trajectory.rewards, starts),
        embeddings=None if embeddings is None else embeddings[starts],
    )


def split(trajectories: Sequence[Trajectory], seed: int, held_out: int = HELD_OUT) -> Split:
    """Holds out ``held_out`` whole trajectories, so that no frame has its neighbour on the other side.

    Raises:
        DataError: when nothing would be left to learn from.
    """
    if not 0 < held_out < len(trajectories):
        raise DataError(f"Cannot hold {held_out} out of {len(trajectories)} trajectories. Hold out fewer.")
    order = np.random.default_rng(derive_seed("held-out", seed)).permutation(len(trajectories))
    chosen = set(order[:held_out].tolist())
    return Split(
        tuple(trajectory for index, trajectory in enumerate(trajectories) if index not in chosen),
        tuple(trajectory for index, trajectory in enumerate(trajectories) if index in chosen),
    )


def embedding_size(trajectories: Sequence[Trajectory]) -> int:
    """Returns the length of the embeddings that all trajectories share, 0 when none has any.

    Raises:
        DataError: when there are no trajectories or they differ.
    """
    if not trajectories:
        raise DataError("Expected one or more trajectories, got none. Make or import some first.")
    sizes = {0 if t.embeddings is None else t.embeddings.shape[1] for t in trajectories}
    if len(sizes) > 1:
        raise DataError(f"Expected embeddings of one length, got {sorted(sizes)}. Encode all with the same encoder.")
    return sizes.pop()


def choose(trajectories: Sequence[Trajectory], selection: Selection) -> tuple[tuple[Trajectory, ...], int]:
    """Returns what a learner learns from, and the length of its embeddings.

    Raises:
        DataError: when the selection leaves nothing or embeddings differ in length.
    """
    chosen = select(trajectories, selection)
    return chosen, embedding_size(chosen)


def _check(trajectory_id: str, name: str, array: Floats, shape: tuple[int, ...]) -> None:
    if array.dtype != np.float32 or array.shape != shape:
        raise DataError(
            f"Trajectory {trajectory_id!r} has {name} {array.dtype}{list(array.shape)}, expected float32{list(shape)}."
        )
    if not np.isfinite(array).all():
        raise DataError(f"Trajectory {trajectory_id!r} has NaN or infinity in {name}. Leave it out or record it again.")
