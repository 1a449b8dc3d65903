"""Plans of the arm agent over what is really there: of its arm, and of its way over the floor."""

from __future__ import annotations

from dataclasses import replace

from pentathlon.worlds.houses.bodies.arm import ArmAgent
from pentathlon.worlds.houses.bodies.arm_model import RADIUS_M
from pentathlon.worlds.houses.bodies.arm_planner import ArmPlanner, Place
from pentathlon.worlds.houses.bodies.walk_planner import WalkPlanner, slim_map


class Plans:
    """What an agent that knows every solid around it could work out.

    Attributes:
        arm: plans of hinge moves.
    """

    def __init__(self, agent: ArmAgent) -> None:
        self._agent = agent
        self.arm = ArmPlanner(agent)
        self._floor: WalkPlanner | None = None

    def floor(self) -> WalkPlanner:
        """Plans of steps and turns, by the floor as it was when :meth:`forget` was last called."""
        if self._floor is None:
            self._floor = WalkPlanner(self._agent)
        return self._floor

    def floor_left(self, thing: str, joint: str, place: Place) -> float:
        """Tells what share of the floor could still be gone to from a place where a door or drawer is pulled open.

        Of the floor that has room for the base, or of that for what is above it, whichever loses more.
        """
        self.arm.pull(thing, joint, place)
        slim, now = slim_map(self._agent, self._agent.motion.trial), self.floor()
        here = self._agent.pose[:2]
        shares = (
            then.reached_from(*place[:2]) / max(1, before.reached_from(*here))
            for then, before in ((slim, now.map), (replace(slim, radius_m=RADIUS_M), now.wide))
        )
        return min(shares)

    def forget(self) -> None:
        """Tells that something was opened or moved: the floor is mapped anew."""
        self._floor = None
