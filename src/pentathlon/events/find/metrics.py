"""The numbers of find: success, SPL, what went wrong, and all of them by category. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pentathlon.core import Metric, Outcome, PaperValue
from pentathlon.events.find.episodes.records import Capability
from pentathlon.events.find.paper import TABLE_1

Failure = Literal["", "exploration", "localisation", "planning"]
ENDINGS = ("success", "exploration", "Stop unseen", "never noticed", "wrong Stop", "planning", "error")
"""Exploration: never in the picture. Stop unseen: a wrong Stop before it ever was. Never noticed: in the picture, but
the agent went on exploring."""
FAILURES: tuple[Failure, ...] = ("exploration", "localisation", "planning")
SUCCESS = Metric("success", "success", scale=100.0, unit="%")
SPL = Metric("spl", "mean", scale=100.0, unit="%", bounds=(0.0, 1.0))
ACTION_SUCCESS = Metric("action_success", "mean", scale=100.0, unit="%", bounds=(0.0, 1.0))

BEST = "OWL B/32, centre"
SOURCE = f"CoWs on PASTURE Table 1, {BEST} pixel"
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


def ending(outcome: Outcome) -> str:
    """Tells how a trial ended in finer classes than its failure: one of :data:`ENDINGS`.

    A target that was in view while the localizer never fired is a failure of localisation in the paper's text and of
    planning in its code. Here it stands apart: an agent that tells its phases has exploited nothing then.
    """
    failure = outcome.details.get("failure", "") if outcome.status == "ok" else "error"
    if failure == "localisation":
        return "Stop unseen" if outcome.details.get("seen_step") is None else "wrong Stop"
    if failure != "planning":
        return failure or "success"
    phases = {phase for phase, _ in outcome.details.get("phases", ())}
    return "planning" if "exploit" in phases or phases <= {""} else "never noticed"


def ending_shares(outcomes: Sequence[Outcome]) -> tuple[float, ...]:
    """Share of the trials that ended in each of :data:`ENDINGS`."""
    found = [ending(outcome) for outcome in outcomes]
    return tuple(found.count(name) / max(1, len(found)) for name in ENDINGS)


def paper_value(capability: Capability, metric: Metric) -> PaperValue | None:
    """The paper's number for a capability, where it has one."""
    value = TABLE_1[BEST].get((capability, metric.name))
    return None if value is None else PaperValue(value, SOURCE, DIFFERENCE)
