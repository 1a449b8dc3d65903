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
class Packing:
    """How pictures are packed.

    Attributes:
        size_px: side of a frame; 146 leaves room for crops of 128.
        every: one of so many pictures is taken; neighbours are nearly equal.
    """

    size_px: int = 146
    every: int = 1


@dataclass(frozen=True)
class Job:
    """One shard: the pictures of one episode."""

    data: str
    index: int
    packing: Packing


def pack_frames(dataset: Dataset, out: Path, packing: Packing, *, pool: Pool = SERIAL) -> int:
    """Writes the shards that are not there yet, one per episode, and returns the number of frames in all.

    Raises:
        DataError: when there are shards of another size.
    """
    data = str(dataset.folder.absolute())
    items = [
        Item(str(out.absolute() / f"episode-{index:05d}.npy"), to_plain(Job(data, index, packing)))
        for index in range(len(dataset.trajectories()))
    ]
    make_missing(f"{__name__}:pack_episode", items, pool=pool)
    return sum(_count(Path(item.path), packing) for item in items)


def pack_episode(path: Path, about: dict[str, Any]) -> None:
    """Writes the shard that ``about``, a :class:`Job`, describes."""
    job = msgspec.convert(about, Job)
    pictures = _open(job.data).pictures(job.index)
    chosen = (picture for number, picture in enumerate(pictures) if number % job.packing.every == 0)
    write_shard(path, (fit_square(picture, job.packing.size_px) for picture in chosen))


@lru_cache(maxsize=1)
def _open(data: str) -> Dataset:
    return get_dataset(data)


def _count(path: Path, packing: Packing) -> int:
    shard = np.load(path, mmap_mode="r")
    if shard.shape[1:3] != (packing.size_px, packing.size_px):
        raise DataError(
            f"Expected frames of {packing.size_px} pixels in {path}, got {list(shard.shape[1:3])}. "
            "Choose another folder for the shards, or remove them."
        )
    return len(shard)
