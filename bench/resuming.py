"""Computes one record per seed, in processes, and keeps each as a line of JSON, so that a long bench can be resumed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

AHEAD = 4


class Seeded(Protocol):
    """What a seed gave."""

    @property
    def seed(self) -> int:
        """That seed."""


Record = TypeVar("Record", bound=Seeded)


def resumed(
    compute: Callable[[int], Record], kind: type[Record], seeds: Sequence[int], workers: int, path: Path | None
) -> Iterator[Record]:
    """Yields the record of each seed, in order, computing only those that the file lacks.

    Args:
        compute: makes the record of a seed; for several workers it must be known to other processes by its name.
        kind: of a record: a dataclass; its seed tells the file's lines apart.
        seeds: what to go through; a caller may stop at any of them.
        workers: processes.
        path: where lines are added as they come; None keeps nothing.
    """
    lines = path.read_text().splitlines() if path is not None and path.exists() else []
    known = {record.seed: record for record in (msgspec.json.decode(line, type=kind) for line in lines)}
    fresh = _computed(compute, [seed for seed in seeds if seed not in known], workers)
    for seed in seeds:
        if seed in known:
            yield known[seed]
            continue
        record = next(fresh)
        if path is not None:
            with path.open("ab") as file:
                file.write(msgspec.json.encode(record) + b"\n")
        yield record


def _computed(compute: Callable[[int], Record], seeds: Sequence[int], workers: int) -> Iterator[Record]:
    """Yields records in order, at most a few per worker ahead of who takes them."""
    if workers == 1:
        yield from map(compute, seeds)
        return
    with ProcessPoolExecutor(workers) as pool:
        left = iter(seeds)
        waiting = [pool.submit(compute, seed) for seed in islice(left, AHEAD * workers)]
        while waiting:
            yield waiting.pop(0).result()
            waiting += [pool.submit(compute, seed) for seed in islice(left, 1)]
