"""Packs the pictures of a dataset of act for pre-training an encoder on them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from pentathlon.core import DataError, to_plain
from pentathlon.core.making import Item, Pool
from pentathlon.events.act.data.dataset import Dataset, get_dataset
from pentathlon.learning.pretraining.frames import fit_square, write_shard
from pentathlon.storage.making import SERIAL, make_missing


@dataclass(frozen=True)
class Job:
    """One shard: the pictures of one episode."""

    data: str
    index: int
    size_px: int
    every: int


def pack_frames(dataset: Dataset, out: Path, size_px: int, *, every: int = 1, pool: Pool = SERIAL) -> int:
    """Writes the shards that are not there yet, one per episode, and returns the number of frames in all.

    Args:
        dataset: whose pictures are packed.
        out: folder for the shards.
        size_px: side of a frame.
        every: one of so many pictures is taken; neighbours are nearly equal.
        pool: who packs.

    Raises:
        DataError: when there are shards of another size.
    """
    data = dataset.folder.absolute()
    items = [
        # Named by the dataset too, so that several may lie in one folder.
        Item(str(out.absolute() / f"{data.name}-{index:05d}.npy"), to_plain(Job(str(data), index, size_px, every)))
        for index in range(len(dataset.trajectories()))
    ]
    make_missing(f"{__name__}:pack_episode", items, pool=pool)
    return sum(_count(Path(item.path), size_px) for item in items)


def pack_episode(path: Path, about: dict[str, Any]) -> None:
    """Writes the shard that ``about``, a :class:`Job`, describes."""
    job = msgspec.convert(about, Job)
    pictures = _open(job.data).pictures(job.index)
    chosen = (picture for number, picture in enumerate(pictures) if number % job.every == 0)
    write_shard(path, (fit_square(picture, job.size_px) for picture in chosen))


@lru_cache(maxsize=1)
def _open(data: str) -> Dataset:
    return get_dataset(data)


def _count(path: Path, size_px: int) -> int:
    shard = np.load(path, mmap_mode="r")
    if shard.shape[1:3] != (size_px, size_px):
        raise DataError(
            f"Expected frames of {size_px} pixels in {path}, got {list(shard.shape[1:3])}. "
            "Choose another folder for the shards, or remove them."
        )
    return len(shard)
