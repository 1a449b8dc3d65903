"""What an evaluation and a server of an entrant say to each other: msgpack of fixed types in WebSocket frames.

Both sides begin with :class:`Hello`; then come the questions and answers that the sandbox uses too.
"""

from __future__ import annotations

from typing import TypeAlias, TypeVar

import msgspec

from pentathlon.core.entrants import Kind
from pentathlon.core.errors import DataError, SpecMismatchError
from pentathlon.core.specs import Spec
from pentathlon.models.remote.arrays import PackedArray
from pentathlon.models.remote.declared import Declared, declare
from pentathlon.models.remote.questions import Question, Reply, Reset

PROTOCOL = "pentathlon-entrant"
PROTOCOL_VERSION = 1
MAX_QUESTION_BYTES = 64 * 2**20


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


class Begin(Reset, frozen=True):
    """Begin an episode of the policy as it was trained with this seed."""

    training_seed: int = 0


class Raised(msgspec.Struct, frozen=True, tag=True):
    """The entrant raised; the text is for people."""

    ticket: int
    text: str


RemoteQuestion: TypeAlias = Begin | Question[PackedArray]
FromEvaluation: TypeAlias = Hello | RemoteQuestion
Answer: TypeAlias = Hello | Reply | Raised

Message = TypeVar("Message")

_ENCODER = msgspec.msgpack.Encoder()
_QUESTIONS: msgspec.msgpack.Decoder[FromEvaluation] = msgspec.msgpack.Decoder(FromEvaluation)
_ANSWERS: msgspec.msgpack.Decoder[Answer] = msgspec.msgpack.Decoder(Answer)


def to_bytes(message: FromEvaluation | Answer) -> bytes:
    """Encodes a message."""
    return _ENCODER.encode(message)


def decode_question(data: bytes) -> FromEvaluation:
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
    except Exception as error:  # whatever it is, the bytes are a stranger's
        raise DataError(f"Got a message of {len(data):,} bytes that is not of this protocol: {error}.") from error
