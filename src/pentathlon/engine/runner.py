"""Runs an entrant on a task: plans what is left, schedules it, records it and sums it up."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any

from pentathlon.core.errors import DataError, PentathlonError, RunFolderError, UsageError
from pentathlon.core.registry import EntrantEntry, TaskEntry
from pentathlon.core.scores import Score
from pentathlon.core.task import Task
from pentathlon.core.trial import Heat, Outcome, Status
from pentathlon.engine.executor import Executor
from pentathlon.engine.executors import Place, open_executor
from pentathlon.engine.interrupts import Interrupts, deferred_interrupts
from pentathlon.engine.progress import Progress, SilentProgress
from pentathlon.engine.records import Journal
from pentathlon.engine.run_folder import LOG_FILE, RunFolder, RunInfo, RunSummary
from pentathlon.engine.scheduler import Scheduler, TimeLimits
from pentathlon.engine.wire import RunSetup
from pentathlon.engine.workbench import build_task, require_kind

_PATIENCE_S = 0.25


@dataclass(frozen=True)
class RunRequest:
    """What to run and how; only task, entrant and overrides shape the results.

    Attributes:
        out: the folder that run folders are made in.
        limit: run only the first trials, in the order of the task's heats; a later run without it continues.
        workers: processes or actors; 0 takes one per CPU.
        address: of the Ray cluster.
        trial_time_limit_s: a trial that takes longer is ended and is an error; a joint heat has it for each trial.
        build_time_limit_s: a worker that takes longer to build task and entrant is ended.
        retry_errors: run trials again whose outcome is an error.
        overrides: options of the task that replace those of its entry.
    """

    task: TaskEntry
    entrant: EntrantEntry
    out: Path
    limit: int | None = None
    workers: int = 0
    on: Place = "local"
    address: str | None = None
    trial_time_limit_s: float | None = None
    build_time_limit_s: float = 1800.0
    retry_errors: bool = False
    videos: bool = True
    overrides: Mapping[str, Any] = field(default_factory=dict)


def run(request: RunRequest, progress: Progress | None = None) -> RunSummary:
    """Runs what is not yet recorded and sums up what is; the same request continues an interrupted run.

    Raises:
        UsageError: when the request is wrong or the entrant does not fit the task; nothing is then recorded.
        EntrantError: when the entrant cannot be built.
        RunFolderError: when the run folder cannot be used.
        KeyboardInterrupt: after SIGINT or SIGTERM, with all that was recorded on disk.
    """
    _check(request)
    task = build_task(request.task, request.overrides)
    if request.entrant.kind is not None:
        require_kind(task, request.entrant, request.entrant.kind)
    heats = _heats(task)
    info = _describe(task, request.entrant)
    with RunFolder.create_or_open(request.out / info.location, info) as folder:
        statuses = folder.statuses()
        known = {trial for heat in heats for trial in heat.trials}
        _refuse_strangers(folder, statuses, known)
        wanted = list(_first_trials(heats, request.limit))
        left = list(_left(wanted, statuses, request.retry_errors))
        if left:
            try:
                _run_heats(request, folder, left, _count(wanted), progress or SilentProgress())
            except PentathlonError:
                folder.discard_if_empty()
                raise
        return _sum_up(folder, task, heats, wanted)


def _check(request: RunRequest) -> None:
    if request.limit is not None and request.limit < 1:
        raise UsageError(f"Expected a limit of at least 1 trial, got {request.limit}. Leave it out to run all trials.")
    if request.workers < 0:
        raise UsageError(f"Expected 0 or more workers, got {request.workers}. 0 takes one per CPU.")
    for what, limit_s in (("trial", request.trial_time_limit_s), ("build", request.build_time_limit_s)):
        if limit_s is not None and limit_s <= 0:
            raise UsageError(f"Expected a {what} time limit above 0 s, got {limit_s:g}.")
    if request.address is not None and request.on != "ray":
        raise UsageError(f"Expected no address without a cluster, got {request.address!r}. Add: --on ray")


def _heats(task: Task) -> Sequence[Heat]:
    heats = task.heats()
    ids = Counter(heat.id for heat in heats), Counter(trial for heat in heats for trial in heat.trials)
    for what, counts in zip(("heat", "trial"), ids, strict=True):
        name, times = max(counts.items(), key=lambda item: item[1], default=("", 0))
        if times > 1:
            raise DataError(f"Task {task.id!r} lists {what} {name!r} {times} times. Give each its own id.")
    if not any(heat.trials for heat in heats):
        raise DataError(f"Task {task.id!r} lists no trials. Have its heats() return some.")
    return heats


def _describe(task: Task, entrant: EntrantEntry) -> RunInfo:
    try:
        return RunInfo.describe(task, entrant)
    except TypeError as error:
        raise DataError(
            f"The protocol of {task.id!r} and the options of {entrant.id!r} must be plain JSON values: {error}."
        ) from error


def _refuse_strangers(folder: RunFolder, statuses: Mapping[str, Status], known: set[str]) -> None:
    strangers = sorted(statuses.keys() - known)
    if strangers:
        raise RunFolderError(
            f"{folder.path} records {len(strangers)} trials that {folder.info.task!r} does not have, such as "
            f"{strangers[0]!r}. The task changed without a new version: move the folder away and run again."
        )


def _first_trials(heats: Sequence[Heat], limit: int | None) -> Iterator[Heat]:
    room = _count(heats) if limit is None else limit
    for heat in heats:
        trials = heat.trials[:room]
        room -= len(trials)
        if trials:
            yield heat.only(trials)


def _left(heats: Sequence[Heat], statuses: Mapping[str, Status], retry_errors: bool) -> Iterator[Heat]:
    finished = {trial for trial, status in statuses.items() if not (retry_errors and status == "error")}
    for heat in heats:
        trials = tuple(trial for trial in heat.trials if trial not in finished)
        if trials:
            yield heat.only(trials)


def _count(heats: Sequence[Heat]) -> int:
    return sum(len(heat.trials) for heat in heats)


def _run_heats(request: RunRequest, folder: RunFolder, heats: Sequence[Heat], total: int, progress: Progress) -> None:
    with closing(_executor(request, folder)) as executor, closing(folder.journal()) as journal:
        workers = min(request.workers or executor.capacity(), len(heats))
        limits = TimeLimits(request.trial_time_limit_s or inf, request.build_time_limit_s)
        scheduler = Scheduler(executor, heats, workers, limits)
        progress.start(total, total - _count(heats))
        try:
            with deferred_interrupts() as interrupts:
                _record(scheduler, journal, progress, interrupts)
                scheduler.refuse_set_aside()
        finally:
            progress.finish()


def _executor(request: RunRequest, folder: RunFolder) -> Executor:
    setup = RunSetup(
        task=request.task,
        overrides=request.overrides,
        entrant=request.entrant,
        folder=str(folder.path.absolute()),
        videos=request.videos,
        search_path=sys.path,
    )
    return open_executor(setup, request.on, request.address, folder.path / LOG_FILE)


def _record(scheduler: Scheduler, journal: Journal, progress: Progress, interrupts: Interrupts) -> None:
    try:
        while not scheduler.done:
            interrupts.check()
            due_in_s = journal.due_in_s()
            journal.append(scheduler.step(_PATIENCE_S if due_in_s is None else due_in_s))
            if journal.due_in_s() == 0.0:
                _commit(journal, progress)
    finally:
        _commit(journal, progress)


def _commit(journal: Journal, progress: Progress) -> None:
    for outcome in journal.commit():
        progress.advance(outcome)


def _sum_up(folder: RunFolder, task: Task, heats: Sequence[Heat], wanted: Sequence[Heat]) -> RunSummary:
    outcomes = folder.outcomes()
    missing = [trial for heat in wanted for trial in heat.trials if trial not in outcomes]
    if missing:
        raise RunFolderError(
            f"{folder.path}: expected {_count(wanted)} trials, {len(missing)} are not recorded, such as "
            f"{missing[0]!r}. Run the same command again; if it stays so, the task's heats() differ from call to call."
        )
    ordered = [outcomes[trial] for heat in heats for trial in heat.trials if trial in outcomes]
    expected = _count(heats)
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
