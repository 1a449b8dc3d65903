"""What a task of judge is, and the rows of those on films of our own, by group and level."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pentathlon.core import Heat, Metric, Origin, Outcome, Score, TaskEntry, TaskId, Tier, Workspace, check_tier
from pentathlon.core.entrants import Kind
from pentathlon.events.judge.protocol import JudgeProtocol, make_protocol
from pentathlon.events.judge.records import METRICS, Measure, pooled_scores, rescored

if TYPE_CHECKING:
    from pentathlon.events.judge.data.problem_sets import ProblemSet
    from pentathlon.worlds.rendering import RendererInfo

VIRTUAL_HOME, BLOCKS, TABLETOP = "virtual-home", "blocks", "tabletop"
LEVEL_ONE: dict[str, str] = {
    "objects": "which thing is picked up",
    "containers": "where a thing is put",
    "on_v_off": "whether something is on",
    "sliced_v_whole": "whether food is cut",
    "heat": "heated, or only almost",
    "cool": "cooled, or only almost",
    "clean": "cleaned, or only almost",
    "slice": "sliced, or only almost",
    "pick_v_put": "picked up or put down",
    "toggle": "turned on or off",
}
DESK: dict[str, str] = {
    "object_tracking": "whether the leftmost of several things is so again after they were shuffled",
    "object_interaction": "whether two pieces of fabric are pinned together",
    "opening_v_closing": "whether a door opens or closes",
    "object": "which thing is picked up from a cluttered table",
}
KINDS: dict[str, tuple[str, str]] = {
    "permutation": ("permutation", "orders of the same {level} steps"),
    "remix": ("general", "tasks of {level} steps that share a beginning"),
}
SEVERAL, BLOCKS_SEVERAL = range(2, 9), (2, 3)
SPRINT = ("objects", "level-3-permutation", "level-3-general")
MEANING: dict[Tier, str] = {
    "full": "the paper's counts",
    "lite": "fewer sets, classes and videos",
    "sprint": "a first look",
}
BLOCKS_MEANING: dict[Tier, str] = {"full": "the released sets in ten lands each", "lite": "the released counts"}
TIERS: tuple[Tier, ...] = ("full", "lite")


class JudgeTask:
    """Can this judge tell which description fits which video?"""

    kind: Kind = "judge"

    def __init__(self, protocol: JudgeProtocol, problem_sets: Sequence[ProblemSet]) -> None:
        self.protocol, self.problem_sets = protocol, tuple(problem_sets)
        self.id = protocol.task_id
        self.spec = protocol.spec
        self.metrics: tuple[Metric, ...] = METRICS[protocol.measure]

    @property
    def renderer(self) -> RendererInfo | dict[str, str]:
        """What ``run.json`` records about the eyes that films were made with."""
        if not any(clip.recipe for one in self.problem_sets for clip in one.clips):
            return {}
        from pentathlon.events.judge.films.worlds import film_setting
        from pentathlon.worlds.rendering import renderer_info

        return renderer_info("raycast", film_setting(self.problem_sets[0].environment))

    def heats(self) -> Sequence[Heat]:
        """One heat per problem set."""
        from pentathlon.events.judge.trial import trial_id, trial_seed

        found = []
        for problem_set in self.problem_sets:
            name = trial_id(problem_set)
            found.append(Heat(name, (name,), origins={name: Origin(name, trial_seed(problem_set))}))
        return found

    def run(self, heat: Heat, entrant: Any, workspace: Workspace) -> Iterator[Outcome]:
        """Lets the judge score the heat's problem set."""
        from pentathlon.events.judge.heats import run_heat

        return run_heat(self.protocol, self.problem_sets, heat, entrant, workspace)

    def scores(self, outcomes: Sequence[Outcome]) -> tuple[Score, ...]:
        """The mean over problem sets, computed again from the raw scores, with intervals over problem sets."""
        from pentathlon.stats import refuse_mixed_weights, score_outcomes

        refuse_mixed_weights(outcomes, "judge")
        measure = self.protocol.measure
        again = [rescored(outcome, measure) for outcome in outcomes]
        return (*score_outcomes(self.metrics, again), *pooled_scores(again, measure))


def make_task(
    name: str,
    tier: Tier,
    world: str,
    group: str,
    level: int,
    measure: Measure = "match",
    rehearse: bool = False,
    vista: str = "",
    vista_videos: str = "",
    skip_broken: bool = False,
) -> JudgeTask:
    """Builds a task on films of our own; ``rehearse`` shrinks it to seconds. What the dataset needs is left aside."""
    from pentathlon.events.judge.films.worlds import plan, shorten

    check_tier(tier)
    problem_sets = plan(world, group, level, tier)
    if not rehearse:
        return JudgeTask(make_protocol(name, tier, measure, problem_sets), problem_sets)
    short = (shorten(world, problem_sets[0]),)
    protocol = make_protocol(name, tier, measure, short)
    return JudgeTask(replace(protocol, frames=4, prefixes=4), short)


def _row(
    name: str, summary: str, tier: Tier, group: str, level: int, measure: Measure = "match", world: str = VIRTUAL_HOME
) -> TaskEntry:
    meaning = MEANING if world != BLOCKS else BLOCKS_MEANING
    return TaskEntry(
        id=str(TaskId("judge", name, tier)),
        summary=f"{summary}; {meaning[tier]}",
        factory="pentathlon.events.judge.tasks:make_task",
        options={"name": name, "tier": tier, "world": world, "group": group, "level": level, "measure": measure},
        rehearsal={"rehearse": True},
        sprint=tier == "sprint",
    )


def _several_rows(levels: Sequence[int]) -> Iterator[tuple[str, str, str, int]]:
    """Name, meaning, group and level of the tasks of several steps."""
    for level in levels:
        for group, (word, meaning) in KINDS.items():
            yield f"level-{level}-{word}", meaning.format(level=level), group, level


def _home_rows() -> Iterator[TaskEntry]:
    single = [(group.replace("_", "-"), meaning, group, 1) for group, meaning in LEVEL_ONE.items()]
    for name, meaning, group, level in (*single, *_several_rows(SEVERAL)):
        tiers: tuple[Tier, ...] = (*TIERS, "sprint") if name in SPRINT else TIERS
        yield from (_row(f"{VIRTUAL_HOME}-{name}", meaning, tier, group, level) for tier in tiers)
    yield from _detection_rows(VIRTUAL_HOME)


def _blocks_rows() -> Iterator[TaskEntry]:
    single = ("actions", "which of seven actions are shown, often several", "actions", 1)
    for name, meaning, group, level in (single, *_several_rows(BLOCKS_SEVERAL)):
        yield from (_row(f"{BLOCKS}-{name}", meaning, tier, group, level, world=BLOCKS) for tier in TIERS)
    yield from _detection_rows(BLOCKS, f"{BLOCKS}-")


def _desk_rows() -> Iterator[TaskEntry]:
    for tier in TIERS:
        for group, meaning in DESK.items():
            yield _row(f"{TABLETOP}-{group.replace('_', '-')}", meaning, tier, group, 1, world=TABLETOP)
    yield from _detection_rows(TABLETOP, f"{TABLETOP}-")


def _detection_rows(world: str, prefix: str = "") -> Iterator[TaskEntry]:
    done, far = "tasks done, and missed in several ways: which is which", "how far a film of several steps has come"
    for tier in TIERS:
        yield _row(f"{prefix}near-miss", done, tier, "near_miss", 0, "success", world)
        yield _row(f"{prefix}progress", far, tier, "progress", 0, "progress", world)


FILMS: tuple[TaskEntry, ...] = (*_home_rows(), *_blocks_rows(), *_desk_rows())
"""Rows of the tasks on films of our own."""
