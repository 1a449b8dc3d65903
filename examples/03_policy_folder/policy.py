"""The folder of a policy, ready to be checked and submitted.

    pentathlon check-entrant examples/03_policy_folder
    pentathlon run act/pour-lite-v1 --entrant policy@examples/03_policy_folder
    pentathlon submit examples/03_policy_folder --to http://host --task act/pour-v1

Weights lie beside this file: ``Path(__file__).parent / "weights.safetensors"``. In the sandbox the folder is read-only,
``/tmp`` is yours, there is no network, and torch, numpy and everything else that Pentathlon installs can be imported.
"""

import numpy as np

from pentathlon.core import ArraySpec, InteractionSpec
from pentathlon.core.entrants import Floats, Observation


class HoldsStill:
    """Stays where it is."""

    spec = InteractionSpec(
        observations=(ArraySpec("joints", (7,), "float32", "rad"),),
        action=ArraySpec("joint_targets", (7,), "float32", "rad"),
    )

    def __init__(self, gain: float) -> None:
        self._gain = gain

    def reset(self) -> None:
        """Forgets the episode so far."""

    def predict(self, observation: Observation) -> Floats:
        """Returns an action ``[7]`` or a chunk ``[H, 7]`` of absolute joint targets in radians."""
        return np.asarray(self._gain * observation["joints"], np.float32)

    def for_seed(self, training_seed: int) -> "HoldsStill":
        """Chooses among versions trained with several seeds; leave it out where there is one."""
        return self


def make(gain: float) -> HoldsStill:
    """Builds the policy; called with the options of ``entrant.json``."""
    return HoldsStill(gain)
