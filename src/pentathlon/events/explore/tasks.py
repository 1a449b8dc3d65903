"""The table of explore's tasks: generated and hand-designed houses, in three tiers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pentathlon.core import TIERS, DataError, Heat, Origin, Outcome, Score, TaskEntry, TaskId, Tier, Workspace
from pentathlon.core.entrants import Kind
from pentathlon.events.explore.metrics import METRICS
from pentathlon.events.explore.paper import paper_value
from pentathlon.events.explore.protocol import (
    SUITES,
    ExploreProtocol,
    Suite,
    house_names,
    make_protocol,
    rehearsal,
    trial_seed,
)
from pentathlon.events.rendered import REHEARSAL, RenderedTask

FACTORY = "pentathlon.events.explore.tasks:make_task"
WHAT: dict[Suite, str] = {
    "generated": "20 questions about a generated house after 2,500 free steps, and again after a return",
    "architect": "the same in houses designed by hand",
}
MEANING: dict[Suite, dict[Tier, str]] = {
    "generated": {"full": "1,000 houses", "lite": "20 houses", "sprint": "one house, 300 steps, 10 questions"},
    "architect": {"full": "nine houses", "lite": "three houses", "sprint": "one house, 300 steps, 10 questions"},
}


class ExploreTask(RenderedTask[ExploreProtocol]):
    """What does this agent know of a house after exploring it freely?"""

    kind: Kind = "agent"

    def __init__(self, protocol: ExploreProtocol, houses: tuple[str, ...], questions_file: str = "") -> None:
        self.protocol, self.houses, self._questions_file = protocol, houses, questions_file
        self.id = protocol.task_id
        self.spec = protocol.spec
        known = protocol == make_protocol(protocol.suite, "full")
        self.metrics = tuple(
            replace(metric, paper=paper_value(protocol.suite, metric.name)) if known else metric for metric in METRICS
        )

    def heats(self) -> Sequence[Heat]:
        """One heat and one trial per house."""
        return [Heat(name, (name,), origins={name: Origin(name, trial_seed(name))}) for name in self.houses]

    def run(self, heat: Heat, entrant: Any, workspace: Workspace) -> Iterator[Outcome]:
        """Lets the agent explore the heat's house and asks it."""
        from pentathlon.events.explore.heats import run_heat

        return run_heat(self.protocol, self._questions_file, heat, entrant, workspace)

    def scores(self, outcomes: Sequence[Outcome]) -> tuple[Score, ...]:
        """ExQA, both accuracies, steps of the return, and what was explored, with intervals over houses."""
        from pentathlon.stats import score_outcomes

        return score_outcomes(self.metrics, outcomes, "agent")


def make_task(
    suite: Suite,
    tier: Tier,
    steps: int | None = None,
    reentry_steps: int | None = None,
    size_px: int | None = None,
    questions_file: str = "",
    rehearse: bool = False,
) -> ExploreTask:
    """Builds a task; ``rehearse`` shrinks it to seconds."""
    digest = _digest(questions_file) if questions_file else ""
    budgets = {"steps": steps, "reentry_steps": reentry_steps, "size_px": size_px}
    protocol = make_protocol(suite, tier, **budgets, questions_digest=digest)
    houses = house_names(suite, tier)
    if rehearse:
        return ExploreTask(rehearsal(protocol), houses[:1], questions_file)
    return ExploreTask(protocol, houses, questions_file)


def _digest(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise DataError(f"Expected a question file at {path}, got {error.strerror}.") from None


def _row(suite: Suite, tier: Tier) -> TaskEntry:
    summary = f"{WHAT[suite]}; {MEANING[suite][tier]}"
    options = {"suite": suite, "tier": tier}
    sprint = tier == "sprint" and suite == "generated"
    return TaskEntry(str(TaskId("explore", suite, tier)), summary, FACTORY, options, REHEARSAL, sprint)


TABLE: tuple[TaskEntry, ...] = tuple(_row(suite, tier) for tier in TIERS for suite in SUITES)
