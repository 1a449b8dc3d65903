"""``pentathlon standings``: the table over many runs."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import tyro
from rich.console import Console

from pentathlon.core import RUNS, UsageError
from pentathlon.engine import RunFolder, list_runs
from pentathlon.report import standings


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
        table = standings.build(find_runs(self.runs))
        if self.json:
            print(table.to_json())
        elif self.csv:
            sys.stdout.write(table.to_csv())
        elif self.html:
            print(table.to_html())
        else:
            Console().print(table.to_table())
        return 0


def find_runs(folder: Path) -> list[RunFolder]:
    """Lists the runs below ``folder``.

    Raises:
        UsageError: when there are none.
    """
    runs = list_runs(folder)
    if not runs:
        raise UsageError(f"Expected run folders in {str(folder)!r}, found none. Make some with: pentathlon sprint")
    return runs
