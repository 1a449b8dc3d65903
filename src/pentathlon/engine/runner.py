"""Runs an entrant on a task: plans what is left, schedules it, records it and sums it up."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from typing import Any

from pentathlon.core.errors import DataError, PentathlonError, RunFolderError, UsageError
from pentathlon.core.registry import EntrantEntry, TaskEntry
from pentathlon.core.runs import RunSettings
from pentathlon.core.task import Task
from pentathlon.core.trial import Heat, Status
from pentathlon.engine.changes import ChangedEntrantError, check_built, tell_change
from pentathlon.engine.content import is_told
from pentathlon.engine.folders.records import Journal
from pentathlon.engine.folders.run_folder import RunFolder
from pentathlon.engine.folders.run_info import RunInfo, RunSummary
from pentathlon.engine.folders.shards import Shard
from pentathlon.engine.interrupts import Interrupts, deferred_interrupts
from pentathlon.engine.planning import count_trials, failed_trials, first_trials, list_heats, named_trials, unrecorded
from pentathlon.engine.progress import Progress, SilentProgress
from pentathlon.engine.scheduler import Scheduler, TimeLimits
from pentathlon.engine.summing import sum_up
from pentathlon.engine.workers.executor import Executor
from pentathlon.engine.workers.executors import open_executor
from pentathlon.engine.workers.in_process import InProcessExecutor
from pentathlon.engine.workers.wire import Ready, RunSetup
from pentathlon.engine.workers.workbench import build_task, require_kind

_PATIENCE_S = 0.25


@dataclass(frozen=True)
class RunRequest(RunSettings):
    """What to run and how; only task, entrant and overrides shape the results.

    Attributes:
        out: the folder that run folders are made in.
        only: run these trials alone, by id.
        shard: run only this part; others may run at the same time and write to the same folder.
        overrides: options of the task that replace those of its entry.
        built: the entrant itself, where it is an object; it then runs in this process, and ``entrant`` describes it.
    """

    task: TaskEntry
    entrant: EntrantEntry
    out: Path
    only: tuple[str, ...] = ()
    shard: Shard | None = None
    overrides: Mapping[str, Any] = field(default_factory=dict)
    built: Any = None


def run(request: RunRequest, progress: Progress | None = None) -> RunSummary:
    """Runs what is not yet recorded and sums up what is; the same request continues an interrupted run.

    An entrant whose code, weights or fingerprint have changed begins a run of its own.

    Raises:
        UsageError: when the request is wrong or the entrant does not fit the task; nothing is then recorded.
        EntrantError: when the entrant cannot be built.
        MachineError: when the machine could not run some trials; the others are recorded.
        RunFolderError: when the run folder cannot be used.
        KeyboardInterrupt: after SIGINT or SIGTERM, with all that was recorded on disk.
    """
    _check(request)
    progress = progress or SilentProgress()
    task = build_task(request.task, request.overrides)
    if request.entrant.kind is not None:
        require_kind(task, request.entrant, request.entrant.kind)
    heats = list_heats(task)
    job = _Job(request, task, heats, _wanted(request, heats), progress)
    info = _describe(task, request)
    _prepare(request, info, progress)
    try:
        return job.run(info)
    except ChangedEntrantError as changed:
        renewed = replace(info, fingerprint=changed.fingerprint)
        known = (request.out / renewed.location).exists()
        how = f"run {renewed.location.name} is its own" if known else "beginning a new run"
        progress.note(f"{info.entrant} has changed since run {info.location.name} (its fingerprint): {how}.")
        return job.run(renewed)


def _check(request: RunRequest) -> None:
    if request.limit is not None and request.limit < 1:
        raise UsageError(f"Expected a limit of at least 1 trial, got {request.limit}. Leave it out to run all trials.")
    if request.workers < 0:
        raise UsageError(f"Expected 0 or more workers, got {request.workers}. 0 takes one per CPU.")
    if request.retry_errors < 0:
        raise UsageError(f"Expected to retry errors 0 times or more, got {request.retry_errors}.")
    for what, limit_s in (("trial", request.trial_time_limit_s), ("build", request.build_time_limit_s)):
        if limit_s is not None and limit_s <= 0:
            raise UsageError(f"Expected a {what} time limit above 0 s, got {limit_s:g}.")
    if request.address is not None and request.on != "ray":
        raise UsageError(f"Expected no address without a cluster, got {request.address!r}. Add: --on ray")
    if request.built is not None and (request.on != "local" or request.trial_time_limit_s is not None):
        raise UsageError("Expected an object to run here and without a time limit. Name it as module:factory instead.")
    if request.fresh and request.shard is not None:
        raise UsageError("Expected --fresh or --shard, got both. Remove the run's folder, then run the shards.")


def _wanted(request: RunRequest, heats: Sequence[Heat]) -> Sequence[Heat]:
    chosen = first_trials(named_trials(heats, request.only), request.limit)
    return chosen if request.shard is None else request.shard.of(chosen)


def _describe(task: Task, request: RunRequest) -> RunInfo:
    try:
        return RunInfo.describe(task, request.entrant, request.overrides)
    except TypeError as error:
        raise DataError(
            f"The protocol of {task.id!r} and the options of {request.entrant.id!r} must be plain JSON values: {error}."
        ) from error


def _prepare(request: RunRequest, info: RunInfo, progress: Progress) -> None:
    if change := tell_change(request.out, info):
        progress.note(change)
    if request.fresh and (aside := RunFolder.set_aside(request.out / info.location)):
        progress.note(f"Beginning anew; what was recorded before lies in {aside}.")


@dataclass(frozen=True)
class _Job:
    """A request with its task built."""

    request: RunRequest
    task: Task
    heats: Sequence[Heat]
    wanted: Sequence[Heat]
    progress: Progress

    def run(self, info: RunInfo) -> RunSummary:
        """Runs what is left in the folder of ``info``."""
        with RunFolder.create_or_open(self.request.out / info.location, info, self.request.shard) as folder:
            _refuse_strangers(folder, folder.statuses(), self.heats)
            try:
                self._run_left(folder)
            except PentathlonError:
                folder.discard_if_empty()
                raise
            return sum_up(folder, self.task, self.heats, self.wanted)

    def _run_left(self, folder: RunFolder) -> None:
        left = unrecorded(self.wanted, folder.statuses())
        if self.request.built is not None:
            _refuse_unknown_object(folder)
        if left:
            self._run_heats(folder, left)
        elif folder.info.fingerprint and not self._is_told(folder):
            self._build_once(folder)
        for _ in range(self.request.retry_errors):
            if failed := failed_trials(self.wanted, folder.statuses()):
                self._run_heats(folder, failed)

    def _is_told(self, folder: RunFolder) -> bool:
        return self.request.built is None and is_told(self.request.entrant, folder.info.content)

    def _build_once(self, folder: RunFolder) -> None:
        """Sees whether the entrant is still the one of the run, where only building it tells."""
        with closing(self._executor(folder)) as executor, deferred_interrupts() as interrupts:
            scheduler = Scheduler(executor, (), 1, self._limits, _checker(folder))
            while not scheduler.built:
                interrupts.check()
                scheduler.step(_PATIENCE_S)

    def _run_heats(self, folder: RunFolder, heats: Sequence[Heat]) -> None:
        total = count_trials(self.wanted)
        with closing(self._executor(folder)) as executor, closing(folder.journal()) as journal:
            workers = min(self.request.workers or executor.capacity(), len(heats))
            scheduler = Scheduler(executor, heats, workers, self._limits, _checker(folder))
            self.progress.start(total, total - count_trials(heats))
            try:
                with deferred_interrupts() as interrupts:
                    _record(scheduler, journal, self.progress, interrupts)
                    scheduler.refuse_set_aside()
            finally:
                self.progress.finish()

    @property
    def _limits(self) -> TimeLimits:
        return TimeLimits(self.request.trial_time_limit_s or inf, self.request.build_time_limit_s)

    def _executor(self, folder: RunFolder) -> Executor:
        setup = RunSetup(
            task=self.request.task,
            overrides=self.request.overrides,
            entrant=self.request.entrant,
            folder=str(folder.path.absolute()),
            videos=self.request.videos,
            # A worker may import from the present folder for as long as it runs what the user named there.
            search_path=[*sys.path, os.getcwd()] if self.request.entrant.is_reference else sys.path,
        )
        if self.request.built is not None:
            return InProcessExecutor(setup, self.request.built)
        return open_executor(setup, self.request.on, self.request.address, folder.log)


def _refuse_unknown_object(folder: RunFolder) -> None:
    if folder.statuses() and not folder.info.fingerprint:
        raise RunFolderError(
            f"{folder.path} records another object named {folder.info.entrant!r}, or the same: without a fingerprint "
            "nobody can tell. Give it another name, an attribute fingerprint, or begin anew (fresh)."
        )


def _refuse_strangers(folder: RunFolder, statuses: Mapping[str, Status], heats: Sequence[Heat]) -> None:
    strangers = sorted(statuses.keys() - {trial for heat in heats for trial in heat.trials})
    if strangers:
        raise RunFolderError(
            f"{folder.path} records {len(strangers)} trials that {folder.info.task!r} does not have, such as "
            f"{strangers[0]!r}. The task changed without a new version: move the folder away and run again."
        )


def _checker(folder: RunFolder) -> Callable[[Ready], None]:
    return lambda ready: check_built(folder, ready)


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
