"""Packs the houses of a split once, many at a time, and keeps them in the user's cache folder."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from random import Random

import platformdirs

from pentathlon.core.errors import UsageError
from pentathlon.worlds.houses.bodies.navigator import Navigator
from pentathlon.worlds.houses.generate import GENERATOR
from pentathlon.worlds.houses.gpu.packed import PACKED_VERSION, PackedHouse, pack_house
from pentathlon.worlds.houses.scene.house_scene import compile_house
from pentathlon.worlds.houses.splits import split_house
from pentathlon.worlds.rendering.raycaster import RAYCAST_VERSION


def packed_houses(
    split: str, places: Sequence[int], *, folder: Path | None = None, workers: int = 1
) -> Iterator[PackedHouse]:
    """Yields houses of a split as they become ready, those that were packed before first.

    Args:
        split: `train`, `val` or `test`.
        places: of the houses in their split.
        folder: where packed houses are kept; in the user's cache when not given.
        workers: processes that pack.
    """
    if workers < 1:
        raise UsageError(f"Expected at least one worker, got {workers}.")
    kept = default_folder() if folder is None else folder
    kept.mkdir(parents=True, exist_ok=True)
    missing = [place for place in places if not _file(kept, split, place).exists()]
    for place in places:
        if place not in missing:
            yield PackedHouse.load(_file(kept, split, place))
    Random(os.getpid()).shuffle(missing)  # trainings beside each other pack different houses, each for all of them
    if workers == 1:
        for place in missing:
            yield PackedHouse.load(pack_one(kept, split, place))
        return
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    try:
        jobs = [pool.submit(pack_one, kept, split, place) for place in missing]
        for job in as_completed(jobs):
            yield PackedHouse.load(job.result())
    finally:  # who has enough houses waits for no more
        pool.shutdown(wait=False, cancel_futures=True)


def pack_one(folder: Path, split: str, place: int) -> Path:
    """Packs one house into a file of the folder, unless another process has by now, and returns that."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    file = _file(folder, split, place)
    if file.exists():
        return file
    navigator = Navigator(compile_house(split_house(split, place), switchable=False))
    try:
        pack_house(navigator).save(file)
    finally:
        navigator.close()
    return file


def default_folder() -> Path:
    """Returns where packed houses are kept; other versions of houses and pictures lie elsewhere."""
    version = f"{GENERATOR}-eyes{RAYCAST_VERSION}-packed{PACKED_VERSION}"
    return platformdirs.user_cache_path("pentathlon") / "packed-houses" / version


def _file(folder: Path, split: str, place: int) -> Path:
    return folder / f"{split}-{place:05d}.npz"
