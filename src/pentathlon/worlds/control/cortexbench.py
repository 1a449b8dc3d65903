"""Reads demonstrations in CortexBench's pickle layout, with an unpickler that builds numpy arrays and nothing else."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import DataError
from pentathlon.worlds.control.tasks import ControlTask

_PROPRIO_KEYS = ("proprio", "gripper_proprio")
# What numpy's own pickles name, under the module paths of numpy 1 and 2. None of these can call anything else.
_ALLOWED = {
    ("numpy", "dtype"),
    ("numpy", "ndarray"),
    ("_codecs", "encode"),
    ("collections", "OrderedDict"),
    *(
        (f"numpy.{core}.{module}", name)
        for core in ("core", "_core")
        for module, name in (("multiarray", "_reconstruct"), ("multiarray", "scalar"), ("numeric", "_frombuffer"))
    ),
}


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


class _ArrayUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _ALLOWED:
            raise DataError(
                f"The pickle asks for {module}.{name}, which is refused: expected numpy arrays, lists and dictionaries "
                "only. Do not open this file with other programs unless you trust its maker."
            )
        return super().find_class(module, name)


def read_cortexbench(path: Path, task: ControlTask) -> list[ImportedDemonstration]:
    """Reads ``<env_id>.pickle``: a list of dictionaries with ``images``, ``actions``, ``rewards`` and ``env_infos``.

    Raises:
        DataError: when the file asks for anything but arrays, is cut short, or lacks a field.
    """
    paths = _unpickle(path)
    if not isinstance(paths, list) or not paths:
        raise DataError(f"{path} holds {type(paths).__name__} of length {_length(paths)}, expected a list of paths.")
    return [_convert(f"{path}, path {index}", item, task) for index, item in enumerate(paths)]


def _unpickle(path: Path) -> Any:
    try:
        with path.open("rb") as file:
            return _ArrayUnpickler(file).load()
    except DataError as error:
        raise DataError(f"{path}: {error}") from error
    except Exception as error:  # A broken pickle may raise nearly anything.
        raise DataError(
            f"{path} cannot be read as a CortexBench file: {type(error).__name__}: {error}. It may be cut short: "
            "copy it again and compare its size."
        ) from error


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
