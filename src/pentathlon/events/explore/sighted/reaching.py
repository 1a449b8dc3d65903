"""Errands by eyes that may err: the arm goes to where a thing was seen, and the hand tells whether it is there."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator

from pentathlon.events.explore.agents.body import Body
from pentathlon.events.explore.agents.errands import DEED_STEPS, Errand, Errands, Story
from pentathlon.events.explore.agents.stands import Planned
from pentathlon.events.explore.questions.facts import Fact
from pentathlon.events.explore.sighted.lore import kinds
from pentathlon.events.explore.sighted.memory import SightedMemory
from pentathlon.worlds.houses.bodies.arm import ArmAgent
from pentathlon.worlds.houses.bodies.arm_planner import HANDLE_NEAR_M, NEAR_M, ArmPlanner, Box, Place, Steps
from pentathlon.worlds.houses.bodies.plans import Plans


class SeenGoals(ArmPlanner):
    """Plans to where things and handles were seen, whatever is there."""

    def __init__(self, agent: ArmAgent, memory: SightedMemory) -> None:
        super().__init__(agent)
        self._memory = memory

    def goals(self, thing: str, box: Box, place: Place | None = None) -> list[Steps]:
        """Returns postures whose finger tips are at a box."""
        return self._postures(box, NEAR_M, lambda: True, self._at(place))

    def handle_goals(self, thing: str, joint: str, place: Place | None = None) -> list[Steps]:
        """Returns postures whose finger tips are where a handle should be."""
        for handle in self._memory.now[thing].handles:
            if handle.joint == joint:
                return self._postures(Box(handle.place_m, handle.place_m), HANDLE_NEAR_M, lambda: True, self._at(place))
        return []

    def wide_handle_goals(self, thing: str, joint: str, place: Place | None = None) -> list[Steps]:
        """Returns the same: how a door swings is not known before it is pulled."""
        return self.handle_goals(thing, joint, place)


class SeenPlans(Plans):
    """Plans over every solid there is, which need not know what the solids are."""

    def __init__(self, plans: Plans, memory: SightedMemory) -> None:
        super().__init__(plans._agent)
        self.arm = SeenGoals(plans._agent, memory)

    def floor_left(self, thing: str, joint: str, place: Place) -> float:
        """Hopes for the best: how a door swings is not known before it is pulled."""
        return 1.0


class SightedErrands(Errands):
    """Errands to what is believed in; what the hand holds is taken for what it went to."""

    _memory: SightedMemory

    def __init__(self, body: Body, memory: SightedMemory) -> None:
        super().__init__(body, memory)
        self._toured = False

    def todo(self, wanted: Collection[Fact] | None) -> Iterator[Errand]:
        """Leaves what is shut for after the tour, as guessed handles are mostly missed; looks at what holds things."""
        for errand in super().todo(wanted):
            if errand.purpose == "look" and not self._holds(errand.thing):
                continue
            if wanted is not None or self._toured or errand.purpose != "inside":
                yield errand

    def _holds(self, key: str) -> bool:
        """Tells whether other things lie on such a thing, or in it."""
        kind = next(kind for kind in kinds() if kind.name == self._memory.now[key].thing.type)
        return bool(kind.on or kind.inside)

    def _costs(self, todo: list[Errand]) -> dict[Errand, float]:
        """Weighing comes as soon as looking: there is more furniture to look at than there are steps."""
        costs = super()._costs(todo)
        sooner = DEED_STEPS["mass"] - DEED_STEPS["look"]
        return {errand: cost - sooner * (errand.purpose == "mass") for errand, cost in costs.items()}

    def tour(self) -> Generator[str, None, None]:
        """Looks around everywhere, and opens things from then on."""
        self._toured = True
        yield from super().tour()

    def next(self, wanted: Collection[Fact] | None = None) -> Generator[str, None, None] | None:
        """Makes up the mind about what there is, and returns the errand that is done soonest."""
        self._memory.believe()
        return super().next(wanted)

    def _weigh_planned(self, planned: Planned, key: str) -> Story:
        self.at_hand = key
        return (yield from super()._weigh_planned(planned, key))

    def _feel(self) -> Story:
        """Tries forces; where nothing is at hand, a little lower too."""
        key = self.at_hand
        how = yield from super()._feel()
        if how == "lost":
            yield "LowerArm"
            if self._body.acted:
                how = yield from super()._feel()
                yield "RaiseArm"
        if how == "weighed":
            self._memory.weighed(key)
        return how
