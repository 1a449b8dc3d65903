"""Measures experts: ``python -m pentathlon.worlds.control.experts.evaluate --task adroit-relocate --episodes 20``.

With ``--models FOLDER`` (made by ``--export FOLDER`` elsewhere) planners need mujoco and numpy only.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from pentathlon.core.identity import derive_seed
from pentathlon.worlds.control.experts.table import expert_version, make_expert
from pentathlon.worlds.control.suites import export_model, load_model, make_physics
from pentathlon.worlds.control.tasks import CONTROL_TASKS, control_task, episode_score


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
    """One episode to run."""

    task: str
    episode: int
    steps: int | None
    models: Path | None


def run_episode(job: Job) -> EpisodeResult:
    """Plays one episode; its layout and the expert's noise follow from the task's name and the episode's number."""
    task = control_task(job.task)
    physics = make_physics(task, load_model(task, job.models) if job.models else None)
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


def main() -> None:
    """Prints one JSON line per episode and one per task."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", action="append", help="a task's name; repeat for several; all without it")
    parser.add_argument("--episodes", type=int, default=10)
    parser.add_argument("--first", type=int, default=0, help="number of the first episode")
    parser.add_argument("--steps", type=int, help="control steps instead of the task's horizon")
    parser.add_argument("--workers", type=int, default=1, help="processes; results do not depend on it")
    parser.add_argument("--models", type=Path, help="folder of exported models")
    parser.add_argument("--export", type=Path, help="only export the tasks' models to this folder")
    arguments = parser.parse_args()
    names = arguments.task or [task.name for task in CONTROL_TASKS]
    if arguments.export:
        for name in names:
            print(export_model(control_task(name), arguments.export))
        return
    episodes = range(arguments.first, arguments.first + arguments.episodes)
    jobs = [Job(name, episode, arguments.steps, arguments.models) for name in names for episode in episodes]
    results = []
    with multiprocessing.get_context("spawn").Pool(arguments.workers) as pool:
        for result in pool.imap(run_episode, jobs, chunksize=1):
            results.append(result)
            print(json.dumps(asdict(result)), flush=True)
    for name in names:
        scores = [result.score for result in results if result.task == name]
        task = control_task(name)
        summary = {"task": name, "expert": expert_version(task), "mean": float(np.mean(scores)), "n": len(scores)}
        print(json.dumps({**summary, "min": min(scores), "floor": task.expert_floor}), flush=True)


if __name__ == "__main__":
    main()
