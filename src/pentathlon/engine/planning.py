"""Which trials of a task a run is to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pentathlon.core.errors import DataError, UnknownIdError
from pentathlon.core.task import Task
from pentathlon.core.trial import Heat, Status


def list_heats(task: Task) -> Sequence[Heat]:
    """Lists the task's heats.

    Raises:
        DataError: when ids repeat or there are no trials.
    """
    heats = task.heats()
    ids = Counter(heat.id for heat in heats), Counter(trial for heat in heats for trial in heat.trials)
    for what, counts in zip(("heat", "trial"), ids, strict=True):
        name, times = max(counts.items(), key=lambda item: item[1], default=("", 0))
        if times > 1:
            raise DataError(f"Task {task.id!r} lists {what} {name!r} {times} times. Give each its own id.")
    if not any(heat.trials for heat in heats):
        raise DataError(f"Task {task.id!r} lists no trials. Have its heats() return some.")
    return heats


def first_trials(heats: Sequence[Heat], limit: int | None) -> list[Heat]:
    """Keeps the first ``limit`` trials."""
    if limit is None:
        return list(heats)
    names = [trial for heat in heats for trial in heat.trials][:limit]
    return list(_cut(heats, set(names)))


def named_trials(heats: Sequence[Heat], names: Sequence[str]) -> list[Heat]:
    """Keeps the trials that are named, or all where none is.

    Raises:
        UnknownIdError: when there is no such trial.
    """
    known = {trial for heat in heats for trial in heat.trials}
    for name in names:
        if name not in known:
            raise UnknownIdError("trial", name, known)
    return list(_cut(heats, set(names) or known))


def unrecorded(heats: Sequence[Heat], statuses: Mapping[str, Status]) -> list[Heat]:
    """Keeps the trials without a record."""
    return list(_cut(heats, {trial for heat in heats for trial in heat.trials} - statuses.keys()))


def failed_trials(heats: Sequence[Heat], statuses: Mapping[str, Status]) -> list[Heat]:
    """Keeps the trials whose record is an error."""
    return list(_cut(heats, {trial for trial, status in statuses.items() if status == "error"}))


def count_trials(heats: Sequence[Heat]) -> int:
    """Counts the trials of all heats."""
    return sum(len(heat.trials) for heat in heats)


def _cut(heats: Sequence[Heat], wanted: set[str]) -> Iterator[Heat]:
    for heat in heats:
        trials = tuple(trial for trial in heat.trials if trial in wanted)
        if trials:
            yield heat.only(trials)
