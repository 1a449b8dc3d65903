"""Standings: the tables over many runs, as text, JSON, CSV and HTML."""

from __future__ import annotations

import csv
import io
import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pentathlon.core.errors import UnknownIdError
from pentathlon.core.identity import to_plain
from pentathlon.core.registry import EVENTS, TASKS
from pentathlon.core.scores import Score
from pentathlon.core.tiers import TIERS, Tier, tier_of
from pentathlon.report.reading import read_cells
from pentathlon.report.tables import Cell, Column, Problem, Row, Table, ranked

if TYPE_CHECKING:
    from rich.console import Group

    from pentathlon.engine import RunFolder

CSV_HEADER = (
    *("event", "tier", "variant", "task", "protocol", "entrant", "metric", "value", "low", "high", "n", "errors"),
    *("unit", "paper_value", "paper_source", "expert", "expected", "recorded", "complete", "run"),
)

MOST_CHANGES = 4


@dataclass(frozen=True)
class Standings:
    """Entrants by tasks. Runs of different events, tiers or protocols never stand in one table, nor do rehearsals."""

    tables: tuple[Table, ...]
    problems: tuple[Problem, ...] = ()

    def to_table(self) -> Group:
        """Renders for the terminal."""
        from pentathlon.report.terminal import render

        return render(self)

    def to_json(self) -> str:
        """Writes everything, indented."""
        return json.dumps(to_plain(self), indent=2, ensure_ascii=False)

    def to_csv(self) -> str:
        """Writes one line per score; a table's means have an empty task."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(CSV_HEADER)
        for table in self.tables:
            writer.writerows(_csv_rows(table))
        return text.getvalue()

    def to_html(self) -> str:
        """Writes one page that needs no other file."""
        from pentathlon.report.pages import standalone_standings

        return standalone_standings(self)


def build(runs: Sequence[RunFolder], problems: Sequence[Problem] = ()) -> Standings:
    """Gathers the standings of ``runs``; those that cannot be read join the ``problems``."""
    cells, unread = read_cells(runs)
    by_task: dict[tuple[bool, str], dict[str, list[RunFolder]]] = defaultdict(lambda: defaultdict(list))
    for run in (run for run in runs if str(run.path) in cells):
        by_task[is_rehearsal(run), run.info.task][run.info.protocol_hash].append(run)
    tables: dict[tuple[str, Tier, int, bool], list[list[RunFolder]]] = defaultdict(list)
    usual: dict[tuple[str, str], RunFolder] = {}
    for rehearsal, task in sorted(by_task):
        protocols = sorted(by_task[rehearsal, task].items(), key=_usual_first)
        for variant, (_, alike) in enumerate(protocols, start=1):
            tables[task.split("/")[0], tier_of(task), variant, rehearsal].append(alike)
            usual[task, alike[0].info.protocol_hash] = protocols[0][1][0]
    places = {event.id: event.place for event in EVENTS.rows()}
    keys = sorted(tables, key=lambda key: (key[3], places.get(key[0], math.inf), key[0], TIERS.index(key[1]), key[2]))
    return Standings(tuple(ranked(_table(*key, tables[key], cells, usual)) for key in keys), (*problems, *unread))


def _usual_first(item: tuple[str, list[RunFolder]]) -> tuple[bool, int, str]:
    """The task's own protocol comes first, then what most entrants ran; the hash settles equal numbers."""
    protocol, runs = item
    return all(run.info.task_options for run in runs), -len(runs), protocol


def is_rehearsal(run: RunFolder) -> bool:
    """Tells whether a run was made with ``--rehearse``: by the options that the task's entry shrinks it with."""
    try:
        shrunk = TASKS.get(run.info.task).rehearsal
    except UnknownIdError:  # Of a package that is not installed here.
        return False
    return bool(shrunk) and all(run.info.task_options.get(name) == value for name, value in shrunk.items())


def row_names(runs: Sequence[RunFolder]) -> dict[str, str]:
    """Names the row of each run: the entrant, and what tells it apart where that is not enough."""
    builds = {(run.info.entrant, run.info.build) for run in runs}
    ambiguous = {entrant for entrant, n in Counter(entrant for entrant, _ in builds).items() if n > 1}
    names = {
        str(run.path): f"{run.info.entrant} ({run.info.build})" if run.info.entrant in ambiguous else run.info.entrant
        for run in runs
    }
    # Copies of one run, as from two output folders, must not hide each other.
    taken = Counter((run.info.task, names[str(run.path)]) for run in runs)
    for run in runs:
        if taken[run.info.task, names[str(run.path)]] > 1:
            names[str(run.path)] += f" in {run.path}"
    return names


def _table(
    event: str,
    tier: Tier,
    variant: int,
    rehearsal: bool,
    tasks: list[list[RunFolder]],
    cells: Mapping[str, Cell],
    usual: Mapping[tuple[str, str], RunFolder],
) -> Table:
    names = row_names([run for runs in tasks for run in runs])
    held = [{names[str(run.path)]: cells[str(run.path)] for run in runs} for runs in tasks]
    columns = tuple(
        _column(runs[0], usual[runs[0].info.task, runs[0].info.protocol_hash], list(column.values()))
        for runs, column in zip(tasks, held, strict=True)
    )
    rows = (Row(name, tuple(column.get(name) for column in held)) for name in sorted(set(names.values())))
    return Table(event, tier, variant, columns, tuple(rows), rehearsal)


def unlike(usual: Any, protocol: Any) -> str:
    """Names what a protocol has otherwise than another, in words; of lists and the like their name alone."""
    if not (isinstance(usual, Mapping) and isinstance(protocol, Mapping)):
        return ""
    changed = [name for name in sorted({*usual, *protocol}) if usual.get(name) != protocol.get(name)]
    shown = [
        f"{name} {value}" if isinstance(value := protocol.get(name), str | int | float) and value != "" else name
        for name in changed[:MOST_CHANGES]
    ]
    return ", ".join(shown).replace("_", " ") + (", …" if len(changed) > MOST_CHANGES else "")


def _column(run: RunFolder, usual: RunFolder, cells: Sequence[Cell]) -> Column:
    headlines = [cell.scores[0] for cell in cells if cell.scores]
    sample = headlines[0] if headlines else Score("", 0.0, 0.0, 0.0, 0)
    paper = next((score.paper for score in headlines if score.paper is not None), None)
    about = (sample.metric, sample.unit, sample.higher_is_better)
    otherwise = unlike(usual.info.protocol, run.info.protocol)
    return Column(run.info.task, run.info.protocol_hash, *about, paper, sample.ceiling, otherwise)


def _csv_rows(table: Table) -> Iterable[Sequence[object]]:
    place = (table.event, table.tier, table.variant)
    for row in table.rows:
        for column, cell in zip(table.columns, row.cells, strict=True):
            if cell is not None:
                yield from (_csv_score(place, column, row, cell, score) for score in cell.scores)
        for name, value in ((f"mean_{table.columns[0].metric}", row.mean_score), ("mean_rank", row.mean_rank)):
            if value is not None:
                yield (*place, "", "", row.entrant, name, value, *[""] * 12)


def _csv_score(place: Sequence[object], column: Column, row: Row, cell: Cell, score: Score) -> Sequence[object]:
    paper = (score.paper.value, score.paper.source) if score.paper else ("", "")
    expert = "" if score.ceiling is None else score.ceiling
    numbers = (score.value, score.low, score.high, score.n, score.errors, score.unit)
    run = (cell.expected, cell.recorded, cell.complete, cell.run)
    return (*place, column.task, column.protocol, row.entrant, score.metric, *numbers, *paper, expert, *run)
