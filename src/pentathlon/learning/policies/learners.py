"""The offline learners by name. Imports no torch until one is used."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

from pentathlon.core.errors import UnknownIdError
from pentathlon.learning.policies.policy import OfflinePolicy, Training
from pentathlon.learning.policies.recipes import BcRecipe, DtRecipe, IqlRecipe, OfflineRecipe, VinnRecipe
from pentathlon.learning.policies.trajectories import Trajectory

Train: TypeAlias = Callable[[Sequence[Trajectory], Any, Training], OfflinePolicy]
_FOLDER = "pentathlon.learning.policies"


@dataclass(frozen=True)
class Learner:
    """One way of learning from trajectories.

    Attributes:
        name: on the command line and in saved policies.
        meaning: in one line.
        recipe: its settings; the defaults are the paper's.
        module: where ``train`` and ``policy`` live.
        function: name of the training function.
        type_name: name of the policy.
    """

    name: str
    meaning: str
    recipe: type[OfflineRecipe]
    module: str
    function: str
    type_name: str

    @property
    def train(self) -> Train:
        """Trains a policy on trajectories by a recipe of this learner."""
        train: Train = self._find(self.function)
        return train

    @property
    def policy(self) -> type[OfflinePolicy]:
        """What training gives and ``from_state`` makes again."""
        policy: type[OfflinePolicy] = self._find(self.type_name)
        return policy

    def _find(self, name: str) -> Any:
        return getattr(importlib.import_module(f"{_FOLDER}.{self.module}"), name)


_ALL = (
    Learner("bc", "behaviour cloning of action chunks", BcRecipe, "chunked_cloning", "train_bc", "BcPolicy"),
    Learner("vinn", "nearest neighbours of the embedding", VinnRecipe, "vinn", "train_vinn", "VinnPolicy"),
    Learner("iql", "implicit Q-learning", IqlRecipe, "iql", "train_iql", "IqlPolicy"),
    Learner("dt", "decision transformer", DtRecipe, "decision_transformer", "train_dt", "DtPolicy"),
)
LEARNERS: Mapping[str, Learner] = MappingProxyType({learner.name: learner for learner in _ALL})


def find_learner(name: str) -> Learner:
    """Returns the learner of that name.

    Raises:
        UnknownIdError: when there is none; names the nearest.
    """
    if name not in LEARNERS:
        raise UnknownIdError("learner", name, LEARNERS)
    return LEARNERS[name]
