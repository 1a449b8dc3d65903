"""An explorer that knows the way: what is left to an agent whose steps are the oracle's."""

from __future__ import annotations

from pentathlon.core.entrants import Observation
from pentathlon.events.find.agents.eyes import TRUE_ACTION
from pentathlon.models.navigation.walk import Walk
from pentathlon.worlds.houses.bodies.navigator import ACTIONS, Action


class OracleWalk:
    """Follows the oracle's way (the privileged observation ``true_action``) and looks around at its end."""

    observations = (TRUE_ACTION,)

    def reset(self, seed: int) -> None:
        """Starts an episode."""

    def explore(self, walk: Walk, observation: Observation) -> list[Action]:
        """Returns the oracle's action; where the oracle would stop, a turn."""
        action = ACTIONS[int(observation["true_action"])]
        return ["RotateLeft" if action == "Stop" else action]
