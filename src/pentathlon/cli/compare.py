"""``pentathlon compare``: the paired difference between two runs of one task."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import tyro

from pentathlon.engine import RunFolder
from pentathlon.report import compare


@dataclass(frozen=True)
class Compare:
    """Compare two runs of one task, trial by trial."""

    first: tyro.conf.Positional[Path]
    """A run folder."""
    second: tyro.conf.Positional[Path]
    """Another run folder of the same task and protocol."""

    def run(self) -> int:
        """Prints the paired difference with its interval."""
        print(compare.compare(RunFolder.open(self.first), RunFolder.open(self.second)))
        return 0
