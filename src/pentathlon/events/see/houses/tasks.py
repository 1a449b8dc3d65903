"""See's house tasks and their rows. Nothing heavy is imported to list them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pentathlon.core import (
    TIERS,
    Heat,
    Metric,
    Origin,
    Outcome,
    PaperValue,
    Score,
    TaskEntry,
    Tier,
    Workspace,
    content_hash,
)
from pentathlon.core.entrants import Kind
from pentathlon.core.errors import UsageError
from pentathlon.events.rendered import REHEARSAL, RenderedTask
from pentathlon.events.see.houses.policy_files import NAMES, TRAINED, policy_files
from pentathlon.events.see.houses.protocol import (
    HOUSE_TASKS,
    HouseProtocol,
    HouseTaskName,
    make_house_protocol,
    rehearsal,
)
from pentathlon.stats import refuse_mixed_weights, score_outcomes
from pentathlon.storage.files import file_digest

FACTORY = "pentathlon.events.see.houses.tasks:make_house_task"
SUMMARIES: dict[HouseTaskName, str] = {
    "imagenav": "houses: find the place of a picture",
    "objectnav": "houses: find a thing of a kind",
    "mobilepick": "houses: pick a thing up",
}
PAPER = {"imagenav": 70.3, "objectnav": 60.3, "mobilepick": 63.2}
"""VC-1 (ViT-L), frozen, in CortexBench's Table 5, in percent."""
SPRINT = ("mobilepick",)
ALWAYS = {"renderer": "raycast", "adapt": "frozen", "inputs": "standardised"}


class HouseTask(RenderedTask[HouseProtocol]):
    """Does this encoder support one task in houses?

    Args:
        protocol: everything that changes a number.
        policies: folder of ImageNav policies other than the package's.

    Attributes:
        content: hashes of what it brings to a run beside its protocol: of the policies.
    """

    kind: Kind = "encoder"
    spec = None

    def __init__(self, protocol: HouseProtocol, policies: Path | None = None) -> None:
        self.protocol, self.policies = protocol, policies
        self.id = protocol.task_id
        self.metrics = house_metrics(protocol)
        self.content = {} if policies is None else {"policies": content_hash(_digests(policies), length=16)}

    def heats(self) -> Sequence[Heat]:
        """One heat per seed; its episodes share one policy."""
        return [self._heat(seed) for seed in self.protocol.seeds]

    def _heat(self, seed: int) -> Heat:
        protocol = self.protocol
        origins = {
            protocol.trial(seed, house, episode): Origin(f"house-{house}", protocol.episode_seed(house, episode))
            for house in range(protocol.tested_houses)
            for episode in range(protocol.episodes)
        }
        return Heat(f"seed-{seed}", tuple(origins), {"seed": seed}, joint=True, origins=origins)

    def run(self, heat: Heat, entrant: Any, workspace: Workspace) -> Iterator[Outcome]:
        """Clones or loads a policy on the entrant's features and yields the episodes."""
        from pentathlon.events.see.houses.trial import run_heat

        return run_heat(self.protocol, heat, entrant, workspace, self.policies)

    def scores(self, outcomes: Sequence[Outcome]) -> tuple[Score, ...]:
        """Success rate in percent, and success weighed by path length.

        Raises:
            DataError: when the outcomes come from different weights under one name.
        """
        refuse_mixed_weights(outcomes, "encoder")
        refuse_mixed_weights(outcomes, "policy")
        return score_outcomes(self.metrics, outcomes)


def house_metrics(protocol: HouseProtocol) -> tuple[Metric, ...]:
    """Success in percent beside the paper's, and SPL for the tasks that walk."""
    reason = "another encoder, our own houses and fewer demonstrations or frames; see docs/see.md"
    paper = PaperValue(PAPER[protocol.name], "CortexBench Table 5, VC-1 (ViT-L)", reason)
    shown = paper if protocol.tier == "full" else None
    score = Metric("score", "success", scale=100.0, unit="%", bounds=(0.0, 1.0), paper=shown)
    spl = Metric("spl", "mean", scale=100.0, unit="%", bounds=(0.0, 1.0))
    return (score,) if protocol.name == "mobilepick" else (score, spl)


def make_house_task(
    name: HouseTaskName,
    tier: Tier,
    policies: str | None = None,
    rehearse: bool = False,
    **others: Any,
) -> HouseTask:
    """Builds a task; ``rehearse`` shrinks it to seconds, ``others`` are options of see's control tasks.

    Raises:
        UsageError: one of those is given and is not as it is here always, policies where one is cloned, or a folder
            without any.
    """
    for option, value in others.items():
        if value != ALWAYS.get(option):
            raise UsageError(f"Expected no --{option} with {name}, got {value!r}. Leave it out.")
    if policies is not None and name != "imagenav":
        raise UsageError(f"Expected no --policies with {name}, got {policies!r}: they are for see/imagenav-v1.")
    protocol = make_house_protocol(name, tier)
    return HouseTask(rehearsal(protocol) if rehearse else protocol, None if policies is None else Path(policies))


def _digests(policies: Path) -> dict[str, str]:
    files = policy_files(policies)
    if not files:
        raise UsageError(
            f"Expected policies of `pentathlon train imagenav` in {policies}, got none: {TRAINED} or {NAMES}."
        )
    return {path.name: file_digest(path) for path in files}


def _row(name: HouseTaskName, tier: Tier) -> TaskEntry:
    id, options = make_house_protocol(name, tier).task_id, {"name": name, "tier": tier}
    needs = "policies" if name == "imagenav" else ""  # few encoders have one: patterns such as see/* pass it over
    return TaskEntry(id, SUMMARIES[name], FACTORY, options, REHEARSAL, tier == "sprint" and name in SPRINT, needs)


HOUSE_TABLE: tuple[TaskEntry, ...] = tuple(_row(name, tier) for tier in TIERS for name in HOUSE_TASKS)
