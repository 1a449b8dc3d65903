"""Finds the run that a command is about."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pentathlon.core.errors import UsageError
from pentathlon.core.identity import content_hash
from pentathlon.core.registry import TASKS
from pentathlon.core.runs import RunRecord, Runs

if TYPE_CHECKING:
    from pentathlon.events.find.tasks import FindTask


def find_run(runs: Runs, task_id: str, entrant: str, folder: Path) -> tuple[FindTask, RunRecord]:
    """Returns a task of find and an entrant's run of it, the one that came furthest if there are several.

    Raises:
        UsageError: when it is no task of find, or there is no run.
    """
    from pentathlon.events.find.tasks import FindTask

    task = TASKS.get(task_id).make()
    if not isinstance(task, FindTask):
        raise UsageError(f"Expected a task of find, got {task_id}.")
    found = [one for one in runs.find(folder, {content_hash(task.protocol)}) if one.entrant == entrant]
    if not found:
        raise UsageError(f"Expected a run of {entrant} on {task_id} below {folder}, got none.")
    return task, max(found, key=lambda one: len(one.outcomes))
