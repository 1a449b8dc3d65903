"""The table of act's tasks: pouring and scooping in three tiers. Rows only; nothing heavy is imported to list them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pentathlon.core import TIERS, Heat, Metric, Origin, Outcome, PaperValue, Score, TaskEntry, Tier, Workspace
from pentathlon.core.entrants import Kind
from pentathlon.events.act.metrics import REWARD, SUCCESS, score_trials
from pentathlon.events.act.protocol import TASK_NAMES, ActProtocol, Trial, hide, make_protocol, rehearsal
from pentathlon.events.rendered import REHEARSAL, RenderedTask
from pentathlon.worlds.tabletop.arm.robot import TaskName

MEANING = {
    "full": "the paper's 36 trials, camera 480 x 640",
    "lite": "the same 36 trials, camera 240 x 320",
    "sprint": "6 trials, for a first look",
}
FACTORY = "pentathlon.events.act.tasks:make_task"
DRAW = "pentathlon.events.act.protocol:draw_seeds"
SPRINT_TASKS = ("pour",)
PAPER_REWARD_G: dict[TaskName, float] = {"pour": 22.86, "scoop": 7.42}
PAPER_SUCCESS_PERCENT: dict[TaskName, float] = {"pour": 72.2, "scoop": 83.3}


class ActTask(RenderedTask[ActProtocol]):
    """Does this policy, trained offline, work on a robot that it never touched?"""

    kind: Kind = "policy"

    def __init__(self, protocol: ActProtocol) -> None:
        self.protocol = protocol
        self.id = protocol.task_id
        self.spec = protocol.spec
        self.metrics = _metrics(protocol)

    def heats(self) -> Sequence[Heat]:
        """One heat per training seed, container, and kind of location."""
        heats: dict[str, list[Trial]] = {}
        for trial in self.protocol.trials():
            where = "seen" if trial.seen_location else "unseen"
            heats.setdefault(f"seed-{trial.training_seed}-{trial.setup.container}-{where}", []).append(trial)
        return [_heat(name, trials) for name, trials in heats.items()]

    def run(self, heat: Heat, entrant: Any, workspace: Workspace) -> Iterator[Outcome]:
        """Lets the policy act on a simulated robot."""
        from pentathlon.events.act.heats import run_heat

        return run_heat(self.protocol, heat, entrant, workspace)

    def scores(self, outcomes: Sequence[Outcome]) -> tuple[Score, ...]:
        """Grams and success rate: of all trials, and apart for seen and unseen locations.

        Raises:
            DataError: when the outcomes come from different weights under one name.
        """
        from pentathlon.stats import refuse_mixed_weights

        refuse_mixed_weights(outcomes, "policy")
        seen = {trial.id: trial.seen_location for trial in self.protocol.trials()}
        return score_trials(self.metrics, outcomes, seen)


def make_task(task: TaskName, tier: Tier, rehearse: bool = False, seeds: Mapping[str, int] | None = None) -> ActTask:
    """Builds a task; ``rehearse`` shrinks it to seconds, ``seeds`` that were drawn make it the hidden variant."""
    protocol = make_protocol(task, tier)
    if seeds is not None:
        protocol = hide(protocol, seeds)
    return ActTask(rehearsal(protocol) if rehearse else protocol)


def _heat(name: str, trials: Sequence[Trial]) -> Heat:
    origins = {trial.id: Origin(trial.cluster, trial.setup.seed) for trial in trials}
    return Heat(name, tuple(origins), {"training_seed": trials[0].training_seed}, origins=origins)


def _metrics(protocol: ActProtocol) -> tuple[Metric, ...]:
    if protocol.tier != "full":
        return (REWARD, SUCCESS)
    values = (PAPER_REWARD_G[protocol.task], PAPER_SUCCESS_PERCENT[protocol.task])
    return tuple(
        replace(metric, paper=PaperValue(value, "TOTO Table III, BC + MoCo (in-domain)", DIFFERENCE))
        for metric, value in zip((REWARD, SUCCESS), values, strict=True)
    )


DIFFERENCE = "a simulated bench with its own containers, grains and demonstrations; see docs/act.md"


def _row(task: TaskName, tier: Tier) -> TaskEntry:
    id, options = make_protocol(task, tier).task_id, {"task": task, "tier": tier}
    sprint = tier == "sprint" and task in SPRINT_TASKS
    return TaskEntry(id, f"{task}: {MEANING[tier]}", FACTORY, options, REHEARSAL, sprint, draw=DRAW)


TABLE: tuple[TaskEntry, ...] = tuple(_row(task, tier) for tier in TIERS for task in TASK_NAMES)
