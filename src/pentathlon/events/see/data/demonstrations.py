"""Makes expert demonstrations in parallel, goes on where it was stopped, and gives them back with their frames."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np
import platformdirs

from pentathlon.core.errors import DataError
from pentathlon.core.identity import content_hash, derive_seed
from pentathlon.events.see.data.demonstration_files import (
    FORMAT,
    Demonstration,
    read_attempt,
    read_score,
    write_attempt,
)
from pentathlon.storage.lock import FolderLock, HeldError
from pentathlon.worlds.control.env import ControlEnv, Image
from pentathlon.worlds.control.experts import DISTURBANCES, Expert, expert_version, make_expert
from pentathlon.worlds.control.tasks import ControlTask

MOST_ATTEMPTS_PER_DEMO = 4
WAIT_S = 0.5
_SUCCESS_PERCENT = 100.0

Progress = Callable[[int, int], None]
"""Called with the demonstrations made so far and wanted."""


@dataclass(frozen=True)
class DemoSet:
    """The demonstrations of one task by one expert.

    Attributes:
        folder: where they lie; its name follows from content.
        task: the task.
        episodes: attempts that count, in order.
    """

    folder: Path
    task: ControlTask
    episodes: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.episodes)

    def __iter__(self) -> Iterator[Demonstration]:
        return (read_attempt(self.folder, self.task, episode) for episode in self.episodes)


def demo_folder(task: ControlTask, root: Path | None = None) -> Path:
    """The folder of the task's demonstrations: task, expert, physics and format name it."""
    parts = (task.name, task.horizon, expert_version(task), mujoco.__version__, FORMAT)
    base = Path(platformdirs.user_cache_dir("pentathlon")) / "demos" if root is None else root
    return base / f"{task.name}-{content_hash(parts)}"


def record_attempt(
    env: ControlEnv, episode: int, expert: Expert | None = None, disturbance: float | None = None
) -> Demonstration:
    """Plays the task's expert, or another, once; the layout and its choices follow from the task and ``episode``.

    Where experts are disturbed, the motors get its action plus noise and the action itself is recorded: states that
    small mistakes lead to are then among the demonstrations, with the way back (Laskey et al. 2017, "DART").

    Args:
        env: an environment of the task.
        episode: number of the attempt.
        expert: who plays instead of the task's own expert.
        disturbance: standard deviation of the noise instead of the task's own.
    """
    seed = derive_seed("demonstration", env.task.name, episode) % 2**31
    expert = make_expert(env.task, env.physics) if expert is None else expert
    env.reset(seed=seed)
    expert.reset(np.random.default_rng(seed))
    disturbance = DISTURBANCES.get(env.task.key, 0.0) if disturbance is None else disturbance
    noise = np.random.default_rng([seed, 1])
    actions, proprio, states, rewards, ended = [], [], [], [], False
    while not ended:
        proprio.append(env.proprio())
        states.append(env.physics_state())
        actions.append(expert.act().astype(np.float32))
        pushed = actions[-1]
        if disturbance:
            pushed = (pushed + disturbance * noise.standard_normal(len(pushed))).clip(-1.0, 1.0)
        _, reward, _, ended, _ = env.step(pushed)
        rewards.append(reward)
    return Demonstration(
        episode,
        seed,
        env.success(),
        np.stack(actions),
        np.stack(proprio),
        np.stack(states),
        np.array(rewards, np.float32),
    )


def make_demos(
    task: ControlTask,
    count: int | None = None,
    *,
    root: Path | None = None,
    workers: int = 1,
    progress: Progress = lambda made, wanted: None,
) -> DemoSet:
    """Makes what is missing of the first ``count`` good demonstrations; processes that do so at once share the work.

    Where the task has a success, attempts that fail are kept on disk but do not count; otherwise every attempt counts.

    Raises:
        DataError: when the expert fails so often that ``4 * count`` attempts are not enough.
    """
    wanted = task.demos if count is None else count
    folder = demo_folder(task, root)
    while True:
        good, missing = _survey(folder, task, wanted)
        progress(len(good), wanted)
        if not missing:
            break
        played = 0
        for episode in _play(folder, task, missing, workers):
            played += 1
            good = sorted({*good, *([episode] if _counts(folder, task, episode) else [])})
            progress(min(len(good), wanted), wanted)
        if not played:
            time.sleep(WAIT_S)
    return DemoSet(folder, task, tuple(good[:wanted]))


def _survey(folder: Path, task: ControlTask, wanted: int) -> tuple[list[int], list[int]]:
    """The good attempts so far and the attempts to make next."""
    good: list[int] = []
    missing: list[int] = []
    for episode in range(MOST_ATTEMPTS_PER_DEMO * wanted):
        if len(good) + len(missing) == wanted:
            return good, missing
        if read_score(folder, episode) is None:
            missing.append(episode)
        elif _counts(folder, task, episode):
            good.append(episode)
    raise DataError(
        f"The expert of {task.name} gave {len(good)} good demonstrations in {MOST_ATTEMPTS_PER_DEMO * wanted} "
        f"attempts, expected {wanted}. "
        f"Measure it with: python -m pentathlon.worlds.control.experts.evaluate --task {task.name}"
    )


def _counts(folder: Path, task: ControlTask, episode: int) -> bool:
    score = read_score(folder, episode)
    return score is not None and (task.rule in ("return", "progress") or score >= _SUCCESS_PERCENT)


@dataclass(frozen=True)
class _Job:
    folder: Path
    task: ControlTask
    episode: int


def _play(folder: Path, task: ControlTask, episodes: list[int], workers: int) -> Iterator[int]:
    """Plays the attempts and gives the numbers of those that no other process is playing."""
    jobs = [_Job(folder, task, episode) for episode in episodes]
    if workers <= 1:
        yield from (episode for episode in map(_play_one, jobs) if episode is not None)
        return
    with multiprocessing.get_context("spawn").Pool(min(workers, len(jobs))) as pool:
        yield from (episode for episode in pool.imap_unordered(_play_one, jobs) if episode is not None)


_ENVS: dict[ControlTask, ControlEnv] = {}


def _play_one(job: _Job) -> int | None:
    """Plays in a worker process, which keeps its environment between attempts; not what another process plays."""
    job.folder.mkdir(parents=True, exist_ok=True)
    name = f"attempt-{job.episode:05d}.lock"
    try:
        claim = FolderLock(job.folder, name)
    except HeldError:
        return None
    try:
        if read_score(job.folder, job.episode) is None:
            if job.task not in _ENVS:
                _ENVS[job.task] = ControlEnv(job.task, images=False)
            write_attempt(job.folder, job.task, record_attempt(_ENVS[job.task], job.episode))
        return job.episode
    finally:
        (job.folder / name).unlink(missing_ok=True)
        claim.release()


def frames(env: ControlEnv, demonstration: Demonstration) -> Iterator[Image]:
    """Gives the demonstration's frames, one before each action, as ``env``'s eyes draw them.

    Raises:
        DataError: when the states are of another model than the environment's.
    """
    env.reset(seed=demonstration.seed)
    size = len(env.physics_state())
    if demonstration.states.shape[1] != size:
        raise DataError(
            f"Demonstration {demonstration.episode} holds states of {demonstration.states.shape[1]} numbers, "
            f"{env.task.name} has {size}. Make the demonstrations again with this version."
        )
    for state in demonstration.states:
        env.set_physics_state(state)
        yield env.frame().copy()
