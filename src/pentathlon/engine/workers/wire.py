"""What runner and workers say to each other, as JSON: the same bytes over a pipe and over Ray."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec

from pentathlon.core import errors
from pentathlon.core.errors import DataError, PentathlonError
from pentathlon.core.registry import EntrantEntry, TaskEntry
from pentathlon.core.trial import Heat, Outcome
from pentathlon.engine.folders.records import ENCODER


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


WorkerSetup: TypeAlias = RunSetup | MakingSetup


class Building(msgspec.Struct, frozen=True, tag=True):
    """The worker runs and begins to build; until then it may have waited for a free machine."""


class Ready(msgspec.Struct, frozen=True, tag=True):
    """What the set-up names is built; of a run, task and entrant fit each other.

    Attributes:
        code: hashes of the entrant's code as the worker finds it.
        fingerprint: what the entrant calls itself, if anything.
    """

    code: dict[str, str] = {}
    fingerprint: str = ""


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


class Faulted(msgspec.Struct, frozen=True, tag=True):
    """The machine failed in the trial in turn, as with a full disk; the worker has ended the heat."""

    reason: str


class Lost(msgspec.Struct, frozen=True, tag=True):
    """The worker is gone; said by the executor, never by a worker.

    Attributes:
        by_machine: it was ended from outside, so no trial is to blame.
    """

    reason: str
    by_machine: bool = False


Message: TypeAlias = Building | Ready | Refused | Finished | Faulted | Lost

_MESSAGES: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)
_HEATS = msgspec.json.Decoder(Heat)
_SETUPS: msgspec.json.Decoder[WorkerSetup] = msgspec.json.Decoder(WorkerSetup)


def encode(value: Message | Heat | WorkerSetup) -> bytes:
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


def decode_setup(data: bytes) -> WorkerSetup:
    """Decodes what to build."""
    return _SETUPS.decode(data)
