"""The table of find's tasks: object goals and the seven capabilities of PASTURE, in three tiers and two sizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pentathlon.core import TIERS, Heat, Metric, Origin, Outcome, Score, TaskEntry, TaskId, Tier, Workspace
from pentathlon.core.entrants import Kind
from pentathlon.events.find.episodes.records import CAPABILITIES, Capability
from pentathlon.events.find.metrics import ACTION_SUCCESS, SPL, SUCCESS, paper_value
from pentathlon.events.find.protocol import (
    SIZE_PX,
    FindProtocol,
    FindTrials,
    Version,
    episode_seed,
    make_protocol,
    make_trials,
    rehearsal,
)
from pentathlon.events.rendered import REHEARSAL, RenderedTask

WHAT: dict[Capability, str] = {
    "objectnav": "a kind of thing by its name",
    "objectnav-large": "the same in houses of 7 to 9 rooms, 500 steps",
    "pasture-uncommon": "things that few homes have",
    "pasture-appearance": "a thing by its size, colour and material",
    "pasture-space": "a thing by what it stands on and near",
    "pasture-appearance-distract": "by appearance, beside a second one that looks different",
    "pasture-space-distract": "by place, beside a second one elsewhere",
    "pasture-hidden": "a thing under or in another",
    "pasture-hidden-distract": "a hidden one, while another of its kind is in sight",
}
MEANING = {
    "full": "all episodes",
    "lite": "four targets of every house",
    "sprint": "12 episodes, small pictures, 60 steps",
}
FACTORY = "pentathlon.events.find.tasks:make_task"
LARGE_TIERS: tuple[Tier, ...] = ("full", "lite")
SPRINT_TASKS: tuple[Capability, ...] = ("objectnav", "pasture-appearance-distract", "pasture-hidden")


class FindTask(RenderedTask[FindProtocol]):
    """Can this agent go to what a sentence describes?"""

    kind: Kind = "agent"

    def __init__(self, protocol: FindProtocol, trials: FindTrials) -> None:
        self.protocol, self.trials = protocol, trials
        self.id = protocol.task_id
        self.spec = protocol.spec
        self.metrics = _metrics(protocol)

    def heats(self) -> Sequence[Heat]:
        """One heat per house."""
        heats: dict[str, dict[str, Origin]] = {}
        for episode in self.trials.episodes:
            heats.setdefault(episode.house, {})[episode.id] = Origin(episode.house, episode_seed(episode))
        return [Heat(house, tuple(origins), {"house": house}, origins=origins) for house, origins in heats.items()]

    def run(self, heat: Heat, entrant: Any, workspace: Workspace) -> Iterator[Outcome]:
        """Lets the agent search the heat's house."""
        from pentathlon.events.find.heats import run_heat

        return run_heat(self.protocol, self.trials, heat, entrant, workspace)

    def scores(self, outcomes: Sequence[Outcome]) -> tuple[Score, ...]:
        """Success, SPL and action success, with intervals clustered by house."""
        from pentathlon.stats import score_outcomes

        return score_outcomes(self.metrics, outcomes, "agent")


def make_task(
    capability: Capability, tier: Tier, version: Version = 1, bumper: bool = False, rehearse: bool = False
) -> FindTask:
    """Builds a task; ``rehearse`` shrinks it to seconds."""
    protocol, trials = make_protocol(capability, tier, version, bumper), make_trials(capability, tier)
    if not rehearse:
        return FindTask(protocol, trials)
    first = trials.episodes[0].house
    few = [episode for episode in trials.episodes if episode.house == first][:2]
    return FindTask(rehearsal(protocol), replace(trials, episodes=tuple(few)))


def _metrics(protocol: FindProtocol) -> tuple[Metric, ...]:
    if protocol.tier != "full":
        return (SUCCESS, SPL, ACTION_SUCCESS)
    metrics = (SUCCESS, SPL, ACTION_SUCCESS)
    return tuple(replace(metric, paper=paper_value(protocol.capability, metric)) for metric in metrics)


def _row(capability: Capability, tier: Tier, version: Version) -> TaskEntry:
    size = f"; {SIZE_PX[version]} pixels" if version > 1 else ""
    summary = f"{WHAT[capability]}; {MEANING[tier]}{size}"
    options = {"capability": capability, "tier": tier, "version": version}
    sprint = tier == "sprint" and capability in SPRINT_TASKS
    return TaskEntry(str(TaskId("find", capability, tier, version)), summary, FACTORY, options, REHEARSAL, sprint)


TABLE: tuple[TaskEntry, ...] = (
    *(_row(capability, tier, 1) for tier in TIERS for capability in CAPABILITIES),
    *(_row(capability, tier, 2) for tier in LARGE_TIERS for capability in CAPABILITIES),
)
