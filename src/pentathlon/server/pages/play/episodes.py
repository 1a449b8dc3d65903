"""Keeps what players do as a dataset of act that grows: single episodes beside a recipe that counts them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from filelock import FileLock

from pentathlon.core import Tier, to_plain
from pentathlon.events.act.data.collect import EPISODES_FOLDER, RECIPE_PATH
from pentathlon.events.act.data.episode_files import Recorded, episode_path, write_episode
from pentathlon.events.act.data.plan import make_recipe
from pentathlon.storage.files import write_durably
from pentathlon.worlds.tabletop.arm.robot import TaskName


@dataclass(frozen=True)
class Kept:
    """Where an episode went."""

    dataset: str
    index: int


def keep_episode(root: Path, task: TaskName, tier: Tier, episode: Recorded) -> Kept:
    """Adds an episode to the newest dataset of its task that has not been turned into videos yet."""
    root.mkdir(parents=True, exist_ok=True)
    with FileLock(root / ".lock"):
        folder = next(folder for folder in _folders(root, task, tier) if not (folder / "meta" / "info.json").exists())
        episodes = folder / EPISODES_FOLDER
        index = next(index for index in count() if not episode_path(episodes, index).exists())
        write_episode(episodes, index, episode)
        # Written after the episode: a crash between leaves a file that the next episode makes part of the dataset.
        recipe = replace(make_recipe(task, tier), episodes=index + 1, most_noise_rad=0.0)
        path = folder / RECIPE_PATH
        path.parent.mkdir(parents=True, exist_ok=True)
        write_durably(path, json.dumps(to_plain(recipe), indent=1).encode())
    return Kept(folder.name, index)


def _folders(root: Path, task: TaskName, tier: Tier) -> Iterator[Path]:
    return (root / f"{task}-{tier}-{number}" for number in count(1))
