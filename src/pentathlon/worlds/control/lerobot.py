"""Exports demonstrations with their frames as a LeRobotDataset v3: Parquet and mp4.

LeRobot's usual videos are lossy, which would change an encoder's features; ours are H.264 without loss.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from pentathlon.core.errors import UsageError
from pentathlon.engine.files import write_durably
from pentathlon.worlds.control.demo_files import Demonstration, to_lists
from pentathlon.worlds.control.demos import DemoSet, frames
from pentathlon.worlds.control.env import ControlEnv
from pentathlon.worlds.control.lossless_video import write_video
from pentathlon.worlds.control.tasks import ControlTask

CODEBASE_VERSION = "v3.0"
IMAGE_KEY = "observation.images.camera"
DATA_PATH = "data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet"
VIDEO_PATH = "videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4"
_INDEX_TYPES = {
    "timestamp": "float32",
    "frame_index": "int64",
    "episode_index": "int64",
    "index": "int64",
    "task_index": "int64",
}


def export_lerobot(demos: DemoSet, folder: Path, env: ControlEnv) -> None:
    """Writes ``demos`` with frames drawn by ``env`` into ``folder``, one data file per episode.

    Raises:
        UsageError: when the folder is not empty.
    """
    if folder.exists() and any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty. Choose another folder for the export, or empty it.")
    rows: list[dict[str, Any]] = []
    start = 0
    for index, demonstration in enumerate(demos):
        place = {"chunk_index": index // 1000, "file_index": index % 1000}
        path = folder / DATA_PATH.format(**place)
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table(_columns(demonstration, index, start, env.rate_hz)), path, compression="zstd")
        video = folder / VIDEO_PATH.format(video_key=IMAGE_KEY, **place)
        write_video(video, frames(env, demonstration), demos.task.image_size, env.rate_hz)
        rows.append(_episode_row(demos.task, demonstration, index, start, env.rate_hz))
        start += demonstration.length
    _write_meta(folder, demos, rows, env.rate_hz, widths=_widths(next(iter(demos))))


def _columns(demonstration: Demonstration, index: int, start: int, rate_hz: float) -> dict[str, Any]:
    steps = np.arange(demonstration.length)
    state = {"observation.state": to_lists(demonstration.proprio)} if demonstration.proprio.shape[1] else {}
    return {
        **state,
        "action": to_lists(demonstration.actions),
        "next.reward": pa.array(demonstration.rewards),
        "timestamp": pa.array((steps / rate_hz).astype(np.float32)),
        "frame_index": pa.array(steps),
        "episode_index": pa.array(np.full(demonstration.length, index)),
        "index": pa.array(start + steps),
        "task_index": pa.array(np.zeros(demonstration.length, np.int64)),
    }


def _episode_row(
    task: ControlTask, demonstration: Demonstration, index: int, start: int, rate_hz: float
) -> dict[str, Any]:
    return {
        "episode_index": index,
        "tasks": [task.id],
        "length": demonstration.length,
        "data/chunk_index": index // 1000,
        "data/file_index": index % 1000,
        f"videos/{IMAGE_KEY}/chunk_index": index // 1000,
        f"videos/{IMAGE_KEY}/file_index": index % 1000,
        f"videos/{IMAGE_KEY}/from_timestamp": 0.0,
        f"videos/{IMAGE_KEY}/to_timestamp": demonstration.length / rate_hz,
        "dataset_from_index": start,
        "dataset_to_index": start + demonstration.length,
        "meta/episodes/chunk_index": 0,
        "meta/episodes/file_index": 0,
        "seed": demonstration.seed,
        "score": demonstration.score,
    }


def _widths(demonstration: Demonstration) -> Iterator[tuple[str, int]]:
    yield "action", demonstration.actions.shape[1]
    if demonstration.proprio.shape[1]:
        yield "observation.state", demonstration.proprio.shape[1]


def _write_meta(
    folder: Path, demos: DemoSet, rows: list[dict[str, Any]], rate_hz: float, widths: Iterator[tuple[str, int]]
) -> None:
    meta = folder / "meta"
    (meta / "episodes" / "chunk-000").mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(rows), meta / "episodes" / "chunk-000" / "file-000.parquet")
    pq.write_table(pa.table({"task_index": [0], "task": [demos.task.id]}), meta / "tasks.parquet")
    size = demos.task.image_size
    features: dict[str, Any] = {
        IMAGE_KEY: {
            "dtype": "video",
            "shape": [size, size, 3],
            "names": ["height", "width", "channels"],
            "info": {"video.fps": rate_hz, "video.codec": "h264", "video.pix_fmt": "gbrp", "has_audio": False},
        },
        "next.reward": {"dtype": "float32", "shape": [1], "names": None},
        **{name: {"dtype": "float32", "shape": [width], "names": None} for name, width in widths},
        **{name: {"dtype": dtype, "shape": [1], "names": None} for name, dtype in _INDEX_TYPES.items()},
    }
    info = {
        "codebase_version": CODEBASE_VERSION,
        "robot_type": demos.task.suite,
        "total_episodes": len(rows),
        "total_frames": sum(row["length"] for row in rows),
        "total_tasks": 1,
        "chunks_size": 1000,
        "fps": rate_hz,
        "splits": {"train": f"0:{len(rows)}"},
        "data_path": DATA_PATH,
        "video_path": VIDEO_PATH,
        "features": features,
    }
    write_durably(meta / "info.json", json.dumps(info, indent=1).encode())
