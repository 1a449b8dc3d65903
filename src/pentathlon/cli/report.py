"""``pentathlon report``: the static site of a folder of runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from pentathlon.cli.standings import warn_of
from pentathlon.core import RUNS
from pentathlon.report import build_site
from pentathlon.report.reading import find_runs


@dataclass(frozen=True)
class Report:
    """Write the static site: standings, tasks, trials, videos; it opens by double-click."""

    runs: tyro.conf.Positional[Path] = RUNS
    """Folder that holds the run folders."""
    out: Annotated[Path | None, tyro.conf.arg(aliases=["-o"])] = None
    """Folder for the site, with copies of the videos so that it can be moved alone; by default 'report' inside the runs
    folder, which links to them."""

    def run(self) -> int:
        """Writes the site and prints where."""
        site = build_site(*find_runs(self.runs), self.out or self.runs / "report", copy=self.out is not None)
        warn_of(site.problems)
        print(f"Report: {site.front}")
        return 0
