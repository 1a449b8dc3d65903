"""Writes demonstrations with their frames as a LeRobotDataset v3: our own, and those in CortexBench's layout."""

from __future__ import annotations

from pathlib import Path

from pentathlon.core.errors import DataError, UsageError
from pentathlon.events.see.data.cortexbench import ImportedDemonstration, read_cortexbench
from pentathlon.events.see.data.demonstration_files import Demonstration
from pentathlon.events.see.data.demonstrations import DemonstrationSet, frames
from pentathlon.events.see.data.sentences import sentence_of
from pentathlon.storage.lerobot import DatasetInfo, Episode, write_dataset
from pentathlon.worlds.control.env import ControlEnv
from pentathlon.worlds.control.tasks import ControlTask


def export_lerobot(demonstrations: DemonstrationSet, folder: Path, env: ControlEnv) -> None:
    """Writes ``demonstrations`` with frames drawn by ``env`` into ``folder``, one data file per episode.

    Raises:
        UsageError: when the folder is not empty.
    """
    _refuse_taken(folder)
    task = demonstrations.task
    info = DatasetInfo(sentence_of(task), task.suite, env.rate_hz, (task.image_size, task.image_size))
    write_dataset(folder, info, (_episode(env, demonstration) for demonstration in demonstrations))


def import_cortexbench(file: Path, task: ControlTask, folder: Path, rate_hz: float) -> int:
    """Writes the demonstrations of a CortexBench pickle into ``folder`` and returns how many they are.

    Raises:
        DataError: when the file cannot be read, or its frames differ in size.
        UsageError: when the folder is not empty.
    """
    _refuse_taken(folder)
    paths = read_cortexbench(file, task)
    sizes = sorted({path.images.shape[1:3] for path in paths})
    if len(sizes) > 1:
        raise DataError(f"{file} holds frames of the sizes {sizes}, expected one size. Import the paths apart.")
    height, width = sizes[0]
    info = DatasetInfo(sentence_of(task), task.suite, rate_hz, (height, width))
    write_dataset(folder, info, map(_imported_episode, paths))
    return len(paths)


def _refuse_taken(folder: Path) -> None:
    if folder.exists() and any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty. Choose another folder for the dataset, or empty it.")


def _imported_episode(path: ImportedDemonstration) -> Episode:
    columns = {"observation.state": path.proprio, "action": path.actions, "next.reward": path.rewards}
    return Episode(columns, path.images, notes={})


def _episode(env: ControlEnv, demonstration: Demonstration) -> Episode:
    return Episode(
        columns={
            "observation.state": demonstration.proprio,
            "action": demonstration.actions,
            "next.reward": demonstration.rewards,
        },
        frames=frames(env, demonstration),
        notes={"seed": demonstration.seed, "score": demonstration.score},
    )
