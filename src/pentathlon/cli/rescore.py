"""``pentathlon rescore``: scores computed again from what runs recorded."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import tyro

from pentathlon.cli.run import print_summary
from pentathlon.cli.standings import warn_of
from pentathlon.core import RUNS
from pentathlon.engine import rescore
from pentathlon.report.reading import find_runs


@dataclass(frozen=True)
class Rescore:
    """Compute scores again from the recorded trials, by each task's rule as it is now; nothing is run."""

    runs: tyro.conf.Positional[Path] = RUNS
    """A run folder, or a folder that holds some."""

    def run(self) -> int:
        """Rewrites the summaries and prints them."""
        found = find_runs(self.runs)
        warn_of(found.problems)
        for folder in found.runs:
            print_summary(rescore(folder))
        return 0
