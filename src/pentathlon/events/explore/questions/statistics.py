"""What a set of questions holds, beside Table 1 of the paper, and what can be guessed without the house."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pentathlon.events.explore.questions.making import HousePart
from pentathlon.events.explore.questions.program import Program
from pentathlon.events.explore.questions.question import FAMILIES, Question, answer_text
from pentathlon.events.explore.questions.scoring import is_right
from pentathlon.events.explore.questions.text_only import TextOnly, asked_by
from pentathlon.stats.intervals import mean_interval

TABLE_1: dict[str, float] = {
    "yes-no": 78.8, "count": 12.3, "query": 8.9, "colour": 26.7, "material": 66.2, "in": 8.2, "adjacent": 39.5,
    "on": 0.8, "mass": 30.6, "size": 18.9,
}  # fmt: skip
_GROUPS = {
    "heavier": "mass", "lighter": "mass", "larger": "size", "smaller": "size", "longer": "size", "shorter": "size",
}  # fmt: skip


def mentions(program: Program) -> frozenset[str]:
    """Returns which of Table 1's attributes and relations a program speaks of; "in" holds rooms as well."""
    found = set()
    for step in program:
        name = step.node.removeprefix("filter_").removeprefix("query_")
        if name in ("colour", "material"):
            found.add(name)
        elif name == "room":
            found.add("room")
        elif step.node in ("relate", "compare"):
            found.add(_GROUPS.get(step.word, step.word))
    return frozenset(found)


def distribution(questions: Sequence[Question]) -> dict[str, float]:
    """Returns the share of each kind, attribute and relation in percent of the questions."""
    counts = Counter(question.kind for question in questions)
    spoken = Counter(name for question in questions for name in mentions(question.program))
    names = [*TABLE_1, *(name for name in ("near", "room") if name in spoken)]
    return {name: 100.0 * (counts[name] or spoken[name]) / max(1, len(questions)) for name in names}  # type: ignore[index]


def table(parts: Sequence[HousePart]) -> Iterator[str]:
    """Yields lines: houses, the distribution beside the paper's, families, answers and what needs touch."""
    questions = [question for part in parts for question in part.questions]
    bare = sum(not part.questions for part in parts)
    yield f"{len(questions)} questions about {len(parts) - bare} houses; {bare} too bare"
    for name, share in distribution(questions).items():
        paper = f"{TABLE_1[name]:5.1f}" if name in TABLE_1 else "    -"
        yield f"{name:<12} {share:5.1f} %   paper {paper} %"
    yield ""
    for family in FAMILIES:
        yield _family_line(family, [question for question in questions if question.family == family])
    touch = sum(question.needs_touch for question in questions)
    words = sum(len(question.text.split()) for question in questions)
    yield f"{100 * touch / max(1, len(questions)):.1f} % need touch; {words / max(1, len(questions)):.1f} words each"


def _family_line(family: str, own: Sequence[Question]) -> str:
    answers = Counter(answer_text(question.answer) for question in own).most_common(3)
    shown = ", ".join(f"{text} {100 * count / len(own):.0f} %" for text, count in answers)
    touch = 100 * sum(question.needs_touch for question in own) / max(1, len(own))
    return f"{family:<15} {len(own):6d}   touch {touch:3.0f} %   {shown}"


def majority(questions: Iterable[Question]) -> dict[str, str]:
    """Returns the commonest answer to each thing that is asked for."""
    answers: dict[str, Counter[str]] = {}
    for question in questions:
        answers.setdefault(asked_by(question.text), Counter())[answer_text(question.answer)] += 1
    return {asked: counts.most_common(1)[0][0] for asked, counts in answers.items()}


@dataclass(frozen=True)
class Guess:
    """Whether a question is answered without the house: by the commonest answer, and by a model of its words."""

    house: str
    family: str
    by_majority: bool
    by_text: bool


def guessed(train: Sequence[Question], tests: Sequence[HousePart]) -> list[Guess]:
    """Answers test questions by what training questions teach."""
    commonest, model = majority(train), TextOnly.fit(train)
    return [
        Guess(
            part.house,
            question.family,
            is_right(question, commonest.get(asked_by(question.text), "no")),
            is_right(question, model.answer(question.text)),
        )
        for part in tests
        for question in part.questions
    ]


def text_only_lines(guesses: Sequence[Guess], trained_on: int) -> Iterator[str]:
    """Yields the shares that are right, in percent, in all and by family."""
    yield f"fitted on {trained_on} questions, asked {len(guesses)}"
    for name in ("all", *FAMILIES):
        own = [guess for guess in guesses if name in ("all", guess.family)]
        if own:
            common, text = (100 * np.mean([getattr(guess, by) for guess in own]) for by in ("by_majority", "by_text"))
            shares = f"majority {common:5.1f}   text only {text:5.1f}   gap {text - common:+5.1f}"
            yield f"{name:<15} {len(own):6d}   {shares}"
    gaps = [float(guess.by_text) - float(guess.by_majority) for guess in guesses]
    low, high, _ = mean_interval(gaps, [guess.house for guess in guesses], bounds=(-1.0, 1.0))
    yield f"text only minus majority: 95 % {100 * low:+.1f} to {100 * high:+.1f} points, clustered by house"
