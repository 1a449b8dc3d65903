"""What an evaluation and a server of an entrant say to each other: msgpack of fixed types in WebSocket frames.

Both sides begin with :class:`Hello`. Every question after it carries a ticket that the answer repeats. The answers, and
what an entrant declares, are those of the sandbox too.
"""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar

import msgspec

from pentathlon.core.entrants import Kind
from pentathlon.core.errors import DataError, EntrantError, SpecMismatchError
from pentathlon.core.specs import ArraySpec, ChoiceSpec, EncoderSpec, InteractionSpec, JudgeSpec, Spec
from pentathlon.models.remote.arrays import PackedArray
from pentathlon.models.remote.checks import IMAGES_AT_ONCE

PROTOCOL = "pentathlon-entrant"
PROTOCOL_VERSION = 1
MAX_QUESTION_BYTES = 64 * 2**20
MAX_ANSWER_BYTES = 2**20


class Ready(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """What a policy or agent uses and gives: an array, or one of ``labels``."""

    observations: tuple[ArraySpec, ...]
    action: ArraySpec | None
    labels: tuple[str, ...] = ()


class ReadyEncoder(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """What an encoder gives and takes."""

    dim: int
    image_size: tuple[int, int]


class ReadyJudge(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """What a judge takes."""

    frames: int | None


Declared: TypeAlias = Ready | ReadyEncoder | ReadyJudge


class Hello(msgspec.Struct, frozen=True, tag=True):
    """The first message of either side.

    Attributes:
        protocol: always :data:`PROTOCOL`.
        protocol_version: both sides must have the same.
        kind: what is served, or what the task tests; ``None`` from an evaluation that has no task yet.
        declared: what the entrant uses and gives; ``None`` from an evaluation.
        name: for people.
    """

    protocol: str
    protocol_version: int
    kind: Kind | None = None
    declared: Declared | None = None
    name: str = ""


class Begin(msgspec.Struct, frozen=True, tag=True):
    """An episode begins, for the version of the policy that was trained with this seed."""

    ticket: int
    training_seed: int = 0


class Predict(msgspec.Struct, frozen=True, tag=True):
    """Choose the next action or chunk of a policy."""

    ticket: int
    observation: dict[str, PackedArray]


class Brief(msgspec.Struct, frozen=True, tag=True):
    """An episode of an agent begins."""

    ticket: int
    instruction: str
    seed: int
    facts: dict[str, Any]


class Act(msgspec.Struct, frozen=True, tag=True):
    """Choose the next action of an agent; ``plain`` is what it sees beside arrays."""

    ticket: int
    observation: dict[str, PackedArray]
    plain: dict[str, Any] = {}


class Ask(msgspec.Struct, frozen=True, tag=True):
    """Answer a question about the episode."""

    ticket: int
    question: str


class Encode(msgspec.Struct, frozen=True, tag=True):
    """Turn the pictures into features."""

    ticket: int
    images: PackedArray


class Score(msgspec.Struct, frozen=True, tag=True):
    """Score the descriptions for the clip."""

    ticket: int
    clip: PackedArray
    descriptions: tuple[str, ...]


class Done(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """What that ticket asked for is done."""

    ticket: int


class Chosen(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """The action for the observation of that ticket."""

    ticket: int
    action: PackedArray


class Picked(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """The action of an agent that chooses among labels."""

    ticket: int
    label: str


PlainAnswer: TypeAlias = str | int | float | bool | list[str | int | float | bool] | None


class Told(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """The answer to a question."""

    ticket: int
    answer: PlainAnswer


class Encoded(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """The pooled features, one row for each picture."""

    ticket: int
    pooled: PackedArray


class Scored(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """A score for each description."""

    ticket: int
    scores: PackedArray


class Raised(msgspec.Struct, frozen=True, tag=True):
    """The entrant raised; the text is for people."""

    ticket: int
    text: str


Ticketed: TypeAlias = Begin | Predict | Brief | Act | Ask | Encode | Score
Question: TypeAlias = Hello | Ticketed
TicketedReply: TypeAlias = Done | Chosen | Picked | Told | Encoded | Scored
Answer: TypeAlias = Hello | TicketedReply | Raised

Message = TypeVar("Message")

_ENCODER = msgspec.msgpack.Encoder()
_QUESTIONS: msgspec.msgpack.Decoder[Question] = msgspec.msgpack.Decoder(Question)
_ANSWERS: msgspec.msgpack.Decoder[Answer] = msgspec.msgpack.Decoder(Answer)


def to_bytes(message: Question | Answer) -> bytes:
    """Encodes a message."""
    return _ENCODER.encode(message)


def decode_question(data: bytes) -> Question:
    """Decodes what an evaluation sent.

    Raises:
        DataError: when it is none of the messages.
    """
    return _decode(_QUESTIONS, data)


def decode_answer(data: bytes) -> Answer:
    """Decodes what a server sent.

    Raises:
        DataError: when it is none of the messages.
    """
    return _decode(_ANSWERS, data)


def hello(kind: Kind | None, spec: Spec | None = None, name: str = "") -> Hello:
    """Says what one side tests, or serves with ``spec``."""
    return Hello(PROTOCOL, PROTOCOL_VERSION, kind, None if spec is None else declare(spec), name)


def declare(spec: object) -> Declared:
    """Writes down what an entrant uses and gives.

    Raises:
        EntrantError: when its spec is none that can be sent.
    """
    match spec:
        case EncoderSpec():
            return ReadyEncoder(spec.dim, (spec.image_size[0], spec.image_size[1]))
        case JudgeSpec():
            return ReadyJudge(spec.frames)
        case InteractionSpec(action=ChoiceSpec(labels)):
            return Ready(tuple(spec.observations), None, tuple(labels))
        case InteractionSpec(action=ArraySpec() as action):
            return Ready(tuple(spec.observations), action)
    given = type(getattr(spec, "action", spec)).__name__
    raise EntrantError(
        f"The entrant declares a {given}, expected the spec of its kind with an array or labels as action."
    )


def encoder_spec(ready: ReadyEncoder) -> EncoderSpec:
    """Reads what an encoder declared; its patch features stay where it is, since no task takes them.

    Raises:
        DataError: when features of that length cannot be sent, or no picture has that size.
    """
    if not (0 < 4 * IMAGES_AT_ONCE * ready.dim < MAX_ANSWER_BYTES and min(ready.image_size) > 0):
        raise DataError(f"The encoder declares features of length {ready.dim} for {ready.image_size} pixels.")
    return EncoderSpec(ready.dim, ready.image_size)


def judge_spec(ready: ReadyJudge) -> JudgeSpec:
    """Reads what a judge declared.

    Raises:
        DataError: when no clip has that many frames.
    """
    if ready.frames is not None and ready.frames < 1:
        raise DataError(f"The judge declares {ready.frames} frames for a clip.")
    return JudgeSpec(ready.frames)


def interaction_spec(ready: Ready) -> InteractionSpec:
    """Reads what a policy or agent declared.

    Raises:
        DataError: when it gives nothing.
    """
    if ready.action is None and not ready.labels:
        raise DataError("The entrant declares no action.")
    return InteractionSpec(ready.observations, ready.action or ChoiceSpec(ready.labels))


def check_protocol(hello: Hello) -> None:
    """Refuses another protocol or version.

    Raises:
        SpecMismatchError: naming the field.
    """
    for field, expected in (("protocol", PROTOCOL), ("protocol_version", PROTOCOL_VERSION)):
        got = getattr(hello, field)
        if got != expected:
            raise SpecMismatchError(field, expected, got, advice="Install the same version on both sides.")


def _decode(decoder: msgspec.msgpack.Decoder[Message], data: bytes) -> Message:
    try:
        return decoder.decode(data)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise DataError(f"Got a message of {len(data):,} bytes that is not of this protocol: {error}.") from error
