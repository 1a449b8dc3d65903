"""TOTO's own dataset layout, ``parsed.pkl`` beside ``data/<traj_id>/`` with the images: import and export."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image

from pentathlon.core.errors import DataError
from pentathlon.learning.policies.trajectories import Floats, Source, Trajectory
from pentathlon.storage.pickles import read_arrays_pickle

PICKLE_NAME, IMAGES_FOLDER = "parsed.pkl", "data"
CAMERAS = ("cam0c", "cam0d")
"""Colour and depth; each trajectory names one file a step."""
LARGEST_DEPTH_M = 65.535
"""What 16 bits of millimetres hold; beyond it, and where nothing was seen, stands 0, as depth cameras write it."""


class Frame(NamedTuple):
    """What the bench camera saw at one step: ``image[H, W, 3]`` and, where it was kept, ``depth_m[H, W]``."""

    image: npt.NDArray[np.uint8]
    depth_m: npt.NDArray[np.float32] | None = None


FrameSource: TypeAlias = Callable[[Trajectory], Iterable[Frame]]


class _Pickler(pickle.Pickler):
    """Names only ``numpy.ndarray`` and ``numpy.dtype``: TOTO's numpy 1 has no ``numpy._core`` to find the rest in."""

    def reducer_override(self, value: Any) -> Any:
        if type(value) is not np.ndarray:
            return NotImplemented
        return np.ndarray, ((0,), np.dtype(np.int8)), value.__reduce__()[2]


def import_toto(path: Path, source: Source = "teleop") -> list[Trajectory]:
    """Reads ``parsed.pkl``, or the one in the folder ``path``.

    The file names of images come back in ``facts`` as ``cam0c`` and ``cam0d``, relative to ``data/<traj_id>/``.

    Args:
        path: the file or its folder.
        source: how the trajectories were recorded, which TOTO's layout does not say.

    Raises:
        DataError: when the file asks for anything but arrays and texts, is cut short, or lacks a field.
    """
    file = path / PICKLE_NAME if path.is_dir() else path
    content = read_arrays_pickle(file, "TOTO's parsed.pkl")
    if not isinstance(content, list) or not content:
        raise DataError(f"{file} holds {type(content).__name__}, expected a list of one or more trajectories.")
    return [_read(f"{file}, trajectory {index}", item, source) for index, item in enumerate(content)]


def export_toto(trajectories: Sequence[Trajectory], folder: Path, frames: FrameSource | None = None) -> None:
    """Writes trajectories in TOTO's layout.

    Colour goes to PNG, depth to 16-bit PNG in millimetres. Without ``frames`` no image is written, and the names
    are those that the facts hold, as after an import.

    Raises:
        DataError: when an id cannot name a folder or frames and steps differ in number.
    """
    folder.mkdir(parents=True, exist_ok=True)
    content = [_item(trajectory, folder, frames) for trajectory in trajectories]
    partial = folder / f"{PICKLE_NAME}.partial"
    with partial.open("wb") as file:
        _Pickler(file, protocol=4).dump(content)
    partial.replace(folder / PICKLE_NAME)


def _read(where: str, item: Any, source: Source) -> Trajectory:
    if not isinstance(item, dict):
        raise DataError(f"{where} is {type(item).__name__}, expected a dictionary with observations and actions.")
    trajectory_id = item.get("traj_id")
    if not isinstance(trajectory_id, str):
        raise DataError(f"{where} has traj_id {trajectory_id!r}, expected a text.")
    _check_name(trajectory_id)
    rewards = _floats(where, item, "rewards")
    names = {camera: _names(where, item[camera], len(rewards)) for camera in CAMERAS if camera in item}
    return Trajectory(
        id=trajectory_id,
        joints=_floats(where, item, "observations"),
        actions=_floats(where, item, "actions"),
        rewards=rewards,
        source=source,
        facts=names,
        embeddings=_floats(where, item, "embeddings") if "embeddings" in item else None,
    )


def _floats(where: str, item: dict[str, Any], key: str) -> Floats:
    if key not in item:
        raise DataError(f"{where} lacks {key!r}; it has {sorted(map(str, item))}.")
    try:
        array = np.asarray(item[key])
    except ValueError as error:
        raise DataError(f"{where} has {key!r} in rows of different lengths, expected an array.") from error
    if array.dtype.kind not in "fiub" or not array.ndim:
        raise DataError(f"{where} has {key!r} as {array.dtype}{list(array.shape)}, expected rows of numbers.")
    with np.errstate(over="ignore"):  # Too large a number becomes infinity, which the trajectory refuses.
        return array.astype(np.float32)


def _names(where: str, names: Any, steps: int) -> tuple[str, ...]:
    listed = names.tolist() if isinstance(names, np.ndarray) else names
    if not isinstance(listed, list | tuple) or not all(isinstance(name, str) for name in listed):
        raise DataError(f"{where} has {type(names).__name__} for image names, expected a list of texts.")
    if len(listed) not in (0, steps):
        raise DataError(f"{where} has {len(listed)} image names for {steps} steps, expected one for each.")
    for name in listed:
        _check_name(name)
    return tuple(listed)


def _check_name(name: str) -> None:
    if name in ("", ".", "..") or any(character in name for character in "/\\\0"):
        raise DataError(f"Expected the plain name of a file or folder, got {name!r}. It would lead out of the dataset.")


def _item(trajectory: Trajectory, folder: Path, frames: FrameSource | None) -> dict[str, Any]:
    _check_name(trajectory.id)
    colour, depth = (list(trajectory.facts.get(camera, ())) for camera in CAMERAS)
    if frames is not None:
        colour, depth = _write_images(trajectory, folder / IMAGES_FOLDER / trajectory.id, frames(trajectory))
    terminated = np.zeros(len(trajectory), np.float32)
    terminated[-1] = 1.0
    item = {
        "traj_id": trajectory.id,
        "observations": trajectory.joints,
        "cam0c": colour,
        "cam0d": depth,
        "actions": trajectory.actions,
        "rewards": trajectory.rewards,
        "terminated": terminated,
    }
    return item if trajectory.embeddings is None else {**item, "embeddings": trajectory.embeddings}


def _write_images(trajectory: Trajectory, folder: Path, frames: Iterable[Frame]) -> tuple[list[str], list[str]]:
    folder.mkdir(parents=True, exist_ok=True)
    colour, depth = [], []
    for step, frame in enumerate(frames):
        colour.append(f"{step:05d}_colour.png")
        Image.fromarray(frame.image).save(folder / colour[-1])
        if frame.depth_m is not None:
            depth.append(f"{step:05d}_depth.png")
            Image.fromarray(_millimetres(frame.depth_m)).save(folder / depth[-1])
    if len(colour) != len(trajectory):
        raise DataError(f"Trajectory {trajectory.id!r} has {len(trajectory)} steps but {len(colour)} frames.")
    return colour, depth


def _millimetres(depth_m: npt.NDArray[np.float32]) -> npt.NDArray[np.uint16]:
    seen = (depth_m >= 0.0) & (depth_m <= LARGEST_DEPTH_M)
    return (np.where(seen, depth_m, 0.0) * 1000.0).round().astype(np.uint16)
