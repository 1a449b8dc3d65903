"""Makes one part of a dataset of act: an episode, or a policy that is cloned from episodes to record others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from pentathlon.core import DataError, derive_seed, to_plain
from pentathlon.events.act.data.episode_files import (
    Recorded,
    episode_index,
    load_trajectory,
    read_episode,
    write_episode,
)
from pentathlon.events.act.data.plan import DataRecipe, EpisodePlan
from pentathlon.events.act.data.recording import Mover, Rollout, Script, record
from pentathlon.learning.policies.recipes import BcRecipe
from pentathlon.worlds.tabletop.arm.simulated import SimulatedRobot
from pentathlon.worlds.tabletop.experts import demonstrators as experts
from pentathlon.worlds.tabletop.experts.demonstrators import add_noise, blend_in

STATE_BASED = BcRecipe()
"""The cloned policies of the data know joints only, and a single location."""


@dataclass(frozen=True)
class Cloned:
    """A policy that was cloned at one location, and how long its teachers took.

    Attributes:
        folder: where the policy lies.
        steps: of an episode.
    """

    folder: str
    steps: int


@dataclass(frozen=True)
class Job:
    """One episode to record, with what it is made from."""

    recipe: DataRecipe
    plan: EpisodePlan
    cloned: Cloned | None = None


def record_episode(path: Path, about: dict[str, Any]) -> None:
    """Records the episode that ``about``, a :class:`Job`, plans; the process keeps its robot between episodes."""
    job = msgspec.convert(about, Job)
    with one_thread():
        episode = record_plan(open_robot(job.recipe.image_size), job, path.parent)
    write_episode(path.parent, job.plan.index, episode)


@contextmanager
def one_thread() -> Iterator[None]:
    """Sums depend on how many threads share them: with one, a single worker clones and records what many do."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


_ROBOTS: dict[tuple[int, int], SimulatedRobot] = {}


def open_robot(image_size: tuple[int, int]) -> SimulatedRobot:
    """The process's simulated robot with a camera of this size."""
    if image_size not in _ROBOTS:
        _ROBOTS[image_size] = SimulatedRobot(image_size=image_size)
    return _ROBOTS[image_size]


def record_plan(robot: SimulatedRobot, job: Job, episodes: Path) -> Recorded:
    """Records the episode that ``job`` plans; ``episodes`` holds those that it may repeat."""
    plan = job.plan
    parent = {} if plan.parent is None else {"parent": plan.parent}
    notes = {"source": plan.source, **to_plain(plan.setup), "noise_rad": plan.noise_rad, **parent}
    robot.prepare(plan.setup)
    return record(robot, _mover(robot, job, episodes), frame_every=job.recipe.frame_every, notes=notes)


def _mover(robot: SimulatedRobot, job: Job, episodes: Path) -> Mover:
    plan = job.plan
    if plan.parent is not None:
        repeated = blend_in(read_episode(episodes, plan.parent, pictures=False).actions, robot.sense_joints())
        return Script(add_noise(repeated, plan.noise_rad, plan.style_seed))
    if job.cloned is not None:
        from pentathlon.learning.policies.saving import load_policy

        policy = load_policy(Path(job.cloned.folder))
        return Rollout(policy, job.cloned.steps, plan.noise_rad, plan.style_seed)
    return Script(experts.plan(robot.bench, plan.style_seed))


def clone_at(path: Path, about: dict[str, Any]) -> None:
    """Clones the policy whose settings lie at ``path`` from the episodes that ``about`` names."""
    from pentathlon.learning.policies.chunked_cloning import train_bc
    from pentathlon.learning.policies.policy import Training
    from pentathlon.learning.policies.saving import save_policy

    location, files = about["location"], [Path(file) for file in about["episodes"]]
    trajectories = [load_trajectory(file.parent, episode_index(file)) for file in files]
    if not any(trajectory.successful for trajectory in trajectories):
        raise DataError(
            f"Expected a successful operated episode at {location} to clone, got none of {len(files)}. "
            "Collect a larger tier."
        )
    with one_thread():
        policy = train_bc(trajectories, STATE_BASED, Training(derive_seed("act-cloned", location) % 2**31))
    save_policy(policy, "bc", path.parent)
