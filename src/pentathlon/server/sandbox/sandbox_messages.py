"""What the server and a sandboxed entrant say to each other: length-prefixed msgpack of fixed types."""

from __future__ import annotations

import struct
from typing import Literal, TypeAlias

import msgspec

from pentathlon.core.entrants import Kind
from pentathlon.models.remote import questions
from pentathlon.models.remote.declared import Declared
from pentathlon.models.remote.questions import Question
from pentathlon.server.sandbox.limits import Limits
from pentathlon.server.sandbox.window import Placed
from pentathlon.server.sizes import MEBIBYTE

LENGTH = struct.Struct("<I")
MAX_REPLY_BYTES = MEBIBYTE
MAX_REQUEST_BYTES = MEBIBYTE
MAX_TEXT = 2000


class Load(msgspec.Struct, frozen=True, tag=True):
    """Build the entrant in ``folder``, a policy as trained with ``training_seed``."""

    kind: Kind
    folder: str
    training_seed: int


Request: TypeAlias = Load | Question[Placed]


class Failed(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """The entrant raised; its traceback went to the log."""

    state: Literal["refused", "crashed", "out_of_memory", "bad_answer"]
    text: str


class Unpack(msgspec.Struct, frozen=True, tag=True):
    """Unpack the archive within the limits."""

    limits: Limits


class Unpacked(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """The archive is unpacked."""


class NoRoom(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """The server's disk is full."""


Reply: TypeAlias = Declared | questions.Reply | Failed
Unpacking: TypeAlias = Unpacked | NoRoom | Failed

_ENCODER = msgspec.msgpack.Encoder()
_REQUESTS: msgspec.msgpack.Decoder[Request] = msgspec.msgpack.Decoder(Request)
_REPLIES: msgspec.msgpack.Decoder[Reply] = msgspec.msgpack.Decoder(Reply)
_UNPACKS: msgspec.msgpack.Decoder[Unpack] = msgspec.msgpack.Decoder(Unpack)
_UNPACKINGS: msgspec.msgpack.Decoder[Unpacking] = msgspec.msgpack.Decoder(Unpacking)


def to_frame(message: Request | Reply | Unpack | Unpacking) -> bytes:
    """Encodes a message with its length before it."""
    body = _ENCODER.encode(message)
    return LENGTH.pack(len(body)) + body


def decode_request(body: bytes) -> Request:
    """Decodes what the server asks."""
    return _REQUESTS.decode(body)


def decode_reply(body: bytes) -> Reply:
    """Decodes what a sandbox answered.

    Raises:
        Exception: of several sorts, when it is none of the replies.
    """
    return _REPLIES.decode(body)


def decode_unpack(body: bytes) -> Unpack:
    """Decodes what the unpacker is asked."""
    return _UNPACKS.decode(body)


def decode_unpacking(body: bytes) -> Unpacking:
    """Decodes what the unpacker answered.

    Raises:
        Exception: of several sorts, when it is none of the three replies.
    """
    return _UNPACKINGS.decode(body)
