"""How a policy is shown the last few frames: their embeddings' differences, then the present embedding."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.float32]
Embeddings = TypeVar("Embeddings", bound=Any)
"""An array of numpy or a tensor of torch."""


def fuse(recent: Sequence[Embeddings]) -> list[Embeddings]:
    """Returns the parts of a policy input, to be joined: ``e(t-1) - e(t-2)``, ``e(t) - e(t-1)``, ``e(t)`` of three.

    Args:
        recent: embeddings ``[N, D]`` of as many frames as the policy sees, the present one last; before the start of
            an episode its first is repeated.
    """
    changes = [now - before for before, now in pairwise(recent)]
    return [*changes, recent[-1]]


def fuse_episode(embeddings: Array, frame_stack: int) -> Array:
    """Turns an episode's embeddings ``[T, D]`` into policy inputs ``[T, frame_stack * D]``."""
    steps = np.arange(len(embeddings))
    recent = [embeddings[np.maximum(steps - back, 0)] for back in reversed(range(frame_stack))]
    return np.concatenate(fuse(recent), axis=1)


class History:
    """The last embeddings of many episodes that are played in step."""

    def __init__(self, frame_stack: int) -> None:
        self._frame_stack = frame_stack
        self._recent: list[Array] = []

    def fuse(self, embeddings: Array) -> Array:
        """Takes in the present embeddings ``[N, D]`` and returns the policy inputs."""
        first = self._recent or [embeddings] * (self._frame_stack - 1)
        self._recent = [*first, embeddings][-self._frame_stack :]
        return np.concatenate(fuse(self._recent), axis=1)
