"""What LeRobot's learners normalise by: the spread of every feature, gathered while episodes are written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from pentathlon.storage.lossless_video import Image

QUANTILES = {"q01": 0.01, "q10": 0.1, "q50": 0.5, "q90": 0.9, "q99": 0.99}
COUNT_EVERY_FRAMES = 10
"""Consecutive frames differ little; LeRobot samples its pictures too."""

Stats = dict[str, list[Any]]


class Spread:
    """The numbers and colours of a dataset so far: few enough to keep the numbers, colours as counts of 256 levels."""

    def __init__(self) -> None:
        self._columns: dict[str, list[npt.NDArray[Any]]] = defaultdict(list)
        self._levels = np.zeros((3, 256), np.int64)
        self._frames = 0

    def add(self, columns: Mapping[str, npt.NDArray[Any]]) -> None:
        """Takes the numbers of an episode, ``[T]`` or ``[T, W]`` by feature name."""
        for name, values in columns.items():
            self._columns[name].append(values)

    def watch(self, frames: Iterable[Image]) -> Iterator[Image]:
        """Passes the pictures of an episode on and counts the colours of some."""
        for step, frame in enumerate(frames):
            if step % COUNT_EVERY_FRAMES == 0:
                self._frames += 1
                for channel in range(3):
                    self._levels[channel] += np.bincount(frame[..., channel].ravel(), minlength=256)
            yield frame

    def stats(self, image_key: str) -> dict[str, Stats]:
        """The content of ``meta/stats.json``: per number of each feature, and per colour in [0, 1]."""
        numbers = {name: _of_numbers(np.concatenate(parts)) for name, parts in self._columns.items()}
        # A dataset without episodes has nothing to normalise by.
        return {image_key: self._of_colours(), **numbers} if self._frames else numbers

    def _of_colours(self) -> Stats:
        spreads = [_of_levels(levels) for levels in self._levels]
        stats: Stats = {name: [[[spread[name]]] for spread in spreads] for name in spreads[0]}
        return {**stats, "count": [self._frames]}


def _of_numbers(values: npt.NDArray[Any]) -> Stats:
    rows = values.reshape(len(values), -1).astype(np.float64)
    stats = {"min": rows.min(0), "max": rows.max(0), "mean": rows.mean(0), "std": rows.std(0)}
    stats |= {name: np.quantile(rows, share, axis=0) for name, share in QUANTILES.items()}
    return {**{name: numbers.tolist() for name, numbers in stats.items()}, "count": [len(rows)]}


def _of_levels(counts: npt.NDArray[np.int64]) -> dict[str, float]:
    values, shares = np.arange(256) / 255.0, counts / counts.sum()
    present = np.flatnonzero(counts)
    mean = float(values @ shares)
    stats = {"min": float(values[present[0]]), "max": float(values[present[-1]]), "mean": mean}
    stats["std"] = float(np.sqrt(shares @ (values - mean) ** 2))
    below = np.cumsum(counts)
    for name, share in QUANTILES.items():
        stats[name] = float(values[np.searchsorted(below, share * below[-1])])
    return stats
