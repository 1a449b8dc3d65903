"""The shape of a standings table: columns are tasks, rows are entrants, cells are runs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from pentathlon.core.numbers import metric_name
from pentathlon.core.registry import EVENTS
from pentathlon.core.scores import PaperValue, Score
from pentathlon.core.tiers import Tier, suite_of
from pentathlon.stats import mean_rank, mean_success, rank_rows, suite_means


class Problem(NamedTuple):
    """A run that could not be read, and why."""

    run: str
    reason: str


@dataclass(frozen=True)
class Cell:
    """A run as far as it has come.

    Attributes:
        run: the run folder, as text.
        scores: the headline first; of the trials recorded so far where the run is not complete.
        expected: trials of the task; ``None`` where its task is not known here.
    """

    run: str
    scores: tuple[Score, ...]
    expected: int | None
    recorded: int
    errors: int
    complete: bool

    @property
    def headline(self) -> Score | None:
        """The task's first score."""
        return self.scores[0] if self.scores else None


@dataclass(frozen=True)
class Column:
    """A task under one protocol; every cell below it was made alike.

    Attributes:
        unlike: what its protocol has otherwise than the first one of the same task; empty for that one.
    """

    task: str
    protocol: str
    metric: str
    unit: str
    higher_is_better: bool
    paper: PaperValue | None
    ceiling: float | None = None
    unlike: str = ""

    @property
    def suite(self) -> str:
        """The suite that the task belongs to: ``metaworld`` of ``see/metaworld-hammer-v1``."""
        event = self.task.partition("/")[0]
        return suite_of(self.task, next((row.suites for row in EVENTS.rows() if row.id == event), ()))

    @property
    def label(self) -> str:
        """The task's name without its event."""
        return self.task.split("/")[1]


@dataclass(frozen=True)
class Row:
    """An entrant. Its means are known only where every cell of the row is complete."""

    entrant: str
    cells: tuple[Cell | None, ...]
    mean_score: float | None = None
    mean_rank: float | None = None

    @property
    def complete(self) -> bool:
        """Whether every task was run to the end."""
        return all(cell is not None and cell.complete and cell.scores for cell in self.cells)


class Entry(NamedTuple):
    """An entrant in one column; ranked once its run is complete."""

    name: str
    cell: Cell
    rank: int | None = None


@dataclass(frozen=True)
class Table:
    """Tasks of one event and tier that may be read side by side.

    Attributes:
        variant: 1, or more for further protocols of tasks that an earlier table already has.
        rehearsal: whether the runs only tried entrants out, in protocols shrunk to seconds.
    """

    event: str
    tier: Tier
    variant: int
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    rehearsal: bool = False

    @property
    def title(self) -> str:
        """Event, tier unless it is the full one, what a variant has otherwise, and that a rehearsal tells nothing."""
        tier = "" if self.tier == "full" else self.tier
        unlike = "; ".join(dict.fromkeys(column.unlike for column in self.columns if column.unlike))
        variant = f"protocol variant {self.variant}" + (f" ({unlike})" if unlike else "") if self.variant > 1 else ""
        parts = [self.event, tier, variant, "rehearsal, whose scores mean nothing" if self.rehearsal else ""]
        return " · ".join(part for part in parts if part)

    @property
    def alike(self) -> bool:
        """Whether the headlines are one measure in one unit and direction, so that a mean has a meaning."""
        return len({(column.metric, column.unit, column.higher_is_better) for column in self.columns}) == 1

    @property
    def measure(self) -> str:
        """What the means are of, as people say it; for tables that are :attr:`alike`."""
        return metric_name(self.columns[0].metric, self.columns[0].unit)

    def benchmarks(self) -> list[str]:
        """Names the benchmarks that means are over: suites of tasks as in CortexBench, or tasks where units differ."""
        return list(dict.fromkeys(map(self.benchmark, self.columns)))

    def benchmark(self, column: Column) -> str:
        """Names the benchmark that a column belongs to."""
        return column.suite if self.alike else column.task

    def best_first(self, index: int) -> list[Entry]:
        """Lists who ran the task of column ``index``: complete runs by rank, then those cut short, then unscored."""
        entries = [Entry(row.entrant, cell) for row in self.rows if (cell := row.cells[index]) is not None]
        scored = [entry for entry in entries if entry.cell.scores]
        placed = rank_rows([entry for entry in scored if entry.cell.complete], _scores_of)
        cut_short = rank_rows([entry for entry in scored if not entry.cell.complete], _scores_of)
        unscored = [entry for entry in entries if not entry.cell.scores]
        return [entry._replace(rank=rank) for rank, entry in placed] + [entry for _, entry in cut_short] + unscored


def _scores_of(entry: Entry) -> tuple[Score, ...]:
    return entry.cell.scores


def ranked(table: Table) -> Table:
    """Returns ``table`` with means in its complete rows and the rows in order, the best first."""
    complete = [row for row in table.rows if row.complete]
    others = [row for row in table.rows if not row.complete]
    return replace(table, rows=(*sorted(_with_means(table, complete), key=_order), *others))


def _with_means(table: Table, rows: list[Row]) -> list[Row]:
    if not rows:
        return []
    values = [[cell.scores[0].value for cell in row.cells if cell] for row in rows]
    by_benchmark = suite_means(values, [table.benchmark(column) for column in table.columns])
    better = {table.benchmark(column): column.higher_is_better for column in table.columns}
    ranks = mean_rank(by_benchmark, list(better.values()))
    means = mean_success(by_benchmark)
    return [
        replace(row, mean_rank=float(rank), mean_score=float(mean) if table.alike else None)
        for row, rank, mean in zip(rows, ranks, means, strict=True)
    ]


def _order(row: Row) -> tuple[float, str]:
    return (row.mean_rank or 0.0, row.entrant)
