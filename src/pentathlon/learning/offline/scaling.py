"""Standardisation with the statistics of a dataset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from pentathlon.learning.offline.policy import Arrays, read_array
from pentathlon.learning.offline.trajectories import Floats

SMALLEST_SPREAD = 1e-4


@dataclass(frozen=True, eq=False)
class Standard:
    """Mean and spread of each column; columns that hardly vary are only shifted."""

    mean: Floats
    spread: Floats

    @classmethod
    def of(cls, rows: npt.NDArray[Any]) -> Self:
        """Measures ``rows[N, C]``."""
        # Sums in float32 lose digits over hundreds of thousands of rows.
        mean, spread = rows.mean(axis=0, dtype=np.float64), rows.std(axis=0, dtype=np.float64)
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

    def undo(self, rows: Floats) -> Floats:
        """Returns standardised ``rows`` in their own units."""
        return rows * self.spread + self.mean
