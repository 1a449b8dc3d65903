"""``pentathlon report``: the static site of a folder of runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from pentathlon.cli.standings import find_runs
from pentathlon.core import RUNS
from pentathlon.report import build_site


@dataclass(frozen=True)
class Report:
    """Write the static site: standings, tasks, trials, videos; it opens by double-click."""

    runs: tyro.conf.Positional[Path] = RUNS
    """Folder that holds the run folders."""
    out: Annotated[Path | None, tyro.conf.arg(aliases=["-o"])] = None
    """Folder for the site; by default 'report' inside the runs folder."""

    def run(self) -> int:
        """Writes the site and prints where."""
        print(f"Report: {build_site(find_runs(self.runs), self.out or self.runs / 'report')}")
        return 0
