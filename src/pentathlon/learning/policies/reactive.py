"""What the policies share that answer one observation with one pass of a network."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, Self, TypeVar

import torch
from torch import Tensor, nn

from pentathlon.core.identity import to_plain
from pentathlon.learning.policies.policy import Arrays, PolicyState, observe
from pentathlon.learning.policies.scaling import Standard
from pentathlon.learning.policies.training import load_weights, weights_of
from pentathlon.learning.policies.trajectories import JOINTS, Floats

RecipeType = TypeVar("RecipeType")
NetworkType = TypeVar("NetworkType", bound=nn.Module)


class ReactivePolicy(ABC, Generic[RecipeType, NetworkType]):
    """Standardises what it sees, asks its network, and gives the answer in radians; it remembers nothing."""

    def __init__(
        self, recipe: RecipeType, embedding_size: int, network: NetworkType, inputs: Standard, outputs: Standard
    ) -> None:
        self.recipe, self.embedding_size, self.network = recipe, embedding_size, network
        self._inputs, self._outputs = inputs, outputs
        network.eval()

    @abstractmethod
    def answer(self, row: Tensor) -> Tensor:
        """Returns standardised targets ``[1, H * 7]`` for the standardised observation ``row[1, 7 + D]``."""

    def reset(self) -> None:
        """Has nothing to forget."""

    @torch.no_grad()
    def act(self, joints: Floats, embedding: Floats | None = None) -> Floats:
        """Returns the next targets, ``[H, 7]`` in radians."""
        row = self._inputs.apply(observe(joints, embedding, self.embedding_size))
        answer: Floats = self.answer(torch.from_numpy(row[None])).numpy()
        return self._outputs.undo(answer).reshape(-1, JOINTS)

    def state(self) -> PolicyState:
        """Returns weights, statistics and recipe."""
        arrays = weights_of(self.network) | self._inputs.arrays("inputs") | self._outputs.arrays("outputs")
        return PolicyState(arrays, {"recipe": to_plain(self.recipe), "embedding_size": self.embedding_size})

    @classmethod
    def rebuilt(cls, arrays: Arrays, recipe: RecipeType, size: int, network: NetworkType, horizon: int) -> Self:
        """Fills weights and statistics in; raises DataError where they are of another policy."""
        load_weights(network, arrays)
        inputs = Standard.from_arrays(arrays, "inputs", JOINTS + size)
        return cls(recipe, size, network, inputs, Standard.from_arrays(arrays, "outputs", horizon * JOINTS))
