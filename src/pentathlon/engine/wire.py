"""What runner and workers say to each other, as JSON: the same bytes over a pipe and over Ray."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec

from pentathlon.core import errors
from pentathlon.core.errors import DataError, PentathlonError
from pentathlon.core.registry import EntrantEntry, TaskEntry
from pentathlon.core.trial import Heat, Outcome
from pentathlon.engine.records import ENCODER


class RunSetup(msgspec.Struct, frozen=True, tag=True):
    """What a worker needs to build the task and the entrant of a run.

    Attributes:
        search_path: the runner's ``sys.path``, so that modules found there are found in the worker.
    """

    task: TaskEntry
    overrides: Mapping[str, Any]
    entrant: EntrantEntry
    folder: str
    videos: bool
    search_path: list[str]


class MakingSetup(msgspec.Struct, frozen=True, tag=True):
    """What a worker needs to make files: each comes as a heat of one trial.

    Attributes:
        maker: ``module:function`` of what makes one.
        search_path: as in :class:`RunSetup`.
    """

    maker: str
    search_path: list[str]


Setup: TypeAlias = RunSetup | MakingSetup


class Ready(msgspec.Struct, frozen=True, tag=True):
    """What the set-up names is built; of a run, task and entrant fit each other."""


class Refused(msgspec.Struct, frozen=True, tag=True):
    """What the set-up names cannot be built, or task and entrant do not fit."""

    error: str
    text: str

    @classmethod
    def because(cls, error: PentathlonError) -> Refused:
        """Wraps ``error`` for the runner."""
        return cls(type(error).__name__, str(error))

    def exception(self) -> PentathlonError:
        """Returns the error as it was raised in the worker."""
        kind = getattr(errors, self.error, PentathlonError)
        error: PentathlonError = kind.__new__(kind)
        # Some kinds compose their message from parts that stayed in the worker; it is whole already.
        error.args = (self.text,)
        return error


class Finished(msgspec.Struct, frozen=True, tag=True):
    """A trial of the current heat has an outcome; the ``last`` of them ends the heat."""

    outcome: Outcome
    last: bool


class Lost(msgspec.Struct, frozen=True, tag=True):
    """The worker is gone; said by the executor, never by a worker."""

    reason: str


Message: TypeAlias = Ready | Refused | Finished | Lost

_MESSAGES: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)
_HEATS = msgspec.json.Decoder(Heat)
_SETUPS: msgspec.json.Decoder[Setup] = msgspec.json.Decoder(Setup)


def encode(value: Message | Heat | Setup) -> bytes:
    """Encodes a message, a heat or a set-up.

    Raises:
        DataError: when a task or an entrant put something else than plain JSON values into it.
    """
    try:
        return ENCODER.encode(value)
    except TypeError as error:
        raise DataError(
            f"The options of an entry and the data of a heat must be plain JSON values: {error} (in {value})."
        ) from error


def decode_message(data: bytes) -> Message:
    """Decodes what a worker sent."""
    return _MESSAGES.decode(data)


def decode_heat(data: bytes) -> Heat:
    """Decodes a heat to run."""
    return _HEATS.decode(data)


def decode_setup(data: bytes) -> Setup:
    """Decodes what to build."""
    return _SETUPS.decode(data)
