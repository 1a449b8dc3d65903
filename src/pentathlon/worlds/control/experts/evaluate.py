"""Measures experts, an episode at a time; what was measured before is read."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec
import mujoco
import numpy as np
import platformdirs

from pentathlon.core.identity import content_hash, derive_seed, to_plain
from pentathlon.core.making import Item, Pool
from pentathlon.storage.files import write_durably
from pentathlon.storage.making import SERIAL, make_missing
from pentathlon.worlds.control.experts.table import expert_version, make_expert
from pentathlon.worlds.control.suites import load_model, make_physics
from pentathlon.worlds.control.tasks import ControlTask, control_task, episode_score


@dataclass(frozen=True)
class EpisodeResult:
    """What one episode of an expert gave.

    Attributes:
        score: in percent, by the task's rule.
        cpu_s: processor seconds it took.
    """

    task: str
    episode: int
    score: float
    reward_sum: float
    achieved_steps: int
    cpu_s: float


@dataclass(frozen=True)
class Job:
    """One episode to run.

    Attributes:
        steps: control steps instead of the task's horizon.
        models: folder of exported models, with which a planner needs MuJoCo and numpy only.
    """

    task: str
    episode: int
    steps: int | None = None
    models: str | None = None


def evaluate(
    task: ControlTask,
    episodes: Iterable[int],
    *,
    steps: int | None = None,
    models: Path | None = None,
    root: Path | None = None,
    pool: Pool = SERIAL,
    tell: Callable[[EpisodeResult], None] = lambda result: None,
) -> list[EpisodeResult]:
    """Plays the task's expert in ``episodes`` that were not played yet, and returns what all of them gave.

    Args:
        task: whose expert.
        episodes: their numbers; layouts follow from them.
        steps: as in :class:`Job`.
        models: as in :class:`Job`.
        root: folder for the results; the user's cache when not given.
        pool: who plays.
        tell: called with each episode that was played now.
    """
    base = Path(platformdirs.user_cache_dir("pentathlon")) / "experts" if root is None else root.absolute()
    folder = base / f"{task.name}-{content_hash([expert_version(task), steps or task.horizon, mujoco.__version__])}"
    where = None if models is None else str(models.absolute())
    items = [
        Item(str(folder / f"episode-{episode:05d}.json"), to_plain(Job(task.name, episode, steps, where)))
        for episode in episodes
    ]
    maker = f"{__name__}:measure_episode"
    make_missing(maker, items, pool=pool, on_made=lambda path: tell(read_result(path)))
    return [read_result(Path(item.path)) for item in items]


def measure_episode(path: Path, about: dict[str, Any]) -> None:
    """Plays the episode that ``about``, a :class:`Job`, names, and writes what it gave."""
    write_durably(path, json.dumps(asdict(run_episode(msgspec.convert(about, Job)))).encode())


def read_result(path: Path) -> EpisodeResult:
    """Reads what :func:`measure_episode` wrote."""
    return msgspec.json.decode(path.read_bytes(), type=EpisodeResult)


def run_episode(job: Job) -> EpisodeResult:
    """Plays one episode; its layout and the expert's noise follow from the task's name and the episode's number."""
    task = control_task(job.task)
    physics = make_physics(task, load_model(task, Path(job.models)) if job.models else None)
    expert = make_expert(task, physics)
    seed = derive_seed("expert-evaluation", task.name, job.episode)
    physics.reset(np.random.default_rng(seed))
    expert.reset(np.random.default_rng(seed + 1))
    achieved, rewards, progress, started_s = [], [], [], time.process_time()
    for _ in range(job.steps or task.horizon):
        physics.step(expert.act())
        achieved.append(physics.achieved())
        rewards.append(physics.reward())
        progress.append(physics.score())
    score = episode_score(task, achieved, rewards, progress)
    cpu_s = round(time.process_time() - started_s, 2)
    return EpisodeResult(task.name, job.episode, score, float(sum(rewards)), sum(achieved), cpu_s)
