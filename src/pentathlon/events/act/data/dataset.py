"""Datasets of act: found by name or folder, made on first use, read with or without pictures."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import mujoco
import numpy as np
import numpy.typing as npt
import platformdirs

from pentathlon.core import DataError, content_hash
from pentathlon.core.making import Pool
from pentathlon.events.act.data.collect import (
    CLONES_FOLDER,
    EPISODES_FOLDER,
    RECIPE_PATH,
    Progress,
    collect,
    is_finished,
    writing,
)
from pentathlon.events.act.data.episode_files import (
    FORMAT,
    episode_path,
    facts_of,
    load_trajectory,
    read_episode,
    read_notes,
)
from pentathlon.events.act.data.plan import DataRecipe, find_recipe, recipe_names
from pentathlon.events.act.data.toto_dataset import TotoDataset
from pentathlon.events.act.data.toto_pickle import PICKLE_NAME, Frame, export_toto
from pentathlon.learning.policies.trajectories import Trajectory
from pentathlon.storage.lerobot import (
    DatasetInfo,
    Episode,
    read_columns,
    read_episode_rows,
    read_frames,
    read_info,
    write_dataset,
)
from pentathlon.storage.lock import HeldError
from pentathlon.storage.making import SERIAL
from pentathlon.worlds.tabletop.arm.robot import CONTROL_HZ

Image = npt.NDArray[np.uint8]

WAIT_S = 2.0
SENTENCES = {"pour": "Pour what is in the cup into the container.", "scoop": "Scoop material out of the container."}
"""What LeRobot's learners are told to do, by task."""


class Dataset(Protocol):
    """Recorded episodes that policies can be trained on."""

    @property
    def folder(self) -> Path:
        """Where they lie."""
        ...

    @property
    def frame_every(self) -> int:
        """Control steps per picture."""
        ...

    def trajectories(self) -> list[Trajectory]:
        """Reads all episodes without pictures."""
        ...

    def pictures(self, index: int) -> Iterator[Image]:
        """Gives the pictures of an episode that differ."""
        ...


@dataclass(frozen=True)
class ActDataset:
    """Recorded episodes in a folder: a LeRobotDataset v3, or episodes whose videos are still to be made.

    Attributes:
        folder: where they lie.
        frame_every: control steps per picture.
        length: episodes.
    """

    folder: Path
    frame_every: int
    length: int

    @property
    def finished(self) -> bool:
        """Whether it is a LeRobotDataset, or still single episodes."""
        return is_finished(self.folder)

    @cached_property
    def _rows(self) -> list[dict[str, Any]]:
        return read_episode_rows(self.folder)

    def __len__(self) -> int:
        return self.length

    def trajectories(self) -> list[Trajectory]:
        """Reads all episodes without pictures."""
        if not self.finished:
            return [load_trajectory(self.folder / EPISODES_FOLDER, index) for index in range(self.length)]
        return [_trajectory(self.folder, row) for row in self._rows]

    def episodes(self) -> Iterator[Episode]:
        """Gives the episodes as they are written."""
        for index, trajectory in enumerate(self.trajectories()):
            columns = {
                "observation.state": trajectory.joints,
                "action": trajectory.actions,
                "next.reward": trajectory.rewards,
            }
            yield Episode(columns, self.frames(index), {"source": trajectory.source, **trajectory.facts})

    def frames(self, index: int) -> Iterator[Image]:
        """Gives a picture for each step of an episode."""
        if self.finished:
            return read_frames(self.folder, self._rows[index])
        return read_episode(self.folder / EPISODES_FOLDER, index).frames()

    def pictures(self, index: int) -> Iterator[Image]:
        """Gives the pictures of an episode that differ: those before steps 0, ``frame_every``, and so on."""
        return (frame for step, frame in enumerate(self.frames(index)) if step % self.frame_every == 0)


def dataset_folder(recipe: DataRecipe, root: Path | None = None) -> Path:
    """The folder of a dataset: its recipe, the physics and the format name it."""
    base = Path(platformdirs.user_cache_dir("pentathlon")) / "act" if root is None else root
    key = content_hash([recipe, mujoco.__version__, FORMAT], length=12)
    return base / f"{recipe.name.removeprefix('act/')}-{key}"


def get_dataset(
    name: str,
    recipe: DataRecipe | None = None,
    *,
    root: Path | None = None,
    pool: Pool = SERIAL,
    videos: bool = False,
    progress: Progress = lambda made, wanted: None,
) -> Dataset:
    """Finds the dataset of that name or in that folder, and makes what is missing of a named one.

    Processes that do so at once share the work.

    Args:
        name: such as ``act/pour-lite``, or a folder: of a dataset of act, finished or not, or in TOTO's layout.
        recipe: another than the named one's.
        root: folder for the datasets; the user's cache when not given.
        pool: who records.
        videos: turn the pictures into videos, which needs PyAV; nothing here needs them.
        progress: called with the episodes recorded so far and wanted, by whichever process.
    """
    if recipe is None and name not in recipe_names() and Path(name).is_dir():
        if (Path(name) / PICKLE_NAME).exists():
            return TotoDataset(Path(name))
        return _finished(Path(name), videos)
    recipe = recipe or find_recipe(name)
    folder = dataset_folder(recipe, root)
    _collect_or_wait(recipe, folder, pool, progress)
    return _finished(folder, videos)


def _collect_or_wait(recipe: DataRecipe, folder: Path, pool: Pool, progress: Progress) -> None:
    told = -1
    while missing := _missing(folder, recipe.episodes):
        try:
            collect(recipe, folder, pool=pool, progress=progress)
        except HeldError:
            made = recipe.episodes - len(missing)
            if made != told:
                progress(made, recipe.episodes)
            told = made
            time.sleep(WAIT_S)


def _finished(folder: Path, videos: bool) -> ActDataset:
    dataset = open_dataset(folder)
    while videos and not dataset.finished:
        try:
            finish(folder)
        except HeldError:
            time.sleep(WAIT_S)
    return dataset


def open_dataset(folder: Path) -> ActDataset:
    """Opens a folder that holds a whole dataset.

    Raises:
        DataError: when episodes are missing, or it is none.
    """
    path = folder / RECIPE_PATH
    try:
        notes: dict[str, Any] = json.loads(path.read_text())
        frame_every, episodes = int(notes["frame_every"]), int(notes["episodes"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(
            f"Expected a dataset of act at {folder}, could not read {RECIPE_PATH} ({error}). "
            "Make one with: pentathlon data get act/pour-lite"
        ) from error
    dataset = ActDataset(folder, frame_every, episodes)
    if dataset.finished:
        return ActDataset(folder, frame_every, int(read_info(folder)["total_episodes"]))
    missing = _missing(folder, episodes)
    if missing:
        raise DataError(
            f"{folder} lacks {len(missing)} of {episodes} episodes, the first is {missing[0]}. "
            "Run the command that collects it again; it goes on."
        )
    return dataset


def _missing(folder: Path, episodes: int) -> list[int]:
    """The episodes that are still to be recorded."""
    if is_finished(folder):
        return []
    return [index for index in range(episodes) if read_notes(episode_path(folder / EPISODES_FOLDER, index)) is None]


def finish(folder: Path, *, keep_episodes: bool = False) -> None:
    """Turns collected episodes into a LeRobotDataset v3 and removes them.

    Raises:
        DataError: when episodes are missing.
        HeldError: when another process writes to the folder, naming that process.
    """
    with writing(folder):
        dataset = open_dataset(folder)
        if dataset.finished:
            return
        write_dataset(folder, dataset_info(json.loads((folder / RECIPE_PATH).read_text())), dataset.episodes())
        if not keep_episodes:
            _remove_episodes(folder / EPISODES_FOLDER, len(dataset))
            shutil.rmtree(folder / CLONES_FOLDER, ignore_errors=True)


def _remove_episodes(folder: Path, count: int) -> None:
    """Removes those that have become videos; one that was recorded meanwhile stays."""
    for index in range(count):
        episode_path(folder, index).unlink()
    if not any(folder.iterdir()):
        folder.rmdir()


def export_as_toto(dataset: ActDataset, folder: Path) -> None:
    """Writes a dataset in TOTO's layout, ``parsed.pkl`` beside a PNG for each step; depth is not part of the data."""

    def frames(trajectory: Trajectory) -> Iterator[Frame]:
        return (Frame(image) for image in dataset.frames(int(trajectory.id)))

    export_toto(dataset.trajectories(), folder, frames)


def dataset_info(about: Mapping[str, Any]) -> DatasetInfo:
    """What all episodes share, from the recipe's notes."""
    height, width = about["image_size"]
    return DatasetInfo(SENTENCES[about["task"]], "franka", CONTROL_HZ, (height, width))


def _trajectory(folder: Path, row: dict[str, Any]) -> Trajectory:
    columns = read_columns(folder, row)
    try:
        return Trajectory(
            f"{row['episode_index']:05d}",
            np.ascontiguousarray(columns["observation.state"], np.float32),
            np.ascontiguousarray(columns["action"], np.float32),
            np.ascontiguousarray(columns["next.reward"], np.float32),
            row["source"],
            facts_of(row),
        )
    except KeyError as error:
        raise DataError(f"{folder} lacks {error}, expected a dataset of act. Make one: pentathlon data get.") from error
