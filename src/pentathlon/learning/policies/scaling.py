"""Standardisation with the statistics of a dataset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from pentathlon.learning.policies.policy import Arrays, read_array
from pentathlon.learning.policies.trajectories import Floats

SMALLEST_SPREAD = 1e-4
ROWS_AT_ONCE = 8192


@dataclass(frozen=True, eq=False)
class Standard:
    """Mean and spread of each column; columns that hardly vary are only shifted."""

    mean: Floats
    spread: Floats

    @classmethod
    def of(cls, rows: npt.NDArray[Any]) -> Self:
        """Measures ``rows[N, C]``."""
        # Sums in float32 lose digits over hundreds of thousands of rows; all rows in float64 would fill the memory.
        mean = rows.mean(axis=0, dtype=np.float64)
        squares = sum(
            np.square(rows[at : at + ROWS_AT_ONCE] - mean).sum(axis=0) for at in range(0, len(rows), ROWS_AT_ONCE)
        )
        spread = np.sqrt(squares / len(rows))
        spread[spread < SMALLEST_SPREAD] = 1.0
        return cls(mean.astype(np.float32), spread.astype(np.float32))

    @classmethod
    def from_arrays(cls, arrays: Arrays, name: str, size: int) -> Self:
        """Reads what :meth:`arrays` gave."""
        return cls(read_array(arrays, f"{name}.mean", (size,)), read_array(arrays, f"{name}.spread", (size,)))

    def arrays(self, name: str) -> dict[str, npt.NDArray[Any]]:
        """Names its two arrays for a policy's state."""
        return {f"{name}.mean": self.mean, f"{name}.spread": self.spread}

    def apply(self, rows: Floats) -> Floats:
        """Returns ``rows`` with mean 0 and spread 1."""
        return (rows - self.mean) / self.spread

    def apply_in_place(self, rows: Floats) -> Floats:
        """Does the same to ``rows`` themselves, where a copy of a whole dataset would be too much."""
        rows -= self.mean
        rows /= self.spread
        return rows

    def undo(self, rows: Floats) -> Floats:
        """Returns standardised ``rows`` in their own units."""
        return rows * self.spread + self.mean
