"""One process at a time writes to a run folder."""

from __future__ import annotations

import fcntl
import os
import socket
from pathlib import Path

from pentathlon.core.errors import RunFolderError
from pentathlon.storage.files import disk_errors

LOCK_FILE = "lock"


class HeldError(RunFolderError):
    """Another process holds the lock."""


class FolderLock:
    """An advisory lock that ends with its process, however that ends."""

    def __init__(self, folder: Path, name: str = LOCK_FILE, *, shared: bool = False) -> None:
        """Takes the lock.

        Args:
            folder: what is written to.
            name: of the file that is locked; another than the usual one locks a part of the folder.
            shared: let others in that ask for a shared lock, too.

        Raises:
            HeldError: naming the process that holds it.
            RunFolderError: when the folder cannot be written to.
        """
        path = folder / name
        with disk_errors(folder):
            self._file = path.open("a+", encoding="utf-8")
        try:
            fcntl.flock(self._file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.seek(0)
            holder = self._file.read().strip() or "another process"
            self._file.close()
            raise HeldError(
                f"{folder} is being written by {holder}. Wait for it to finish, or end it and run the same command "
                "again; it continues."
            ) from None
        self._file.truncate(0)
        self._file.write(f"process {os.getpid()} on {socket.gethostname()}\n")
        self._file.flush()

    def release(self) -> None:
        """Lets others in."""
        self._file.close()
