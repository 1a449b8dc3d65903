"""What an evaluation and a policy server say to each other: msgpack of fixed types in WebSocket frames.

Both sides begin with :class:`Hello`. The evaluation then sends :class:`Begin` and :class:`Predict`, each with a ticket
that the answer repeats: :class:`Done`, :class:`Chosen` or :class:`Raised`.
"""

from __future__ import annotations

from typing import TypeAlias, TypeVar

import msgspec

from pentathlon.core.errors import DataError, SpecMismatchError
from pentathlon.core.specs import ArraySpec, InteractionSpec
from pentathlon.events.act.policies.arrays import PackedArray

PROTOCOL = "pentathlon-policy"
PROTOCOL_VERSION = 1
MAX_OBSERVATION_BYTES = 64 * 2**20
MAX_ANSWER_BYTES = 2**20


class Hello(msgspec.Struct, frozen=True, tag=True):
    """The first message of either side.

    Attributes:
        protocol: always :data:`PROTOCOL`.
        protocol_version: both sides must have the same.
        observations: names, sizes, dtypes and units: what the robot offers, or what the policy uses.
        action: what the robot takes, or what the policy gives; ``None`` from an evaluation that has no task yet.
        name: for people.
    """

    protocol: str
    protocol_version: int
    observations: tuple[ArraySpec, ...] = ()
    action: ArraySpec | None = None
    name: str = ""


class Begin(msgspec.Struct, frozen=True, tag=True):
    """An episode begins, for the version of the policy that was trained with this seed."""

    ticket: int
    training_seed: int = 0


class Predict(msgspec.Struct, frozen=True, tag=True):
    """Choose the next action or chunk."""

    ticket: int
    observation: dict[str, PackedArray]


class Done(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """What that ticket asked for is done."""

    ticket: int


class Chosen(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """The action for the observation of that ticket."""

    ticket: int
    action: PackedArray


class Raised(msgspec.Struct, frozen=True, tag=True):
    """The policy raised; the text is for people."""

    ticket: int
    text: str


Question: TypeAlias = Hello | Begin | Predict
Answer: TypeAlias = Hello | Done | Chosen | Raised

Message = TypeVar("Message")

_ENCODER = msgspec.msgpack.Encoder()
_QUESTIONS: msgspec.msgpack.Decoder[Question] = msgspec.msgpack.Decoder(Question)
_ANSWERS: msgspec.msgpack.Decoder[Answer] = msgspec.msgpack.Decoder(Answer)


def encode(message: Question | Answer) -> bytes:
    """Encodes a message."""
    return _ENCODER.encode(message)


def decode_question(data: bytes) -> Question:
    """Decodes what an evaluation sent.

    Raises:
        DataError: when it is none of the messages.
    """
    return _decode(_QUESTIONS, data)


def decode_answer(data: bytes) -> Answer:
    """Decodes what a policy server sent.

    Raises:
        DataError: when it is none of the messages.
    """
    return _decode(_ANSWERS, data)


def declare(spec: InteractionSpec | None, name: str = "") -> Hello:
    """Says what one side offers or needs."""
    if spec is None:
        return Hello(PROTOCOL, PROTOCOL_VERSION, name=name)
    if not isinstance(spec.action, ArraySpec):
        raise SpecMismatchError("action", "an array of numbers", type(spec.action).__name__)
    return Hello(PROTOCOL, PROTOCOL_VERSION, tuple(spec.observations), spec.action, name)


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
