"""Errands of an exploring agent: weigh this, look into that; the one that costs the fewest steps comes next."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Generator, Iterator
from functools import partial
from typing import Literal, NamedTuple

import numpy as np

from pentathlon.events.explore.agents.body import Body, Deed
from pentathlon.events.explore.agents.looking import (
    LOOK_DOWN_DEG,
    TOUR_APART_M,
    is_worth_a_look,
    look_at,
    tour,
)
from pentathlon.events.explore.agents.memory import OPEN_ENOUGH, Memory
from pentathlon.events.explore.agents.reaching import force_kgf, reach, tuck_in, weigh
from pentathlon.events.explore.agents.stands import Planned
from pentathlon.events.explore.agents.walking import (
    LOOK_PITCH_DEG,
    SHOULDER_LEFT_M,
    Cells,
    face,
    go_to,
    look_around,
    places_around,
    tilt,
)
from pentathlon.events.explore.perception import Handle, Sighting
from pentathlon.events.explore.protocol import FORCE_STEPS
from pentathlon.events.explore.questions.facts import TOO_HEAVY, Fact, felt_mass
from pentathlon.worlds.houses.bodies.arm_planner import Box, Place, Steps

Purpose = Literal["look", "inside", "mass"]
# Where to stand: between two distances of what the arm reaches for, the likeliest first.
STANDS_M = ((0.55, 0.75), (0.45, 0.85), (0.4, 0.95))
WRIST_UPS = (0, 3, 6)
ABOVE_M = 0.14
HANDLE_M = 0.12
MOST_TRIES, MOST_PLANNED_TRIES = 4, 2
STAND_TRIES = 3
# Where a door, pulled open, would leave less of the floor to go to than this, the agent would shut itself in behind it.
LEAST_LEFT = 0.5
DEED_STEPS: dict[Purpose, float] = {"look": 15.0, "inside": 40.0, "mass": 50.0}


Story = Generator[str, None, str]
"""Yields actions and returns how it ended."""


class Errand(NamedTuple):
    """Something to do: what for, with which thing."""

    purpose: Purpose
    thing: str


class Errands:
    """Chooses and runs errands.

    Attributes:
        at_hand: the object that is held or would be grasped.
        planned: reaches by plans over what is really there, for an agent that is given them.
        log: of each errand: what for, the thing, the step at which it began, how many it took, and how it ended.
    """

    def __init__(self, body: Body, memory: Memory) -> None:
        self._body, self._memory = body, memory
        self._tries: dict[Errand, int] = {}
        self.at_hand = ""
        self.planned: Planned | None = None
        self.log: list[tuple[str, str, int, int, str]] = []

    def next(self, wanted: Collection[Fact] | None = None) -> Generator[str, None, None] | None:
        """Returns the errand that is done soonest, of all or of those for wanted facts; ``None`` if none is left."""
        todo = [errand for errand in self.todo(wanted) if self._tries.get(errand, 0) < self._most_tries]
        if not todo:
            return None
        costs = self._costs(todo)
        best = min(todo, key=lambda errand: costs[errand])
        self._tries[best] = self._tries.get(best, 0) + 1
        return self._noted(best)

    @property
    def _most_tries(self) -> int:
        """Plans are seldom in vain, and cost much where they are."""
        return MOST_TRIES if self.planned is None else MOST_PLANNED_TRIES

    def _noted(self, errand: Errand) -> Generator[str, None, None]:
        """Runs an errand and writes down what became of it."""
        began = self._body.steps
        deeds = {"look": self._look, "inside": self._open, "mass": self._weigh}
        how = yield from deeds[errand.purpose](errand.thing)
        self.log.append((errand.purpose, errand.thing, began, self._body.steps - began, how))

    def tour(self) -> Generator[str, None, None]:
        """Looks around, level and down, wherever the agent has not been near to."""
        if self.planned is not None:
            yield from tour(self._body, self.planned)
            return
        seen: list[tuple[float, float]] = []
        while True:
            chart, floor = self._body.chart(), self._body.walk.floor
            cells = np.argwhere(chart.open & np.isfinite(chart.distance))
            middles = (cells + np.array(chart.origin) - floor.half) * floor.cell_m
            far = np.ones(len(cells), bool)
            for place in seen:
                far &= np.hypot(*(middles - np.array(place)).T) > TOUR_APART_M
            if not far.any():
                return
            order = chart.distance[tuple(cells[far].T)]
            goal = cells[far][int(np.argmin(order))] + np.array(chart.origin)
            seen.append(tuple((goal - floor.half) * floor.cell_m))
            yield from go_to(self._body, partial(self._on_chart, goal))
            for pitch_deg in (LOOK_DOWN_DEG, LOOK_PITCH_DEG):
                yield from tilt(self._body, pitch_deg)
                yield from look_around(self._body)

    def _on_chart(self, cell: Cells) -> Cells:
        """A cell of the map as the only one of some on the chart."""
        found: Cells = (cell - np.array(self._body.chart().origin))[None]
        return found

    def todo(self, wanted: Collection[Fact] | None) -> Iterator[Errand]:
        """Yields what is left to do, for all facts or for wanted ones."""
        memory = self._memory
        # What is looked for and was seen nowhere may be in anything that is shut.
        is_any = wanted is None or any(fact.about == "found" for fact in wanted)
        for key, sighting in memory.now.items():
            if sighting.thing.portable and key not in memory.masses and (wanted is None or Fact(key, "mass") in wanted):
                yield Errand("mass", key)
            if memory.shut(key) and (is_any or (wanted is not None and Fact(key, "inside") in wanted)):
                yield Errand("inside", key)
            if is_any and self.planned is not None and key not in memory.looked_at and is_worth_a_look(sighting):
                yield Errand("look", key)

    def _costs(self, todo: list[Errand]) -> dict[Errand, float]:
        """Steps that each errand may take: the way to it, its deed, and as much again for each time that it failed."""
        body = self._body
        chart, cell_m = body.chart(), body.walk.floor.cell_m
        near = round(STANDS_M[0][1] / cell_m)
        costs = {}
        for errand in todo:
            x_m, y_m, _ = self._memory.now[errand.thing].middle_m
            cell = body.walk.floor.cell(x_m, y_m)
            offset = np.array(cell) - np.array(chart.origin)
            row, column = (int(v) for v in np.clip(offset, 0, np.array(chart.state.shape) - 1))
            part = chart.distance[max(row - near, 0) : row + near + 1, max(column - near, 0) : column + near + 1]
            way = float(np.min(part, initial=math.inf)) * cell_m / body.walk.body.step_m
            failed = self._tries.get(errand, 0)
            handles = len(self._memory.shut(errand.thing)) if errand.purpose == "inside" else 1
            costs[errand] = min(way, 1e6) * 1.5 + DEED_STEPS[errand.purpose] * handles * (1 + 4 * failed)
        return costs

    def _look(self, key: str) -> Story:
        """Looks at what may hide something, from its sides."""
        assert self.planned is not None
        if not (yield from look_at(self._body, self.planned, self._memory.now[key])):
            return "no place"
        self._memory.looked_at.add(key)
        return "looked"

    def _weigh(self, key: str) -> Story:
        """Stands beside a thing, reaches it and finds the least force that lifts it."""
        tries = self._tries[Errand("mass", key)] - 1
        if self.planned is not None:
            return (yield from self._weigh_planned(self.planned, key))
        if not (yield from self._stand(self._memory.now[key].middle_m, tries)):
            return "no place"
        yield from self._bend(WRIST_UPS[tries % len(WRIST_UPS)])
        how = "out of reach"
        if (yield from self._reach(self._memory.now[key], lambda: self.at_hand == key)):
            how = yield from self._feel()
        yield from tuck_in(self._body)
        return how

    def _weigh_planned(self, planned: Planned, key: str) -> Story:
        sighting = self._memory.now[key]
        box = Box(sighting.low_m, sighting.high_m)
        yield from self._uncover(sighting)
        moves = yield from planned.reach(("mass", key), sighting.middle_m, partial(planned.plans.arm.goals, key, box))
        if moves is None:
            return "no plan"
        how = "out of reach"
        if self.at_hand == key:
            how = yield from self._feel()
        yield from planned.undo(moves)
        yield from planned.fold()
        return how

    def _uncover(self, sighting: Sighting) -> Deed:
        """Opens, once more where the house is as it was, what a thing lies in."""
        now = self._memory.now
        for name, other in sighting.relations if sighting == self._memory.first[sighting.thing.id] else ():
            if name == "in" and other in now:
                for handle in now[other].handles:
                    if handle.opening < OPEN_ENOUGH:
                        yield from self._pull(other, handle, 0)
        return True

    def _feel(self) -> Story:
        """Tries forces on what is at hand."""
        held = self.at_hand
        steps = yield from weigh(self._body)
        if steps is None:
            return "lost"
        self._memory.masses[held] = felt_mass(force_kgf(steps)) if steps <= FORCE_STEPS else TOO_HEAVY
        return "weighed"

    def _open(self, key: str) -> Story:
        """Stands before a thing, pulls the handles that are shut, and looks into it."""
        tries = self._tries[Errand("inside", key)] - 1
        how = []
        for handle in self._memory.shut(key):
            how.append((yield from self._pull(key, handle, tries)))
        return ", ".join(how)

    def _pull(self, key: str, handle: Handle, tries: int) -> Story:
        if not (yield from self._to_handle(key, handle, tries)):
            yield from self._put_away()
            return "out of reach"
        yield "Open"
        opened = self._body.acted
        if self.planned is not None:
            self.planned.plans.forget()
        yield from self._put_away()
        if not opened:
            return "stuck"
        self._memory.looked_into.add((key, handle.joint))
        yield from self._peer(self._memory.now[key])
        return "opened"

    def _put_away(self) -> Deed:
        """Folds the arm in; one that goes by plans stays on the lattice of hinge steps."""
        return (yield from self.planned.fold() if self.planned is not None else tuck_in(self._body))

    def _to_handle(self, key: str, handle: Handle, tries: int) -> Deed:
        body, place_m, planned = self._body, handle.place_m, self.planned

        def arrived() -> bool:
            return float(np.linalg.norm(body.in_frame(place_m) - body.hand_m)) < HANDLE_M

        if planned is not None:
            arm = planned.plans.arm
            for is_wide, goals in ((True, arm.wide_handle_goals), (False, arm.handle_goals)):
                purpose = key, handle.joint, is_wide
                leaving = partial(self._leaving, planned, key, handle.joint, goals)
                if (yield from planned.reach(purpose, place_m, leaving)) is not None:
                    return True
            return False
        if not (yield from self._stand(place_m, tries)):
            return False
        yield from self._bend(WRIST_UPS[(tries + 2) % len(WRIST_UPS)])
        return (yield from reach(body, place_m, arrived))

    @staticmethod
    def _leaving(
        planned: Planned, key: str, joint: str, goals: Callable[[str, str, Place | None], list[Steps]], place: Place
    ) -> list[Steps]:
        """Postures to pull a handle from, but none where the door would be in the way out."""
        found = goals(key, joint, place)
        return found if found and planned.plans.floor_left(key, joint, place) >= LEAST_LEFT else []

    def _peer(self, sighting: Sighting) -> Deed:
        """Looks into what was opened, from a step farther back too."""
        yield from face(self._body, sighting.middle_m)
        for pitch_deg in (LOOK_DOWN_DEG, LOOK_PITCH_DEG):
            yield from tilt(self._body, pitch_deg)
        yield "MoveBack"
        yield from tilt(self._body, LOOK_DOWN_DEG)
        return (yield from tilt(self._body, LOOK_PITCH_DEG))

    def _stand(self, point_m: tuple[float, float, float], tries: int) -> Deed:
        near_m, far_m = STANDS_M[min(tries, len(STANDS_M) - 1)]
        goals = partial(places_around, self._body, point_m, near_m, far_m)
        for _ in range(STAND_TRIES):
            if not (yield from go_to(self._body, goals)):
                return False
            if (yield from face(self._body, point_m, SHOULDER_LEFT_M)):
                return True
        return False

    def _bend(self, steps: int) -> Deed:
        for _ in range(steps):
            yield "WristUp"
        return True

    def _reach(self, sighting: Sighting, arrived: object) -> Deed:
        """Moves the finger tips over a thing and down to it."""
        x_m, y_m, _ = sighting.middle_m
        low_m, high_m = sighting.low_m[2], sighting.high_m[2]
        above = (x_m, y_m, high_m + ABOVE_M)
        at = (x_m, y_m, max(low_m + 0.02, high_m - 0.03))
        for goal in (above, at):
            if (yield from reach(self._body, goal, arrived)):  # type: ignore[arg-type]
                return True
        return False
