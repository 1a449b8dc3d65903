"""Run folders: what a run is, what it recorded and what came out, under a name that follows from its content."""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import msgspec

from pentathlon.core.entrants import Kind
from pentathlon.core.errors import RunFolderError
from pentathlon.core.identity import content_hash, to_plain
from pentathlon.core.registry import EntrantEntry
from pentathlon.core.scores import Score
from pentathlon.core.task import Task
from pentathlon.core.trial import Outcome, Status
from pentathlon.engine.provenance import Hardware, command_line, hardware, package_versions
from pentathlon.engine.records import Journal, read_outcomes, read_statuses
from pentathlon.storage.files import disk_errors, sync_folder, write_durably
from pentathlon.storage.lock import LOCK_FILE, FolderLock

FORMAT = 1
RUN_FILE, TRIALS_FILE, SUMMARY_FILE, LOG_FILE = "run.json", "trials.jsonl", "summary.json", "workers.log"

Content = TypeVar("Content")


@dataclass(frozen=True)
class RunInfo:
    """The content of ``run.json``: what is run and with what it was first started.

    Attributes:
        format: version of the folder's layout.
        factory: what built the entrant, called with ``options``.
        protocol: the task's protocol as plain values.
        protocol_hash: what each line of the journal must carry.
        renderer: name, version and setting of the eyes, where the task tells them by an attribute ``renderer``.
    """

    format: int
    task: str
    entrant: str
    kind: Kind
    factory: str
    options: Mapping[str, Any]
    protocol: Any
    protocol_hash: str
    packages: Mapping[str, str]
    hardware: Hardware
    python: str
    command: str
    renderer: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def describe(cls, task: Task, entrant: EntrantEntry) -> RunInfo:
        """Describes the run of ``entrant`` on ``task`` in this process."""
        return cls(
            format=FORMAT,
            task=task.id,
            entrant=entrant.id,
            kind=task.kind,
            factory=entrant.factory,
            options=to_plain(dict(entrant.options)),
            protocol=to_plain(task.protocol),
            protocol_hash=content_hash(task.protocol),
            packages=package_versions(),
            hardware=hardware(),
            python=".".join(map(str, sys.version_info[:3])),
            command=command_line(),
            renderer=to_plain(getattr(task, "renderer", {})),
        )

    @property
    def location(self) -> Path:
        """The folder's place below the output folder: ``event/task/entrant-hash``."""
        event, name = self.task.split("/")
        slug = re.sub(r"[^a-z0-9.]+", "-", self.entrant.lower()).strip("-.")[:48]
        digest = content_hash([self.task, self.entrant, self.factory, self.options, self.protocol_hash], length=12)
        return Path(event, name, f"{slug}-{digest}")


@dataclass(frozen=True)
class RunSummary:
    """The content of ``summary.json``: how far a run has come and its scores.

    Attributes:
        expected: trials of the task.
        recorded: trials with an outcome; fewer than expected after a limited run.
        errors: outcomes that are errors.
        wall_time_s: time spent in trials, added up over workers.
        complete: whether every trial of the task is recorded.
        folder: where the run lies; not part of the file.
    """

    task: str
    entrant: str
    expected: int
    recorded: int
    errors: int
    scores: tuple[Score, ...]
    wall_time_s: float
    complete: bool
    folder: Path = field(default=Path(), compare=False)


@dataclass
class RunFolder:
    """A run on disk. Reading needs no lock; writing happens between :meth:`create_or_open` and :meth:`close`."""

    path: Path
    info: RunInfo
    _lock: FolderLock | None = None

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """Opens a run for reading.

        Raises:
            RunFolderError: when there is no run or its ``run.json`` cannot be read.
        """
        file = path / RUN_FILE
        if not file.is_file():
            raise RunFolderError(f"{path} is no run folder: expected a {RUN_FILE} in it. Give the folder of a run.")
        info = _read(file, RunInfo)
        if info.format != FORMAT:
            raise RunFolderError(
                f"{file}: expected format {FORMAT}, got {info.format}. Read it with the version of Pentathlon that "
                "wrote it."
            )
        return cls(path, info)

    @classmethod
    def create_or_open(cls, path: Path, info: RunInfo) -> RunFolder:
        """Locks the folder for writing, making it if need be.

        Raises:
            RunFolderError: when it is locked, not writable, unreadable or of another run.
        """
        with disk_errors(path):
            path.mkdir(parents=True, exist_ok=True)
        lock = FolderLock(path)
        try:
            if (path / RUN_FILE).exists():
                known = cls.open(path).info
                _check_same_run(path, known, info)
                return cls(path, known, lock)
            with disk_errors(path):
                write_durably(path / RUN_FILE, msgspec.json.format(msgspec.json.encode(info), indent=2))
            return cls(path, info, lock)
        except BaseException:
            lock.release()
            raise

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Lets other processes write."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def outcomes(self) -> dict[str, Outcome]:
        """Reads the outcomes by trial id."""
        return read_outcomes(self.path / TRIALS_FILE, self.info.protocol_hash)

    def statuses(self) -> dict[str, Status]:
        """Reads only which trials are recorded and how they ended."""
        return read_statuses(self.path / TRIALS_FILE, self.info.protocol_hash)

    def summary(self) -> RunSummary | None:
        """Reads the summary; ``None`` while the run is under way or after it was interrupted."""
        file = self.path / SUMMARY_FILE
        return replace(_read(file, RunSummary), folder=self.path) if file.exists() else None

    def journal(self) -> Journal:
        """Opens the journal for appending and takes back the summary, which no longer holds."""
        with disk_errors(self.path):
            (self.path / SUMMARY_FILE).unlink(missing_ok=True)
            journal = Journal(self.path / TRIALS_FILE, self.info.protocol_hash)
            sync_folder(self.path)
        return journal

    def write_summary(self, summary: RunSummary) -> None:
        """Writes ``summary.json``."""
        plain = to_plain(summary)
        del plain["folder"]
        with disk_errors(self.path):
            write_durably(self.path / SUMMARY_FILE, msgspec.json.format(msgspec.json.encode(plain), indent=2))

    def discard_if_empty(self) -> None:
        """Removes a run in which nothing was ever recorded; what its workers said stays."""
        if self.statuses():
            return
        log = self.path / LOG_FILE
        if log.exists() and log.stat().st_size == 0:
            log.unlink()
        for name in (RUN_FILE, TRIALS_FILE, LOCK_FILE):
            (self.path / name).unlink(missing_ok=True)
        if not any(self.path.iterdir()):
            self.path.rmdir()


def warn(error: RunFolderError) -> None:
    """Shows a broken run folder as a warning."""
    warnings.warn(str(error), stacklevel=3)


def list_runs(out: Path, on_problem: Callable[[RunFolderError], None] = warn) -> list[RunFolder]:
    """Finds the runs in ``out`` and below, sorted by path; broken ones go to ``on_problem``."""
    runs: list[RunFolder] = []
    for path in _run_paths(out):
        try:
            runs.append(RunFolder.open(path))
        except RunFolderError as error:
            on_problem(error)
    return runs


def _run_paths(out: Path) -> Iterator[Path]:
    for folder, subfolders, files in os.walk(out):
        subfolders.sort()
        if RUN_FILE in files or TRIALS_FILE in files:
            subfolders.clear()
            yield Path(folder)


def _check_same_run(path: Path, known: RunInfo, wanted: RunInfo) -> None:
    for name in ("task", "entrant", "factory", "options", "protocol_hash"):
        expected, got = getattr(wanted, name), getattr(known, name)
        if expected != got:
            raise RunFolderError(
                f"{path} holds another run: expected {name} {expected!r}, got {got!r}. Move it away or choose another "
                "output folder."
            )


def _read(file: Path, content: type[Content]) -> Content:
    with disk_errors(file.parent):
        data = file.read_bytes()
    try:
        return msgspec.json.decode(data, type=content)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RunFolderError(
            f"{file} is corrupted: expected the JSON of a {content.__name__} ({error}). Restore it, or move the folder "
            "away and run again."
        ) from error
