"""Which expert demonstrates which task, and with which settings."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from pentathlon.core.identity import content_hash
from pentathlon.worlds.control.experts.planner import PlannerSettings
from pentathlon.worlds.control.physics import Array, Physics
from pentathlon.worlds.control.tasks import ControlTask

ASSETS = Path(__file__).parent.parent / "assets"
TRAINED = {
    "pen": ASSETS / "adroit_pen_policy.npz",
    **{
        name: ASSETS / "dmcontrol" / f"{name}.npz"
        for name in ("walker-stand", "walker-walk", "finger-spin", "reacher-easy", "reacher-hard")
    },
}
"""Weights of the tasks whose expert is a trained network."""

DISTURBANCES = dict.fromkeys((name for name in TRAINED if name != "pen"), 0.4)
"""Standard deviation of the noise on an expert's actions while it demonstrates, where it shows how to recover."""

PLANNERS: dict[str, PlannerSettings] = {
    "walker-stand": PlannerSettings(36, 6, 40, 0.8, 0.1, replan_every=3, timestep_factor=2.0),
    "walker-walk": PlannerSettings(36, 7, 40, 0.6, 0.1, replan_every=2, timestep_factor=2.0),
    "cheetah-run": PlannerSettings(60, 7, 128, 0.9, 0.03, replan_every=2),
    "reacher-easy": PlannerSettings(25, 5, 48, 0.3, 0.05),
    "reacher-hard": PlannerSettings(25, 5, 48, 0.3, 0.05),
    "finger-spin": PlannerSettings(24, 24, 96, 1.0, 0.02),
    "relocate": PlannerSettings(24, 4, 96, 0.6, 0.05, replan_every=2, timestep_factor=2.5, density=0.4),
}


class Expert(Protocol):
    """Acts on one simulation, whose full state it may see."""

    def reset(self, generator: np.random.Generator) -> None:
        """Starts an episode; the simulation has just been reset."""
        ...

    def act(self) -> Array:
        """Chooses the next action in [-1, 1]."""
        ...


def make_expert(task: ControlTask, physics: Physics, threads: int = 1) -> Expert:
    """Builds the expert of ``task`` for one simulation; nothing of other suites is imported.

    Args:
        task: a row of the table.
        physics: the simulation it acts on.
        threads: rollout threads of a planner; its actions do not depend on their number.
    """
    kind: Any = physics
    if task.suite == "metaworld":
        from pentathlon.worlds.control.experts.scripted import MetaWorldExpert

        return MetaWorldExpert(kind, task.key)
    if task.suite == "trifinger":
        from pentathlon.worlds.control.experts.trifinger import PushExpert, ReachExpert

        return ReachExpert(kind) if task.key == "reach-cube" else PushExpert(kind)
    if task.key in TRAINED:
        from pentathlon.worlds.control.experts.policy import DMControlExpert, PenExpert

        return (PenExpert if task.key == "pen" else DMControlExpert)(kind, TRAINED[task.key])
    return make_planner(task, physics, threads)


def make_planner(task: ControlTask, physics: Physics, threads: int = 1) -> Expert:
    """Builds the sampling planner of a task."""
    from pentathlon.worlds.control.adroit import AdroitPhysics
    from pentathlon.worlds.control.experts.objectives import OBJECTIVES
    from pentathlon.worlds.control.experts.planner import Planner

    settings, objective = PLANNERS[task.key], OBJECTIVES[task.key]
    if isinstance(physics, AdroitPhysics):
        return Planner(physics, objective, settings, physics.to_control, threads)
    return Planner(physics, objective, settings, threads=threads)


def expert_version(task: ControlTask) -> str:
    """Names the expert, so that demonstrations of another one are never mistaken for its own."""
    if task.key in TRAINED:
        method = "ppo" if task.key == "pen" else "sac"
        disturbed = f"-disturbed-{DISTURBANCES[task.key]}" if task.key in DISTURBANCES else ""
        return f"{method}-{hashlib.sha256(TRAINED[task.key].read_bytes()).hexdigest()[:8]}{disturbed}"
    if task.key in PLANNERS:
        return f"mppi-3-{content_hash(PLANNERS[task.key], length=8)}"
    return "metaworld-3.0" if task.suite == "metaworld" else "scripted-1"
