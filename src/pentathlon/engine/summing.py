"""Sums a run up: its scores by the task's own rule, and how far it has come."""

from __future__ import annotations

from collections.abc import Container, Sequence

from pentathlon.core.errors import DataError, PentathlonError, RunFolderError
from pentathlon.core.identity import content_hash
from pentathlon.core.registry import TASKS
from pentathlon.core.scores import Score
from pentathlon.core.task import Task
from pentathlon.core.trial import Heat, Outcome
from pentathlon.engine.folders.run_folder import RunFolder
from pentathlon.engine.folders.run_info import RunSummary
from pentathlon.engine.planning import count_trials, list_heats
from pentathlon.engine.workers.workbench import build_task


def sum_up(folder: RunFolder, task: Task, heats: Sequence[Heat], wanted: Sequence[Heat] = ()) -> RunSummary:
    """Writes the summary of what is recorded.

    Raises:
        RunFolderError: when a trial of ``wanted`` is not recorded.
        DataError: when the task cannot score its outcomes.
    """
    with folder.summing():
        outcomes = folder.outcomes()
        _refuse_missing(folder, outcomes.keys(), wanted)
        ordered = [outcomes[trial] for heat in heats for trial in heat.trials if trial in outcomes]
        expected = count_trials(heats)
        summary = RunSummary(
            task=task.id,
            entrant=folder.info.entrant,
            expected=expected,
            recorded=len(ordered),
            errors=sum(outcome.status == "error" for outcome in ordered),
            scores=_scores(task, ordered),
            wall_time_s=sum(outcome.wall_time_s for outcome in ordered),
            complete=len(ordered) == expected,
            folder=folder.path,
        )
        folder.write_summary(summary)
    return summary


def rescore(folder: RunFolder) -> RunSummary:
    """Computes the scores of a run again from its records, with the task's own rule as it is now.

    Raises:
        UnknownIdError: when the task is not registered.
        RunFolderError: when the task has another protocol now.
    """
    task = build_task(TASKS.get(folder.info.task), folder.info.task_options)
    now = content_hash(task.protocol)
    if now != folder.info.protocol_hash:
        raise RunFolderError(
            f"{folder.path} was made under protocol {folder.info.protocol_hash}, but {task.id!r} has {now} now. "
            "Its outcomes cannot be scored by another protocol's rule: run the task again."
        )
    return sum_up(folder, task, list_heats(task))


def _refuse_missing(folder: RunFolder, recorded: Container[str], wanted: Sequence[Heat]) -> None:
    missing = [trial for heat in wanted for trial in heat.trials if trial not in recorded]
    if missing:
        raise RunFolderError(
            f"{folder.path}: expected {count_trials(wanted)} trials, {len(missing)} are not recorded, such as "
            f"{missing[0]!r}. Run the same command again; if it stays so, the task's heats() differ from call to call."
        )


def _scores(task: Task, outcomes: Sequence[Outcome]) -> tuple[Score, ...]:
    try:
        return tuple(task.scores(outcomes))
    except PentathlonError:
        raise
    except Exception as error:
        raise DataError(
            f"Task {task.id!r} could not score {len(outcomes)} recorded trials: {type(error).__name__}: {error}. "
            "The records are safe; mend its scores() and run the same command again."
        ) from error
