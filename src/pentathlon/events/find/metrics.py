"""The numbers of find: success, SPL, what went wrong, and all of them by category. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pentathlon.core import Metric, Outcome, PaperValue
from pentathlon.events.find.episodes.records import Capability

Failure = Literal["", "exploration", "localisation", "planning"]
FAILURES: tuple[Failure, ...] = ("exploration", "localisation", "planning")
SUCCESS = Metric("success", "success", scale=100.0, unit="%")
SPL = Metric("spl", "mean", scale=100.0, unit="%", bounds=(0.0, 1.0))
ACTION_SUCCESS = Metric("action_success", "mean", scale=100.0, unit="%", bounds=(0.0, 1.0))

PAPER_SUCCESS_PERCENT: Mapping[Capability, float] = {
    "objectnav": 26.7,
    "pasture-uncommon": 32.8,
    "pasture-appearance": 26.4,
    "pasture-space": 19.4,
    "pasture-appearance-distract": 19.4,
    "pasture-space-distract": 16.1,
    "pasture-hidden": 19.2,
    "pasture-hidden-distract": 14.4,
}
PAPER_SPL_PERCENT: Mapping[Capability, float] = {"objectnav": 16.9}
SOURCE = "CoWs on PASTURE Table 1, OWL B/32 with post-processing"
DIFFERENCE = "generated houses in place of RoboTHOR's, other episodes; see docs/find.md"


def spl(success: bool, shortest_m: float, travelled_m: float) -> float:
    """Success weighted by path length (Anderson et al. 2018, eq. 1), of one trial."""
    longest_m = max(travelled_m, shortest_m)
    return float(success) if longest_m == 0.0 else float(success) * shortest_m / longest_m


def failure_class(*, success: bool, stopped: bool, seen: bool) -> Failure:
    """Tells what failed, as the paper's analysis does.

    A wrong Stop is a failure of localisation. Of a trial that ran out of steps, exploration failed if the target was
    never in the picture, planning if it was.
    """
    if success:
        return ""
    if stopped:
        return "localisation"
    return "planning" if seen else "exploration"


def action_success(blocked: Sequence[bool]) -> float:
    """Share of the actions that had their effect; Stop has none and is not counted by the caller."""
    return 1.0 - sum(blocked) / len(blocked) if blocked else 1.0


def by_category(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    """Sorts outcomes by what was to be found; those that ended in an error before anything was known have none."""
    found: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        found.setdefault(str(outcome.details.get("category", "")), []).append(outcome)
    return dict(sorted(found.items()))


def failure_shares(outcomes: Sequence[Outcome]) -> dict[Failure, float]:
    """Share of all trials that ended with each class of failure."""
    total = max(1, len(outcomes))
    named = [outcome.details.get("failure", "") for outcome in outcomes]
    return {failure: named.count(failure) / total for failure in FAILURES}


def paper_value(capability: Capability, metric: Metric) -> PaperValue | None:
    """The paper's number for a capability, where it has one."""
    table = PAPER_SUCCESS_PERCENT if metric is SUCCESS else PAPER_SPL_PERCENT if metric is SPL else {}
    return PaperValue(table[capability], SOURCE, DIFFERENCE) if capability in table else None
