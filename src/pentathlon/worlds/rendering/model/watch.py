"""Notices that arrays of a model have changed, in one compiled call for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pentathlon.worlds.rendering.kernels import any_byte_differs

Array = npt.NDArray[Any]


class Watch:
    """Remembers the contents of arrays that stay where they are in memory, as an MjModel's do."""

    def __init__(self, arrays: Sequence[Array]) -> None:
        self.arrays = [array for array in arrays if array.size]
        self.seen = [array.copy() for array in self.arrays]
        pairs = zip(self.arrays, self.seen, strict=True)
        self._places = np.array([(a.ctypes.data, b.ctypes.data, a.nbytes) for a, b in pairs], np.int64).reshape(-1, 3)

    def changed(self) -> bool:
        """Tells whether anything differs from what was remembered."""
        return bool(any_byte_differs(self._places))

    def remember(self) -> None:
        """Takes the present contents for the known ones."""
        for array, copy in zip(self.arrays, self.seen, strict=True):
            copy[...] = array

    def changed_rows(self, count: int) -> npt.NDArray[np.bool_]:
        """Returns which rows differ, of arrays with `count` rows each, and remembers them."""
        rows = np.zeros(count, bool)
        for array, copy in zip(self.arrays, self.seen, strict=True):
            rows |= (array != copy).reshape(count, -1).any(axis=1)
        self.remember()
        return rows
