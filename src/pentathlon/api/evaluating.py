"""Evaluates models: registered ones in worker processes, objects in this one."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from pentathlon.api.evaluation import Evaluation
from pentathlon.api.looking import load_run
from pentathlon.core.entrants import Entrant, kind_of
from pentathlon.core.errors import UsageError
from pentathlon.core.registry import EVENTS, EntrantEntry, TaskEntry, match_tasks, resolve_entrant
from pentathlon.core.runs import RUNS, task_changes
from pentathlon.engine import RunRequest, choose_progress
from pentathlon.engine import run as run_request
from pentathlon.models.chat.entering import ChatTerms, enter_chat, is_chat


def evaluate(
    task: str | TaskEntry,
    entrant: str | Entrant,
    *,
    limit: int | None = None,
    out: str | Path | None = None,
    name: str = "",
    workers: int = 0,
    videos: bool | None = None,
    rehearse: bool = False,
    fresh: bool = False,
    progress: bool = False,
    chat: ChatTerms | None = None,
    **options: Any,
) -> Evaluation:
    """Evaluates a model on one task; nothing is kept unless ``out`` is given.

    An object is evaluated in this process, as it is: nothing is copied or sent, and an exception that it raises is
    recorded as the error of the trial in turn. It may be called as often as one likes, as in a training loop.

    Args:
        task: the id of a task, or its row.
        entrant: a registered id, ``id@weights``, ``module:factory`` or ``chat:MODEL``, which run in worker processes;
            or an encoder, agent, policy or judge, which runs in this process.
        limit: run only the first trials.
        out: folder for the run folder, as with ``pentathlon run``; the same call again continues a run.
        name: what the records call an object; its class when not given. With an attribute or method ``fingerprint``
            an object continues the run of the same fingerprint, and another begins a new one. Without it nobody can
            tell whether it is the same, so a name is good for one run.
        workers: worker processes of what is named by an id; 0 takes one per core.
        videos: whether trials record what they saw; by default only with ``out``.
        rehearse: shrink the task to seconds; the scores mean nothing.
        fresh: set aside what was recorded and begin anew.
        progress: show how it goes.
        chat: where ``chat:MODEL`` is asked, and what it may cost.
        options: options of the task's event, such as ``adapt="e2e"``.

    Raises:
        UsageError: when the entrant does not fit the task, or the call is wrong.
        EntrantError: when the entrant cannot be built.
    """
    row = _one_task(task)
    with nullcontext(out) if out is not None else tempfile.TemporaryDirectory(prefix="pentathlon-") as folder:
        if isinstance(entrant, str) and is_chat(entrant):
            entry, built = enter_chat(entrant, EVENTS.get(row.event), chat or ChatTerms(), Path(folder)), None
        else:
            entry, built = _entry_of(entrant, name)
        request = RunRequest(
            task=row,
            entrant=entry,
            built=built,
            out=Path(folder),
            limit=limit,
            workers=workers,
            fresh=fresh,
            videos=out is not None if videos is None else videos,
            overrides=task_changes(row, options, rehearse=rehearse),
        )
        summary = run_request(request, choose_progress(f"{row.id}  {entry.id}") if progress else None)
        evaluation = load_run(summary.folder)
    return evaluation if out is not None else replace(evaluation, folder=None)


def run(
    tasks: str | Iterable[str],
    entrant: str | Entrant,
    *,
    out: str | Path = RUNS,
    progress: bool = True,
    **how: Any,
) -> list[Evaluation]:
    """Runs a model on tasks and records it, as ``pentathlon run`` does.

    Args:
        tasks: task ids or patterns, such as ``see/*-lite-v1``.
        entrant: as in :func:`evaluate`.
        out: folder that holds the run folders.
        progress: show how it goes.
        how: further arguments of :func:`evaluate`.
    """
    rows = match_tasks([tasks] if isinstance(tasks, str) else tasks, how)
    return [evaluate(row, entrant, out=out, progress=progress, **how) for row in rows]


def _one_task(task: str | TaskEntry) -> TaskEntry:
    if isinstance(task, TaskEntry):
        return task
    rows = match_tasks([task])
    if len(rows) != 1:
        raise UsageError(f"Expected one task, got {task!r}, which names {len(rows)}. Use run() for several.")
    return rows[0]


def _entry_of(entrant: str | Entrant, name: str) -> tuple[EntrantEntry, Entrant | None]:
    if isinstance(entrant, str):
        if name:
            raise UsageError(f"Expected a name for an object, got {name!r} for {entrant!r}. Leave it out.")
        return resolve_entrant(entrant), None
    kind = kind_of(entrant)
    factory = f"{type(entrant).__module__}:{type(entrant).__qualname__}"
    return EntrantEntry(id=name or factory, kind=kind, summary="", factory=factory), entrant
