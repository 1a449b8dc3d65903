"""Arrays and other files kept on disk under the hash of what they were computed from."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import platformdirs
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from pentathlon.core.errors import UsageError
from pentathlon.storage.files import replacing

Arrays: TypeAlias = Mapping[str, npt.NDArray[Any]]

DEFAULT_LIMIT_BYTES = 20 * 2**30
_KEY = re.compile(r"[0-9a-zA-Z._-]{1,128}")
_SUFFIX = ".safetensors"


class CacheStats(NamedTuple):
    """What a cache holds."""

    folder: Path
    entries: int
    bytes: int
    limit_bytes: int


class _Entry(NamedTuple):
    used_ns: int
    bytes: int
    path: Path


def default_cache_folder() -> Path:
    """Returns the user's cache folder for arrays."""
    return Path(platformdirs.user_cache_dir("pentathlon")) / "arrays"


class FileCache:
    """Files by content key; any number of processes may read and write at once.

    Two processes that miss the same key both make it, and the file that is renamed last stays; since keys follow from
    content, either is right.
    """

    def __init__(self, folder: Path, suffix: str, limit_bytes: int) -> None:
        self.folder, self.limit_bytes = folder, limit_bytes
        self._suffix = suffix
        self._bytes: int | None = None

    def path(self, key: str) -> Path:
        """Returns where the file of that key is, if it is kept."""
        if not _KEY.fullmatch(key):
            raise UsageError(
                f"Expected a cache key of letters, digits, '.', '_' and '-', got {key!r}. Use content_hash."
            )
        return self.folder / f"{key}{self._suffix}"

    def contains(self, key: str) -> bool:
        """Tells whether ``key`` is kept."""
        return self.path(key).exists()

    def keep(self, key: str, write: Callable[[Path], None]) -> None:
        """Keeps what ``write`` puts into the file that it is given."""
        path = self.path(key)
        self.folder.mkdir(parents=True, exist_ok=True)
        with replacing(path) as temporary:
            write(temporary)
            size = temporary.stat().st_size
        self._trim_if_over(size)

    def stats(self) -> CacheStats:
        """Counts entries and bytes."""
        entries = self._entries()
        return CacheStats(self.folder, len(entries), sum(entry.bytes for entry in entries), self.limit_bytes)

    def trim(self, limit_bytes: int | None = None) -> int:
        """Removes the least recently used entries down to the limit and returns the bytes freed."""
        limit = self.limit_bytes if limit_bytes is None else limit_bytes
        entries = sorted(self._entries())
        held = sum(entry.bytes for entry in entries)
        freed = 0
        for entry in entries:
            if held - freed <= limit:
                break
            entry.path.unlink(missing_ok=True)
            freed += entry.bytes
        self._bytes = held - freed
        return freed

    def _trim_if_over(self, added_bytes: int) -> None:
        if self._bytes is None:
            self._bytes = self.stats().bytes
        else:
            self._bytes += added_bytes
        if self._bytes > self.limit_bytes:
            # Some room is made, or every later entry would look at all of them again.
            self.trim(self.limit_bytes * 9 // 10)

    def _entries(self) -> list[_Entry]:
        entries = []
        for path in self.folder.glob(f"*{self._suffix}"):
            try:
                stat = path.stat()
            except FileNotFoundError:
                continue
            entries.append(_Entry(stat.st_mtime_ns, stat.st_size, path))
        return entries


class ArrayCache(FileCache):
    """Named arrays by content key."""

    def __init__(self, folder: Path | None = None, limit_bytes: int = DEFAULT_LIMIT_BYTES) -> None:
        super().__init__(default_cache_folder() if folder is None else folder, _SUFFIX, limit_bytes)

    def get_or_compute(self, key: str, compute: Callable[[], Arrays]) -> dict[str, npt.NDArray[Any]]:
        """Returns the arrays kept under ``key``, computing and keeping them if need be.

        Args:
            key: a hash of everything that the arrays depend on.
            compute: makes the arrays.
        """
        kept = _load(self.path(key))
        if kept is not None:
            return kept
        arrays = {name: np.require(array, requirements="C") for name, array in compute().items()}
        self.keep(key, lambda path: save_file(arrays, path))
        return arrays


def _load(path: Path) -> dict[str, npt.NDArray[Any]] | None:
    """Reads an entry and marks it as used; one that a power cut left torn counts as missing."""
    try:
        arrays: dict[str, npt.NDArray[Any]] = load_file(path)
        os.utime(path)
    except (FileNotFoundError, SafetensorError):
        return None
    return arrays
