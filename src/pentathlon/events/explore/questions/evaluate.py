"""Evaluates programs on facts; where values are unknown it says whether the answer depends on them, and on which."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from pentathlon.core.errors import DataError
from pentathlon.events.explore.questions.facts import FILTERS, Fact, SceneFacts, Thing, fact_of_relation
from pentathlon.events.explore.questions.program import Program, Step, kind_of
from pentathlon.events.explore.questions.words import noun

Answer: TypeAlias = bool | int | tuple[str, ...]
"""Yes or no, a number, or words in alphabetical order."""
Chosen: TypeAlias = dict[str, frozenset[Fact]]
"""Things that are, or may be, chosen: by id, the facts that are still missing to be sure."""
NOTHING: frozenset[Fact] = frozenset()
UNSEEN = ""
"""Stands among the chosen for whatever a container that was not opened may hold."""


@dataclass(frozen=True)
class Verdict:
    """What facts say about a question.

    Attributes:
        answer: ``None`` where it depends on what is unknown.
        likely: the answer if nothing unknown holds.
        missing: facts that decide, where there is no answer.
        used: facts that were looked at, other than the types of things that were passed over.
    """

    answer: Answer | None
    likely: Answer
    missing: frozenset[Fact] = NOTHING
    used: frozenset[Fact] = NOTHING


def evaluate(program: Program, facts: SceneFacts) -> Answer:
    """Returns the answer to a program.

    Raises:
        DataError: when the facts do not decide it; see :func:`judge` for which are missing.
    """
    verdict = judge(program, facts)
    if verdict.answer is None:
        shown = ", ".join(" ".join(filter(None, fact)) for fact in sorted(verdict.missing)[:5])
        raise DataError(f"Expected facts that decide the program, got none of: {shown}.")
    return verdict.answer


def judge(program: Program, facts: SceneFacts) -> Verdict:
    """Evaluates a program on facts of which some may be unknown."""
    run = _Run(facts)
    try:
        return run.verdict(program)
    except _Undecided as undecided:
        none: Answer = {"yes-no": False, "count": 0}.get(kind_of(program), ())
        return Verdict(None, none, undecided.missing, frozenset(run.used))


class _Undecided(Exception):
    def __init__(self, missing: Iterable[Fact]) -> None:
        super().__init__()
        self.missing = frozenset(missing)


@dataclass
class _Run:
    facts: SceneFacts
    used: set[Fact] = field(default_factory=set)

    def verdict(self, program: Program) -> Verdict:
        values: list[Chosen] = []
        for step in program[:-1]:
            values.append(self._chosen(step, [values[i] for i in step.inputs]))
        last = program[-1]
        return self._answered(last, [values[i] for i in last.inputs])

    def _chosen(self, step: Step, inputs: list[Chosen]) -> Chosen:
        match step.node:
            case "scene":
                return dict.fromkeys(self.facts.things, NOTHING)
            case "relate":
                return self._related(inputs[0], inputs[1], step.word)
            case "intersect":
                return {key: missing | inputs[1][key] for key, missing in inputs[0].items() if key in inputs[1]}
            case "union":
                both = dict(inputs[0])
                for key, missing in inputs[1].items():
                    both[key] = min(both.get(key, missing), missing, key=len)
                return both
            case "unique":
                return _the_one(inputs[0])
        return self._filtered(step, inputs[0])

    def _filtered(self, step: Step, chosen: Chosen) -> Chosen:
        about, decide = FILTERS[step.node]
        kept: Chosen = {}
        for key, missing in chosen.items():
            if key == UNSEEN:
                kept[key] = missing
                continue
            holds = decide(self.facts, self.facts.things[key], step.word)
            if about != "type" or holds:
                self.used.add(Fact(key, about))
            if holds is not False:
                kept[key] = missing if holds else missing | {Fact(key, about)}
        return kept

    def _related(self, chosen: Chosen, anchor: Chosen, relation: str) -> Chosen:
        ((other, doubt),) = anchor.items()
        kept: Chosen = {}
        for key, missing in chosen.items():
            if key in (other, UNSEEN):
                continue
            holds, lacking = self._holds(key, relation, other)
            if holds is not False:
                kept[key] = missing | doubt | lacking
        if relation == "in" and other in self.facts.unopened:
            kept[UNSEEN] = frozenset({Fact(other, "inside")})
        return kept

    def _holds(self, subject: str, relation: str, other: str) -> tuple[bool | None, frozenset[Fact]]:
        """Whether a relation holds, and what is missing to tell."""
        things = self.facts.things[subject], self.facts.things[other]
        holds = self.facts.holds(things[0], relation, things[1])
        about = fact_of_relation(relation)
        if about is None:
            self.used |= {Fact(subject, relation, other)} if holds is not False else NOTHING
            return holds, frozenset({Fact(subject, relation, other)}) if holds is None else NOTHING
        self.used |= {Fact(thing.id, about) for thing in things}
        unknown = {Fact(thing.id, about) for thing in things if not _is_exact(thing, about)}
        return holds, frozenset(unknown or {Fact(subject, about)}) if holds is None else NOTHING

    def _answered(self, step: Step, inputs: list[Chosen]) -> Verdict:
        match step.node:
            case "exist":
                sure = any(not missing for missing in inputs[0].values())
                return self._settled(sure or not inputs[0], sure, inputs[0])
            case "count":
                certain = sum(not missing for missing in inputs[0].values())
                return self._settled(certain == len(inputs[0]), certain, inputs[0])
            case "compare":
                return self._compared(step.word, *inputs)
        return self._queried(step.node, inputs[0])

    def _compared(self, relation: str, first: Chosen, second: Chosen) -> Verdict:
        ((subject, doubt), (other, more)) = next(iter(first.items())), next(iter(second.items()))
        holds, lacking = self._holds(subject, relation, other)
        return self._settled(holds is not None and not doubt | more, bool(holds), {subject: doubt | more | lacking})

    def _queried(self, node: str, chosen: Chosen) -> Verdict:
        ((key, doubt),) = chosen.items()
        thing, about = self.facts.things[key], node.removeprefix("query_")
        self.used.add(Fact(key, about))
        words = {
            "colour": thing.colours,
            "material": thing.materials,
            "type": None if thing.type is None else frozenset({noun(thing.type)}),
        }[about]
        lacking = frozenset({Fact(key, about)}) if words is None else NOTHING
        return self._settled(words is not None and not doubt, tuple(sorted(words or ())), {key: doubt | lacking})

    def _settled(self, is_sure: bool, likely: Answer, chosen: Chosen) -> Verdict:
        missing = frozenset[Fact]().union(*chosen.values()) if not is_sure else NOTHING
        return Verdict(likely if is_sure else None, likely, missing, frozenset(self.used))


def _the_one(chosen: Chosen) -> Chosen:
    """The one thing that is meant; a description that fits several, or nothing that is known, decides nothing."""
    certain = {key: missing for key, missing in chosen.items() if not missing}
    if len(certain) == 1 and len(chosen) == 1:
        return certain
    doubts = frozenset[Fact]().union(*chosen.values())
    if len(chosen) == 1 and UNSEEN not in chosen:
        return dict(chosen)
    raise _Undecided(doubts or {Fact("", "found", "the one that is meant")})


def _is_exact(thing: Thing, about: str) -> bool:
    if about == "size":
        return thing.size_m is not None
    return thing.mass_kg is not None and thing.mass_kg[0] == thing.mass_kg[1]
