"""The numbers of explore: accuracies, ExQA (eq. 1), and accuracy by family, kind and touch. Pure functions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pentathlon.core import DataError, Metric, Outcome

_SHARE: dict[str, Any] = {"aggregation": "mean", "scale": 100.0, "unit": "%", "bounds": (0.0, 1.0)}
EXQA = Metric("exqa", **_SHARE)
ACC_EXP = Metric("acc_exp", **_SHARE)
ACC_REF = Metric("acc_ref", **_SHARE)
REENTRY = Metric("t3_steps", "mean", unit="steps", higher_is_better=False)
COVERAGE = Metric("coverage", **_SHARE)
SEEN = Metric("objects_seen", **_SHARE)
LIFTED = Metric("objects_lifted", **_SHARE)
METRICS = (EXQA, ACC_EXP, ACC_REF, REENTRY, COVERAGE, SEEN, LIFTED)


def exqa(acc_exp: float, acc_ref: float, t3_steps: float, energy: float) -> float:
    """Eq. 1: what was known after exploring, and what was added, discounted by the steps that it took."""
    return acc_exp + (acc_ref - acc_exp) * math.exp(-energy * t3_steps)


def implied_energy(acc_exp: float, acc_ref: float, t3_steps: float, score: float) -> float:
    """Solves eq. 1 for k.

    Raises:
        DataError: when no positive k gives that score.
    """
    if t3_steps <= 0 or not 0 < (score - acc_exp) * (acc_ref - acc_exp) <= (acc_ref - acc_exp) ** 2:
        raise DataError(
            f"Expected a score between both accuracies, {acc_exp} and {acc_ref}, and steps in phase III; "
            f"got {score} after {t3_steps} steps."
        )
    return -math.log((score - acc_exp) / (acc_ref - acc_exp)) / t3_steps


def accuracy(rights: Sequence[bool]) -> float:
    """Share of right answers."""
    if not rights:
        raise DataError("Expected at least one answer, got none.")
    return sum(rights) / len(rights)


def asked(outcomes: Iterable[Outcome]) -> list[Mapping[str, Any]]:
    """All questions of the trials that were finished, as records tell them, with the house as ``house``."""
    return [
        {**question, "house": outcome.cluster}
        for outcome in outcomes
        if outcome.status == "ok"
        for question in outcome.details.get("questions", ())
    ]


def accuracy_by(
    questions: Iterable[Mapping[str, Any]], group: Callable[[Mapping[str, Any]], str]
) -> dict[str, tuple[float, float, int]]:
    """For each group of questions: accuracy after phase I, after phase III, and how many there are."""
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for question in questions:
        groups.setdefault(group(question), []).append(question)
    return {
        name: (
            accuracy([bool(one["right"][0]) for one in members]),
            accuracy([bool(one["right"][1]) for one in members]),
            len(members),
        )
        for name, members in sorted(groups.items())
    }


def by_family(question: Mapping[str, Any]) -> str:
    """Groups by family."""
    return str(question["family"])


def by_kind(question: Mapping[str, Any]) -> str:
    """Groups by kind of answer."""
    return str(question["kind"])


def by_touch(question: Mapping[str, Any]) -> str:
    """Groups by whether sight is enough."""
    return "needs touch" if question["needs_touch"] else "sight is enough"
