"""MetaWorld's own scripted policies as experts."""

from __future__ import annotations

import importlib
import warnings

import numpy as np

from pentathlon.worlds.control.metaworld import MetaWorldPhysics
from pentathlon.worlds.control.physics import Array


class MetaWorldExpert:
    """Follows the policy that MetaWorld ships for the task."""

    def __init__(self, physics: MetaWorldPhysics, key: str) -> None:
        policies = importlib.import_module("metaworld.policies").ENV_POLICY_MAP
        self._physics = physics
        self._policy = policies[f"{key}-v3"]()

    def reset(self, generator: np.random.Generator) -> None:
        """Nothing to forget: the policy looks at the present observation only."""

    def act(self) -> Array:
        """The policy's action, clipped to the action space."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Some policies ask for more than 1 and say so at every step.
            action: Array = self._policy.get_action(self._physics.observation)
        return action.clip(-1.0, 1.0)
