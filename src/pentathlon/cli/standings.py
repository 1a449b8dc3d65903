"""``pentathlon standings``: the table over many runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import tyro
from rich.console import Console

from pentathlon.core import RUNS
from pentathlon.report import standings
from pentathlon.report.reading import find_runs
from pentathlon.report.tables import Problem


@dataclass(frozen=True)
class Standings:
    """Print the standings of all runs in a folder."""

    runs: tyro.conf.Positional[Path] = RUNS
    """Folder that holds the run folders."""
    json: bool = False
    """Print JSON instead of a table."""
    csv: bool = False
    """Print CSV instead of a table."""
    html: bool = False
    """Print an HTML page instead of a table."""

    def run(self) -> int:
        """Prints the table in the wanted form."""
        table = standings.build(*find_runs(self.runs))
        if self.json:
            print(table.to_json())
        elif self.csv:
            sys.stdout.write(table.to_csv())
        elif self.html:
            print(table.to_html())
        else:
            Console().print(table.to_table())
        if self.json or self.csv or self.html:
            warn_of(table.problems)
        return 0


def warn_of(problems: Sequence[Problem]) -> None:
    """Names the runs that could not be read, apart from what is printed."""
    for problem in problems:
        print(f"warning: {problem.reason}", file=sys.stderr)
