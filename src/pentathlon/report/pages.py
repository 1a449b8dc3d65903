"""The pages of the site, rendered from templates that escape everything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from jinja2 import Environment

from pentathlon.core import numbers
from pentathlon.core.scores import Score
from pentathlon.report.tables import Cell, Column, Entry, Table
from pentathlon.report.terminal import notes
from pentathlon.report.trials import script_json
from pentathlon.stats import charts
from pentathlon.storage.templates import open_templates

if TYPE_CHECKING:
    from pentathlon.core.events import VideoPage
    from pentathlon.engine import RunInfo
    from pentathlon.report.standings import Standings

QUESTIONS = {
    "see": "Does this visual representation support control?",
    "explore": "What did the agent learn by exploring a house freely?",
    "find": "Can it find what a sentence describes, untrained?",
    "act": "Does a policy trained offline work on a robot it never touched?",
    "judge": "Can it tell whether a sequential task was done as described?",
}


@dataclass(frozen=True)
class Links:
    """Page addresses relative to the site's root; without any, names stand alone."""

    tasks: Mapping[tuple[str, str], str]
    runs: Mapping[str, str]

    def task(self, column: Column) -> str | None:
        """The page of a column."""
        return self.tasks.get((column.task, column.protocol))

    def run(self, cell: Cell) -> str | None:
        """The page of a cell."""
        return self.runs.get(cell.run)


@dataclass(frozen=True)
class RunView:
    """What the page of a run shows besides its trials."""

    info: RunInfo
    cell: Cell
    name: str
    folder: str
    slug: str


def standalone_standings(standings: Standings) -> str:
    """Renders the standings as one page with the style inside and no links."""
    return _render("standings.html", root=None, **_standings(standings, Links({}, {})))


def standings_page(standings: Standings, links: Links) -> str:
    """Renders the site's front page."""
    return _render("standings.html", root="", **_standings(standings, links))


def task_page(column: Column, entries: Sequence[Entry], links: Links, *, summary: str, protocol: Any) -> str:
    """Renders a task: its protocol, the paper's value and every entrant's scores."""
    metrics = _metrics([entry.cell for entry in entries])
    axes = {
        name: charts.axis_of(scores, next((score.paper for score in scores if score.paper), None))
        for name, scores in metrics.items()
    }
    return _render(
        "task.html",
        root="../",
        column=column,
        entries=entries,
        links=links,
        summary=summary,
        protocol=protocol,
        metrics=metrics,
        axes=axes,
    )


def run_page(view: RunView, task_link: str, listing: Mapping[str, Any]) -> str:
    """Renders a run: its scores, what it was made with and the list of trials."""
    axes = {score.metric: charts.axis_of([score], score.paper) for score in view.cell.scores}
    return _render("run.html", root="../", view=view, task_link=task_link, axes=axes, listing=script_json(listing))


def video_page(view: RunView, trial: str, page: VideoPage, picture: str | None, around: tuple[str, str]) -> str:
    """Renders one video of a trial; ``around`` are the addresses of the pages before and after it, empty for none."""
    return _render("video.html", root="../../", view=view, trial=trial, page=page, picture=picture, around=around)


def asset(name: str) -> str:
    """Reads the style sheet or the script."""
    return (files("pentathlon.report") / "templates" / name).read_text(encoding="utf-8")


def _standings(standings: Standings, links: Links) -> dict[str, Any]:
    cells = [cell for table in standings.tables for row in table.rows for cell in row.cells if cell is not None]
    return {
        "tables": standings.tables,
        "problems": standings.problems,
        "axes": {
            column: _column_axis(table, i) for table in standings.tables for i, column in enumerate(table.columns)
        },
        "best": {column: _best(table, i) for table in standings.tables for i, column in enumerate(table.columns)},
        "links": links,
        "runs": len(cells),
        "entrants": len({row.entrant for table in standings.tables for row in table.rows}),
        "trials": sum(cell.recorded for cell in cells),
        "errors": sum(cell.errors for cell in cells),
    }


def _column_axis(table: Table, index: int) -> charts.Axis:
    return charts.axis_of(_headlines(table, index), table.columns[index].paper)


def _best(table: Table, index: int) -> float | None:
    values = [score.value for score in _headlines(table, index)]
    if len(values) < 2:
        return None
    return max(values) if table.columns[index].higher_is_better else min(values)


def _headlines(table: Table, index: int) -> list[Score]:
    return [cell.scores[0] for row in table.rows if (cell := row.cells[index]) is not None and cell.scores]


def _metrics(cells: Sequence[Cell]) -> dict[str, list[Score]]:
    metrics: dict[str, list[Score]] = {}
    for cell in cells:
        for score in cell.scores:
            metrics.setdefault(score.metric, []).append(score)
    return metrics


def _render(template: str, **context: Any) -> str:
    return _environment().get_template(template).render(**context)


@cache
def _environment() -> Environment:
    environment = open_templates("pentathlon.report")
    environment.globals.update(
        asset=asset,
        bar=charts.bar,
        count=numbers.count,
        metric_name=numbers.metric_name,
        metric_title=numbers.metric_title,
        notes=notes,
        number=numbers.number,
        questions=QUESTIONS,
        scale=charts.scale,
        with_unit=numbers.with_unit,
    )
    return environment
