"""The tasks that a server offers: those of the registry that its operator names by patterns."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pentathlon.core.entrants import Kind
from pentathlon.core.errors import UsageError
from pentathlon.core.registry import TASKS, TaskEntry, match_tasks, resolve
from pentathlon.core.task import Task
from pentathlon.core.tiers import hidden_id, public_id
from pentathlon.engine.workers.workbench import build_task
from pentathlon.events.act.protocol import IMAGE_SIZES
from pentathlon.events.act.tasks import ActTask
from pentathlon.server.errors import BadRequestError
from pentathlon.server.queue.tables import Challenge
from pentathlon.server.settings import ServerSettings
from pentathlon.server.trial_secret import read_secret

CHALLENGES: tuple[Challenge, ...] = ("policy", "representation")


@dataclass(frozen=True)
class Offer:
    """A task that submissions may name.

    Attributes:
        kind: of entrant that it tests.
        challenges: its leaderboards; one without a name where the task has no more.
        trials: their ids, in the order of the task's heats.
        hidden: whether this server drew them in secret.
    """

    id: str
    summary: str
    kind: Kind
    challenges: tuple[Challenge, ...]
    trials: tuple[str, ...]
    hidden: bool

    def challenge(self, wanted: str) -> Challenge:
        """Returns the challenge ``wanted``, or the first one where none is named.

        Raises:
            BadRequestError: when the task has no such challenge.
        """
        for challenge in self.challenges:
            if wanted in (challenge, ""):
                return challenge
        named = " or ".join(map(repr, filter(None, self.challenges))) or "none"
        raise BadRequestError(f"{self.id}: expected the challenge {named}, got {wanted[:80]!r}.")


@functools.cache
def offers(settings: ServerSettings) -> dict[str, Offer]:
    """Lists what a server offers, by task id.

    Raises:
        UsageError: when a pattern matches nothing, or robots would need two cameras.
    """
    found = [_offer(entry, settings) for entry in match_tasks(settings.tasks)]
    robot_image_size(settings)
    return {offer.id: offer for offer in found}


def find_offer(settings: ServerSettings, task: str) -> Offer:
    """Returns what the server offers under an id.

    Raises:
        BadRequestError: when it does not offer the task.
    """
    offer = offers(settings).get(task)
    if offer is None:
        raise BadRequestError(f"This server does not offer {task[:80]!r}; it offers {', '.join(offers(settings))}.")
    return offer


@functools.cache
def server_task(settings: ServerSettings, task: str) -> Task:
    """Builds a task as this server runs it; frozen, for nobody may choose another variant.

    The trials of a hidden variant are those that the server's database has the secret of.
    """
    entry = TASKS.get(task)
    return build_task(entry, {**_rehearsal(entry, settings), **_drawn(entry, settings)})


def trial_ids(task: Task) -> tuple[str, ...]:
    """The ids of all trials, in the order of the task's heats."""
    return tuple(trial for heat in task.heats() for trial in heat.trials)


def robot_image_size(settings: ServerSettings) -> tuple[int, int]:
    """Height and width of the pictures that robots give; a camera has one size, so all tasks of act share it.

    Raises:
        UsageError: when the tasks offered want several.
    """
    built = [_public(entry, settings) for entry in match_tasks(settings.tasks)]
    sizes = {task.protocol.image_size: task.id for task in built if isinstance(task, ActTask)}
    if len(sizes) > 1:
        raise UsageError(
            f"Expected tasks of act of one tier, because a robot's camera has one size: {', '.join(sizes.values())}."
        )
    return next(iter(sizes), IMAGE_SIZES["full"])


def _offer(entry: TaskEntry, settings: ServerSettings) -> Offer:
    hidden = bool(entry.draw) and not settings.public_trials
    task = _public(entry, settings)
    challenges: tuple[Challenge, ...] = CHALLENGES if task.kind == "policy" else ("",)
    name = hidden_id(entry.id) if hidden else entry.id
    return Offer(name, entry.summary, task.kind, challenges, trial_ids(task), hidden)


def _public(entry: TaskEntry, settings: ServerSettings) -> Task:
    """The task with the trials that everybody knows: they are of the same sort and have the same names."""
    return build_task(entry, _rehearsal(entry, settings))


def _drawn(entry: TaskEntry, settings: ServerSettings) -> Mapping[str, Any]:
    """The options that build a hidden variant, none for a public task."""
    if entry.id == public_id(entry.id):
        return {}
    options: Mapping[str, Any] = resolve(entry.draw)(read_secret(settings.database_url), **entry.options)
    return options


def _rehearsal(entry: TaskEntry, settings: ServerSettings) -> Mapping[str, Any]:
    return entry.rehearsal if settings.rehearse else {}
