"""Files and folders that appear whole or not at all, and disk errors told as sentences."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pentathlon.core.errors import DataError, RunFolderError

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_READ_ONLY = {errno.EROFS, errno.EACCES, errno.EPERM}


def file_digest(path: Path) -> str:
    """SHA-256 of a file's content, as hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yields a temporary path beside ``path`` that takes its place on success and is removed otherwise."""
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def refuse_taken(folder: Path, what: str) -> None:
    """Refuses a folder that holds something, with which ``what`` would mix.

    Raises:
        DataError: naming the folder.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise DataError(
            f"Expected a new or an empty folder for {what}, got {folder}, which is not empty. "
            "Choose another, or remove it first."
        )


@contextmanager
def whole_folder(folder: Path, what: str) -> Iterator[Path]:
    """Yields a new folder beside ``folder`` that takes its place on success and is removed otherwise.

    Raises:
        DataError: when ``folder`` holds something, before or after.
    """
    refuse_taken(folder, what)
    folder = folder.absolute()
    partial = folder.with_name(f".{folder.name}.{uuid.uuid4().hex}.tmp")
    partial.mkdir(parents=True)
    try:
        yield partial
        try:
            partial.rename(folder)
        except OSError:
            refuse_taken(folder, what)  # Another process may have been faster.
            raise
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def write_durably(path: Path, data: bytes) -> None:
    """Replaces the content of ``path`` at once, on disk when this returns."""
    with replacing(path) as temporary, temporary.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    sync_folder(path.parent)


def make_folder(folder: Path) -> None:
    """Makes a folder and its parents, on disk when this returns."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for path in missing:
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Makes the names in ``folder`` durable."""
    _sync(folder)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_below(folder: Path, files: Iterable[Path]) -> None:
    """Makes ``files`` and the folders between them and ``folder`` durable; files that are not there are left out."""
    folders: set[Path] = set()
    for file in filter(Path.is_file, files):
        _sync(file)
        folders.update(parent for parent in file.parents if parent.is_relative_to(folder))
    for parent in folders:
        _sync(parent)


@contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Turns the operating system's errors about ``folder`` into :class:`RunFolderError`."""
    try:
        yield
    except OSError as error:
        raise RunFolderError(_sentence(folder, error)) from error


def _sentence(folder: Path, error: OSError) -> str:
    if error.errno in _FULL:
        return (
            f"No space left for {folder} ({error.strerror}). What was recorded is safe: free some space and run the "
            "same command again; it continues."
        )
    if error.errno in _READ_ONLY:
        return f"Cannot write in {folder} ({error.strerror}). Make it writable or choose another output folder."
    return f"Cannot use {folder}: {error}. Mend it or choose another output folder."
