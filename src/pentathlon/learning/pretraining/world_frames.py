"""Frames of Pentathlon's own worlds to pre-train on: walks through houses and play with the control tasks.

Usage:
    python -m pentathlon.learning.pretraining.world_frames --out FRAMES --houses 400 --workers 16
    pentathlon train mae --data FRAMES/houses FRAMES/control=2 --size tiny
"""

from __future__ import annotations

import math
import multiprocessing
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pentathlon.core import derive_seed
from pentathlon.learning.arguments import parse_arguments
from pentathlon.learning.pretraining.frames import Frames

SMALLEST_NEARNESS_M = 0.35
FEWEST_GEOMS = 8
EYE_HEIGHTS_M = (0.5, 1.6)
FIELDS_OF_VIEW_DEG = (45.0, 80.0)
STEPS_PER_EPISODE = 100
CALM = 0.8
"""Weight of the last action in the next: play that wanders visits more states than white noise."""


@dataclass(frozen=True)
class Recipe:
    """What to render; the same recipe gives the same frames whatever the number of workers."""

    out: Path
    """Folder for the shards, ``houses/*.npy`` and ``control/*.npy``."""
    houses: int = 400
    """Houses of the train split."""
    frames_per_house: int = 250
    """Random reachable poses in each."""
    episodes_per_task: int = 16
    """Episodes of random play in each of the control tasks, a frame every second step."""
    size_px: int = 146
    """Side of a frame; 146 leaves room for crops of 128."""
    workers: int = 1
    """Processes."""


@dataclass(frozen=True)
class Job:
    """One shard: a house of the train split, or an episode of a control task."""

    recipe: Recipe
    task: str
    index: int

    @property
    def path(self) -> Path:
        """Where the shard goes."""
        folder = "control" if self.task else "houses"
        return self.recipe.out / folder / f"{self.task or 'house'}-{self.index:05d}.npy"


def make_frames(recipe: Recipe) -> int:
    """Renders every shard that is not there yet and returns how many were made."""
    from pentathlon.worlds.control import CONTROL_TASKS

    houses = [Job(recipe, "", index) for index in range(recipe.houses)]
    play = [Job(recipe, task.name, index) for index in range(recipe.episodes_per_task) for task in CONTROL_TASKS]
    jobs = [job for job in houses + play if not job.path.exists()]
    for folder in ("houses", "control"):
        (recipe.out / folder).mkdir(parents=True, exist_ok=True)
    with multiprocessing.get_context("spawn").Pool(recipe.workers) as pool:
        for done, _ in enumerate(pool.imap_unordered(_make_shard, jobs), start=1):
            if done % 50 == 0:
                print(f"{done}/{len(jobs)} shards", flush=True)
    return len(jobs)


def _make_shard(job: Job) -> None:
    frames = np.stack(list(_play(job) if job.task else _walk(job)))
    temporary = job.path.with_suffix(".part")
    with temporary.open("wb") as file:
        np.save(file, frames)
    temporary.rename(job.path)


def _walk(job: Job) -> Iterator[Frames]:
    from pentathlon.worlds.houses.pictures.views import agent_camera
    from pentathlon.worlds.houses.scene.house_scene import compile_house
    from pentathlon.worlds.houses.splits import split_house
    from pentathlon.worlds.houses.ways.navigation import NavigationMap
    from pentathlon.worlds.rendering import Raycaster

    house = split_house("train", job.index)
    scene = compile_house(house)
    data = scene.new_data()
    ways = NavigationMap.of_house(house)
    rng = np.random.default_rng(derive_seed("world-frames", job.index))
    size = (job.recipe.size_px, job.recipe.size_px)
    kept = 0
    with Raycaster(scene.model, "fast") as eyes:
        while kept < job.recipe.frames_per_house:
            x, y = ways.random_place(rng)
            yaw_deg, pitch_deg = rng.uniform(0.0, 360.0), rng.normal(10.0, 15.0)
            camera = agent_camera(
                x, y, yaw_deg, rng.uniform(*EYE_HEIGHTS_M), pitch_deg, rng.uniform(*FIELDS_OF_VIEW_DEG)
            )
            frame = eyes.render(data, camera, size)
            # A bare wall teaches little.
            if float(np.median(frame.depth_m)) < SMALLEST_NEARNESS_M or len(np.unique(frame.geom_id)) < FEWEST_GEOMS:
                continue
            kept += 1
            yield frame.rgb.copy()


def _play(job: Job) -> Iterator[Frames]:
    from pentathlon.worlds.control.env import ControlEnv
    from pentathlon.worlds.control.tasks import control_task

    task = replace(control_task(job.task), image_size=job.recipe.size_px)
    environment = ControlEnv(task, images=False)
    seed = derive_seed("world-frames", job.task, job.index) % 2**31
    rng = np.random.default_rng(seed)
    environment.reset(seed=seed)
    action = np.zeros(environment.physics.action_size)
    for step in range(min(STEPS_PER_EPISODE, environment.horizon)):
        action = CALM * action + math.sqrt(1 - CALM**2) * rng.normal(size=action.shape)
        environment.step(np.clip(action, -1.0, 1.0).astype(np.float32))
        if step % 2 == 0:
            yield environment.frame().copy()
    environment.close()


if __name__ == "__main__":
    arguments = parse_arguments(Recipe)
    print(f"{make_frames(arguments)} shards made in {arguments.out}")
