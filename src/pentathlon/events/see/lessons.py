"""Lessons: what a policy is cloned from, whether our experts demonstrate or a user gives a LeRobotDataset v3.

A given dataset is checked against the protocol before anything runs, and its content names the protocol variant.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from pentathlon.core import DataError, content_hash
from pentathlon.core.entrants import Floats, Images
from pentathlon.events.see.data.sentences import sentence_of
from pentathlon.events.see.protocol import SeeProtocol, full_id
from pentathlon.storage.files import file_digest
from pentathlon.storage.lerobot import read_columns, read_episode_rows, read_info, whole_video
from pentathlon.storage.lossless_video import read_video
from pentathlon.worlds.control import ControlTask
from pentathlon.worlds.control.suites import make_physics

ADVICE = "Write one with `pentathlon data import` or `pentathlon data export`."


@dataclass(frozen=True, eq=False)
class Lesson:
    """One demonstration of ``T`` control steps.

    Attributes:
        name: follows from its content.
        proprio: ``[T, P]`` before each action.
        actions: ``[T, A]``.
        frames: gives ``T`` pictures, one before each action, from the start at every call.
    """

    name: str
    proprio: Floats
    actions: Floats
    frames: Callable[[], Iterator[Images]]


@dataclass(frozen=True, eq=False)
class GivenLessons:
    """The first demonstrations of a dataset, as many as the protocol asks for.

    Attributes:
        teacher: names them by content; the protocol's ``teacher``.
    """

    teacher: str
    lessons: tuple[Lesson, ...]


def read_given(folder: Path, protocol: SeeProtocol) -> GivenLessons:
    """Reads demonstrations that ``pentathlon data import`` or ``export`` wrote; frames stay on disk.

    Args:
        folder: the dataset, or a folder with one below it under the task's name, as ``export`` writes it.
        protocol: what they must fit.

    Raises:
        DataError: when they are too few, cut short, or do not fit the protocol.
    """
    below = folder / protocol.task.name
    folder = below if below.is_dir() else folder
    try:
        read_info(folder)
    except DataError as error:
        raise DataError(f"{error} {ADVICE}") from error
    action_size = make_physics(protocol.task).action_size
    rows = read_episode_rows(folder)[: protocol.demonstrations]
    lessons = tuple(_read(folder, row, protocol.shown_task, action_size) for row in rows)
    if len(lessons) < protocol.demonstrations:
        raise DataError(
            f"{folder} holds {len(lessons)} demonstrations, {protocol.task_id} learns from "
            f"{protocol.demonstrations}. Give as many, or run a smaller tier."
        )
    return GivenLessons(f"dataset-{content_hash([lesson.name for lesson in lessons])}", lessons)


def _read(folder: Path, row: Mapping[str, Any], task: ControlTask, action_size: int) -> Lesson:
    """Reads one episode's numbers and counts its frames."""
    try:
        columns, index, length, shown = read_columns(folder, row), row["episode_index"], row["length"], row["tasks"]
        actions = np.asarray(columns["action"], np.float32)
    except KeyError as error:
        raise DataError(f"{folder} lacks the field {error} of a demonstration. {ADVICE}") from error
    proprio = np.asarray(columns.get("observation.state", np.zeros((length, 0))), np.float32)
    video = whole_video(folder, row)
    size = task.image_size
    wanted_and_got = {
        # Datasets written before they told the task in a sentence hold its id.
        "task": ([sentence_of(task)], [sentence_of(task)] if shown == [full_id(task)] else shown),
        "steps": (task.horizon, length),
        "numbers of an action": (action_size, _width(actions)),
        "numbers of proprioception": (task.proprio_size, _width(proprio)),
        "video (frames, height, width)": ((length, size, size), _video_shape(video)),
    }
    for what, (wanted, got) in wanted_and_got.items():
        if got != wanted:
            raise DataError(
                f"Demonstration {index} of {folder} does not fit this tier of {full_id(task)}: expected {what} "
                f"{wanted}, got {got}. Give demonstrations of the same task and length, or run the tier that they fit."
            )
    if not (np.isfinite(actions).all() and np.isfinite(proprio).all()):
        raise DataError(f"Demonstration {index} of {folder} holds numbers that are not finite. {ADVICE}")
    name = content_hash([file_digest(video), *(_array_hash(values) for values in (actions, proprio))])
    return Lesson(f"dataset/{name}", proprio, actions, partial(read_video, video, length))


def _width(values: Floats) -> int:
    return values.shape[1] if values.ndim == 2 else 1


def _video_shape(path: Path) -> tuple[int, int, int]:
    """Frames that are there, height and width; nothing is decoded."""
    import av

    try:
        with av.open(str(path)) as container:
            stream = container.streams.video[0]
            packets = sum(packet.size > 0 for packet in container.demux(stream))
            return packets, stream.height, stream.width
    # Of a file that was cut short there may be no stream, or one without a height.
    except (av.FFmpegError, OSError, IndexError, AttributeError) as error:
        raise DataError(f"{path} is no whole video ({error}). Copy or import the demonstrations again.") from error


def _array_hash(values: Floats) -> str:
    return hashlib.sha256(values.tobytes()).hexdigest()
