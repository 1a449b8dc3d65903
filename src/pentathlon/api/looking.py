"""Looks at what there is: tasks, entrants, runs, standings and comparisons."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pentathlon.api.evaluation import Evaluation
from pentathlon.core.entrants import Kind
from pentathlon.core.errors import UsageError
from pentathlon.core.registry import ENTRANTS, TASKS, EntrantEntry, TaskEntry, match_tasks
from pentathlon.core.runs import RUNS
from pentathlon.engine import RunFolder, list_runs
from pentathlon.engine.workers.workbench import build_task

if TYPE_CHECKING:
    from pentathlon.report.compare import Comparison
    from pentathlon.report.standings import Standings


def tasks(pattern: str = "") -> tuple[TaskEntry, ...]:
    """Lists all tasks, or those that a pattern such as ``see/*-lite-v1`` names."""
    return match_tasks([pattern]) if pattern else TASKS.rows()


def entrants(kind: Kind | None = None) -> tuple[EntrantEntry, ...]:
    """Lists the registered entrants, all or those of one kind."""
    return tuple(row for row in ENTRANTS.rows() if kind is None or row.kind == kind)


def load_run(folder: str | Path) -> Evaluation:
    """Reads a run folder: its scores and trials.

    A run that was interrupted is scored on what it has recorded.

    Raises:
        RunFolderError: when there is no run or it cannot be read.
        UnknownIdError: when it was interrupted and its task is not installed.
    """
    run = RunFolder.open(Path(folder))
    outcomes = tuple(outcome for _, outcome in sorted(run.outcomes().items()))
    summary = run.summary()
    if summary is not None:
        scores, complete = summary.scores, summary.complete
    else:
        task = build_task(TASKS.get(run.info.task), run.info.task_options)
        scores, complete = tuple(task.scores(outcomes)), False
    return Evaluation(run.info.task, run.info.entrant, scores, outcomes, complete, run.path)


def standings(folder: str | Path = RUNS) -> Standings:
    """Gathers the standings of all runs in a folder."""
    from pentathlon.report.standings import build

    return build(list_runs(Path(folder)))


def compare(first: str | Path | Evaluation, second: str | Path | Evaluation) -> Comparison:
    """Compares two recorded runs of one task on the trials that both have recorded.

    Raises:
        UsageError: when an evaluation was not kept, or the two are of different tasks or protocols.
    """
    from pentathlon.report.compare import compare as compare_runs

    return compare_runs(_folder_of(first), _folder_of(second))


def _folder_of(run: str | Path | Evaluation) -> RunFolder:
    folder = run.folder if isinstance(run, Evaluation) else run
    if folder is None:
        raise UsageError("Expected evaluations that were kept, got one without a folder. Evaluate with out=FOLDER.")
    return RunFolder.open(Path(folder))
