"""Functional programs, after CLEVR: steps that choose things by what is true of them, and end in an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple, TypeAlias

import msgspec

from pentathlon.core.errors import DataError, UnknownIdError
from pentathlon.worlds.houses.house import Record

Value = Literal["things", "thing", "answer"]
Kind = Literal["yes-no", "count", "query"]


class Signature(NamedTuple):
    """What a node takes and gives.

    Attributes:
        inputs: values of earlier steps.
        output: what it gives.
        has_word: whether it needs a word, such as the colour to filter by.
        kind: of questions that end in it.
    """

    inputs: tuple[Value, ...]
    output: Value
    has_word: bool = False
    kind: Kind | None = None


NODES: dict[str, Signature] = {
    "scene": Signature((), "things"),
    "filter_type": Signature(("things",), "things", has_word=True),
    "filter_colour": Signature(("things",), "things", has_word=True),
    "filter_material": Signature(("things",), "things", has_word=True),
    "filter_room": Signature(("things",), "things", has_word=True),
    "filter_portable": Signature(("things",), "things"),
    "relate": Signature(("things", "thing"), "things", has_word=True),
    "intersect": Signature(("things", "things"), "things"),
    "union": Signature(("things", "things"), "things"),
    "unique": Signature(("things",), "thing"),
    "exist": Signature(("things",), "answer", kind="yes-no"),
    "compare": Signature(("thing", "thing"), "answer", has_word=True, kind="yes-no"),
    "count": Signature(("things",), "answer", kind="count"),
    "query_colour": Signature(("thing",), "answer", kind="query"),
    "query_material": Signature(("thing",), "answer", kind="query"),
    "query_type": Signature(("thing",), "answer", kind="query"),
}
COMPARISONS = ("heavier", "lighter", "larger", "smaller", "longer", "shorter")
PLACES = ("on", "in", "under", "contains", "near", "adjacent")
MOST_STEPS = 40


class Step(Record, frozen=True):
    """One node of a program.

    Attributes:
        node: one of :data:`NODES`.
        inputs: places of earlier steps.
        word: a type, a colour ("black and silver"), a material, a type of room, or a relation.
    """

    node: str
    inputs: tuple[Annotated[int, msgspec.Meta(ge=0)], ...] = ()
    word: Annotated[str, msgspec.Meta(max_length=120)] = ""


Program: TypeAlias = tuple[Step, ...]


def checked(program: Sequence[Step]) -> Program:
    """Returns a program that is well formed: known nodes, inputs of the right kind, one answer, at its end.

    Raises:
        DataError: naming the step that is not.
    """
    if not 0 < len(program) <= MOST_STEPS:
        raise DataError(f"Expected a program of 1 to {MOST_STEPS} steps, got {len(program)}.")
    for place, step in enumerate(program):
        _check_step(program, place, step)
    if NODES[program[-1].node].output != "answer":
        raise DataError(f"Expected a program to end in an answer, got {program[-1].node!r} as its last node.")
    return tuple(program)


def kind_of(program: Program) -> Kind:
    """Returns what kind of answer a program has."""
    kind = NODES[program[-1].node].kind
    assert kind is not None, "checked programs end in an answer"
    return kind


def read_program(text: str | bytes) -> Program:
    """Reads a program from JSON.

    Raises:
        DataError: when it is none; an unknown node is named.
    """
    try:
        steps = msgspec.json.decode(text, type=tuple[Step, ...])
    except msgspec.DecodeError as error:
        raise DataError(f"Expected a program as a JSON list of nodes, got something else: {error}.") from None
    return checked(steps)


def program_json(program: Program) -> str:
    """Writes a program as JSON."""
    return msgspec.json.encode(program).decode()


def _check_step(program: Sequence[Step], place: int, step: Step) -> None:
    if step.node not in NODES:
        raise DataError(f"Step {place} of a program: {UnknownIdError('node', step.node, NODES)}")
    signature = NODES[step.node]
    if any(i >= place for i in step.inputs):
        raise DataError(f"Step {place} ({step.node}): expected inputs from earlier steps, got {step.inputs}.")
    got = tuple(NODES[program[i].node].output for i in step.inputs)
    if got != signature.inputs:
        raise DataError(f"Step {place} ({step.node}): expected inputs {signature.inputs}, got {got}.")
    if bool(step.word) != signature.has_word:
        expected = "a word" if signature.has_word else "no word"
        raise DataError(f"Step {place} ({step.node}): expected {expected}, got {step.word!r}.")
    relations = {"relate": COMPARISONS + PLACES, "compare": COMPARISONS + PLACES}.get(step.node)
    if relations and step.word not in relations:
        raise DataError(f"Step {place} of a program: {UnknownIdError('relation', step.word, relations)}")
