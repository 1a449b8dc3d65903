"""Exports demonstrations with their frames as a LeRobotDataset v3."""

from __future__ import annotations

from pathlib import Path

from pentathlon.core.errors import UsageError
from pentathlon.engine.lerobot import DatasetInfo, Episode, write_dataset
from pentathlon.worlds.control.demo_files import Demonstration
from pentathlon.worlds.control.demos import DemoSet, frames
from pentathlon.worlds.control.env import ControlEnv


def export_lerobot(demos: DemoSet, folder: Path, env: ControlEnv) -> None:
    """Writes ``demos`` with frames drawn by ``env`` into ``folder``, one data file per episode.

    Raises:
        UsageError: when the folder is not empty.
    """
    if folder.exists() and any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty. Choose another folder for the export, or empty it.")
    size = demos.task.image_size
    info = DatasetInfo(demos.task.id, demos.task.suite, env.rate_hz, (size, size))
    write_dataset(folder, info, (_episode(env, demonstration) for demonstration in demos))


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
