"""Collects a dataset of act in parallel and goes on where it was stopped.

Usage, where only the simulator and torch are installed:
    python -m pentathlon.events.act.data.collect --task pour --tier lite --workers 16 --out DIR
The episodes keep their pictures as PNG until ``pentathlon data get`` turns them into videos.
"""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from pentathlon.core import DataError, Tier, derive_seed, to_plain
from pentathlon.events.act.data.episode_files import (
    EPISODES_GLOB,
    Recorded,
    episode_index,
    read_episode,
    read_notes,
    write_episode,
)
from pentathlon.events.act.data.overview import overview, overview_table, success_by_source
from pentathlon.events.act.data.plan import DataRecipe, EpisodePlan, make_recipe, plan_episodes
from pentathlon.events.act.data.recording import Operator, Rollout, Script, record
from pentathlon.learning.arguments import parse_arguments
from pentathlon.learning.policies.policy import PolicyState
from pentathlon.learning.policies.recipes import BcRecipe
from pentathlon.learning.policies.trajectories import Source, Trajectory
from pentathlon.storage.files import write_durably
from pentathlon.storage.lock import FolderLock
from pentathlon.worlds.tabletop.arm.robot import TaskName
from pentathlon.worlds.tabletop.arm.simulated import SimulatedRobot
from pentathlon.worlds.tabletop.experts import demonstrators as experts
from pentathlon.worlds.tabletop.experts.demonstrators import add_noise, blend_in

EPISODES_FOLDER = "episodes"
RECIPE_PATH = "meta/act.json"
FACTS = ("container", "material", "location", "seed", "noise_rad", "pictures")
STATE_BASED = BcRecipe()
"""The cloned policies of the data know joints only, and a single location."""

Progress = Callable[[int, int], None]
"""Called with the episodes recorded so far and wanted."""


@dataclass(frozen=True)
class Collection:
    """Where a dataset is collected, and what of it."""

    task: TaskName
    """What is done."""
    tier: Tier
    """How much of it."""
    out: Path
    """Folder for the episodes."""
    workers: int = 1
    """Processes; the episodes do not depend on it."""
    limit: int | None = None
    """Record at most so many episodes now; the same command again goes on."""
    most_noise_rad: float | None = None
    """Greatest noise of cloned and replayed episodes, to find the one that gives the wanted success rate."""


@dataclass(frozen=True)
class Cloned:
    """A policy that was cloned at one location, and how long its teachers took."""

    state: PolicyState
    steps: int


@dataclass(frozen=True)
class Job:
    """One episode to record, with what it is made from."""

    folder: Path
    recipe: DataRecipe
    plan: EpisodePlan
    cloned: Cloned | None = None


def collect(
    recipe: DataRecipe,
    folder: Path,
    *,
    workers: int = 1,
    limit: int | None = None,
    progress: Progress = lambda made, wanted: None,
) -> None:
    """Records what is missing: first what is operated, then what is cloned and replayed from it.

    Raises:
        HeldError: when another process writes to the folder, naming that process.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with writing(folder), _one_thread():
        if not is_finished(folder):
            _collect(recipe, folder, workers, limit, progress)


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Keeps other processes from writing to a dataset."""
    lock = FolderLock(folder)
    try:
        yield
    finally:
        lock.release()


def is_finished(folder: Path) -> bool:
    """Whether a dataset is a LeRobotDataset, or still single episodes."""
    return (folder / "meta" / "info.json").exists()


def _collect(recipe: DataRecipe, folder: Path, workers: int, limit: int | None, progress: Progress) -> None:
    _write_recipe(folder, recipe)
    episodes = folder / EPISODES_FOLDER
    plans = plan_episodes(recipe)
    left = len(plans) if limit is None else limit
    for sources in (("teleop",), ("cloned", "replay")):
        missing = [plan for plan in plans if plan.source in sources and read_notes(episodes, plan.index) is None]
        made = sum(read_notes(episodes, plan.index) is not None for plan in plans)
        progress(made, len(plans))
        for count, _ in enumerate(_run(_jobs(episodes, recipe, plans, missing[:left]), workers), start=1):
            progress(made + count, len(plans))
        if left < len(missing):
            return
        left -= len(missing)


def _write_recipe(folder: Path, recipe: DataRecipe) -> None:
    path = folder / RECIPE_PATH
    text = json.dumps(to_plain(recipe), indent=1)
    if path.exists() and path.read_text() != text:
        raise DataError(f"{folder} holds a dataset of another recipe than {recipe.name}. Choose another folder.")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_durably(path, text.encode())


def _jobs(
    folder: Path, recipe: DataRecipe, plans: Sequence[EpisodePlan], missing: Sequence[EpisodePlan]
) -> Sequence[Job]:
    locations = sorted({plan.setup.location for plan in missing if plan.source == "cloned"})
    cloned = {location: _clone(folder, plans, location) for location in locations}
    return [
        Job(folder, recipe, plan, cloned[plan.setup.location] if plan.source == "cloned" else None) for plan in missing
    ]


def _run(jobs: Sequence[Job], workers: int) -> Iterator[int]:
    if workers <= 1 or len(jobs) <= 1:
        yield from map(_record_one, jobs)
        return
    with multiprocessing.get_context("spawn").Pool(min(workers, len(jobs)), initializer=_use_one_thread) as pool:
        yield from pool.imap_unordered(_record_one, jobs)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Sums depend on how many threads share them: with one, a single worker clones and records what many do."""
    import torch

    before = torch.get_num_threads()
    _use_one_thread()
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _use_one_thread() -> None:
    import torch

    torch.set_num_threads(1)


def _record_one(job: Job) -> int:
    """Records in a worker process, which keeps its robot between episodes."""
    robot = open_robot(job.recipe.image_size)
    write_episode(job.folder, job.plan.index, record_plan(robot, job))
    return job.plan.index


_ROBOTS: dict[tuple[int, int], SimulatedRobot] = {}


def open_robot(image_size: tuple[int, int]) -> SimulatedRobot:
    """The process's simulated robot with a camera of this size."""
    if image_size not in _ROBOTS:
        _ROBOTS[image_size] = SimulatedRobot(image_size=image_size)
    return _ROBOTS[image_size]


def record_plan(robot: SimulatedRobot, job: Job) -> Recorded:
    """Records the episode that ``job`` plans."""
    plan = job.plan
    parent = {} if plan.parent is None else {"parent": plan.parent}
    notes = {"source": plan.source, **to_plain(plan.setup), "noise_rad": plan.noise_rad, **parent}
    robot.prepare(plan.setup)
    return record(robot, _operator(robot, job), frame_every=job.recipe.frame_every, notes=notes)


def _operator(robot: SimulatedRobot, job: Job) -> Operator:
    plan = job.plan
    if plan.parent is not None:
        repeated = blend_in(read_episode(job.folder, plan.parent, pictures=False).actions, robot.sense_joints())
        return Script(add_noise(repeated, plan.noise_rad, plan.style_seed))
    if job.cloned is not None:
        from pentathlon.learning.policies.chunked_cloning import BcPolicy

        policy = BcPolicy.from_state(*job.cloned.state)
        return Rollout(policy, job.cloned.steps, plan.noise_rad, plan.style_seed)
    return Script(experts.plan(robot.bench, plan.style_seed))


def _clone(folder: Path, plans: Sequence[EpisodePlan], location: str) -> Cloned:
    """Clones what was operated at one location, from joints alone."""
    from pentathlon.learning.policies.chunked_cloning import train_bc

    chosen = [plan for plan in plans if plan.source == "teleop" and plan.setup.location == location]
    trajectories = [load_trajectory(folder, plan.index) for plan in chosen]
    if not any(trajectory.successful for trajectory in trajectories):
        raise DataError(
            f"Expected a successful operated episode at {location} to clone, got none of {len(chosen)}. "
            "Collect a larger tier."
        )
    policy = train_bc(trajectories, STATE_BASED, seed=derive_seed("act-cloned", location) % 2**31)
    return Cloned(policy.state(), round(float(np.mean([len(trajectory) for trajectory in trajectories]))))


def load_trajectory(folder: Path, index: int) -> Trajectory:
    """Reads an episode as a trajectory, without pictures."""
    episode = read_episode(folder, index, pictures=False)
    source: Source = episode.notes["source"]
    return Trajectory(f"{index:05d}", episode.joints, episode.actions, episode.rewards, source, facts_of(episode.notes))


def facts_of(notes: dict[str, Any]) -> dict[str, Any]:
    """What is known of an episode besides its numbers."""
    return {name: notes[name] for name in FACTS if name in notes}


def main() -> None:
    """Collects as the command line says."""
    wanted = parse_arguments(Collection)
    recipe = make_recipe(wanted.task, wanted.tier)
    if wanted.most_noise_rad is not None:
        recipe = replace(recipe, most_noise_rad=wanted.most_noise_rad)

    def show(made: int, total: int) -> None:
        print(f"{recipe.name}: {made}/{total} episodes", flush=True)

    collect(recipe, wanted.out, workers=wanted.workers, limit=wanted.limit, progress=show)
    if is_finished(wanted.out):
        print(f"{wanted.out} is whole and has its videos; see it with: pentathlon data get {wanted.out}")
        return
    episodes = wanted.out / EPISODES_FOLDER
    made = [load_trajectory(episodes, episode_index(path)) for path in sorted(episodes.glob(EPISODES_GLOB))]
    print(overview_table({recipe.name: overview(made)}))
    print(f"success by source: {success_by_source(made)}")


if __name__ == "__main__":
    main()
