"""What words alone tell: the kind that is asked for, plausible answers, a linear model; and the shares of Table 1."""

from __future__ import annotations

from typing import get_args

import pytest

from pentathlon.core.errors import DataError
from pentathlon.events.explore.questions.drawing.drafts import Draft, Link
from pentathlon.events.explore.questions.drawing.phrases import Phrase
from pentathlon.events.explore.questions.evaluate import Answer
from pentathlon.events.explore.questions.making import HousePart
from pentathlon.events.explore.questions.program import Kind, kind_of
from pentathlon.events.explore.questions.question import Question
from pentathlon.events.explore.questions.statistics import distribution, guessed, majority, table, text_only_lines
from pentathlon.events.explore.questions.text_only import TextOnly, asked_by, plausible, shipped_text_only


def ask(text: str, answer: Answer, draft: Draft) -> Question:
    program = draft.program()
    return Question("q", draft.family, text, program, answer, kind_of(program), frozenset(), False)


def compare(first: str, second: str, answer: bool) -> Question:
    link = (Link("heavier", Phrase(second)),)
    text = f"Is the {first.lower()} heavier than the {second.lower()}?"
    return ask(text, answer, Draft("compare-mass", Phrase(first), link, is_one=True))


COUNTED = ask("How many red mugs are there?", 2, Draft("count", Phrase("Mug", "red")))
LESSONS = [*[compare("Pan", "Egg", True)] * 6, *[compare("Egg", "Pan", False)] * 6, COUNTED]


EXAMPLES = {"yes-no": "no", "count": "3", "colour": "silver", "material": "wood", "type": "mug"}
ASKED = {
    "Is there a mug?": "yes-no",
    "What is the number of mugs in this home?": "count",
    "What colour is the mug?": "colour",
    "What is the colour of the mug?": "colour",
    "What material is the mug made of?": "material",
    "What is the wooden thing near the bed?": "type",
}


@pytest.mark.parametrize("text", ASKED)
def test_words_tell_what_is_asked_for(text: str) -> None:
    assert asked_by(text) == ASKED[text]
    assert EXAMPLES[ASKED[text]] in plausible(text)


def test_the_model_learns_what_words_give_away_and_survives_json() -> None:
    model = TextOnly.fit(LESSONS)
    for each in (model, TextOnly.from_json(model.to_json())):
        assert each.answer("Is the pan heavier than the mug?") == "yes"
        assert each.answer("Is the mug heavier than the pan?") == "no"
        assert each.answer("How many pans are there?") == "2"
        assert each.answer("What colour is the pan?") in plausible("What colour is the pan?")
    with pytest.raises(DataError, match="text-only model"):
        TextOnly.from_json(b"[]")


def test_the_shipped_model_answers() -> None:
    assert shipped_text_only().answer("Is there a mug in the kitchen?") in ("yes", "no")


def test_shares_are_those_of_the_programs() -> None:
    shares = distribution([LESSONS[0], COUNTED])
    assert (shares["yes-no"], shares["count"], shares["mass"], shares["colour"], shares["material"]) == (
        50,
        50,
        50,
        50,
        0,
    )
    assert set(get_args(Kind)) <= shares.keys()


def test_guesses_are_compared_with_the_commonest_answer() -> None:
    part = HousePart(split="test", index=0, house="a", things=2, questions=(compare("Pan", "Mug", True), COUNTED))
    assert majority(LESSONS) == {"yes-no": "yes", "count": "2"}
    guesses = guessed(LESSONS, [part, part])
    assert [(guess.by_majority, guess.by_text) for guess in guesses[:2]] == [(True, True), (True, True)]
    assert "gap  +0.0" in "\n".join(text_only_lines(guesses, len(LESSONS)))
    assert next(table([part])) == "2 questions about 1 houses; 0 too bare"
