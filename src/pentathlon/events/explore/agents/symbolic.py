"""The symbolic agent: maps, opens and weighs what it can, and evaluates the questions' programs on its memory."""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import Any

from pentathlon.core import Briefing, ChoiceSpec, InteractionSpec
from pentathlon.core.entrants import Observation
from pentathlon.events.explore.agents.body import Body, Deed
from pentathlon.events.explore.agents.errands import Errands
from pentathlon.events.explore.agents.memory import Memory
from pentathlon.events.explore.agents.reaching import fold
from pentathlon.events.explore.agents.stands import Planned
from pentathlon.events.explore.agents.walking import LOOK_PITCH_DEG, look_around, tilt, to_frontier
from pentathlon.events.explore.protocol import ACTIONS, any_size
from pentathlon.events.explore.questions.program import Program, read_program
from pentathlon.events.explore.questions.question import answer_text
from pentathlon.models.navigation.explorers import FrontierExplorer

# So many ways towards frontiers that end where they began: the agent is wedged between things.
MOST_WEDGED, WEDGED_M = 10, 0.4
MOST_ESCAPES = 6
NEVER_AGAIN = 10**6
Life = Generator[str, None, None]
USED = (
    "depth_m", "acted", "touch", "hand_m", "posture",
    "true_pose", "true_sight", "true_hand", "true_plans", "true_programs",
)  # fmt: skip


class SymbolicAgent:
    """Explores frontiers, then goes from one thing to the next; returns for exactly the facts that it lacks.

    Attributes:
        notes: of the trial, for its record.
    """

    spec = InteractionSpec(any_size(*USED), ChoiceSpec(ACTIONS), answers=True)

    _last: str
    _errands: Errands

    def reset(self, briefing: Briefing) -> None:
        """Begins an episode with an empty memory."""
        self._facts = dict(briefing.facts)
        self._memory = self._empty_memory()
        self._programs: dict[str, Program] = {
            text: read_program(program) for text, program in dict(briefing.facts.get("true_programs", {})).items()
        }
        self.notes: dict[str, Any] = {}
        self._begin(Body.of_briefing(briefing.facts))
        self.notes["errands"] = self._errands.log
        self._life = self._explore()

    def brief(self, briefing: Briefing) -> None:
        """Returns with the map and the memory of before, for what is missing."""
        self._memory.rewind()
        self._begin(self._body)
        self._body.rest = None
        self._life = self._return()

    def act(self, observation: Observation) -> str:
        """Takes in what is seen and felt, and goes on with what it is doing."""
        self._body.take_in(observation, self._last)
        self._notice(observation)
        self._last = next(self._life, "Done")
        return self._last

    def answer(self, question: str) -> str:
        """Evaluates the question's program on what it remembers."""
        verdict = self._memory.judge(self._programs[question])
        answer = verdict.likely if verdict.answer is None else verdict.answer
        return answer_text(answer) or "unknown"

    def _begin(self, body: Body) -> None:
        self._body, self._last = body, ""
        self._explorer = FrontierExplorer()
        self._errands = self._new_errands(body)

    def _empty_memory(self) -> Memory:
        return Memory()

    def _new_errands(self, body: Body) -> Errands:
        return Errands(body, self._memory)

    def _notice(self, observation: Observation) -> None:
        """Takes in what is around the body."""
        self._memory.take_in(observation["true_sight"])
        self._errands.at_hand = str(observation["true_hand"])
        self._errands.planned = self._errands.planned or Planned(self._body, observation["true_plans"])

    def _explore(self) -> Life:
        """Phase I: the whole floor first, then thing by thing."""
        yield from self._map()
        self.notes["mapped_step"] = self._body.steps
        while True:
            errand = self._errands.next()
            if errand is None:
                break
            yield from errand
        self.notes["errands_done_step"] = self._body.steps
        yield from self._errands.tour()
        while (errand := self._errands.next()) is not None:
            yield from errand

    def _return(self) -> Life:
        """Phase III: what the open questions lack, and nothing else."""
        if self._errands.next(self._memory.missing(self._programs.values())) is None:
            return
        self._errands = self._new_errands(self._body)
        self.notes["return_errands"] = self._errands.log
        yield from fold(self._body)
        while True:
            wanted = self._memory.missing(self._programs.values())
            errand = self._errands.next(wanted)
            if errand is None:
                break
            yield from errand
        self.notes["missing_at_end"] = len(self._memory.missing(self._programs.values()))

    def _map(self) -> Life:
        yield from fold(self._body)
        yield from tilt(self._body, LOOK_PITCH_DEG)
        yield from look_around(self._body)
        body, escapes, tries = self._body, 0, 0
        before = body.pose
        while escapes < MOST_ESCAPES and (yield from to_frontier(body, self._explorer)):
            tries += 1
            if math.hypot(body.pose.x_m - before.x_m, body.pose.y_m - before.y_m) > WEDGED_M:
                before, tries = body.pose, 0
            elif tries == MOST_WEDGED:
                yield from self._escape()
                before, tries, escapes = body.pose, 0, escapes + 1

    def _escape(self) -> Deed:
        """Leaves, by a plan, where the map of its own eyes shows a way and its body finds none; not to come back."""
        body, planned = self._body, self._errands.planned
        assert planned is not None
        body.walk.shut(*body.walk.floor.cell(body.pose.x_m, body.pose.y_m), reach=1, steps=NEVER_AGAIN)
        gone = yield from planned.leave()
        body.turn_in(False)
        return gone


def make_symbolic() -> SymbolicAgent:
    """Builds the agent with true perception."""
    return SymbolicAgent()
