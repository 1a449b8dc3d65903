"""The static site of a folder of runs: standings → task → run → trial; opens by double-click."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pentathlon.core.errors import RunFolderError, UnknownIdError
from pentathlon.core.registry import TASKS
from pentathlon.report import pages, standings, trials
from pentathlon.report.tables import Column, Entry

if TYPE_CHECKING:
    from pentathlon.engine import RunFolder


def build_site(runs: Sequence[RunFolder], out: Path) -> Path:
    """Writes the site into ``out`` and returns the path of its front page.

    Artifacts are linked where they lie when ``out`` is beside or above the runs, so that the folder can be moved as a
    whole; otherwise they are copied into the site.

    Raises:
        RunFolderError: when ``out`` cannot be written.
    """
    try:
        return _Site(runs, out).write()
    except OSError as error:
        raise RunFolderError(
            f"Expected to write the report to {str(out)!r}, got {error.strerror} for {error.filename!r}. "
            "Choose another folder with --out."
        ) from error


class _Site:
    def __init__(self, runs: Sequence[RunFolder], out: Path) -> None:
        self._out = out
        self._runs = {str(run.path): run for run in runs}
        self._standings = standings.build(runs)
        slugs = _unique_slugs(run.path.name for run in runs)
        self._slugs = dict(zip(self._runs, slugs, strict=True))
        columns = [column for table in self._standings.tables for column in table.columns]
        tasks = _unique_slugs(column.task for column in columns)
        self._links = pages.Links(
            tasks={
                (column.task, column.protocol): f"task/{slug}.html" for column, slug in zip(columns, tasks, strict=True)
            },
            runs={path: f"run/{slug}.html" for path, slug in self._slugs.items()},
        )
        beside = out.resolve().parent
        self._linked = all(run.path.resolve().is_relative_to(beside) for run in runs)

    def write(self) -> Path:
        for name in ("style.css", "trials.js"):
            self._write(name, pages.asset(name))
        for table in self._standings.tables:
            for index, column in enumerate(table.columns):
                self._write_task(column, table.best_first(index))
        return self._write("index.html", pages.standings_page(self._standings, self._links))

    def _write_task(self, column: Column, entries: list[Entry]) -> None:
        address = self._links.tasks[column.task, column.protocol]
        protocol = self._runs[entries[0].cell.run].info.protocol
        page = pages.task_page(column, entries, self._links, summary=_summary(column.task), protocol=protocol)
        self._write(address, page)
        for entry in entries:
            self._write_run(entry, f"../{address}")

    def _write_run(self, entry: Entry, task_link: str) -> None:
        run, slug = self._runs[entry.cell.run], self._slugs[entry.cell.run]
        outcomes = [outcome for _, outcome in sorted(run.outcomes().items())]
        metrics = trials.metric_names(outcomes, [score.metric for score in entry.cell.scores])
        view = pages.RunView(run.info, entry.cell, entry.name, run.path.name, slug)
        self._write(f"run/{slug}.html", pages.run_page(view, task_link, trials.listing(outcomes, metrics)))
        copies = None if self._linked else self._out / "run" / slug
        links = trials.ArtifactLinks(run=run.path, page=self._out / "run", copies=copies)
        for index, script in enumerate(trials.chunks(outcomes, links)):
            self._write(f"run/{slug}/{index}.js", script)

    def _write(self, address: str, text: str) -> Path:
        path = self._out / address
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path


def _summary(task: str) -> str:
    try:
        return TASKS.get(task).summary
    except UnknownIdError:
        return ""


def _unique_slugs(names: Iterable[str]) -> list[str]:
    """Turns names into distinct file names."""
    seen: dict[str, int] = defaultdict(int)
    slugs = []
    for name in names:
        slug = re.sub(r"[^A-Za-z0-9._]+", "-", name).strip("-.") or "run"
        seen[slug] += 1
        slugs.append(slug if seen[slug] == 1 else f"{slug}-{seen[slug]}")
    return slugs
