"""Packs the pictures of a dataset of act for pre-training an encoder on them.

Usage:
    python -m pentathlon.events.act.data.frames --data act/pour-lite --out FRAMES
    pentathlon train contrastive --method byol --backbone resnet18 --data FRAMES --out ENCODER
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pentathlon.core import DataError
from pentathlon.events.act.data.dataset import Dataset, get_dataset
from pentathlon.learning.arguments import parse_arguments
from pentathlon.learning.pretraining.frames import Frames, fit_square
from pentathlon.storage.files import replacing


@dataclass(frozen=True)
class Packing:
    """What to pack; one shard per episode."""

    data: str
    """A dataset's name, such as act/pour-lite, or its folder."""
    out: Path
    """Folder for the shards."""
    size_px: int = 146
    """Side of a frame; 146 leaves room for crops of 128."""
    every: int = 1
    """Take one of so many pictures; neighbours are nearly equal."""


def pack_frames(dataset: Dataset, packing: Packing) -> int:
    """Writes the shards that are not there yet and returns the number of frames in all.

    Raises:
        DataError: when there are shards of another size.
    """
    packing.out.mkdir(parents=True, exist_ok=True)
    count = 0
    for index in range(len(dataset.trajectories())):
        path = packing.out / f"episode-{index:05d}.npy"
        if not path.exists():
            with replacing(path) as temporary, temporary.open("wb") as file:
                np.save(file, np.stack(list(_squares(dataset, index, packing))))
        shard = np.load(path, mmap_mode="r")
        if shard.shape[1:3] != (packing.size_px, packing.size_px):
            raise DataError(
                f"Expected frames of {packing.size_px} pixels in {path}, got {list(shard.shape[1:3])}. "
                "Choose another folder for the shards, or remove them."
            )
        count += len(shard)
    return count


def _squares(dataset: Dataset, index: int, packing: Packing) -> Iterator[Frames]:
    for number, picture in enumerate(dataset.pictures(index)):
        if number % packing.every == 0:
            yield fit_square(picture, packing.size_px)


def main() -> None:
    """Packs as the command line says."""
    packing = parse_arguments(Packing)
    print(f"{packing.out}: {pack_frames(get_dataset(packing.data), packing)} frames")


if __name__ == "__main__":
    main()
