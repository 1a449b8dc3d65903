"""What the server and a sandboxed agent say to each other: length-prefixed msgpack of fixed types."""

from __future__ import annotations

import struct
from typing import Literal, TypeAlias

import msgspec

from pentathlon.core.specs import ArraySpec
from pentathlon.events.act.policies.remote_wire import Chosen, Done
from pentathlon.server.sandbox.limits import Limits
from pentathlon.server.sandbox.window import Placed
from pentathlon.server.sizes import MEBIBYTE

LENGTH = struct.Struct("<I")
MAX_REPLY_BYTES = MEBIBYTE
MAX_REQUEST_BYTES = MEBIBYTE
MAX_TEXT = 2000


class Load(msgspec.Struct, frozen=True, tag=True):
    """Build the agent in ``folder`` as trained with ``training_seed``."""

    folder: str
    training_seed: int


class Reset(msgspec.Struct, frozen=True, tag=True):
    """Begin an episode."""

    ticket: int


class Predict(msgspec.Struct, frozen=True, tag=True):
    """Choose the next action or chunk for what lies in the window."""

    ticket: int
    observation: dict[str, Placed]


Request: TypeAlias = Load | Reset | Predict


class Ready(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """The agent is built and declares what it uses and gives."""

    observations: tuple[ArraySpec, ...]
    action: ArraySpec


class Failed(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """The agent raised; its traceback went to the log."""

    state: Literal["refused", "crashed", "out_of_memory", "bad_action"]
    text: str


class Unpack(msgspec.Struct, frozen=True, tag=True):
    """Unpack the archive within the limits."""

    limits: Limits


class Unpacked(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """The archive is unpacked."""


class NoRoom(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """The server's disk is full."""


Reply: TypeAlias = Ready | Done | Chosen | Failed
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
        msgspec.MsgspecError: or RecursionError, when it is none of the four replies.
    """
    return _REPLIES.decode(body)


def decode_unpack(body: bytes) -> Unpack:
    """Decodes what the unpacker is asked."""
    return _UNPACKS.decode(body)


def decode_unpacking(body: bytes) -> Unpacking:
    """Decodes what the unpacker answered.

    Raises:
        msgspec.MsgspecError: when it is none of the three replies.
    """
    return _UNPACKINGS.decode(body)
