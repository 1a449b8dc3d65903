"""Demonstrations on disk: one Parquet file per attempt, whose frames are physics states, drawn when they are needed.

A file appears whole or not at all. A row is one control step: what held before the action, the action, and the reward
after it. States are exact doubles: with the episode's seed they give back every frame, pixel by pixel, at about a
hundredth of the size of losslessly stored frames. ``lerobot.py`` exports them with frames for other programs.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from pentathlon.core.errors import DataError
from pentathlon.storage.files import replacing
from pentathlon.storage.lerobot import to_column
from pentathlon.worlds.control.physics import Array
from pentathlon.worlds.control.tasks import ControlTask

FORMAT = 1
_ADVICE = "Delete it and run `pentathlon data make` again; it makes only what is missing."
_COLUMNS = {"action": np.float32, "observation.state": np.float32, "physics_state": np.float64, "reward": np.float32}


@dataclass(frozen=True)
class Demonstration:
    """One expert episode of ``T`` control steps.

    Attributes:
        episode: number of the attempt; with the task and expert it determines everything else.
        seed: what the environment was reset with.
        score: in percent, by the task's rule.
        actions: ``[T, A]`` in [-1, 1].
        proprio: ``[T, P]`` before each action.
        states: ``[T, S]`` physics states before each action.
        rewards: ``[T]`` after each action.
    """

    episode: int
    seed: int
    score: float
    actions: npt.NDArray[np.float32]
    proprio: npt.NDArray[np.float32]
    states: Array
    rewards: npt.NDArray[np.float32]

    @property
    def length(self) -> int:
        """Control steps."""
        return len(self.actions)


def attempt_path(folder: Path, episode: int) -> Path:
    """Where an attempt lies."""
    return folder / f"attempt-{episode:05d}.parquet"


def write_attempt(folder: Path, task: ControlTask, demonstration: Demonstration) -> Path:
    """Writes one attempt; the file appears complete or not at all."""
    path = attempt_path(folder, demonstration.episode)
    path.parent.mkdir(parents=True, exist_ok=True)
    notes = {
        "format": FORMAT,
        "task": task.name,
        "episode": demonstration.episode,
        "seed": demonstration.seed,
        "score": demonstration.score,
        "length": demonstration.length,
    }
    rows: dict[str, npt.NDArray[Any]] = {
        "action": demonstration.actions,
        "observation.state": demonstration.proprio,
        "physics_state": demonstration.states,
        "reward": demonstration.rewards[:, None],
    }
    columns = {name: to_column(values) for name, values in rows.items() if values.shape[1]}
    table = pa.table(columns).replace_schema_metadata({b"pentathlon": json.dumps(notes).encode()})
    # Regrouping the bytes of floating-point numbers makes them compress better.
    split = [f"{name}.list.element" for name in columns]
    with replacing(path) as temporary:
        pq.write_table(table, temporary, compression="zstd", use_dictionary=False, use_byte_stream_split=split)
    return path


def read_attempt(folder: Path, task: ControlTask, episode: int) -> Demonstration:
    """Reads one attempt back.

    Raises:
        DataError: when the file is missing, cut short, empty, of another task or of another format.
    """
    path = attempt_path(folder, episode)
    table, notes = _open(path)
    wanted = {"format": FORMAT, "task": task.name, "episode": episode, "length": table.num_rows}
    for field, value in wanted.items():
        if notes.get(field) != value:
            raise DataError(f"{path} has {field} {notes.get(field)!r}, expected {value!r}. {_ADVICE}")
    if table.num_rows == 0:
        raise DataError(f"{path} holds no step, expected an episode of {task.name}. {_ADVICE}")
    arrays = {name: _to_array(path, table, name, dtype) for name, dtype in _COLUMNS.items()}
    return Demonstration(
        episode,
        int(notes["seed"]),
        float(notes["score"]),
        arrays["action"],
        arrays["observation.state"],
        arrays["physics_state"],
        arrays["reward"][:, 0],
    )


def read_score(path: Path) -> float | None:
    """The score of an attempt from its footer, or ``None`` when it is not there or not whole."""
    if not path.exists():
        return None
    try:
        metadata = pq.read_metadata(path)
        notes = json.loads(metadata.metadata[b"pentathlon"])
    except (OSError, pa.ArrowException, KeyError, TypeError, ValueError):
        return None
    whole = notes.get("format") == FORMAT and notes.get("length") == metadata.num_rows > 0
    return float(notes["score"]) if whole else None


def _open(path: Path) -> tuple[Any, dict[str, Any]]:
    if not path.exists():
        raise DataError(f"{path} is missing, expected a demonstration. Make it with `pentathlon data make`.")
    try:
        table = pq.ParquetFile(path).read()
        return table, json.loads(table.schema.metadata[b"pentathlon"])
    except (OSError, pa.ArrowException, KeyError, TypeError, ValueError) as error:
        size = path.stat().st_size
        raise DataError(
            f"{path} ({size} bytes) is no whole demonstration: expected a Parquet file with Pentathlon's notes, got "
            f"{type(error).__name__}: {error}. {_ADVICE}"
        ) from error


def _to_array(path: Path, table: Any, name: str, dtype: type) -> npt.NDArray[Any]:
    if name not in table.column_names:
        if name == "observation.state":
            return np.zeros((table.num_rows, 0), dtype)
        raise DataError(f"{path} lacks the column {name!r}. {_ADVICE}")
    column = table.column(name).combine_chunks()
    values = column.flatten().to_numpy(zero_copy_only=False)
    array: npt.NDArray[Any] = np.ascontiguousarray(values.reshape(table.num_rows, -1), dtype=dtype)
    if not np.isfinite(array).all():
        raise DataError(f"{path} holds numbers in {name!r} that are not finite. {_ADVICE}")
    return array
