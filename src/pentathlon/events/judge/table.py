"""The table of judge's tasks: those on films of our own and those on the released dataset."""

from __future__ import annotations

from pentathlon.core import TaskEntry
from pentathlon.events.judge.tasks import FILMS
from pentathlon.events.judge.vista_tasks import TABLE as VISTA

TABLE: tuple[TaskEntry, ...] = (*FILMS, *VISTA)
