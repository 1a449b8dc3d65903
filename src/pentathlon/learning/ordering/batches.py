"""Draws films with frames at equal steps, their labels, and right and wrong descriptions of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from pentathlon.learning.ordering.lessons import Library, known_steps
from pentathlon.learning.ordering.wrong import candidates

LONGEST = 9
OTHERS = 12


class Batch(NamedTuple):
    """Some films.

    Attributes:
        frames: ``uint8[B, T, H, W, 3]``.
        labels: ``[B, T]``, the step of each frame, by its number among all known ones.
        lists: ``[B, K, LONGEST]``, descriptions as numbers of steps, the true one first.
        lengths: ``[B, K]``, their steps; 0 where there is no more description.
    """

    frames: Tensor
    labels: Tensor
    lists: Tensor
    lengths: Tensor


class FilmDraws:
    """Draws batches from a library, some of its films being kept to measure on."""

    def __init__(self, library: Library, frames: int, wrong: int, every: int, seed: int) -> None:
        self._library, self._frames, self._wrong = library, frames, wrong
        self.steps = known_steps(library.lessons)
        number = {step: place for place, step in enumerate(self.steps)}
        self._true = [tuple(number[step] for step in lesson.steps) for lesson in library.lessons]
        kept = library.kitchens % every == every - 1
        fits = np.array([len(true) <= LONGEST - 1 for true in self._true])
        self.learnt, self.held_out = np.flatnonzero(~kept & fits), np.flatnonzero(kept & fits)
        self._kitchen: dict[int, list[int]] = {}
        for owner, true in zip(library.kitchens.tolist(), self._true, strict=True):
            self._kitchen.setdefault(owner, []).extend(true)
        self._rng = np.random.default_rng(seed)

    def draw(self, count: int) -> Batch:
        """Draws films to learn from, at moments that differ a little each time."""
        return self.take(self._rng.choice(self.learnt, count, replace=len(self.learnt) < count), self._rng)

    def take(self, films: Sequence[int] | np.typing.NDArray[np.int64], rng: np.random.Generator | None) -> Batch:
        """Takes films by number; without ``rng`` at equal steps and with the same wrong descriptions every time."""
        places, labels = zip(*(self._moments(int(film), rng) for film in films), strict=True)
        told = [self._told(int(film), rng or np.random.default_rng(int(film))) for film in films]
        lists = np.zeros((len(told), 1 + self._wrong, LONGEST), np.int64)
        lengths = np.zeros(lists.shape[:2], np.int64)
        for row, found in enumerate(told):
            for column, steps in enumerate(found):
                lists[row, column, : len(steps)], lengths[row, column] = steps, len(steps)
        device = self._library.frames.device
        frames = self._library.frames[torch.from_numpy(np.stack(places)).to(device)]
        return Batch(frames, *(torch.from_numpy(part).to(device) for part in (np.stack(labels), lists, lengths)))

    def _moments(self, film: int, rng: np.random.Generator | None) -> tuple[np.typing.NDArray[np.int64], ...]:
        lesson = self._library.lessons[film]
        last = len(lesson.labels) - 1
        places = np.linspace(0, last, self._frames)
        if rng is not None:
            places = places + rng.uniform(-0.5, 0.5, self._frames) * last / self._frames
        chosen = np.clip(np.round(places), 0, last).astype(np.int64)
        labels = np.array([self._true[film][label] for label in lesson.labels], np.int64)
        return self._library.starts[film] + chosen, labels[chosen]

    def _told(self, film: int, rng: np.random.Generator) -> list[tuple[int, ...]]:
        """What films of the same kitchen show is taken for it most easily; some of all others is added."""
        near = self._kitchen[int(self._library.kitchens[film])]
        others = [*near, *rng.integers(len(self.steps), size=max(1, min(OTHERS, len(near) // 2))).tolist()]
        return candidates(self._true[film], others, self._wrong, LONGEST, rng)
