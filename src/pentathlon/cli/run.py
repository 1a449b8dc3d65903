"""``pentathlon run``: enter a model in one or more tasks."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from pentathlon.cli.events.options import options_class
from pentathlon.core import (
    EVENTS,
    RUNS,
    EntrantEntry,
    TaskEntry,
    UsageError,
    match_tasks,
    resolve_entrant,
    task_changes,
)
from pentathlon.core.runs import RunSettings
from pentathlon.engine import RunFolder, RunRequest, RunSummary, Shard, choose_progress, run
from pentathlon.models.chat.entering import ChatTerms, enter_chat, is_chat


@dataclass(frozen=True)
class Run:
    """Run entrants in one or more tasks; the same command again continues where it stopped."""

    tasks: tyro.conf.Positional[tuple[str, ...]]
    """Task ids or patterns: 'see/*' is the paper's protocol, 'see/*-lite-v1' a smaller tier."""
    entrant: Annotated[tuple[str, ...], tyro.conf.arg(aliases=["-e"]), tyro.conf.UseAppendAction]
    """A registered id, id@weights, module:factory or chat:MODEL; again for another, which runs after it."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"])] = RUNS
    """Folder that holds the run folders."""
    fail_on_error: float | None = None
    """End with status 1 when more than this share of a task's trials ended in errors, such as 0.05; otherwise only when
    all did."""
    shard: str | None = None
    """Run only this part, such as 2/8; other machines that share the folder run the others, and all are counted
    together."""
    trial: tuple[str, ...] = ()
    """Run only the trials of these ids."""
    rehearse: bool = False
    """Shrink each task to seconds, to try an entrant out; the scores mean nothing and have their own run folders."""
    how: RunSettings = field(default_factory=RunSettings)
    chat: ChatTerms = field(default_factory=ChatTerms)
    event: EventOptions = field(default_factory=lambda: EventOptions())

    def run(self) -> int:
        """Runs each task in turn and prints its scores; the exit status is 1 where too many trials ended in errors."""
        self._check()
        broken = False
        for task in match_tasks(self.tasks, vars(self.event)):
            for name in dict.fromkeys(self.entrant):
                summary = self._run(task, self._entrant(name, task))
                print_summary(summary)
                broken = broken or self._is_broken(summary)
        return 1 if broken else 0

    def _run(self, task: TaskEntry, entrant: EntrantEntry) -> RunSummary:
        request = RunRequest(
            task=task,
            entrant=entrant,
            out=self.out,
            shard=None if self.shard is None else Shard.parse(self.shard),
            only=self.trial,
            overrides=task_changes(task, vars(self.event), rehearse=self.rehearse),
            **vars(self.how),
        )
        return run(request, choose_progress(f"{task.id}  {entrant.id}"))

    def _entrant(self, name: str, task: TaskEntry) -> EntrantEntry:
        if is_chat(name):
            return enter_chat(name, EVENTS.get(task.event), self.chat, self.out)
        return resolve_entrant(name)

    def _check(self) -> None:
        if not self.tasks:
            raise UsageError(
                "Expected at least one task, got none. Name some, such as 'see/*'; see: pentathlon list tasks"
            )
        if not self.entrant:
            raise UsageError("Expected an entrant, got none. Add: --entrant ID; see: pentathlon list entrants")
        for name in self.entrant:
            if not is_chat(name):
                resolve_entrant(name)
        if self.chat != ChatTerms() and not any(map(is_chat, self.entrant)):
            given = ", ".join(map(repr, self.entrant))
            raise UsageError(f"Expected an entrant chat:MODEL with --api-base, prices or --max-cost, got {given}.")
        if self.fail_on_error is not None and not 0 <= self.fail_on_error <= 1:
            raise UsageError(f"Expected a share of errors from 0 to 1, got {self.fail_on_error:g}.")

    def _is_broken(self, summary: RunSummary) -> bool:
        if self.fail_on_error is not None:
            return summary.errors > self.fail_on_error * summary.recorded
        return 0 < summary.recorded == summary.errors


OPTIONS = frozenset(one.name for one in (*fields(Run), *fields(RunSettings)))
"""What run itself calls its options."""

if TYPE_CHECKING:

    class EventOptions:
        """What was given of the events' options."""
else:
    EventOptions = options_class(EVENTS.rows(), taken=OPTIONS)


def print_summary(summary: RunSummary) -> None:
    """Prints a run's scores, its errors and its folder, which ``compare`` takes."""
    for score in summary.scores:
        paper = f"   paper {score.paper.value:g}" if score.paper else ""
        expert = f"   expert {score.ceiling:g}" if score.ceiling is not None else ""
        print(f"{summary.task}  {summary.entrant}  {score.metric}: {score}{paper}{expert}")
    if summary.errors:
        print(f"  {summary.errors} of {summary.recorded} trials ended in an error; see {summary.folder}/trials.jsonl")
        outcomes = RunFolder.open(summary.folder).outcomes().values()
        print("  The same command keeps them; to run them again add: --retry-errors 1")
        print(f"  The first: {next(outcome.error for outcome in outcomes if outcome.status == 'error').strip()}")
    print(f"  Folder: {summary.folder}")
