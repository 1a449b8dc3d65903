"""``pentathlon list``: what can be run and what can enter."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import Literal

import tyro
from rich.console import Console
from rich.table import Table

from pentathlon.core import ENTRANTS, TASKS


@dataclass(frozen=True)
class List:
    """List the tasks or the entrants, with their ids and one-line meanings."""

    what: tyro.conf.Positional[Literal["tasks", "entrants"]]
    """Which of the two."""
    json: bool = False
    """Print JSON instead of a table."""

    def run(self) -> int:
        """Prints the list."""
        rows = _task_rows() if self.what == "tasks" else _entrant_rows()
        if self.json:
            print(json.dumps(rows, indent=2))
        else:
            _print_table(rows)
        for problem in (TASKS if self.what == "tasks" else ENTRANTS).problems:
            print(f"warning: {problem}", file=sys.stderr)
        return 0


def _task_rows() -> list[dict[str, str]]:
    return [{"id": row.id, "event": row.event, "meaning": row.summary} for row in TASKS.rows()]


def _entrant_rows() -> list[dict[str, str]]:
    return [{"id": row.id, "kind": row.kind or "", "meaning": row.summary} for row in ENTRANTS.rows()]


def _print_table(rows: list[dict[str, str]]) -> None:
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    shown = [name for name in ("id", "kind", "meaning") if rows and name in rows[0]]
    for name in shown:
        table.add_column(name, no_wrap=name != "meaning")
    for row in rows:
        table.add_row(*(row[name] for name in shown))
    Console().print(table)
