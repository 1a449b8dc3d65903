"""The static site of a folder of runs: standings → task → run → trial; opens by double-click."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pentathlon.core.errors import PentathlonError, RunFolderError, UnknownIdError
from pentathlon.core.registry import TASKS
from pentathlon.report import pages, standings, trials, videos
from pentathlon.report.owned_files import OwnedFiles
from pentathlon.report.tables import Column, Entry, Problem

if TYPE_CHECKING:
    from pentathlon.core.trial import Outcome
    from pentathlon.engine import RunFolder


class Site(NamedTuple):
    """A written site: its front page, and the runs that could not be read."""

    front: Path
    problems: tuple[Problem, ...]


def build_site(runs: Sequence[RunFolder], problems: Sequence[Problem], out: Path, *, copy: bool = False) -> Site:
    """Writes the site into ``out``, and removes what an earlier site there had and this one has not.

    Args:
        runs: what to show.
        problems: runs that could not be opened, to be named.
        out: the site's folder.
        copy: copies artifacts into the site, so that it can be moved alone. Otherwise they are linked where they lie
            when ``out`` is beside or above the runs, so that the folder of both can be moved as a whole.

    Raises:
        RunFolderError: when ``out`` cannot be written.
    """
    try:
        return _Site(runs, problems, out, copy).write()
    except OSError as error:
        raise RunFolderError(
            f"Expected to write the report to {str(out)!r}, got {error.strerror} for {error.filename!r}. "
            "Choose another folder with --out."
        ) from error


class _Site:
    def __init__(self, runs: Sequence[RunFolder], problems: Sequence[Problem], out: Path, copy: bool) -> None:
        self._out = out
        self._runs = {str(run.path): run for run in runs}
        self._standings = standings.build(runs, problems)
        self._problems = list(self._standings.problems)
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
        self._linked = not copy and all(run.path.resolve().is_relative_to(beside) for run in runs)
        self._files = OwnedFiles(out)

    def write(self) -> Site:
        for name in ("style.css", "trials.js"):
            self._files.write(name, pages.asset(name))
        for table in self._standings.tables:
            for index, column in enumerate(table.columns):
                self._write_task(column, table.best_first(index))
        problems = tuple(self._problems)
        page = pages.standings_page(replace(self._standings, problems=problems), self._links)
        front = self._files.write("index.html", page)
        self._files.finish()
        return Site(front, problems)

    def _write_task(self, column: Column, entries: list[Entry]) -> None:
        address = self._links.tasks[column.task, column.protocol]
        protocol = self._runs[entries[0].cell.run].info.protocol
        page = pages.task_page(column, entries, self._links, summary=_summary(column.task), protocol=protocol)
        self._files.write(address, page)
        for entry in entries:
            self._write_run(entry, f"../{address}")

    def _write_run(self, entry: Entry, task_link: str) -> None:
        run, slug = self._runs[entry.cell.run], self._slugs[entry.cell.run]
        outcomes = self._outcomes(run)
        metrics = trials.metric_names(outcomes, [score.metric for score in entry.cell.scores])
        view = pages.RunView(run.info, entry.cell, entry.name, run.path.name, slug)
        listing, scripts = trials.listing(outcomes, metrics)
        self._files.write(f"run/{slug}.html", pages.run_page(view, task_link, listing))
        links = trials.ArtifactLinks(run.path, self._out / "run", None if self._linked else self._files, slug)
        for index, script in enumerate(scripts):
            self._files.write(f"run/{slug}/rows-{index}.js", script)
        inner = replace(links, page=self._out / "run" / slug)
        shown = videos.write_videos(self._files, view, outcomes, inner)
        for index, script in enumerate(trials.chunks(outcomes, links, shown)):
            self._files.write(f"run/{slug}/{index}.js", script)

    def _outcomes(self, run: RunFolder) -> list[Outcome]:
        """The trials in the order they are listed; none where the journal is corrupt, which is then named."""
        try:
            return sorted(run.outcomes().values(), key=lambda outcome: trials.natural_order(outcome.trial))
        except PentathlonError as error:
            self._problems.append(Problem(str(run.path), str(error)))
            return []


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
