"""Tiers, the sizes that a task comes in, and the one rule by which ids of tasks name them: ``event/name[-tier]-vN``."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal, NamedTuple, get_args

from pentathlon.core.errors import DataError, UnknownIdError

Tier = Literal["full", "lite", "sprint"]
TIERS: tuple[Tier, ...] = get_args(Tier)
"""The largest first: the paper's protocol, a smaller one that still ranks, a first look."""

_HIDDEN = "-hidden"
_WORD = "[a-z0-9]+"
_TASK_ID = re.compile(rf"(?P<event>[a-z]+)/(?P<name>{_WORD}(?:-{_WORD})*)-v(?P<version>[1-9][0-9]*)")
_VERSION = re.compile(r"-v[0-9*?!\[\]-]*$")


class TaskId(NamedTuple):
    """The parts of a task's id; the full tier has no word of its own."""

    event: str
    name: str
    tier: Tier = "full"
    version: int = 1

    def __str__(self) -> str:
        tier = "" if self.tier == "full" else f"-{self.tier}"
        return f"{self.event}/{self.name}{tier}-v{self.version}"

    @classmethod
    def parse(cls, task: str) -> TaskId:
        """Takes the id of a task apart.

        Raises:
            DataError: when it is malformed.
        """
        match = _TASK_ID.fullmatch(task)
        if match is not None:
            tier = tier_of(task)
            name = match["name"].removesuffix(f"-{tier}")
            parts = cls(match["event"], name, tier, int(match["version"]))
            # A name may not end with a tier's word, or two names would share an id.
            if str(parts) == task and name.rpartition("-")[2] not in TIERS:
                return parts
        raise DataError(
            f"Task id {task!r} is malformed: expected event/name-vN, with -lite or -sprint before the version for a "
            "smaller tier, such as 'see/metaworld-hammer-lite-v1'."
        )


def tier_of(task: str) -> Tier:
    """Returns the tier that a task id, or a pattern of ids, is about; ``full`` where it names none."""
    words = re.findall(_WORD, _VERSION.sub("", task))
    return next((tier for tier in TIERS if words and words[-1] == tier), "full")


def hidden_id(task: str) -> str:
    """Names the variant of a task whose trials somebody drew in secret: ``act/pour-hidden-lite-v1``."""
    parts = TaskId.parse(task)
    return str(parts._replace(name=f"{parts.name}{_HIDDEN}"))


def public_id(task: str) -> str:
    """Names the task of which ``task`` is the hidden variant; ``task`` itself where it is none."""
    if _HIDDEN not in task:
        return task
    parts = TaskId.parse(task)
    return str(parts._replace(name=parts.name.removesuffix(_HIDDEN)))


def suite_of(task: str, suites: Collection[str] = ()) -> str:
    """Returns the suite of a task: ``metaworld`` of ``see/metaworld-hammer-v1``.

    Args:
        task: its id.
        suites: of its event that have several words in their names; any other is the first word of the task's name.
    """
    name = task.partition("/")[2]
    return next((suite for suite in suites if name.startswith(f"{suite}-")), name.partition("-")[0])


def check_tier(tier: str) -> None:
    """Refuses what is no tier.

    Raises:
        UnknownIdError: naming the tiers.
    """
    if tier not in TIERS:
        raise UnknownIdError("tier", tier, TIERS)
