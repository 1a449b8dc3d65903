"""One process at a time writes to a folder."""

from __future__ import annotations

import fcntl
import os
import socket
from pathlib import Path
from typing import TextIO

from pentathlon.core.closing import Closing
from pentathlon.core.errors import RunFolderError
from pentathlon.storage.files import disk_errors

LOCK_FILE = "lock"


class HeldError(RunFolderError):
    """Another process holds the lock."""


class FolderLock(Closing):
    """An advisory lock that ends with its process, however that ends."""

    def __init__(self, folder: Path, name: str = LOCK_FILE, *, shared: bool = False, wait: bool = False) -> None:
        """Takes the lock, making the folder if need be.

        Args:
            folder: what is written to.
            name: of the file that is locked; another than the usual one locks a part of the folder.
            shared: others may hold it too, if they share it as well.
            wait: until it is free.

        Raises:
            HeldError: naming the process that holds it.
            RunFolderError: when the folder cannot be written to.
        """
        self._folder, self._path = folder, folder / name
        mode = (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB)
        while not self._take(mode):
            continue
        self._file.truncate(0)
        self._file.write(f"process {os.getpid()} on {socket.gethostname()}\n")
        self._file.flush()

    def make_exclusive(self) -> bool:
        """Tries to be the only holder of a lock that was shared."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def close(self) -> None:
        """Lets others in."""
        self._file.close()

    def _take(self, mode: int) -> bool:
        """Takes the lock, unless its file was removed or its folder moved meanwhile: it would lock nothing."""
        with disk_errors(self._folder):
            self._file = self._open()
        try:
            fcntl.flock(self._file, mode)
            if os.path.samestat(os.fstat(self._file.fileno()), os.stat(self._path)):
                return True
        except BlockingIOError:
            self._file.seek(0)
            holder = self._file.read().strip() or "another process"
            self._file.close()
            raise HeldError(
                f"{self._folder} is being written by {holder}. Wait for it to finish, or end it and run the same "
                "command again; it continues."
            ) from None
        except FileNotFoundError:
            pass
        self._file.close()
        return False

    def _open(self) -> TextIO:
        while True:
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
                return self._path.open("a+", encoding="utf-8")
            except FileNotFoundError:
                continue  # Another process removed the folder between the two.
