"""The table of control tasks, with CortexBench's cameras and rules. Plain rows; nothing heavy is imported."""

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
        name: ``suite-task``.
        suite: whose physics it is.
        key: the task's name within the suite.
        camera: name of the camera that gives the frames.
        image_size: height and width of a frame in pixels.
        frame_stack: frames that a policy sees at a time.
        proprio_size: numbers of proprioception given to the policy; the first of the suite's observation.
        horizon: control steps of an episode.
        rule: how an episode becomes a score.
        more_than_steps: with the rule ``achieved-steps``, the count that must be exceeded.
        expert_floor: the least mean score in percent of an expert fit to demonstrate.
    """

    name: str
    suite: Suite
    key: str
    camera: str
    horizon: int
    rule: Rule
    expert_floor: float
    proprio_size: int = 0
    more_than_steps: int = 0
    image_size: int = 256
    frame_stack: int = 3


def _adroit(key: str, horizon: int, proprio_size: int, more_than_steps: int) -> ControlTask:
    return ControlTask(
        f"adroit-{key}",
        "adroit",
        key,
        "vil_camera",
        horizon,
        "achieved-steps",
        80.0,
        proprio_size=proprio_size,
        more_than_steps=more_than_steps,
    )


def _metaworld(key: str) -> ControlTask:
    return ControlTask(f"metaworld-{key}", "metaworld", key, "topview", 500, "last-step", 95.0, proprio_size=4)


def _dmcontrol(key: str, camera: str, demonstration_return: float) -> ControlTask:
    floor = 0.9 * demonstration_return / 10.0
    return ControlTask(f"dmcontrol-{key}", "dmcontrol", key, camera, 1000, "return", floor)


def _trifinger(key: str, horizon: int) -> ControlTask:
    return ControlTask(
        f"trifinger-{key}",
        "trifinger",
        key,
        "camera60",
        horizon,
        "progress",
        85.0,
        proprio_size=9,
        image_size=270,
        frame_stack=1,
    )


CONTROL_TASKS: tuple[ControlTask, ...] = (
    _adroit("pen", 100, proprio_size=24, more_than_steps=20),
    _adroit("relocate", 200, proprio_size=30, more_than_steps=25),
    _metaworld("assembly"),
    _metaworld("bin-picking"),
    _metaworld("button-press-topdown"),
    _metaworld("drawer-open"),
    _metaworld("hammer"),
    _dmcontrol("finger-spin", "cam0", 743.33),
    _dmcontrol("reacher-hard", "fixed", 963.04),
    _dmcontrol("reacher-easy", "fixed", 963.04),
    _dmcontrol("cheetah-run", "side", 759.17),
    _dmcontrol("walker-stand", "side", 971.22),
    _dmcontrol("walker-walk", "side", 918.07),
    _trifinger("reach-cube", 5),
    _trifinger("push-cube", 10),
)


def control_task(name: str) -> ControlTask:
    """Finds a row by its name.

    Raises:
        UnknownIdError: naming the nearest.
    """
    rows = {row.name: row for row in CONTROL_TASKS}
    if name not in rows:
        raise UnknownIdError("control task", name, rows)
    return rows[name]


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
