"""Generates the questions of a house; those that are degenerate, ambiguous or give their answer away are left out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pentathlon.core.errors import DataError
from pentathlon.core.identity import content_hash, derive_seed
from pentathlon.events.explore.protocol import GENERATOR
from pentathlon.events.explore.questions.balance import Balance, shipped_balance
from pentathlon.events.explore.questions.drawing.drafts import Draft
from pentathlon.events.explore.questions.drawing.fairness import Learner, arm_learner, can_be_learned
from pentathlon.events.explore.questions.drawing.house_index import HouseIndex
from pentathlon.events.explore.questions.drawing.phrases import Speaker
from pentathlon.events.explore.questions.drawing.proposals import Proposer, Wish
from pentathlon.events.explore.questions.evaluate import Answer, judge
from pentathlon.events.explore.questions.program import Kind, Program, Step, kind_of
from pentathlon.events.explore.questions.question import Question
from pentathlon.events.explore.questions.survey import Survey, survey
from pentathlon.events.explore.questions.words import ADJECTIVES
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.splits import Split

KIND_SHARES: dict[Kind, float] = {"yes-no": 0.79, "count": 0.12, "query": 0.09}
"""After Table 1 of the paper."""
FAMILY_WEIGHTS: dict[Kind, dict[str, float]] = {
    "yes-no": {
        "exist": 8, "relation": 36, "compare-mass": 14, "compare-size": 7, "compare-length": 6, "conjunction": 10,
    },
    "count": {"count": 4, "count-relation": 8},
    "query": {"query-colour": 3, "query-material": 3, "query-type": 3},
}  # fmt: skip
COUNT_WEIGHTS = {0: 12, 1: 20, 2: 22, 3: 18, 4: 12, 5: 8, 6: 5, 7: 3}
SPLIT_SHARES: dict[Split, range] = {"train": range(60), "val": range(60, 80), "test": range(80, 100)}
"""Which questions belong to a split, by a hash of their programs: none is asked in two of them, in whatever words."""
LEAST_THINGS = 3
ATTEMPTS, PATIENCE, PATIENCE_WITH_FAMILY = 4000, 1000, 100


def questions_for(house: House, seed: int, n: int = 20, split: Split = "test") -> tuple[Question, ...]:
    """Generates questions about a house; the same arguments give the same questions.

    Raises:
        DataError: when the house is too bare for so many.
    """
    surveyed = survey(house)
    return questions_about(surveyed, house.name, seed, n, split, learner=arm_learner(house, surveyed))


def questions_about(
    surveyed: Survey,
    name: str,
    seed: int,
    n: int = 20,
    split: Split = "test",
    balance: Balance | None = None,
    learner: Learner | None = None,
) -> tuple[Question, ...]:
    """Generates questions about a house whose facts are known already.

    Args:
        surveyed: its facts.
        name: of the house.
        seed: other seeds give other questions.
        n: how many.
        split: whose questions.
        balance: what words give away; what comes with this version by default.
        learner: what can be learned of the house at all; everything by default.

    Raises:
        DataError: when the house is too bare for so many.
    """
    rng = np.random.default_rng(derive_seed(GENERATOR, name, seed, n, split))
    interview = Interview(surveyed, rng, split, shipped_balance() if balance is None else balance, learner)
    kinds = _kinds(rng, n)
    found = [question for number, kind in enumerate(kinds) if (question := interview.ask(kind, number))]
    if len(found) < n:
        raise DataError(f"Expected a house that gives {n} questions, {name} gave {len(found)}: ask fewer.")
    return tuple(found)


def split_of(program: Program) -> Split:
    """Returns the split in which a program is asked."""
    place = int(content_hash([(step.node, step.inputs, step.word) for step in program], length=8), 16) % 100
    return next(split for split, places in SPLIT_SHARES.items() if place in places)


@dataclass
class Interview:
    """Draws the questions of one house, one after the other."""

    survey: Survey
    rng: np.random.Generator
    split: Split
    balance: Balance
    learner: Learner | None = None
    asked: set[Program] = field(default_factory=set)
    proposer: Proposer = field(init=False)
    speaker: Speaker = field(init=False)

    def __post_init__(self) -> None:
        self.proposer = Proposer(HouseIndex(self.survey), self.rng)
        self.speaker = Speaker.of(self.rng, self.survey.facts)

    def ask(self, kind: Kind, number: int) -> Question | None:
        """Returns a question of a kind, or of another where the house has none of it left."""
        for other in (kind, *(name for name in KIND_SHARES if name != kind)):
            if len(self.survey.facts.things) < LEAST_THINGS:
                return None
            drawn = self.draw(other)
            if drawn is not None:
                return self._written(*drawn, number)
        return None

    def draw(self, kind: Kind) -> tuple[Draft, Answer] | None:
        """Draws a question of a kind that stands every test, with its answer.

        Families are drawn anew while none is found; the answer much later, since some answers are rarer than others.
        """
        for attempt in range(ATTEMPTS):
            if attempt % PATIENCE == 0:
                wish = self._wish(kind)
            if attempt % PATIENCE_WITH_FAMILY == 0:
                family = self._drawn(FAMILY_WEIGHTS[kind])
            draft = self.proposer.propose(family, wish)
            answer = None if draft is None else self._answer(draft)
            if draft is not None and answer is not None:
                self.asked.add(draft.program())
                return draft, answer
        return None

    def _answer(self, draft: Draft) -> Answer | None:
        """Returns the answer to a question that is to be asked; ``None`` for one that is not."""
        program = draft.program()
        if program in self.asked or split_of(program) != self.split:
            return None
        truth = judge(program, self.survey.facts).answer
        if truth is None or not self._is_fair(draft, truth):
            return None
        if judge(program, self.survey.clear).answer != truth or can_drop_relation(program, self.survey):
            return None
        if self.learner is not None and not can_be_learned(program, truth, self.survey.clear, self.learner):
            return None
        return truth

    def _is_fair(self, draft: Draft, truth: Answer) -> bool:
        """Turns down answers that the words give away, and words for which there is no answer in words."""
        if isinstance(truth, bool):
            return bool(self.rng.random() < self.balance.share_to_take(truth, draft.traits()))
        if isinstance(truth, int):
            return truth <= max(COUNT_WEIGHTS)
        if draft.family == "query-material" and not set(truth) <= ADJECTIVES.keys():
            return False
        said = set(re.findall(r"[a-z]+", draft.text(self.speaker).lower()))
        return 0 < len(truth) <= 2 and not any(said & _forms(word) for word in truth)

    def _written(self, draft: Draft, answer: Answer, number: int) -> Question:
        program = draft.program()
        sight = judge(program, self.survey.by_sight)
        return Question(
            id=f"q{number:02d}",
            family=draft.family,
            text=draft.text(self.speaker),
            program=program,
            answer=answer,
            kind=kind_of(program),
            needs=judge(program, self.survey.facts).used,
            needs_touch=sight.answer != answer,
        )

    def _wish(self, kind: Kind) -> Wish:
        if kind == "count":
            return int(self._drawn({str(count): weight for count, weight in COUNT_WEIGHTS.items()}))
        return bool(self.rng.random() < 0.5)

    def _drawn(self, weights: dict[str, Any]) -> str:
        names, shares = list(weights), np.array(list(weights.values()), dtype=float)
        return names[int(self.rng.choice(len(names), p=shares / shares.sum()))]


def can_drop_relation(program: Program, surveyed: Survey) -> bool:
    """Tells whether the program says the same of the house without one of its relations: it would be degenerate."""
    for place, step in enumerate(program):
        if step.node != "relate":
            continue
        chosen, others = (_count_after(program, place, at, surveyed) for at in (place, step.inputs[0]))
        if chosen == others:
            return True
    return False


def _count_after(program: Program, place: int, at: int, surveyed: Survey) -> Answer | None:
    """How many things a step of a program chooses, of those other than the anchor of the relation at ``place``."""
    return judge((*program[: place + 1], Step("count", (at,))), surveyed.facts).answer


def _forms(word: str) -> set[str]:
    return {*word.split(), ADJECTIVES.get(word, word)}


def _kinds(rng: np.random.Generator, n: int) -> list[Kind]:
    """Draws kinds in their shares: each house has the whole part of its share, and chance decides on the rest."""
    edges = np.floor(np.cumsum(list(KIND_SHARES.values())) * n + rng.random())
    counts = np.diff(np.minimum(edges, n), prepend=0.0).astype(int)
    counts[0] += n - counts.sum()
    kinds: list[Kind] = [kind for kind, count in zip(KIND_SHARES, counts, strict=True) for _ in range(count)]
    return [kinds[i] for i in rng.permutation(n)]
