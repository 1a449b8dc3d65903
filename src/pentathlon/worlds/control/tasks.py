"""The table of control tasks: what CortexBench fixes for each of them. Plain rows; nothing heavy is imported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pentathlon.core.errors import UnknownIdError, UsageError

Suite = Literal["adroit", "metaworld", "dmcontrol", "trifinger"]
Rule = Literal["achieved-steps", "last-step", "return", "progress"]


@dataclass(frozen=True)
class ControlTask:
    """One row of the table.

    Attributes:
        name: ``suite-task``; the task's id is ``see/<name>-v1``.
        suite: whose physics it is.
        key: the task's name within the suite.
        camera: name of the camera that gives the frames.
        image_size: height and width of a frame in pixels.
        frame_stack: frames that a policy sees at a time.
        proprio_size: numbers of proprioception given to the policy; the first of the suite's observation.
        horizon: control steps of an episode.
        demos: demonstrations that the protocol trains on.
        evaluation_episodes: episodes per evaluation.
        rule: how an episode becomes a score.
        more_than_steps: with the rule ``achieved-steps``, the count that must be exceeded.
        paper: VC-1 (ViT-L) in the paper's Table 8, in percent.
        expert_floor: the least mean score in percent of an expert fit to demonstrate.
    """

    name: str
    suite: Suite
    key: str
    camera: str
    horizon: int
    demos: int
    evaluation_episodes: int
    rule: Rule
    paper: float | None
    expert_floor: float
    proprio_size: int = 0
    more_than_steps: int = 0
    image_size: int = 256
    frame_stack: int = 3

    @property
    def id(self) -> str:
        """The task's versioned id."""
        return f"see/{self.name}-v1"


def _metaworld(key: str, paper: float) -> ControlTask:
    return ControlTask(
        f"metaworld-{key}", "metaworld", key, "topview", 500, 25, 25, "last-step", paper, 95.0, proprio_size=4
    )


def _dmcontrol(key: str, camera: str, paper: float | None, demo_return: float) -> ControlTask:
    floor = 0.9 * demo_return / 10.0
    return ControlTask(f"dmcontrol-{key}", "dmcontrol", key, camera, 1000, 100, 10, "return", paper, floor)


def _trifinger(key: str, horizon: int, paper: float) -> ControlTask:
    return ControlTask(
        f"trifinger-{key}",
        "trifinger",
        key,
        "camera60",
        horizon,
        100,
        25,
        "progress",
        paper,
        85.0,
        proprio_size=9,
        image_size=270,
        frame_stack=1,
    )


CONTROL_TASKS: tuple[ControlTask, ...] = (
    ControlTask(
        "adroit-pen",
        "adroit",
        "pen",
        "vil_camera",
        100,
        100,
        25,
        "achieved-steps",
        80.0,
        80.0,
        proprio_size=24,
        more_than_steps=20,
    ),
    ControlTask(
        "adroit-relocate",
        "adroit",
        "relocate",
        "vil_camera",
        200,
        100,
        25,
        "achieved-steps",
        38.7,
        80.0,
        proprio_size=30,
        more_than_steps=25,
    ),
    _metaworld("assembly", 88.0),
    _metaworld("bin-picking", 84.0),
    _metaworld("button-press-topdown", 80.0),
    _metaworld("drawer-open", 100.0),
    _metaworld("hammer", 92.0),
    _dmcontrol("finger-spin", "cam0", 76.8, 743.33),
    _dmcontrol("reacher-hard", "fixed", None, 963.04),
    _dmcontrol("reacher-easy", "fixed", 88.0, 963.04),
    _dmcontrol("cheetah-run", "side", 32.8, 759.17),
    _dmcontrol("walker-stand", "side", 83.3, 971.22),
    _dmcontrol("walker-walk", "side", 53.7, 918.07),
    _trifinger("reach-cube", 5, 83.3),
    _trifinger("push-cube", 10, 60.2),
)


def control_task(name: str) -> ControlTask:
    """Finds a row by its name or task id.

    Raises:
        UnknownIdError: naming the nearest.
    """
    rows = {row.name: row for row in CONTROL_TASKS}
    short = name.removeprefix("see/").removesuffix("-v1")
    if short not in rows:
        raise UnknownIdError("control task", name, rows)
    return rows[short]


def episode_score(
    task: ControlTask, achieved: Sequence[bool], rewards: Sequence[float], progress: Sequence[float]
) -> float:
    """Scores one episode in percent, from what held after each of its steps.

    - ``achieved-steps``: 100 when the goal held in more than ``more_than_steps`` steps (Adroit).
    - ``last-step``: 100 when the goal held after the last step (MetaWorld).
    - ``return``: the mean reward times 100, which over the full 1000 steps is return / 10 (DMControl).
    - ``progress``: the progress after the last step times 100 (TriFinger).

    Raises:
        UsageError: when the episode has no step.
    """
    if not len(achieved):
        raise UsageError("An episode of at least one step was expected to score, got none. Step the environment first.")
    if task.rule == "achieved-steps":
        return 100.0 * (sum(map(bool, achieved)) > task.more_than_steps)
    if task.rule == "last-step":
        return 100.0 * bool(achieved[-1])
    if task.rule == "return":
        return 100.0 * float(sum(rewards)) / len(rewards)
    return 100.0 * float(progress[-1])
