"""Recorded episodes on disk before their videos are made: one Parquet file each, pictures as PNG.

A file appears whole or not at all. A row is one control step: the joints before the action, the action, the reward
after it, and the picture before it where one was drawn. No video library is needed to write or read them.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image as Pictures

from pentathlon.core import DataError
from pentathlon.core.entrants import Floats
from pentathlon.learning.policies.trajectories import Source, Trajectory
from pentathlon.storage.files import replacing
from pentathlon.storage.lerobot import to_column

FORMAT = 1
EPISODES_GLOB = "episode-*.parquet"
FACTS = ("container", "material", "location", "seed", "noise_rad", "pictures")
_ADVICE = "Delete it and run `pentathlon data get` again; it makes only what is missing."
_NUMBERS = ("joints", "action", "reward")

Image = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Recorded:
    """One episode of ``T`` control steps.

    Attributes:
        joints: before each action, ``[T, 7]`` in radians.
        actions: joint targets, ``[T, 7]`` in radians.
        rewards: grams, ``[T]``; zero but for the last step.
        pictures: as PNG, by the step before whose action they were taken.
        notes: source, what stood on the bench, noise; plain JSON.
    """

    joints: Floats
    actions: Floats
    rewards: Floats
    pictures: dict[int, bytes] = field(repr=False)
    notes: dict[str, Any]

    def __len__(self) -> int:
        return len(self.joints)

    def frames(self) -> Iterator[Image]:
        """A picture for each step; those without one of their own hold the last."""
        image: Image | None = None
        for step in range(len(self)):
            if step in self.pictures:
                image = from_png(self.pictures[step])
            assert image is not None
            yield image


def to_png(image: Image) -> bytes:
    """Packs an RGB picture without loss."""
    buffer = io.BytesIO()
    Pictures.fromarray(image).save(buffer, "PNG", compress_level=4)
    return buffer.getvalue()


def from_png(data: bytes) -> Image:
    """Unpacks a picture."""
    with Pictures.open(io.BytesIO(data)) as picture:
        return np.asarray(picture.convert("RGB"))


def episode_path(folder: Path, index: int) -> Path:
    """Where an episode lies."""
    return folder / f"episode-{index:05d}.parquet"


def episode_index(path: Path) -> int:
    """The place of an episode in its folder, from its name."""
    return int(path.stem.rpartition("-")[2])


def write_episode(folder: Path, index: int, episode: Recorded) -> Path:
    """Writes one episode; the file appears complete or not at all."""
    path = episode_path(folder, index)
    path.parent.mkdir(parents=True, exist_ok=True)
    notes = {**episode.notes, "format": FORMAT, "index": index, "length": len(episode)}
    pictures: Sequence[bytes | None] = [episode.pictures.get(step) for step in range(len(episode))]
    columns = {
        "joints": to_column(episode.joints),
        "action": to_column(episode.actions),
        "reward": to_column(episode.rewards),
        "png": pa.array(pictures, pa.binary()),
    }
    table = pa.table(columns).replace_schema_metadata({b"pentathlon": json.dumps(notes).encode()})
    with replacing(path) as temporary:
        pq.write_table(table, temporary, compression={"png": "none", **dict.fromkeys(_LEAVES, "zstd")})
    return path


_LEAVES = ("joints.list.element", "action.list.element", "reward")


def read_notes(path: Path) -> dict[str, Any] | None:
    """The notes of an episode from its footer, or ``None`` when it is not there or not whole."""
    try:
        metadata = pq.read_metadata(path)
        notes: dict[str, Any] = json.loads(metadata.metadata[b"pentathlon"])
    except (OSError, pa.ArrowException, KeyError, TypeError, ValueError):
        return None
    return notes if notes.get("format") == FORMAT and notes.get("length") == metadata.num_rows > 0 else None


def read_episode(folder: Path, index: int, *, pictures: bool = True) -> Recorded:
    """Reads an episode back, without its pictures if they are not wanted.

    Raises:
        DataError: when the file is missing, cut short or of another format.
    """
    path = episode_path(folder, index)
    notes = read_notes(path)
    if notes is None:
        found = f"{path.stat().st_size} bytes that are none" if path.exists() else "nothing"
        raise DataError(f"Expected a whole episode at {path}, got {found}. {_ADVICE}")
    try:
        table = pq.ParquetFile(path).read([*_NUMBERS, *(["png"] if pictures else [])])
    except (OSError, pa.ArrowException) as error:
        raise DataError(f"Expected a whole episode at {path}, could not read it ({error}). {_ADVICE}") from error
    joints, actions = (_rows(table, name) for name in ("joints", "action"))
    rewards = table.column("reward").to_numpy().astype(np.float32)
    packed = table.column("png").to_pylist() if pictures else []
    return Recorded(joints, actions, rewards, {step: png for step, png in enumerate(packed) if png}, notes)


def _rows(table: Any, name: str) -> Floats:
    values = table.column(name).combine_chunks().flatten().to_numpy(zero_copy_only=False)
    rows: Floats = np.ascontiguousarray(values.reshape(table.num_rows, -1), np.float32)
    return rows


def load_trajectory(folder: Path, index: int) -> Trajectory:
    """Reads an episode as a trajectory, without pictures."""
    episode = read_episode(folder, index, pictures=False)
    source: Source = episode.notes["source"]
    return Trajectory(f"{index:05d}", episode.joints, episode.actions, episode.rewards, source, facts_of(episode.notes))


def facts_of(notes: dict[str, Any]) -> dict[str, Any]:
    """What is known of an episode besides its numbers."""
    return {name: notes[name] for name in FACTS if name in notes}
