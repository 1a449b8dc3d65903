"""What every offline policy offers, and what their states and observations share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, Self, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import DataError, UsageError
from pentathlon.learning.policies.trajectories import JOINTS, Floats

Arrays: TypeAlias = Mapping[str, npt.NDArray[Any]]
Settings: TypeAlias = Mapping[str, Any]
Progress: TypeAlias = Callable[[int, int, float], None]
"""Called now and then with the steps done, the steps in all and the latest loss."""

RecipeType = TypeVar("RecipeType")


@dataclass(frozen=True)
class Training:
    """How any learner is trained, beside its recipe."""

    seed: int
    device: str = "cpu"
    progress: Progress | None = None


class PolicyState(NamedTuple):
    """A policy as arrays and JSON values."""

    arrays: dict[str, npt.NDArray[Any]]
    settings: dict[str, Any]


class OfflinePolicy(Protocol):
    """A policy over joints and image embeddings."""

    @property
    def embedding_size(self) -> int:
        """Length of the embedding it was trained with; 0 is none."""
        ...

    def reset(self) -> None:
        """Forgets the last episode."""
        ...

    def act(self, joints: Floats, embedding: Floats | None = None) -> Floats:
        """Returns the next joint targets ``[H, 7]`` in radians, to be carried out before the next look."""
        ...

    def state(self) -> PolicyState:
        """Returns all that :meth:`from_state` needs."""
        ...

    @classmethod
    def from_state(cls, arrays: Arrays, settings: Settings) -> Self:
        """Makes the policy again, or raises DataError."""
        ...


def observe(joints: Floats, embedding: Floats | None, embedding_size: int) -> Floats:
    """Joins one observation into the row ``[7 + D]`` that :attr:`Trajectory.inputs` has for it.

    Raises:
        DataError: when the sizes are not those of training.
    """
    seen = np.zeros(0, np.float32) if embedding is None else np.asarray(embedding, np.float32)
    angles = np.asarray(joints, np.float32)
    if angles.shape != (JOINTS,) or seen.shape != (embedding_size,):
        raise DataError(
            f"Expected joints [{JOINTS}] and an embedding [{embedding_size}], got {list(angles.shape)} and "
            f"{list(seen.shape)}. Use the encoder that the policy was trained with."
        )
    return np.concatenate([angles, seen])


def read_settings(settings: Settings, recipe: type[RecipeType]) -> tuple[RecipeType, int]:
    """Reads recipe and embedding size, which all policies keep.

    Raises:
        DataError: when they are missing or of other types.
    """
    import msgspec

    try:
        return msgspec.convert(settings["recipe"], recipe), msgspec.convert(settings["embedding_size"], int)
    except (KeyError, UsageError, msgspec.ValidationError) as error:
        raise DataError(f"Expected the settings of a {recipe.__name__}, got others: {error}.") from error


def read_array(arrays: Arrays, name: str, shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """Returns one array of a state; ``-1`` in ``shape`` stands for any length.

    Raises:
        DataError: when it is missing or of another shape.
    """
    array = arrays.get(name)
    got = "nothing" if array is None else list(array.shape)
    if (
        array is None
        or len(array.shape) != len(shape)
        or any(want not in (-1, have) for want, have in zip(shape, array.shape, strict=True))
    ):
        raise DataError(
            f"Expected the array {name!r} of shape {list(shape)}, got {got}. The state is of another policy."
        )
    return array
