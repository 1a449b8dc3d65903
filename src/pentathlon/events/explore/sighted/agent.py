"""The symbolic agent with the built-in image-text network as its eyes, and its hand's touch in place of true names."""

from __future__ import annotations

import math
from typing import Any

from pentathlon.core import Briefing, ChoiceSpec, InteractionSpec
from pentathlon.core.entrants import Observation
from pentathlon.events.explore.agents.body import Body
from pentathlon.events.explore.agents.errands import Errands
from pentathlon.events.explore.agents.memory import Memory
from pentathlon.events.explore.agents.stands import Planned
from pentathlon.events.explore.agents.symbolic import Life, SymbolicAgent
from pentathlon.events.explore.protocol import ACTIONS, any_size
from pentathlon.events.explore.questions.question import answer_text
from pentathlon.events.explore.sighted.glances import Sight
from pentathlon.events.explore.sighted.memory import SightedMemory
from pentathlon.events.explore.sighted.network import Network, builtin_network
from pentathlon.events.explore.sighted.reaching import SeenPlans, SightedErrands
from pentathlon.models.navigation.back_projection import MapPose

USED = ("rgb", "depth_m", "acted", "touch", "hand_m", "posture", "true_pose", "true_plans", "true_programs")
MOVED_M, TURNED_RAD, TILTED_RAD = 0.2, math.radians(25.0), math.radians(10.0)
"""A new picture is looked at after so much of a step, a turn or a tilt."""
MOST_RETURN_STEPS = 600


class SightedAgent(SymbolicAgent):
    """Explores, opens and weighs as the symbolic agent does, among the things that it believes to see.

    True are its pose, the plans over solids and the questions' programs; what and where things are, how they look,
    which room they are in and what is at hand it tells by pictures, depth and touch.
    """

    spec = InteractionSpec(any_size(*USED), ChoiceSpec(ACTIONS), answers=True)

    _memory: SightedMemory

    def __init__(self, network: Network) -> None:
        self._network = network
        self._sight: Sight | None = None

    def reset(self, briefing: Briefing) -> None:
        """Begins an episode with an empty memory."""
        self._looked: MapPose | None = None
        self._is_told = False
        self._plans: SeenPlans | None = None
        super().reset(briefing)
        self.notes["device"] = self._network.device

    def brief(self, briefing: Briefing) -> None:
        """Returns for what is missing, for so many steps at most."""
        self._looked, self._is_told = None, False
        if self._plans is not None:
            self._plans.forget()
        super().brief(briefing)
        self._life = self._bounded(self._life)

    def answer(self, question: str) -> str:
        """Evaluates the question's program on what it believes."""
        if not self._is_told:
            self._is_told, self.notes["believed"] = True, self._told()
        return answer_text(self._memory.decide(self._programs[question])) or "unknown"

    def _empty_memory(self) -> Memory:
        return SightedMemory(network=self._network)

    def _new_errands(self, body: Body) -> Errands:
        return SightedErrands(body, self._memory)

    def _notice(self, observation: Observation) -> None:
        """Looks at the picture, where it is a new one and the arm is not before it."""
        body = self._body
        if self._plans is None:
            self._plans = SeenPlans(observation["true_plans"], self._memory)
        self._errands.planned = self._errands.planned or Planned(body, self._plans)
        if body.arm_away and self._is_new(body.pose):
            self._looked = body.pose
            self._sight = self._sight or Sight(self._network)
            self._memory.see(self._sight, observation, body.pose, body.walk.body.camera)

    def _is_new(self, pose: MapPose) -> bool:
        old = self._looked
        if old is None or self._last == "Open":
            return True
        turned = abs(math.remainder(pose.yaw_rad - old.yaw_rad, 2 * math.pi))
        moved_m = math.hypot(pose.x_m - old.x_m, pose.y_m - old.y_m)
        return moved_m >= MOVED_M or turned >= TURNED_RAD or abs(pose.pitch_rad - old.pitch_rad) >= TILTED_RAD

    def _bounded(self, life: Life) -> Life:
        for _, action in zip(range(MOST_RETURN_STEPS), life, strict=False):
            yield action

    def _told(self) -> list[dict[str, Any]]:
        """What it believes, for the record."""
        self._memory.believe()
        return [
            {
                "type": sighting.thing.type,
                "low_m": [round(value, 2) for value in sighting.low_m],
                "high_m": [round(value, 2) for value in sighting.high_m],
                "room": sighting.room_type,
                "colours": sorted(sighting.thing.colours or ()),
                "materials": sorted(sighting.thing.materials or ()),
                "mass_kg": self._memory.masses.get(key),
            }
            for key, sighting in self._memory.first.items()
        ]


def make_sighted() -> SightedAgent:
    """Builds the agent on the built-in network."""
    return SightedAgent(builtin_network())
