"""Fair questions: those whose answer does not hang on what nobody in the agent's body can learn."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest
from kitchen_table import make_facts

from pentathlon.events.explore.questions.balance import Balance
from pentathlon.events.explore.questions.drawing.fairness import can_be_learned
from pentathlon.events.explore.questions.drawing.kept_questions import QuestionStore
from pentathlon.events.explore.questions.evaluate import judge
from pentathlon.events.explore.questions.generate import Interview
from pentathlon.events.explore.questions.program import Program, Step
from pentathlon.events.explore.questions.question import Question
from pentathlon.events.explore.questions.survey import STORED, Survey
from small_house import make_small_house


@dataclass
class Body:
    """Learns everything but what is named, and keeps what it was asked for."""

    unseen: frozenset[str] = frozenset()
    shut: frozenset[str] = frozenset()
    unweighed: frozenset[str] = frozenset()
    asked: list[tuple[str, str]] = field(default_factory=list)

    def sees(self, thing: str) -> bool:
        self.asked.append(("sees", thing))
        return thing not in self.unseen

    def opens(self, thing: str) -> bool:
        self.asked.append(("opens", thing))
        return thing not in self.shut

    def weighs(self, thing: str) -> bool:
        self.asked.append(("weighs", thing))
        return thing not in self.unweighed


def fair(program: Program, body: Body) -> bool:
    facts = make_facts()
    answer = judge(program, facts).answer
    assert answer is not None
    return can_be_learned(program, answer, facts, body)


def of_type(place: int, name: str) -> tuple[Step, ...]:
    return Step("scene"), Step("filter_type", (place,), name), Step("unique", (place + 1,))


MUG_OR_CUP = (*of_type(0, "Mug"), *of_type(3, "Cup"), Step("compare", (2, 5), "heavier"))
SILVER_HEAVIER_THAN_SPOON = (
    Step("scene"), Step("filter_colour", (0,), "silver"), *of_type(2, "Spoon"), Step("relate", (1, 4), "heavier"),
)  # fmt: skip
COUNT_IN_FRIDGE = (Step("scene"), *of_type(1, "Fridge"), Step("relate", (0, 3), "in"), Step("count", (4,)))
ANY_EGG = (Step("scene"), Step("filter_type", (0,), "Egg"), Step("exist", (1,)))


def test_a_mass_that_nobody_can_feel_makes_a_comparison_unfair() -> None:
    assert fair(MUG_OR_CUP, Body())
    assert not fair(MUG_OR_CUP, Body(unweighed=frozenset({"cup"})))
    assert fair(MUG_OR_CUP, Body(unweighed=frozenset({"spoon", "knife"})))


def test_one_thing_that_is_heavier_tells_that_there_is_one_whatever_the_others_weigh() -> None:
    exist, count = (*SILVER_HEAVIER_THAN_SPOON, Step("exist", (5,))), (*SILVER_HEAVIER_THAN_SPOON, Step("count", (5,)))
    body = Body(unweighed=frozenset({"knife"}))
    assert fair(exist, body)
    assert not fair(count, body)
    assert not fair(exist, Body(unweighed=frozenset({"knife", "cup", "fridge"})))


def test_what_can_be_seen_from_nowhere_is_not_asked_about() -> None:
    assert not fair(ANY_EGG, Body(unseen=frozenset({"egg"})))
    assert not fair(MUG_OR_CUP, Body(unseen=frozenset({"mug"})))
    assert fair(ANY_EGG, Body(unseen=frozenset({"mug"})))


def test_what_is_in_a_thing_is_asked_only_if_it_opens() -> None:
    assert fair(COUNT_IN_FRIDGE, Body())
    assert not fair(COUNT_IN_FRIDGE, Body(shut=frozenset({"fridge"})))


def test_nothing_is_tried_that_a_question_does_not_need() -> None:
    body = Body()
    assert fair(MUG_OR_CUP, body)
    assert set(body.asked) == {("sees", "mug"), ("sees", "cup"), ("weighs", "mug"), ("weighs", "cup")}


@pytest.mark.parametrize("weighs", [True, False])
def test_an_interview_asks_fair_questions_alone(weighs: bool) -> None:
    known = make_facts()
    facts = replace(known, relations={**{name: {} for name in STORED}, **known.relations})
    keys = frozenset[str]() if weighs else frozenset(facts.things)
    interview = Interview(
        Survey(facts, facts, facts), np.random.default_rng(0), "test", Balance({}), Body(unweighed=keys)
    )
    drawn = list(filter(None, (interview.draw("yes-no") for _ in range(12))))
    assert drawn
    masses = [draft for draft, _ in drawn if any(f.about == "mass" for f in judge(draft.program(), facts).used)]
    assert bool(masses) == weighs


def test_questions_are_made_once_for_a_house_a_seed_and_a_number(tmp_path: Path) -> None:
    store, house, made = QuestionStore(tmp_path), make_small_house(), []
    asked = Question("q00", "exist", "Is there an egg?", ANY_EGG, True, "yes-no", frozenset(), needs_touch=False)

    def make() -> tuple[Question, ...]:
        made.append(1)
        return (asked,)

    assert [store.open(house, 1, 1, make) for _ in range(3)] == [(asked,)] * 3
    assert len(made) == 1
    for seed, count in ((2, 1), (1, 2)):
        store.open(house, seed, count, make)
    assert len(made) == 3
    for path in tmp_path.iterdir():
        path.write_text("torn")
    assert store.open(house, 1, 1, make) == (asked,)
    assert len(made) == 4
