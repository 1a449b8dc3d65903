"""Run folders: what a run is, what it recorded and what came out, under a name that follows from its content."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

import msgspec

from pentathlon.core.closing import Closing
from pentathlon.core.errors import RunFolderError
from pentathlon.core.identity import to_plain
from pentathlon.core.trial import Outcome, Status
from pentathlon.engine.folders.records import Journal, merge_outcomes, merge_statuses, read_outcomes, read_statuses
from pentathlon.engine.folders.run_info import FORMAT, RunInfo, RunSummary
from pentathlon.engine.folders.shards import Shard
from pentathlon.storage.files import disk_errors, make_folder, sync_folder, write_durably
from pentathlon.storage.lock import LOCK_FILE, FolderLock

RUN_FILE, TRIALS_FILE, SUMMARY_FILE, LOG_FILE = "run.json", "trials.jsonl", "summary.json", "workers.log"
SUMMARY_LOCK = "summary.lock"

Content = TypeVar("Content")


@dataclass
class RunFolder(Closing):
    """A run on disk. Reading needs no lock; writing happens between :meth:`create_or_open` and :meth:`close`.

    Attributes:
        shard: which part of the run is written, where several processes share it.
    """

    path: Path
    info: RunInfo
    shard: Shard | None = None
    _locks: list[FolderLock] = field(default_factory=list)

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
    def create_or_open(cls, path: Path, info: RunInfo, shard: Shard | None = None) -> RunFolder:
        """Locks the folder, or a shard of it, for writing, making it if need be.

        Raises:
            RunFolderError: when it is locked, not writable, unreadable or of another run.
        """
        with disk_errors(path):
            make_folder(path)
        folder = cls(path, info, shard)
        try:
            folder._locks.append(FolderLock(path, shared=shard is not None))
            if shard is not None:
                folder._locks.append(FolderLock(path, f"{LOCK_FILE}{shard.suffix}"))
            folder._read_or_write_info()
        except BaseException:
            folder.close()
            raise
        return folder

    def _read_or_write_info(self) -> None:
        with self.summing():
            if (self.path / RUN_FILE).exists():
                known = RunFolder.open(self.path).info
                _check_same_run(self.path, known, self.info)
                self.info = known
            else:
                self._write_info()

    def _write_info(self) -> None:
        with disk_errors(self.path):
            write_durably(self.path / RUN_FILE, msgspec.json.format(msgspec.json.encode(self.info), indent=2))

    def keep_fingerprint(self, fingerprint: str) -> None:
        """Notes what the built entrant calls itself, where that is not known yet and nothing was recorded without."""
        with self.summing():
            self.info = RunFolder.open(self.path).info
            if not self.info.fingerprint and fingerprint and not self.statuses():
                self.info = replace(self.info, fingerprint=fingerprint)
                self._write_info()

    @staticmethod
    def set_aside(path: Path) -> Path | None:
        """Moves a run out of sight of :func:`list_runs`, whole, and returns where; ``None`` when there is none.

        Raises:
            RunFolderError: when a process writes to it.
        """
        if not path.exists():
            return None
        with FolderLock(path), disk_errors(path):
            number = 1
            while (target := path.with_name(f".{path.name}.replaced-{number}")).exists():
                number += 1
            path.rename(target)
            sync_folder(path.parent)
        return target

    def close(self) -> None:
        """Lets other processes write."""
        while self._locks:
            self._locks.pop().close()

    def outcomes(self) -> dict[str, Outcome]:
        """Reads the outcomes by trial id, of all shards."""
        return merge_outcomes(read_outcomes(path, self.info.protocol_hash) for path in self._journals())

    def statuses(self) -> dict[str, Status]:
        """Reads only which trials are recorded and how they ended, of all shards."""
        return merge_statuses(read_statuses(path, self.info.protocol_hash) for path in self._journals())

    def _journals(self) -> list[Path]:
        return sorted(self.path.glob("trials*.jsonl"))

    def summary(self) -> RunSummary | None:
        """Reads the summary; ``None`` while the run is under way or after it was interrupted."""
        file = self.path / SUMMARY_FILE
        return replace(_read(file, RunSummary), folder=self.path) if file.exists() else None

    def journal(self) -> Journal:
        """Opens the journal for appending and takes back the summary, which no longer holds."""
        with disk_errors(self.path):
            (self.path / SUMMARY_FILE).unlink(missing_ok=True)
            name = TRIALS_FILE if self.shard is None else f"trials{self.shard.suffix}.jsonl"
            journal = Journal(self.path / name, self.info.protocol_hash)
            sync_folder(self.path)
        return journal

    @property
    def log(self) -> Path:
        """Where the output of worker processes goes."""
        return self.path / (LOG_FILE if self.shard is None else f"workers{self.shard.suffix}.log")

    def summing(self) -> FolderLock:
        """Lets one process at a time sum up, so that the last of several shards counts them all."""
        return FolderLock(self.path, SUMMARY_LOCK, wait=True)

    def write_summary(self, summary: RunSummary) -> None:
        """Writes ``summary.json``."""
        plain = to_plain(summary)
        del plain["folder"]
        with disk_errors(self.path):
            write_durably(self.path / SUMMARY_FILE, msgspec.json.format(msgspec.json.encode(plain), indent=2))

    def discard_if_empty(self) -> None:
        """Removes a run in which nothing was ever recorded; what its workers said stays.

        The lock goes last, and whoever waits for it finds that its file is gone and makes the folder again.
        """
        if not self._locks or not self._locks[0].make_exclusive() or self.statuses():
            return
        if self.log.exists() and self.log.stat().st_size == 0:
            self.log.unlink()
        files = [RUN_FILE, *(path.name for path in self._journals()), SUMMARY_LOCK]
        for name in (*files, *sorted(path.name for path in self.path.glob(f"{LOCK_FILE}-*")), LOCK_FILE):
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
        # What was set aside or is being made has a name that begins with a dot.
        subfolders[:] = sorted(name for name in subfolders if not name.startswith("."))
        if RUN_FILE in files or any(name.startswith("trials") and name.endswith(".jsonl") for name in files):
            subfolders.clear()
            yield Path(folder)


def _check_same_run(path: Path, known: RunInfo, wanted: RunInfo) -> None:
    for name in ("task", "entrant", "factory", "options", "protocol_hash", "content"):
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
