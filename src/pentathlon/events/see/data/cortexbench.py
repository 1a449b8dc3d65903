"""Reads demonstrations in CortexBench's pickle layout."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import DataError
from pentathlon.storage.pickles import read_arrays_pickle
from pentathlon.worlds.control.tasks import ControlTask

_PROPRIO_KEYS = ("proprio", "gripper_proprio")


@dataclass(frozen=True)
class ImportedDemonstration:
    """One path of a CortexBench file.

    Attributes:
        images: ``[T, H, W, 3]``.
        actions: ``[T, A]``.
        proprio: ``[T, P]``; ``P`` is 0 where the protocol gives none.
        rewards: ``[T]``.
    """

    images: npt.NDArray[np.uint8]
    actions: npt.NDArray[np.float32]
    proprio: npt.NDArray[np.float32]
    rewards: npt.NDArray[np.float32]


def read_cortexbench(path: Path, task: ControlTask) -> list[ImportedDemonstration]:
    """Reads ``<env_id>.pickle``: a list of dictionaries with ``images``, ``actions``, ``rewards`` and ``env_infos``.

    Raises:
        DataError: when the file asks for anything but arrays, is cut short, or lacks a field.
    """
    paths = read_arrays_pickle(path, "a CortexBench file")
    if not isinstance(paths, list) or not paths:
        raise DataError(f"{path} holds {type(paths).__name__} of length {_length(paths)}, expected a list of paths.")
    return [_convert(f"{path}, path {index}", item, task) for index, item in enumerate(paths)]


def _length(value: Any) -> int:
    return len(value) if hasattr(value, "__len__") else 0


def _convert(where: str, item: Any, task: ControlTask) -> ImportedDemonstration:
    if not isinstance(item, dict):
        raise DataError(f"{where} is {type(item).__name__}, expected a dictionary with images and actions.")
    images = _array(where, item, "images")
    actions = _array(where, item, "actions").astype(np.float32)
    length = len(actions)
    rewards = np.asarray(item.get("rewards", np.zeros(length)), np.float32)
    proprio = _proprio(where, item, task, length)
    if images.dtype != np.uint8 or images.ndim != 4 or images.shape[-1] != 3:
        raise DataError(f"{where} has images {images.dtype}{images.shape}, expected uint8 [T, H, W, 3].")
    if not length or not len(images) == len(proprio) == len(rewards) == length:
        lengths = f"{len(images)} images, {len(proprio)} proprio, {len(rewards)} rewards"
        raise DataError(f"{where} has {length} actions but {lengths}; expected as many of each. The file may be cut.")
    return ImportedDemonstration(images, actions, proprio, rewards)


def _array(where: str, item: dict[str, Any], key: str) -> npt.NDArray[Any]:
    if key not in item:
        raise DataError(f"{where} lacks {key!r}; it has {sorted(map(str, item))}.")
    array = np.asarray(item[key])
    if array.dtype.hasobject:
        raise DataError(f"{where} has {key!r} as objects, expected an array of numbers.")
    return array


def _proprio(where: str, item: dict[str, Any], task: ControlTask, length: int) -> npt.NDArray[np.float32]:
    if not task.proprio_size:
        return np.zeros((length, 0), np.float32)
    infos = item.get("env_infos", {})
    for key in _PROPRIO_KEYS:
        if isinstance(infos, dict) and key in infos:
            return _array(where, infos, key).astype(np.float32)[:, : task.proprio_size]
    raise DataError(f"{where} lacks env_infos.proprio, which {task.name} needs ({task.proprio_size} numbers a step).")
