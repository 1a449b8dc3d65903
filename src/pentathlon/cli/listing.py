"""``pentathlon list``: what can be run and what can enter."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import Literal

import tyro
from rich.console import Console
from rich.table import Table

from pentathlon.core import ENTRANTS, EVENTS, TASKS


@dataclass(frozen=True)
class List:
    """List the events, the tasks or the entrants, with their ids and one-line meanings."""

    what: tyro.conf.Positional[Literal["events", "tasks", "entrants"]]
    """Which of the three."""
    json: bool = False
    """Print JSON instead of a table."""

    def run(self) -> int:
        """Prints the list."""
        rows = {"events": _event_rows, "tasks": _task_rows, "entrants": _entrant_rows}[self.what]()
        if self.json:
            print(json.dumps(rows, indent=2))
        else:
            _print_table(rows)
        problems = {"events": EVENTS.problems, "tasks": TASKS.problems, "entrants": ENTRANTS.problems}
        for problem in problems[self.what]:
            print(f"warning: {problem}", file=sys.stderr)
        return 0


def _event_rows() -> list[dict[str, str]]:
    return [{"id": row.id, "meaning": row.meaning} for row in EVENTS.rows()]


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
