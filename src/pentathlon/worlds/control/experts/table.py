"""Which expert demonstrates which task, and with which settings; no simulator is imported to name one."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from pentathlon.worlds.control.tasks import ControlTask

if TYPE_CHECKING:
    from pentathlon.worlds.control.physics import Array, Physics

ASSETS = Path(__file__).parent.parent / "assets"
TRAINED = {
    "pen": ASSETS / "adroit_pen_policy.npz",
    **{
        name: ASSETS / "dmcontrol" / f"{name}.npz"
        for name in ("walker-stand", "walker-walk", "cheetah-run", "finger-spin", "reacher-easy", "reacher-hard")
    },
}
"""Weights of the tasks whose expert is a trained network."""

GRASP = ASSETS / "adroit_relocate_grasp.json"
"""Numbers of relocate's script."""

DISTURBANCES = dict.fromkeys((name for name in TRAINED if name != "pen"), 0.4)
"""Standard deviation of the noise on an expert's actions while it demonstrates, where it shows how to recover."""


@dataclass(frozen=True)
class PlannerSettings:
    """How far, how finely and how widely the planner looks.

    Attributes:
        horizon: control steps looked ahead.
        knots: free points of a plan; actions between them are interpolated.
        samples: plans tried per planning.
        noise: standard deviation of the knots' noise, in action units.
        temperature: share of the spread of returns over which plans are averaged; small is greedy.
        replan_every: control steps between plans.
        timestep_factor: the planner's physics step as a multiple of the world's.
        density: share of the action's dimensions that one sample changes; few at a time search a hand better.
    """

    horizon: int
    knots: int
    samples: int
    noise: float
    temperature: float
    replan_every: int = 1
    timestep_factor: float = 1.0
    density: float = 1.0


METAWORLD = ("assembly", "bin-picking", "button-press-topdown", "drawer-open", "hammer")

PLANNERS: dict[str, PlannerSettings] = {
    "walker-stand": PlannerSettings(36, 6, 40, 0.8, 0.1, replan_every=3, timestep_factor=2.0),
    "walker-walk": PlannerSettings(36, 7, 40, 0.6, 0.1, replan_every=2, timestep_factor=2.0),
    "cheetah-run": PlannerSettings(60, 7, 128, 0.9, 0.03, replan_every=2),
    "reacher-easy": PlannerSettings(25, 5, 48, 0.3, 0.05),
    "reacher-hard": PlannerSettings(25, 5, 48, 0.3, 0.05),
    "finger-spin": PlannerSettings(24, 24, 96, 1.0, 0.02),
}


SCORES: dict[str, dict[int, float]] = {
    **{name: {500: 100.0, 200: 100.0, 100: 100.0} for name in METAWORLD},
    "walker-stand": {1000: 96.5, 250: 86.9},
    "walker-walk": {1000: 96.2, 250: 85.8},
    "cheetah-run": {1000: 72.1, 250: 51.8},
    "finger-spin": {1000: 93.8, 250: 89.1},
    "reacher-easy": {1000: 98.3, 250: 93.3},
    "reacher-hard": {1000: 97.4, 250: 89.4},
    "relocate": {200: 91.7},
    "pen": {100: 90.0},
    "reach-cube": {5: 90.5},
    "push-cube": {10: 94.0},
}
"""Each expert's own mean score in percent by the length of an episode, as measured in docs/see-experts.md."""


class Expert(Protocol):
    """Acts on one simulation, whose full state it may see."""

    def reset(self, generator: np.random.Generator) -> None:
        """Starts an episode; the simulation has just been reset."""
        ...

    def act(self) -> Array:
        """Chooses the next action in [-1, 1]."""
        ...


def make_expert(task: ControlTask, physics: Physics) -> Expert:
    """Builds the expert of ``task`` for one simulation; nothing of other suites is imported."""
    kind: Any = physics
    if task.suite == "metaworld":
        from pentathlon.worlds.control.experts.scripted import MetaWorldExpert

        return MetaWorldExpert(kind, task.key)
    if task.suite == "trifinger":
        from pentathlon.worlds.control.experts.trifinger import PushExpert, ReachExpert

        return ReachExpert(kind) if task.key == "reach-cube" else PushExpert(kind)
    if task.key == "relocate":
        from pentathlon.worlds.control.experts.relocate import RelocateExpert, read_grasp

        return RelocateExpert(kind, read_grasp(GRASP))
    from pentathlon.worlds.control.experts.policy import DMControlExpert, PenExpert

    return (PenExpert if task.key == "pen" else DMControlExpert)(kind, TRAINED[task.key])


def make_planner(task: ControlTask, physics: Physics, threads: int = 1) -> Expert:
    """Builds the sampling planner of a task, from whose episodes its expert learned.

    Args:
        task: a task of DMControl.
        physics: the simulation it acts on.
        threads: of the rollouts; its actions do not depend on their number.
    """
    from pentathlon.worlds.control.experts.objectives import OBJECTIVES
    from pentathlon.worlds.control.experts.planner import Planner

    settings, objective = PLANNERS[task.key], OBJECTIVES[task.key]
    return Planner(physics, objective, settings, threads=threads)


def expert_score(task: ControlTask) -> float | None:
    """What the expert itself reaches, the task's ceiling; ``None`` for a length at which it was not measured."""
    return SCORES[task.key].get(task.horizon)


def expert_version(task: ControlTask) -> str:
    """Names the expert, so that demonstrations of another one are never mistaken for its own."""
    if task.key in TRAINED:
        method = "ppo" if task.key == "pen" else "sac"
        disturbed = f"-disturbed-{DISTURBANCES[task.key]}" if task.key in DISTURBANCES else ""
        return f"{method}-{hashlib.sha256(TRAINED[task.key].read_bytes()).hexdigest()[:8]}{disturbed}"
    if task.key == "relocate":
        return f"script-1-{hashlib.sha256(GRASP.read_bytes()).hexdigest()[:8]}"
    return "metaworld-3.0" if task.suite == "metaworld" else "scripted-1"
