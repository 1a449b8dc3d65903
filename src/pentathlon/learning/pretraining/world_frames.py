"""Frames of Pentathlon's own worlds to pre-train on: walks through houses and play with the control tasks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from pentathlon.core import derive_seed, to_plain
from pentathlon.core.making import Item, Pool
from pentathlon.learning.pretraining.frames import Frames, write_shard
from pentathlon.storage.making import SERIAL, make_counted

SMALLEST_NEARNESS_M = 0.35
FEWEST_GEOMS = 8
EYE_HEIGHTS_M = (0.5, 1.6)
FIELDS_OF_VIEW_DEG = (45.0, 80.0)
STEPS_PER_EPISODE = 100
CALM = 0.8
"""Weight of the last action in the next: play that wanders visits more states than white noise."""


@dataclass(frozen=True)
class Recipe:
    """What to render.

    Attributes:
        houses: of the train split.
        frames_per_house: random reachable poses in each.
        episodes_per_task: of random play in each of the control tasks, a frame every second step.
        size_px: side of a frame.
    """

    houses: int
    frames_per_house: int
    episodes_per_task: int
    size_px: int


@dataclass(frozen=True)
class Job:
    """One shard: ``frames`` of a house of the train split, or an episode of a control ``task``."""

    task: str
    index: int
    size_px: int
    frames: int = 0

    def path(self, out: Path) -> Path:
        """Where the shard goes."""
        return out / ("control" if self.task else "houses") / f"{self.task or 'house'}-{self.index:05d}.npy"


def make_frames(
    recipe: Recipe,
    out: Path,
    *,
    pool: Pool = SERIAL,
    progress: Callable[[int, int], None] = lambda made, wanted: None,
) -> int:
    """Renders the shards ``houses/*.npy`` and ``control/*.npy`` that are not there, and returns how many were made.

    Args:
        recipe: what to render.
        out: folder for the shards.
        pool: who renders.
        progress: called with the shards there and wanted.
    """
    from pentathlon.worlds.control import CONTROL_TASKS

    houses = [Job("", index, recipe.size_px, recipe.frames_per_house) for index in range(recipe.houses)]
    play = [Job(task.name, i, recipe.size_px) for i in range(recipe.episodes_per_task) for task in CONTROL_TASKS]
    items = [Item(str(job.path(out.absolute())), to_plain(job)) for job in houses + play]
    return make_counted(f"{__name__}:make_shard", items, pool=pool, progress=progress)


def make_shard(path: Path, about: dict[str, Any]) -> None:
    """Renders the shard that ``about``, a :class:`Job`, describes."""
    job = msgspec.convert(about, Job)
    write_shard(path, _play(job) if job.task else _walk(job))


def _walk(job: Job) -> Iterator[Frames]:
    from pentathlon.worlds.houses.scene.house_scene import compile_house
    from pentathlon.worlds.houses.splits import split_house
    from pentathlon.worlds.houses.ways.navigation import NavigationMap
    from pentathlon.worlds.rendering import Raycaster
    from pentathlon.worlds.rendering.look_at import agent_camera

    house = split_house("train", job.index)
    scene = compile_house(house)
    data = scene.new_data()
    ways = NavigationMap.of_house(house)
    rng = np.random.default_rng(derive_seed("world-frames", job.index))
    size = (job.size_px, job.size_px)
    kept = 0
    with Raycaster(scene.model, "fast") as eyes:
        while kept < job.frames:
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

    task = replace(control_task(job.task), image_size=job.size_px)
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
