"""Generated questions: checked by the slow evaluator, clear, never degenerate, the same for the same seed."""

from __future__ import annotations

from collections import Counter

import msgspec
import numpy as np
import pytest
from kitchen_table import make_facts

from pentathlon.core.errors import DataError
from pentathlon.events.explore.questions.balance import Balance, fit_balance, shipped_balance
from pentathlon.events.explore.questions.check import complaints
from pentathlon.events.explore.questions.drawing.drafts import Draft, Link
from pentathlon.events.explore.questions.drawing.phrases import Phrase, Speaker
from pentathlon.events.explore.questions.evaluate import judge
from pentathlon.events.explore.questions.generate import can_drop_relation, questions_about, questions_for, split_of
from pentathlon.events.explore.questions.question import FAMILIES, Question, answer_text
from pentathlon.events.explore.questions.scoring import is_right
from pentathlon.events.explore.questions.survey import Survey, survey_scene
from pentathlon.worlds.houses.architect import architect_house
from pentathlon.worlds.houses.graph.relations import build_graph
from pentathlon.worlds.houses.graph.scene_graph import SceneGraph
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
from pentathlon.worlds.houses.scene.house_scene import compile_house
from small_house import make_small_house


@pytest.fixture(scope="module")
def studio() -> tuple[House, SceneGraph, Survey]:
    house = architect_house("studio")
    scene = compile_house(house, switchable=False)
    data, geometry = scene.new_data(), ObjectGeometry(scene)
    return house, build_graph(scene, data, geometry), survey_scene(scene, data, geometry)


@pytest.fixture(scope="module")
def asked(studio: tuple[House, SceneGraph, Survey]) -> tuple[Question, ...]:
    return questions_about(studio[2], "studio", seed=0, n=60)


def test_the_slow_evaluator_agrees(studio: tuple[House, SceneGraph, Survey], asked: tuple[Question, ...]) -> None:
    assert list(complaints(studio[0], studio[1], asked)) == []


def test_the_slow_evaluator_finds_wrong_answers(
    studio: tuple[House, SceneGraph, Survey], asked: tuple[Question, ...]
) -> None:
    yes_no = next(question for question in asked if question.kind == "yes-no")
    wrong = msgspec.structs.replace(yes_no, answer=not yes_no.answer)
    assert len(list(complaints(studio[0], studio[1], (wrong, yes_no)))) == 2  # another answer; asked twice


def test_questions_are_clear_and_every_relation_matters(
    studio: tuple[House, SceneGraph, Survey], asked: tuple[Question, ...]
) -> None:
    for question in asked:
        assert judge(question.program, studio[2].clear).answer == question.answer, question.text
        assert not can_drop_relation(question.program, studio[2]), question.text
        assert split_of(question.program) == "test"
        assert is_right(question, answer_text(question.answer))


def test_kinds_have_their_shares_and_families_vary(asked: tuple[Question, ...]) -> None:
    kinds = Counter(question.kind for question in asked)
    assert kinds["yes-no"] in (47, 48)
    assert kinds["count"] in (6, 7, 8)
    assert len({question.family for question in asked}) >= 9
    assert len({question.program for question in asked}) == len(asked)


def test_what_needs_touch_cannot_be_answered_by_sight(
    studio: tuple[House, SceneGraph, Survey], asked: tuple[Question, ...]
) -> None:
    for question in asked:
        by_sight = judge(question.program, studio[2].by_sight).answer
        assert question.needs_touch == (by_sight != question.answer)
        if question.family == "compare-mass":
            assert question.needs_touch
            assert any(fact.about == "mass" for fact in question.needs)


def test_the_same_seed_gives_the_same_questions_and_another_gives_others(
    studio: tuple[House, SceneGraph, Survey],
) -> None:
    first, again, other = (questions_about(studio[2], "studio", seed, n=5) for seed in (0, 0, 1))
    assert first == again
    assert not {question.text for question in first} & {question.text for question in other}


def test_a_bare_house_is_told() -> None:
    house = msgspec.structs.replace(make_small_house(), objects=())
    with pytest.raises(DataError, match="small gave 0"):
        questions_for(house, seed=0)


def table_survey() -> Survey:
    facts = make_facts()
    return Survey(facts, facts, facts)


def test_a_relation_that_changes_nothing_is_found() -> None:
    on_table = (Link("on", Phrase("DiningTable")),)
    assert can_drop_relation(Draft("relation", Phrase("Mug"), on_table).program(), table_survey())
    assert not can_drop_relation(Draft("relation", Phrase(colour="silver"), on_table).program(), table_survey())


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_has_words(family: str) -> None:
    links = {"compare": 1, "relation": 1, "count-": 1, "conjunction": 2}
    count = next((count for start, count in links.items() if family.startswith(start)), 0)
    is_one = family.startswith(("compare", "query"))
    draft = Draft(family, Phrase("Mug", "white"), (Link("heavier", Phrase("Egg")),) * count, is_one=is_one)
    text = draft.text(Speaker(np.random.default_rng(0), frozenset()))
    assert text.endswith("?")
    assert text[0].isupper()
    assert "white" in text
    assert draft.traits()


def test_balance_evens_out_what_words_give_away() -> None:
    traits = [("pan",) if i % 2 else ("egg",) for i in range(400)]
    answers = [bool(i % 2) if i % 10 else not i % 2 for i in range(400)]
    balance = fit_balance(traits, answers)
    assert balance.chance_of(True, ("pan",)) > 0.7 > 0.3 > balance.chance_of(True, ("egg",))
    assert balance.share_to_take(True, ("pan",)) < 0.5
    assert balance.share_to_take(False, ("pan",)) == 1.0
    assert Balance({}).share_to_take(True, ("pan",)) == 1.0
    assert isinstance(shipped_balance().weights, dict)
