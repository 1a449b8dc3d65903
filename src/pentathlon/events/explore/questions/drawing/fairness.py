"""Fair questions: those that someone in the agent's body, with all the time in the world, can answer."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace
from functools import cached_property
from typing import Protocol

from pentathlon.events.explore.questions.evaluate import Answer, judge
from pentathlon.events.explore.questions.facts import Fact, SceneFacts
from pentathlon.events.explore.questions.program import Program
from pentathlon.events.explore.questions.survey import Survey
from pentathlon.worlds.houses.bodies.arm import ArmAgent
from pentathlon.worlds.houses.bodies.arm_actions import ArmSettings
from pentathlon.worlds.houses.bodies.arm_scene import compile_with_arm
from pentathlon.worlds.houses.bodies.scope import Scope
from pentathlon.worlds.houses.house import House


class Learner(Protocol):
    """Says which facts of a house can be learned at all, one thing at a time."""

    def sees(self, thing: str) -> bool:
        """Tells whether a thing can be seen, with what it lies in standing open."""

    def opens(self, thing: str) -> bool:
        """Tells whether all doors and drawers of a thing can be opened."""

    def weighs(self, thing: str) -> bool:
        """Tells whether a thing can be weighed."""


def can_be_learned(program: Program, truth: Answer, clear: SceneFacts, learner: Learner) -> bool:
    """Tells whether a question has its true answer for one who knows all that can be learned, and no more.

    Only facts that the program looks at are asked for, since each may cost a plan.
    """
    shut = replace(clear, unopened=frozenset(clear.things))
    inside = {fact.thing for fact in judge(program, shut).missing if fact.about == "inside"}
    if not all(map(learner.opens, sorted(inside))):
        return False
    used = judge(program, clear).used
    seen = _without(clear, {key for key in _things(used) if not learner.sees(key)})
    if judge(program, seen).answer != truth:
        return False
    weighed = seen
    for key in sorted({fact.thing for fact in used if fact.about == "mass" and fact.thing in seen.things}):
        thing = seen.things[key]
        if thing.mass_kg is not None and not learner.weighs(key):
            weighed = replace(weighed, things={**weighed.things, key: replace(thing, mass_kg=None)})
            if judge(program, weighed).answer != truth:
                return False
    return True


class _Lazily:
    """The arm agent in a house, which is compiled when something is asked for first."""

    def __init__(self, house: House, surveyed: Survey) -> None:
        self._house, self._inside = house, surveyed.inside

    @cached_property
    def _scope(self) -> Scope:
        # It looks by rays alone; its pictures are of no use.
        return Scope.of_agent(ArmAgent(compile_with_arm(self._house), ArmSettings(size_px=(8, 8))), self._inside)

    def sees(self, thing: str) -> bool:
        return self._scope.sees(thing)

    def opens(self, thing: str) -> bool:
        return self._scope.opens(thing)

    def weighs(self, thing: str) -> bool:
        return self._scope.weighs(thing)


def arm_learner(house: House, surveyed: Survey) -> Learner:
    """Returns what the arm agent can learn of a house."""
    return _Lazily(house, surveyed)


def _things(used: Set[Fact]) -> list[str]:
    return sorted({key for fact in used for key in (fact.thing, fact.other) if key})


def _without(facts: SceneFacts, keys: Set[str]) -> SceneFacts:
    return replace(facts, things={key: thing for key, thing in facts.things.items() if key not in keys})
