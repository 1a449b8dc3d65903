"""A question: its words, the program behind them, its answer and what one must know to give it; and files of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from pentathlon.core.errors import DataError
from pentathlon.events.explore.questions.evaluate import Answer
from pentathlon.events.explore.questions.facts import Fact
from pentathlon.events.explore.questions.program import Kind, Program, checked, kind_of
from pentathlon.worlds.houses.house import Record

FORMAT: Literal["pentathlon-questions"] = "pentathlon-questions"
FAMILIES: tuple[str, ...] = (
    "exist", "count", "query-colour", "query-material", "query-type", "compare-mass", "compare-size",
    "compare-length", "relation", "count-relation", "conjunction",
)  # fmt: skip


class Question(Record, frozen=True):
    """One question about one house.

    Attributes:
        id: unique within the house.
        family: one of :data:`FAMILIES`.
        needs: facts that the answer rests on, beyond seeing which things there are.
        needs_touch: whether one who looks and neither lifts nor opens anything cannot answer it.
    """

    id: Annotated[str, msgspec.Meta(min_length=1, max_length=120)]
    family: str
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]
    program: Program
    answer: Answer
    kind: Kind
    needs: frozenset[Fact]
    needs_touch: bool


class QuestionFile(Record, frozen=True, kw_only=True):
    """The questions of some houses, by the name of the house."""

    format: Literal["pentathlon-questions"] = FORMAT
    version: Literal[1] = 1
    houses: dict[str, tuple[Question, ...]]


def answer_text(answer: Answer) -> str:
    """Writes an answer in words: "yes", "3", "black and silver"."""
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return str(answer) if isinstance(answer, int) else " and ".join(answer)


def questions_json(houses: Mapping[str, Sequence[Question]]) -> bytes:
    """Writes questions as JSON, the same bytes for the same questions."""
    file = QuestionFile(houses={name: tuple(questions) for name, questions in houses.items()})
    return msgspec.json.encode(file, order="deterministic")


def read_questions(data: bytes, name: str = "questions") -> dict[str, tuple[Question, ...]]:
    """Reads the questions of houses from JSON.

    Raises:
        DataError: naming the question that is malformed, and what is wrong with it.
    """
    try:
        file = msgspec.json.decode(data, type=QuestionFile)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DataError(f"{name}: expected a question file of version 1, got something else: {error}.") from None
    for house, questions in file.houses.items():
        for question in questions:
            _check(question, f"{name}, {house}, {question.id}")
    return file.houses


def read_question_file(path: Path) -> dict[str, tuple[Question, ...]]:
    """Reads a file of questions."""
    try:
        return read_questions(path.read_bytes(), path.name)
    except OSError as error:
        raise DataError(f"Expected a question file at {path}, got {error.strerror}.") from None


def read_house_questions(data: bytes, house: str, name: str = "questions") -> tuple[Question, ...]:
    """Reads the questions of one house from a file in which those of others may be malformed.

    Raises:
        DataError: naming the question of this house that is malformed, or that there are none.
    """
    try:
        houses = msgspec.json.decode(data, type=_LooseFile).houses
        if house not in houses:
            raise DataError(f"{name}: expected questions about {house}, got those about {len(houses)} other houses.")
        questions = msgspec.json.decode(houses[house], type=tuple[Question, ...])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DataError(f"{name}, {house}: expected questions of version 1, got something else: {error}.") from None
    for question in questions:
        _check(question, f"{name}, {house}, {question.id}")
    return questions


class _LooseFile(Record, frozen=True, kw_only=True):
    format: Literal["pentathlon-questions"] = FORMAT
    version: Literal[1] = 1
    houses: dict[str, msgspec.Raw]


def schema_text() -> str:
    """Returns the JSON schema of question files."""
    return msgspec.json.format(msgspec.json.encode(msgspec.json.schema(QuestionFile)), indent=2).decode() + "\n"


def _check(question: Question, where: str) -> None:
    try:
        kind = kind_of(checked(question.program))
    except DataError as error:
        raise DataError(f"{where}: {error}") from None
    own = "yes-no" if isinstance(question.answer, bool) else "count" if isinstance(question.answer, int) else "query"
    if not kind == question.kind == own:
        raise DataError(f"{where}: expected one kind, got a {kind} program, a {own} answer and {question.kind!r}.")
    if question.family not in FAMILIES:
        raise DataError(f"{where}: expected a family out of {', '.join(FAMILIES)}, got {question.family!r}.")
