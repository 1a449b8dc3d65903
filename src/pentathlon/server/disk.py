"""A full disk: how it is told from other failures, and when there is room again."""

from __future__ import annotations

import errno
import shutil
import sqlite3
import time
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from pentathlon.core.errors import MachineError, RunFolderError
from pentathlon.server.sizes import MEBIBYTE

WORKING_BYTES = 256 * MEBIBYTE
"""Room for the video, the episode and the log of a trial, and for the database."""

ROOM_POLL_S = 15.0

_FULL = (errno.ENOSPC, errno.EDQUOT)
_POSTGRESQL_FULL = "53100"


def is_full(error: BaseException) -> bool:
    """Whether ``error`` means that a file or the database could not be written for want of room."""
    if isinstance(error, DBAPIError):
        cause = error.orig
        if isinstance(cause, sqlite3.Error):
            return getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
        return getattr(cause, "sqlstate", None) == _POSTGRESQL_FULL
    if isinstance(error, RunFolderError | MachineError):
        return error.__cause__ is not None and is_full(error.__cause__)
    return isinstance(error, OSError) and error.errno in _FULL


def has_room(folder: Path) -> bool:
    """Whether there is room to work in ``folder``."""
    return shutil.disk_usage(folder).free >= WORKING_BYTES


def await_room(folder: Path) -> None:
    """Waits until there is room to work in ``folder``."""
    time.sleep(ROOM_POLL_S)
    while not has_room(folder):
        time.sleep(ROOM_POLL_S)
