"""Memory through which pictures reach a sandbox: the server writes it, the agent can only read it.

A picture of 480 x 640 with depth has two megabytes, which cost several milliseconds through a pipe.
"""

from __future__ import annotations

import fcntl
import mmap
import os
from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import DataError
from pentathlon.models.remote.arrays import DTYPES, MAX_ARRAY_BYTES

# Pages that are never written take no memory.
WINDOW_BYTES = MAX_ARRAY_BYTES
_ALIGNMENT = 64
_SEAL_FUTURE_WRITE = 0x10


class Placed(msgspec.Struct, frozen=True):
    """Where an array lies in the window."""

    dtype: str
    shape: tuple[int, ...]
    offset: int


class Window:
    """The server's side, writable."""

    def __init__(self) -> None:
        writable = os.memfd_create("observation", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        try:
            os.ftruncate(writable, WINDOW_BYTES)
            self._memory = mmap.mmap(writable, WINDOW_BYTES)
            # Of a fixed length, or an agent could shorten it under the server's feet; and ours alone to write.
            seals = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | _SEAL_FUTURE_WRITE | fcntl.F_SEAL_SEAL
            fcntl.fcntl(writable, fcntl.F_ADD_SEALS, seals)
            self.descriptor = os.open(f"/proc/self/fd/{writable}", os.O_RDONLY)
        finally:
            os.close(writable)

    def place(self, arrays: Mapping[str, Any]) -> dict[str, Placed]:
        """Writes the arrays one after the other, over those of before, and says where they lie.

        Raises:
            DataError: when they are too long or not of numbers.
        """
        placed: dict[str, Placed] = {}
        offset = 0
        for name, value in arrays.items():
            array = np.ascontiguousarray(value)
            dtype, end = array.dtype.name, offset + array.nbytes
            if dtype not in DTYPES or end > WINDOW_BYTES:
                raise DataError(f"The observation {name!r} cannot be sent: {array.nbytes:,} bytes of {dtype}.")
            np.frombuffer(self._memory, dtype, array.size, offset)[:] = array.reshape(-1)
            placed[name] = Placed(dtype, array.shape, offset)
            offset = -(-end // _ALIGNMENT) * _ALIGNMENT
        return placed

    def close(self) -> None:
        """Lets the memory go."""
        os.close(self.descriptor)
        self._memory.close()


class ReadOnlyWindow:
    """The agent's side."""

    def __init__(self, descriptor: int) -> None:
        self._memory = mmap.mmap(descriptor, WINDOW_BYTES, prot=mmap.PROT_READ)
        os.close(descriptor)

    def look(self, placed: Placed) -> npt.NDArray[Any]:
        """Copies an array, since the next observation will lie in the same place."""
        size = int(np.prod(placed.shape))
        return np.frombuffer(self._memory, placed.dtype, size, placed.offset).reshape(placed.shape).copy()
