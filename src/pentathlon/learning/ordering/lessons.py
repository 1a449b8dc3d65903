"""Films to learn order from: some frames of each as arrays, and which step each frame belongs to.

``kitchen-<n>.npy`` holds the frames of a kitchen's films one after the other, ``kitchen-<n>.json`` what was done in
them. The frames are written first: facts that are there are whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import DataError
from pentathlon.storage.files import write_durably

if TYPE_CHECKING:
    import torch

Frames = npt.NDArray[np.uint8]
SIDE_PX = 112


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A film.

    Attributes:
        steps: what was done, in words, in order.
        labels: of each kept frame, which step it belongs to.
    """

    steps: tuple[str, ...]
    labels: tuple[int, ...]


class Kitchen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The films of one kitchen, and why some could not be made."""

    lessons: tuple[Lesson, ...]
    skipped: tuple[str, ...] = ()


def halved(frames: Frames) -> Frames:
    """Returns frames of half the size, each pixel the mean of four."""
    count, height, width, _ = frames.shape
    parts = frames.reshape(count, height // 2, 2, width // 2, 2, 3).astype(np.uint16)
    return np.asarray((parts.sum(axis=(2, 4)) + 2) // 4, np.uint8)


def write_kitchen(path: Path, kitchen: Kitchen, frames: Frames) -> None:
    """Writes the films of a kitchen; ``path`` is that of the facts."""
    partial = path.with_suffix(".partial.npy")
    np.save(partial, frames)
    partial.replace(path.with_suffix(".npy"))
    write_durably(path, msgspec.json.encode(kitchen))


@dataclass(frozen=True, eq=False)
class Library:
    """All films that were read.

    Attributes:
        frames: ``uint8[N, H, W, 3]`` of all films, on a device.
        starts: of each film, the place of its first frame.
        lessons: of each film.
        kitchens: of each film, its kitchen's place among the files.
    """

    frames: torch.Tensor
    starts: npt.NDArray[np.int64]
    lessons: tuple[Lesson, ...]
    kitchens: npt.NDArray[np.int64]


def read_library(folder: Path, device: torch.device) -> Library:
    """Reads every kitchen of a folder.

    Raises:
        DataError: when there is none.
    """
    from pentathlon.learning.loading import read_stacked

    paths = [path for path in sorted(folder.glob("kitchen-*.json")) if path.stat().st_size]
    facts = [msgspec.json.decode(path.read_bytes(), type=Kitchen) for path in paths]
    if not any(kitchen.lessons for kitchen in facts):
        raise DataError(f"Expected films in {folder}, got none. Make them: pentathlon data judge-lessons.")
    whole = read_stacked([path.with_suffix(".npy") for path in paths], device)
    lessons = tuple(lesson for kitchen in facts for lesson in kitchen.lessons)
    lengths = [len(lesson.labels) for lesson in lessons]
    owners = np.repeat(np.arange(len(facts)), [len(kitchen.lessons) for kitchen in facts])
    return Library(whole, np.cumsum([0, *lengths])[:-1].astype(np.int64), lessons, owners)


def known_steps(lessons: Sequence[Lesson]) -> tuple[str, ...]:
    """Lists every step of some films once, sorted."""
    return tuple(sorted({step for lesson in lessons for step in lesson.steps}))
