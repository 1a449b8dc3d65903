"""The scoring rules: yes-no exactly, counts within 5 %, queries in any order; and answers that are none."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from pentathlon.core.errors import DataError, EntrantError
from pentathlon.events.explore.questions.evaluate import Answer
from pentathlon.events.explore.questions.facts import Fact
from pentathlon.events.explore.questions.program import Kind, Step, checked
from pentathlon.events.explore.questions.question import (
    Question,
    answer_text,
    questions_json,
    read_house_questions,
    read_questions,
    schema_text,
)
from pentathlon.events.explore.questions.scoring import is_right

LAST = {"yes-no": "exist", "count": "count"}


def make_question(answer: Answer, family: str = "exist") -> Question:
    kind: Kind = "yes-no" if isinstance(answer, bool) else "count" if isinstance(answer, int) else "query"
    steps = [Step("scene")]
    if kind == "query":
        steps += [Step("unique", (0,)), Step(family.replace("-", "_"), (1,))]
    else:
        steps.append(Step(LAST[kind], (0,)))
    return Question("q0", family, "Is it so?", checked(steps), answer, kind, frozenset({Fact("mug", "mass")}), True)


@pytest.mark.parametrize(
    ("answer", "right", "wrong"),
    [
        (True, ["yes", "Yes.", "YES!", " yes, it is ", "true"], ["no", "maybe", "not yes", "yesterday", "1"]),
        (False, ["no", "No.", "no, there is none"], ["yes", "nothing", "0"]),
        (3, ["3", "three", "Three.", "3.0", "there are three mugs", "3 of them"], ["4", "2.8", "many", "3 or 4", "-3"]),
        (0, ["0", "zero", "none", "no mugs"], ["1", "nothing", "yes"]),
        (40, ["40", "42", "38"], ["43", "37"]),
    ],
)
def test_yes_no_and_counts(answer: Answer, right: list[str], wrong: list[str]) -> None:
    question = make_question(answer, "count" if not isinstance(answer, bool) else "exist")
    assert [text for text in right if not is_right(question, text)] == []
    assert [text for text in wrong if is_right(question, text)] == []


@pytest.mark.parametrize(
    ("family", "answer", "right", "wrong"),
    [
        (
            "query-colour",
            ("black", "silver"),
            ["black and silver", "silver and black", "Silver, black.", "silver & black", "it is black and silver"],
            ["silver", "black", "black and silver and red", "shiny", "silver and blackish"],
        ),
        ("query-colour", ("grey",), ["grey", "Gray"], ["silver"]),
        ("query-material", ("wood",), ["wood", "wooden", "made of wood"], ["plywood", "wood and metal"]),
        (
            "query-type",
            ("garbage can",),
            ["a garbage can", "Trash can.", "the garbage can"],
            ["can", "bag", "a bin and a mug"],
        ),
        ("query-type", ("loaf of bread",), ["bread", "a loaf of bread"], ["cake"]),
    ],
)
def test_queries(family: str, answer: Answer, right: list[str], wrong: list[str]) -> None:
    question = make_question(answer, family)
    assert [text for text in right if not is_right(question, text)] == []
    assert [text for text in wrong if is_right(question, text)] == []


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (3, "got int"),
        (None, "got NoneType"),
        (b"yes", "got bytes"),
        ("", "empty"),
        (" . ", "empty"),
        ("y" * 201, "201"),
    ],
)
def test_what_is_no_answer_is_refused(answer: object, complaint: str) -> None:
    with pytest.raises(EntrantError, match=complaint):
        is_right(make_question(True), answer)


@pytest.mark.parametrize("answer", [True, False, 0, 3])
def test_the_truth_in_words_is_right(answer: Answer) -> None:
    question = make_question(answer, "exist" if isinstance(answer, bool) else "count")
    assert is_right(question, answer_text(answer))


def test_questions_survive_json_and_malformed_ones_are_named() -> None:
    questions = {"house": (make_question(True), make_question(("wood",), "query-material"))}
    data = questions_json(questions)
    assert read_questions(data) == questions
    with pytest.raises(DataError, match="house, q0: Step 1 of a program: Unknown node 'exists'"):
        read_questions(data.replace(b'"node":"exist"', b'"node":"exists"'))
    other = msgspec.structs.replace(make_question(True), answer=3)
    with pytest.raises(DataError, match="one kind"):
        read_questions(questions_json({"house": (other,)}))
    with pytest.raises(DataError, match="question file"):
        read_questions(b"[]")


def test_the_published_schema_is_that_of_the_code() -> None:
    published = Path(__file__).parents[4] / "docs" / "questions-v1.schema.json"
    assert published.read_text() == schema_text()


def test_one_malformed_house_spoils_no_other() -> None:
    good = questions_json({"good": (make_question(True),), "bad": (make_question(False),)})
    data = good.replace(b'"bad":[{', b'"bad":[{"colour":1,')
    assert read_house_questions(data, "good") == (make_question(True),)
    with pytest.raises(DataError, match="questions, bad"):
        read_house_questions(data, "bad")
    with pytest.raises(DataError, match="about other"):
        read_house_questions(data, "other")
