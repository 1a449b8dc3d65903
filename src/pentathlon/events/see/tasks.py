"""The table of see's tasks: 15 control tasks and three in houses, in three tiers. Rows; nothing heavy is imported."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pentathlon.core import (
    TIERS,
    Heat,
    Origin,
    Outcome,
    Score,
    TaskEntry,
    Tier,
    TrainableEncoder,
    UsageError,
    Workspace,
)
from pentathlon.core.entrants import Kind
from pentathlon.core.eyes import Renderer
from pentathlon.events.rendered import REHEARSAL, RenderedTask
from pentathlon.events.see.houses.tasks import HOUSE_TABLE
from pentathlon.events.see.metrics import make_metrics
from pentathlon.events.see.protocol import Adapt, Inputs, SeeProtocol, make_protocol, rehearsal
from pentathlon.stats import score_outcomes
from pentathlon.worlds.control import CONTROL_TASKS

if TYPE_CHECKING:
    from pentathlon.events.see.lessons import Lesson

FACTORY = "pentathlon.events.see.tasks:make_task"
SPRINTED = ("metaworld-button-press-topdown", "metaworld-drawer-open")

MEANING = {
    "full": "the paper's protocol",
    "lite": "fewer, shorter episodes",
    "sprint": "a few episodes, for a first look",
}


class SeeTask(RenderedTask[SeeProtocol]):
    """Does this encoder support control of one task?

    Args:
        protocol: everything that changes a number.
        given: the demonstrations that ``protocol.teacher`` names, where a user gives them.
    """

    kind: Kind = "encoder"

    def __init__(self, protocol: SeeProtocol, given: Sequence[Lesson] = ()) -> None:
        self.protocol = protocol
        self.given = given
        self.id = protocol.task_id
        self.spec = TrainableEncoder() if protocol.adapt == "e2e" else None
        self.metrics = make_metrics(protocol, given=bool(given))

    def heats(self) -> Sequence[Heat]:
        """One heat per training seed; its episodes run together."""
        return [self._heat(seed) for seed in self.protocol.seeds]

    def _heat(self, training_seed: int) -> Heat:
        name = f"seed-{training_seed}"
        origins = {
            f"{name}-episode-{index:02d}": Origin(cluster=name, seed=seed)
            for index, seed in enumerate(self.protocol.episode_seeds)
        }
        return Heat(name, tuple(origins), {"seed": training_seed}, joint=True, origins=origins)

    def run(self, heat: Heat, entrant: Any, workspace: Workspace) -> Iterator[Outcome]:
        """Clones a policy on the entrant's features and yields the episodes, at the best evaluation and at others."""
        from pentathlon.events.see.trial import run_heat

        return run_heat(self.protocol, heat, entrant, workspace, self.given)

    def scores(self, outcomes: Sequence[Outcome]) -> tuple[Score, ...]:
        """Success rate or mean normalised score, in percent.

        Raises:
            DataError: when the outcomes come from different weights under one name.
        """
        return score_outcomes(self.metrics, outcomes, "encoder")


def make_task(
    name: str,
    tier: Tier,
    renderer: Renderer = "raycast",
    adapt: Adapt = "frozen",
    inputs: Inputs = "paper",
    demonstrations: str | None = None,
    rehearse: bool = False,
    policies: str | None = None,
) -> SeeTask:
    """Builds a task; ``demonstrations`` is a folder of some to learn from, ``rehearse`` shrinks it to seconds."""
    if policies is not None:
        raise UsageError(f"Expected no --policies with {name}, got {policies!r}: they are for see/imagenav-v1.")
    protocol = make_protocol(name, tier, renderer, adapt, inputs)
    given: Sequence[Lesson] = ()
    if demonstrations is not None:
        from pentathlon.events.see.lessons import read_given

        found = read_given(Path(demonstrations), protocol)
        protocol, given = replace(protocol, teacher=found.teacher), found.lessons
    return SeeTask(rehearsal(protocol) if rehearse else protocol, given)


def _row(name: str, tier: Tier) -> TaskEntry:
    suite, *words = name.split("-")
    summary = f"{suite}: {' '.join(words)}; {MEANING[tier]}"
    options = {"name": name, "tier": tier}
    return TaskEntry(make_protocol(name, tier).task_id, summary, FACTORY, options, REHEARSAL, tier == "sprint")


TABLE: tuple[TaskEntry, ...] = (
    *(_row(task.name, tier) for tier in TIERS for task in CONTROL_TASKS if tier != "sprint" or task.name in SPRINTED),
    *HOUSE_TABLE,
)
