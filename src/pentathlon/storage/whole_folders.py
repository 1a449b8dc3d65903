"""Folders that appear whole or not at all, and never over another."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pentathlon.core import DataError


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
