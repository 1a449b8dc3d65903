"""Makes expert demonstrations in parallel, goes on where it was stopped, and gives them back with their frames."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import mujoco
import numpy as np
import platformdirs

from pentathlon.core.errors import DataError
from pentathlon.core.identity import content_hash, derive_seed, to_plain
from pentathlon.core.making import Item, Pool
from pentathlon.events.see.data.demonstration_files import (
    FORMAT,
    Demonstration,
    attempt_path,
    read_attempt,
    read_score,
    write_attempt,
)
from pentathlon.storage.making import SERIAL, make_missing
from pentathlon.worlds.control.env import ControlEnv, Image
from pentathlon.worlds.control.experts import DISTURBANCES, Expert, expert_version, make_expert
from pentathlon.worlds.control.tasks import ControlTask

MOST_ATTEMPTS_PER_DEMONSTRATION = 4
_SUCCESS_PERCENT = 100.0

Progress = Callable[[int, int], None]
"""Called with the demonstrations made so far and wanted."""


@dataclass(frozen=True)
class DemonstrationSet:
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


def demonstration_folder(task: ControlTask, root: Path | None = None) -> Path:
    """The folder of the task's demonstrations: task, expert, physics and format name it."""
    parts = (task.name, task.horizon, expert_version(task), mujoco.__version__, FORMAT)
    base = Path(platformdirs.user_cache_dir("pentathlon")) / "demonstrations" if root is None else root
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


def make_demonstrations(
    task: ControlTask,
    count: int,
    *,
    root: Path | None = None,
    pool: Pool = SERIAL,
    progress: Progress = lambda made, wanted: None,
) -> DemonstrationSet:
    """Makes what is missing of the first ``count`` good demonstrations; processes that do so at once share the work.

    Where the task has a success, attempts that fail are kept on disk but do not count; otherwise every attempt counts.

    Raises:
        DataError: when the expert fails so often that ``4 * count`` attempts are not enough, or cannot play.
    """
    folder = demonstration_folder(task, root).absolute()
    while True:
        good, missing = _survey(folder, task, count)
        progress(len(good), count)
        if not missing:
            return DemonstrationSet(folder, task, tuple(good[:count]))

        def tell(path: Path, good: list[int] = good) -> None:
            if _counts(path, task):
                good.append(int(path.stem.rpartition("-")[2]))
            progress(min(len(good), count), count)

        items = [
            Item(str(attempt_path(folder, episode)), {"task": to_plain(task), "episode": episode})
            for episode in missing
        ]
        make_missing(f"{__name__}:make_attempt", items, pool=pool, is_whole=_is_whole, on_made=tell)


def _survey(folder: Path, task: ControlTask, wanted: int) -> tuple[list[int], list[int]]:
    """The good attempts so far and the attempts to make next."""
    good: list[int] = []
    missing: list[int] = []
    for episode in range(MOST_ATTEMPTS_PER_DEMONSTRATION * wanted):
        if len(good) + len(missing) == wanted:
            return good, missing
        path = attempt_path(folder, episode)
        if not _is_whole(path):
            missing.append(episode)
        elif _counts(path, task):
            good.append(episode)
    raise DataError(
        f"The expert of {task.name} gave {len(good)} good demonstrations in {MOST_ATTEMPTS_PER_DEMONSTRATION * wanted} "
        f"attempts, expected {wanted}. Measure it with: pentathlon data experts {task.name}"
    )


def _is_whole(path: Path) -> bool:
    return read_score(path) is not None


def _counts(path: Path, task: ControlTask) -> bool:
    score = read_score(path)
    return score is not None and (task.rule in ("return", "progress") or score >= _SUCCESS_PERCENT)


_ENVIRONMENTS: dict[ControlTask, ControlEnv] = {}
"""Kept by a process between attempts."""


def make_attempt(path: Path, about: dict[str, Any]) -> None:
    """Plays the attempt that ``about`` names, and writes it."""
    task = msgspec.convert(about["task"], ControlTask)
    if task not in _ENVIRONMENTS:
        _ENVIRONMENTS[task] = ControlEnv(task, images=False)
    write_attempt(path.parent, task, record_attempt(_ENVIRONMENTS[task], about["episode"]))


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
