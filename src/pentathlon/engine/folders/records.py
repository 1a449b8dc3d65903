"""The journal of a run: ``trials.jsonl``, one durable line per trial, read back without loss."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from pentathlon.core.errors import RunFolderError
from pentathlon.core.trial import Outcome, Status
from pentathlon.storage.files import disk_errors

COMMIT_EVERY_S = 0.05
COMMIT_EVERY_RECORDS = 1000

Decoded = TypeVar("Decoded")


@dataclass(frozen=True)
class Record(Outcome):
    """A line of the journal: an outcome and the protocol that it was made under."""

    protocol: str = ""


class _Mark(msgspec.Struct, gc=False):
    """The part of a line that resuming needs; a million of them stay small."""

    trial: str
    status: Status
    protocol: str


def _plain(value: Any) -> Any:
    """Makes numpy values and mappings encodable."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is no plain JSON value")


ENCODER = msgspec.json.Encoder(enc_hook=_plain)


class Journal:
    """Appends outcomes and makes them durable in groups, so that syncing does not set the pace."""

    def __init__(self, path: Path, protocol_hash: str) -> None:
        """Opens the journal, dropping a last line that a crash tore."""
        self._path = path
        self._protocol_hash = protocol_hash
        self._waiting: list[Outcome] = []
        self._oldest_s = 0.0
        with disk_errors(path.parent):
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            self._durable_bytes = _whole_lines_bytes(self._descriptor)
            os.ftruncate(self._descriptor, self._durable_bytes)

    def append(self, outcomes: list[Outcome]) -> None:
        """Takes outcomes in; :meth:`commit` writes them."""
        if outcomes and not self._waiting:
            self._oldest_s = time.monotonic()
        self._waiting += outcomes

    def due_in_s(self) -> float | None:
        """Seconds until the waiting outcomes should be committed; ``None`` when none wait."""
        if not self._waiting:
            return None
        if len(self._waiting) >= COMMIT_EVERY_RECORDS:
            return 0.0
        return max(0.0, self._oldest_s + COMMIT_EVERY_S - time.monotonic())

    def commit(self) -> list[Outcome]:
        """Writes and syncs what waits and returns it; only then does a trial count as done.

        Raises:
            RunFolderError: when the disk refuses; the journal then ends with the last durable line.
        """
        if not self._waiting:
            return []
        with disk_errors(self._path.parent):
            try:
                self._write(b"".join(map(self._line, self._waiting)))
                os.fsync(self._descriptor)
            except BaseException:
                os.ftruncate(self._descriptor, self._durable_bytes)
                raise
        self._durable_bytes = os.fstat(self._descriptor).st_size
        committed, self._waiting = self._waiting, []
        return committed

    def close(self) -> None:
        """Closes the file; what was not committed is forgotten."""
        os.close(self._descriptor)

    def _line(self, outcome: Outcome) -> bytes:
        return ENCODER.encode(Record(**vars(outcome), protocol=self._protocol_hash)) + b"\n"

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._descriptor, view) :]


def read_outcomes(path: Path, protocol_hash: str | None = None) -> dict[str, Outcome]:
    """Reads the outcome of each trial; later lines supersede earlier ones and a torn last line is left out.

    Raises:
        RunFolderError: when a line is malformed or, with ``protocol_hash`` given, of another protocol.
    """
    outcomes: dict[str, Outcome] = {}
    for number, record in enumerate(_decoded_lines(path, msgspec.json.Decoder(Record)), start=1):
        if protocol_hash is not None:
            _check_protocol(path, number, record.protocol, protocol_hash)
        fields = dict(vars(record))
        del fields["protocol"]
        outcomes[record.trial] = Outcome(**fields)
    return outcomes


def read_statuses(path: Path, protocol_hash: str) -> dict[str, Status]:
    """Reads which trials are recorded, in little memory.

    Raises:
        RunFolderError: when a line is malformed or of another protocol.
    """
    statuses: dict[str, Status] = {}
    for number, mark in enumerate(_decoded_lines(path, msgspec.json.Decoder(_Mark)), start=1):
        _check_protocol(path, number, mark.protocol, protocol_hash)
        statuses[mark.trial] = mark.status
    return statuses


def _check_protocol(path: Path, number: int, got: str, expected: str) -> None:
    if got != expected:
        raise RunFolderError(
            f"{path}, line {number}: expected protocol {expected}, got {got}. These trials were "
            "made under another version of the protocol: move the folder away and run again."
        )


def merge_outcomes(journals: Iterator[dict[str, Outcome]]) -> dict[str, Outcome]:
    """Puts the journals of shards together; of a trial that two of them have, an error gives way."""
    merged = next(journals, {})
    for journal in journals:
        for trial, outcome in journal.items():
            if trial not in merged or merged[trial].status == "error":
                merged[trial] = outcome
    return merged


def merge_statuses(journals: Iterator[dict[str, Status]]) -> dict[str, Status]:
    """As :func:`merge_outcomes`, for statuses."""
    merged = next(journals, {})
    for journal in journals:
        for trial, status in journal.items():
            if merged.get(trial, "error") == "error":
                merged[trial] = status
    return merged


def _decoded_lines(path: Path, decoder: msgspec.json.Decoder[Decoded]) -> Iterator[Decoded]:
    if not path.exists():
        return
    with disk_errors(path.parent), path.open("rb", buffering=1 << 20) as file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                return
            try:
                yield decoder.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise RunFolderError(
                    f"{path}, line {number}: expected the record of a trial, got {line[:60]!r} ({error}). Delete that "
                    "line to have its trial run again."
                ) from error


def _whole_lines_bytes(descriptor: int) -> int:
    end = os.fstat(descriptor).st_size
    while end > 0:
        start = max(0, end - (1 << 16))
        newline = os.pread(descriptor, end - start, start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        end = start
    return 0
