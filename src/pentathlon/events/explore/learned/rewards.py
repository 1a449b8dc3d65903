"""What the learned agents are rewarded for: answers that became right (eq. 3) and what is new (eq. 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pentathlon.core import DataError


@dataclass(frozen=True)
class Novelty:
    """What has been explored so far.

    Attributes:
        objects_seen: how many.
        covered_m2: floor covered.
    """

    objects_seen: int = 0
    covered_m2: float = 0.0


def qa_reward(truths: Sequence[str], before: Sequence[str], now: Sequence[str]) -> float:
    """Eq. 3: the share of questions whose answer became right, less that of those whose answer ceased to be.

    Raises:
        DataError: when there is no question, or not one answer for each.
    """
    if not truths or not len(truths) == len(before) == len(now):
        raise DataError(f"Expected an answer to each of {len(truths)} questions, got {len(before)} and {len(now)}.")
    return (_right(truths, now) - _right(truths, before)) / len(truths)


def novelty_reward(before: Novelty, now: Novelty, objects: int, reachable_m2: float) -> float:
    """Eq. 4: newly seen objects as a share of all, and newly covered floor as a share of what can be reached.

    Raises:
        DataError: when the house has no objects or no floor.
    """
    if objects < 1 or reachable_m2 <= 0.0:
        raise DataError(f"Expected a house with objects and floor, got {objects} objects and {reachable_m2} m2.")
    seen = (now.objects_seen - before.objects_seen) / objects
    return seen + (now.covered_m2 - before.covered_m2) / reachable_m2


def _right(truths: Sequence[str], answers: Sequence[str]) -> int:
    return sum(truth == answer for truth, answer in zip(truths, answers, strict=True))
