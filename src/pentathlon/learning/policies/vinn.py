"""Visual imitation through nearest neighbours (Pari et al. 2021): act as was acted where it looked most alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import DataError
from pentathlon.core.identity import to_plain
from pentathlon.learning.policies.chunks import Rows, bounds_of, chunk_rows
from pentathlon.learning.policies.policy import (
    Arrays,
    PolicyState,
    Settings,
    Training,
    observe,
    read_array,
    read_settings,
)
from pentathlon.learning.policies.recipes import VinnRecipe
from pentathlon.learning.policies.trajectories import JOINTS, Floats, Trajectory, choose

EXTRA_CANDIDATES = 16


class Neighbours(NamedTuple):
    """Rows and distances, nearest first."""

    rows: Rows
    distances: Floats


class Frames(NamedTuple):
    """What can be looked up: a key for each frame, less the ``centre`` of all, its action and its trajectory's end."""

    keys: Floats
    centre: Floats
    actions: Floats
    lasts: Rows


class VinnPolicy:
    """Looks up the nearest frames.

    Embeddings have hundreds of dimensions, where a tree visits nearly every leaf; one matrix product is faster.
    """

    def __init__(self, recipe: VinnRecipe, embedding_size: int, frames: Frames) -> None:
        self.recipe, self.embedding_size, self._frames = recipe, embedding_size, frames
        self._squares = np.einsum("nd,nd->n", frames.keys, frames.keys)

    def reset(self) -> None:
        """Has nothing to forget."""

    def act(self, joints: Floats, embedding: Floats | None = None) -> Floats:
        """Returns the next ``horizon`` targets, ``[H, 7]`` in radians."""
        row = observe(joints, embedding, self.embedding_size)
        query = row if self.recipe.with_joints else row[JOINTS:]
        if self.recipe.horizon == 1:
            found = self.nearest(query, self.recipe.neighbours)
            weights = neighbour_weights(found.distances)
            return (weights @ self._frames.actions[found.rows]).astype(np.float32)[None]
        start = self.nearest(query, 1).rows
        chunk: Floats = self._frames.actions[chunk_rows(start, self._frames.lasts[start], self.recipe.horizon)[0]]
        return chunk

    def nearest(self, query: Floats, count: int) -> Neighbours:
        """Finds the ``count`` nearest rows by Euclidean distance."""
        keys, centred = self._frames.keys, query - self._frames.centre
        wanted = min(len(keys), count + EXTRA_CANDIDATES)
        # The expanded square rounds where distances are small, so the last choice is made on exact ones.
        rough = self._squares - 2.0 * (keys @ centred)
        candidates = np.argpartition(rough, wanted - 1)[:wanted]
        distances = np.linalg.norm(keys[candidates] - centred, axis=1)
        order = np.lexsort((candidates, distances))[:count]
        return Neighbours(candidates[order], distances[order])

    def state(self) -> PolicyState:
        """Returns all frames that can be looked up, and the recipe."""
        settings = {"recipe": to_plain(self.recipe), "embedding_size": self.embedding_size}
        return PolicyState(self._frames._asdict(), settings)

    @classmethod
    def from_state(cls, arrays: Arrays, settings: Settings) -> Self:
        """Makes the policy again."""
        recipe, size = read_settings(settings, VinnRecipe)
        width = size + JOINTS * recipe.with_joints
        keys = read_array(arrays, "keys", (-1, width))
        frames = Frames(
            keys,
            read_array(arrays, "centre", (width,)),
            read_array(arrays, "actions", (len(keys), JOINTS)),
            read_array(arrays, "lasts", (len(keys),)),
        )
        return cls(recipe, size, frames)


def neighbour_weights(distances: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    """Returns the softmax of the negative distances."""
    weights: npt.NDArray[np.float64] = np.exp(float(distances.min()) - distances.astype(np.float64))
    weights /= weights.sum()
    return weights


def train_vinn(trajectories: Sequence[Trajectory], recipe: VinnRecipe, training: Training) -> VinnPolicy:
    """Gathers the frames to look up; nothing is drawn and nothing is fitted, so ``training`` changes nothing.

    Raises:
        DataError: when the selection is empty, or there is nothing to measure distances in.
    """
    chosen, size = choose(trajectories, recipe.selection)
    if not size and not recipe.with_joints:
        raise DataError("Nearest neighbours need embeddings, got none. Encode the images or set with_joints.")
    keys = np.concatenate([t.inputs if recipe.with_joints or t.embeddings is None else t.embeddings for t in chosen])
    # Squares of numbers far from the origin would drown the distances between them.
    centre = keys.mean(axis=0, dtype=np.float64).astype(np.float32)
    keys -= centre
    actions = np.concatenate([trajectory.actions for trajectory in chosen])
    if training.progress is not None:
        training.progress(1, 1, 0.0)
    return VinnPolicy(recipe, size, Frames(keys, centre, actions, bounds_of(chosen).lasts))
