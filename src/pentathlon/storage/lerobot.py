"""Episodes with pictures as a LeRobotDataset v3, one Parquet and one mp4 file per episode, written and read.

LeRobot's usual videos are lossy, which would change an encoder's features; ours are H.264 without loss. What is
written goes on where it was stopped: files appear whole, and those that are there are not made again.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pentathlon.core.errors import DataError
from pentathlon.storage.files import file_digest, replacing, write_durably
from pentathlon.storage.lerobot_stats import Spread
from pentathlon.storage.lossless_video import Image, read_video, write_video

CODEBASE_VERSION = "v3.0"
IMAGE_KEY = "observation.images.camera"
CHECKSUM = f"videos/{IMAGE_KEY}/sha256"
"""Column of an episode's row. A flipped bit decodes without complaint, and a policy would be trained on the rubbish."""
DATA_PATH = "data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet"
VIDEO_PATH = "videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4"
EPISODES_PATH = "meta/episodes/chunk-000/file-000.parquet"
TASKS_PATH = "meta/tasks.parquet"
STATS_PATH = "meta/stats.json"
CHUNK_SIZE = 1000
_INDEX_TYPES = {
    "timestamp": "float32",
    "frame_index": "int64",
    "episode_index": "int64",
    "index": "int64",
    "task_index": "int64",
}


@dataclass(frozen=True)
class DatasetInfo:
    """What all episodes share: ``image_size`` is height and width in pixels."""

    task: str
    robot: str
    rate_hz: float
    image_size: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Episode:
    """One episode of ``T`` steps.

    Attributes:
        columns: by feature name, ``[T]`` or ``[T, W]``; those without width are left out.
        frames: ``T`` pictures, only read when the video is not there yet.
        notes: further plain values for the episode's row.
    """

    columns: Mapping[str, npt.NDArray[Any]]
    frames: Iterable[Image]
    notes: Mapping[str, Any]

    @property
    def length(self) -> int:
        """Steps."""
        return len(next(iter(self.columns.values())))


def write_dataset(folder: Path, info: DatasetInfo, episodes: Iterable[Episode]) -> None:
    """Writes what is missing of the files of ``episodes``, and then the notes that make them a dataset."""
    rows: list[dict[str, Any]] = []
    features: dict[str, Any] = {}
    spread = Spread()
    start = 0
    for index, episode in enumerate(episodes):
        columns = {name: values for name, values in episode.columns.items() if values.ndim == 1 or values.shape[1]}
        features = features or {name: _feature(values) for name, values in columns.items()}
        data, video = episode_paths(folder, index)
        columns |= _indices(episode.length, index, start, info)
        spread.add(columns)
        if not data.exists():
            _write_columns(data, columns)
        if not video.exists():
            write_video(video, spread.watch(episode.frames), info.image_size, info.rate_hz)
        else:
            deque(spread.watch(read_video(video, episode.length)), maxlen=0)
        rows.append(_row(episode, index, start, info) | {CHECKSUM: file_digest(video)})
        start += episode.length
    _write_meta(folder, info, rows, features, spread)


def episode_paths(folder: Path, index: int) -> tuple[Path, Path]:
    """Where the rows and the video of an episode lie."""
    place = {"chunk_index": index // CHUNK_SIZE, "file_index": index % CHUNK_SIZE}
    return folder / DATA_PATH.format(**place), folder / VIDEO_PATH.format(video_key=IMAGE_KEY, **place)


def read_info(folder: Path) -> dict[str, Any]:
    """Reads what all episodes share.

    Raises:
        DataError: when there is no dataset of this version.
    """
    path = folder / "meta" / "info.json"
    try:
        info: dict[str, Any] = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise DataError(f"Expected a LeRobotDataset at {folder}, could not read {path.name} ({error}).") from error
    if info.get("codebase_version") != CODEBASE_VERSION:
        raise DataError(
            f"{folder} is a LeRobotDataset {info.get('codebase_version')}, expected {CODEBASE_VERSION}. Convert it."
        )
    return info


def read_episode_rows(folder: Path) -> list[dict[str, Any]]:
    """Reads the row of every episode."""
    rows: list[dict[str, Any]] = _read_table(folder / EPISODES_PATH).to_pylist()
    return rows


def read_columns(folder: Path, row: Mapping[str, Any]) -> dict[str, npt.NDArray[Any]]:
    """Reads the numbers of the episode that ``row`` describes, ``[T]`` or ``[T, W]`` by feature name.

    Raises:
        DataError: when the file is missing, cut short or holds another number of steps.
    """
    index = int(row["episode_index"])
    place = {"chunk_index": row["data/chunk_index"], "file_index": row["data/file_index"]}
    path = folder / DATA_PATH.format(**place)
    table = _read_table(path)
    if table.num_rows != row["length"]:
        table = table.filter(pc.equal(table["episode_index"], index))
    if table.num_rows != row["length"]:
        raise DataError(
            f"{path} holds {table.num_rows} steps of episode {index}, expected {row['length']}. Fetch the data again."
        )
    return {name: _array(table.column(name)) for name in table.column_names}


def read_frames(folder: Path, row: Mapping[str, Any]) -> Iterator[Image]:
    """Gives the pictures of an episode that has a video of its own, one for each step."""
    yield from read_video(whole_video(folder, row), int(row["length"]))


def whole_video(folder: Path, row: Mapping[str, Any]) -> Path:
    """Where the video of the episode that ``row`` describes lies; its content is compared with the row's checksum.

    Datasets that others wrote have no checksum: of theirs a decoder finds what it can.

    Raises:
        DataError: when it is not what was written.
    """
    prefix = f"videos/{IMAGE_KEY}/"
    place = {"chunk_index": row[f"{prefix}chunk_index"], "file_index": row[f"{prefix}file_index"]}
    path = folder / VIDEO_PATH.format(video_key=IMAGE_KEY, **place)
    expected = row.get(CHECKSUM)
    if expected is not None and path.exists() and file_digest(path) != expected:
        raise DataError(
            f"{path} is damaged: its checksum is not the one noted in {EPISODES_PATH}. Copy or export the data again."
        )
    return path


def _read_table(path: Path) -> Any:
    try:
        # Not read_table, which takes the names of folders above for columns.
        return pq.ParquetFile(path).read()
    except (OSError, pa.ArrowException) as error:
        raise DataError(f"Expected a Parquet file at {path}, could not read one ({error}). Make it again.") from error


def _array(column: Any) -> npt.NDArray[Any]:
    values = column.combine_chunks()
    if pa.types.is_list(values.type) or pa.types.is_fixed_size_list(values.type):
        flat: npt.NDArray[Any] = values.flatten().to_numpy(zero_copy_only=False)
        return flat.reshape(len(values), -1)
    array: npt.NDArray[Any] = values.to_numpy(zero_copy_only=False)
    return array


def to_column(values: npt.NDArray[Any]) -> Any:
    """A column of numbers, or of fixed-length lists."""
    if values.ndim == 1:
        return pa.array(values)
    return pa.FixedSizeListArray.from_arrays(pa.array(values.ravel()), values.shape[1])


def _feature(values: npt.NDArray[Any]) -> dict[str, Any]:
    return {"dtype": str(values.dtype), "shape": [1 if values.ndim == 1 else values.shape[1]], "names": None}


def _write_columns(path: Path, columns: Mapping[str, npt.NDArray[Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    table = pa.table({name: to_column(values) for name, values in columns.items()})
    with replacing(path) as temporary:
        pq.write_table(table, temporary, compression="zstd")


def _indices(length: int, index: int, start: int, info: DatasetInfo) -> dict[str, npt.NDArray[Any]]:
    steps = np.arange(length)
    return {
        "timestamp": (steps / info.rate_hz).astype(np.float32),
        "frame_index": steps,
        "episode_index": np.full(length, index),
        "index": start + steps,
        "task_index": np.zeros(length, np.int64),
    }


def _row(episode: Episode, index: int, start: int, info: DatasetInfo) -> dict[str, Any]:
    return {
        "episode_index": index,
        "tasks": [info.task],
        "length": episode.length,
        "data/chunk_index": index // CHUNK_SIZE,
        "data/file_index": index % CHUNK_SIZE,
        f"videos/{IMAGE_KEY}/chunk_index": index // CHUNK_SIZE,
        f"videos/{IMAGE_KEY}/file_index": index % CHUNK_SIZE,
        f"videos/{IMAGE_KEY}/from_timestamp": 0.0,
        f"videos/{IMAGE_KEY}/to_timestamp": episode.length / info.rate_hz,
        "dataset_from_index": start,
        "dataset_to_index": start + episode.length,
        "meta/episodes/chunk_index": 0,
        "meta/episodes/file_index": 0,
        **episode.notes,
    }


def _tasks_table(task: str) -> Any:
    """LeRobot reads this table with pandas and takes a task's sentence from its index, which pandas finds by a note."""
    names = (("task_index", "int64", "int64"), ("task", "unicode", "object"))
    columns = [
        {"name": name, "field_name": name, "pandas_type": kind, "numpy_type": stored, "metadata": None}
        for name, kind, stored in names
    ]
    note = {"index_columns": ["task"], "column_indexes": [], "columns": columns, "pandas_version": "2.0.0"}
    table = pa.table({"task_index": [0], "task": [task]})
    return table.replace_schema_metadata({b"pandas": json.dumps(note).encode()})


def _write_meta(
    folder: Path, info: DatasetInfo, rows: list[dict[str, Any]], features: Mapping[str, Any], spread: Spread
) -> None:
    path = folder / EPISODES_PATH
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows), path)
    pq.write_table(_tasks_table(info.task), folder / TASKS_PATH)
    write_durably(folder / STATS_PATH, json.dumps(spread.stats(IMAGE_KEY)).encode())
    camera = {
        "dtype": "video",
        "shape": [*info.image_size, 3],
        "names": ["height", "width", "channels"],
        "info": {"video.fps": info.rate_hz, "video.codec": "h264", "video.pix_fmt": "gbrp", "has_audio": False},
    }
    indices = {name: {"dtype": dtype, "shape": [1], "names": None} for name, dtype in _INDEX_TYPES.items()}
    summary = {
        "codebase_version": CODEBASE_VERSION,
        "robot_type": info.robot,
        "total_episodes": len(rows),
        "total_frames": sum(row["length"] for row in rows),
        "total_tasks": 1,
        "chunks_size": CHUNK_SIZE,
        "fps": info.rate_hz,
        "splits": {"train": f"0:{len(rows)}"},
        "data_path": DATA_PATH,
        "video_path": VIDEO_PATH,
        "features": {IMAGE_KEY: camera, **features, **indices},
    }
    # Last, since a dataset without it is none.
    write_durably(folder / "meta" / "info.json", json.dumps(summary, indent=1).encode())
