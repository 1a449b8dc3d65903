"""Counts the files in a sandbox's temporary folders: each takes memory of the kernel, however empty it is."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress

FOLDERS = ("tmp", "dev/shm")


class TemporaryFiles:
    """Looks at the temporary folders of one sandbox from outside.

    Args:
        size_bytes: of each folder, by which they are told from those of the host while the sandbox is being set up.
    """

    def __init__(self, size_bytes: int) -> None:
        page_bytes = os.sysconf("SC_PAGE_SIZE")
        self._size_bytes = -(-size_bytes // page_bytes) * page_bytes
        self._descriptors: list[int] = []

    def count(self, processes: Iterable[int]) -> int:
        """How many files there are; ``processes`` are some of the sandbox's."""
        if not self._descriptors:
            for process in processes:
                self._find(process)
        return sum(found.f_files - found.f_ffree for found in map(os.statvfs, self._descriptors))

    def close(self) -> None:
        """Lets the folders go."""
        for descriptor in self._descriptors:
            os.close(descriptor)
        self._descriptors = []

    def _find(self, process: int) -> None:
        if self._descriptors:
            return
        opened: list[int] = []
        with suppress(OSError):
            for folder in FOLDERS:
                opened.append(os.open(f"/proc/{process}/root/{folder}", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC))
        if len(opened) == len(FOLDERS) and all(map(self._is_ours, opened)):
            self._descriptors = opened
            return
        for descriptor in opened:
            os.close(descriptor)

    def _is_ours(self, descriptor: int) -> bool:
        found = os.statvfs(descriptor)
        return found.f_blocks * found.f_frsize == self._size_bytes
