"""Plans of the arm agent over what is really there: of its arm, and of its way over the floor."""

from __future__ import annotations

from pentathlon.worlds.houses.bodies.arm import ArmAgent
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
        """Tells what share of the floor could still be gone to from a place where a door or drawer is pulled open."""
        self.arm.pull(thing, joint, place)
        then = slim_map(self._agent, self._agent.motion.trial)
        return then.reached_from(*place[:2]) / max(1, self.floor().map.reached_from(*self._agent.pose[:2]))

    def forget(self) -> None:
        """Tells that something was opened or moved: the floor is mapped anew."""
        self._floor = None
