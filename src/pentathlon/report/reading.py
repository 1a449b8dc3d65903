"""Reads runs for tables and pages; one that cannot be read is named with the reason and stands in no other's way."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pentathlon.core.errors import PentathlonError, RunFolderError, UnknownIdError, UsageError
from pentathlon.core.identity import content_hash
from pentathlon.core.registry import TASKS
from pentathlon.report.tables import Cell, Problem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pentathlon.core.task import Task
    from pentathlon.engine import RunFolder


class Found(NamedTuple):
    """The runs below a folder, and those that could not even be opened."""

    runs: list[RunFolder]
    problems: tuple[Problem, ...]


class Read(NamedTuple):
    """Runs with how far they have come, by path, and those that could not be read."""

    cells: dict[str, Cell]
    problems: tuple[Problem, ...]


def find_runs(folder: Path) -> Found:
    """Lists the runs below ``folder``.

    Raises:
        UsageError: when there are none.
    """
    from pentathlon.engine import list_runs

    broken: list[RunFolderError] = []
    runs = list_runs(folder, broken.append)
    if not runs and not broken:
        raise UsageError(f"Expected run folders in {str(folder)!r}, found none. Make some with: pentathlon sprint")
    return Found(runs, tuple(Problem(str(folder), str(error)) for error in broken))


def read_cells(runs: Iterable[RunFolder]) -> Read:
    """Reads how far each run has come."""
    cells, problems = {}, []
    for run in runs:
        try:
            cells[str(run.path)] = cell_of(run)
        except PentathlonError as error:
            problems.append(Problem(str(run.path), str(error)))
    return Read(cells, tuple(problems))


def cell_of(run: RunFolder) -> Cell:
    """Reads how far ``run`` has come; the trials recorded so far are scored where it has no summary.

    Raises:
        PentathlonError: when a file of the run is corrupt, or its trials cannot be scored.
    """
    summary = run.summary()
    if summary is not None:
        progress = (summary.expected, summary.recorded, summary.errors, summary.complete)
        return Cell(str(run.path), summary.scores, *progress)
    outcomes = list(run.outcomes().values())
    errors = sum(outcome.status == "error" for outcome in outcomes)
    task = _task_of(run)
    if task is None:
        return Cell(str(run.path), (), None, len(outcomes), errors, False)
    expected = sum(len(heat.trials) for heat in task.heats())
    scores = tuple(task.scores(outcomes)) if outcomes else ()
    return Cell(str(run.path), scores, expected, len(outcomes), errors, False)


def _task_of(run: RunFolder) -> Task | None:
    """The task under the protocol of the run, where this installation has it."""
    try:
        entry = TASKS.get(run.info.task)
    except UnknownIdError:
        return None
    task = entry.make(**run.info.task_options)
    return task if content_hash(task.protocol) == run.info.protocol_hash else None
