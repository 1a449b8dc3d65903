"""Standings in the terminal: one line per run, so that any number of tasks fits any width."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as RichTable
from rich.text import Text

from pentathlon.core.numbers import MISSING, count, number
from pentathlon.report.tables import Cell, Table

if TYPE_CHECKING:
    from pentathlon.report.standings import Standings


def render(standings: Standings) -> Group:
    """Renders every table, and the means below those with several tasks."""
    parts: list[RenderableType] = []
    for table in standings.tables:
        parts.append(_scores(table))
        if len(table.columns) > 1 and any(row.mean_rank is not None for row in table.rows):
            parts += _means(table)
    parts += [Text(f"not shown: {problem.reason}", style="red") for problem in standings.problems]
    return Group(*parts)


def notes(cell: Cell) -> list[str]:
    """Says what a reader of the cell's number must know: errors, missing trials."""
    said = []
    if cell.errors:
        said.append(count(cell.errors, "error"))
    if cell.expected is None:
        said.append(f"under way, {count(cell.recorded, 'trial')} recorded")
    elif not cell.complete:
        said.append(f"incomplete, {cell.recorded:,} of {cell.expected:,} trials")
    return said


def _scores(table: Table) -> RichTable:
    drawn = _grid(title=table.title, title_justify="left", title_style="bold")
    drawn.add_column("task", overflow="fold")
    drawn.add_column("entrant", overflow="fold")
    drawn.add_column("score", justify="right", no_wrap=True)
    drawn.add_column("95 % interval", no_wrap=True)
    drawn.add_column("n", justify="right", no_wrap=True)
    papers = any(column.paper for column in table.columns)
    ceilings = any(column.ceiling is not None for column in table.columns)
    for title in ["paper"] * papers + ["expert"] * ceilings:
        drawn.add_column(title, justify="right", no_wrap=True)
    drawn.add_column("", style="yellow", overflow="fold")
    for index, column in enumerate(table.columns):
        name = column.label
        beside = [number(column.paper.value if column.paper else None)] * papers + [number(column.ceiling)] * ceilings
        for entrant, cell, _ in table.best_first(index):
            drawn.add_row(Text(name), Text(entrant), *_numbers(cell), *beside, "; ".join(notes(cell)))
            name = ""
        drawn.add_section()
    return drawn


def _numbers(cell: Cell) -> tuple[str, str, str]:
    score = cell.headline
    return (score.value_text, score.interval_text, f"{score.n:,}") if score else (MISSING, "", "")


def _grid(**options: Any) -> RichTable:
    return RichTable(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True, **options)


def _means(table: Table) -> list[RenderableType]:
    benchmarks = table.benchmarks()
    title = f"{table.title}, over {count(len(benchmarks), 'benchmark')}: {', '.join(benchmarks)}"
    drawn = _grid()
    drawn.add_column("entrant", overflow="fold")
    drawn.add_column("mean rank", justify="right")
    if table.alike:
        drawn.add_column(f"mean {table.measure}", justify="right")
    for row in table.rows:
        if row.mean_rank is not None:
            mean = [number(row.mean_score)] if table.alike else []
            drawn.add_row(Text(row.entrant), f"{row.mean_rank:.1f}", *mean)
    return [Text(title), drawn]
