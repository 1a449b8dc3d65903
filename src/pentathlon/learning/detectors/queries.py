"""An endless stream of training queries: frames, sets of attributes that hold of what is seen there, and sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from pentathlon.learning.detectors.attributes import ALWAYS, padded
from pentathlon.learning.detectors.corpus import Corpus
from pentathlon.learning.detectors.sentences import random_sentence
from pentathlon.learning.detectors.vocabulary import RELATIONS
from pentathlon.models.image_text.dense import SENTENCE_TOKENS
from pentathlon.models.image_text.word_pieces import WordPieces

Rng = np.random.Generator

FEWEST_PX = 60
SWAPPED_SHARE = 0.6
RARE_SHARE = 0.5
"""Of the frames, those that are drawn by how rare is what they show."""
_LOOKS = ("colour", "material", "size")


class Batch(NamedTuple):
    """Numbers of frames ``[B]``, attributes of queries ``[Q, parts]`` and tokens of their sentences ``[Q, L]``."""

    frames: Tensor
    queries: Tensor
    tokens: Tensor


class _Lists:
    """The numbers of the bits that are set in each row."""

    def __init__(self, bits: npt.NDArray[np.bool_], numbers: npt.NDArray[np.int64]) -> None:
        rows, columns = np.nonzero(bits)
        self._values = numbers[columns]
        self._starts = np.searchsorted(rows, np.arange(len(bits) + 1))

    def __getitem__(self, row: int) -> npt.NDArray[np.int64]:
        return self._values[self._starts[row] : self._starts[row + 1]]


class QueryMaker:
    """Draws what to say of an object."""

    def __init__(self, corpus: Corpus) -> None:
        self._attributes = corpus.attributes
        self._columns = corpus.attributes.columns()
        self._share = {kind: np.sqrt(corpus.bits[:, at].mean(0) + 1e-5) for kind, at in self._columns.items()}
        self._of = {kind: _Lists(corpus.bits[:, at], at) for kind, at in self._columns.items() if kind != "always"}

    def query(self, thing: int, rng: Rng) -> list[int]:
        """Returns attributes that hold of an object; the second, if any, is one that may be swapped."""
        draw = rng.random()
        noun = self._one("group" if draw < 0.08 and self._has("group", thing) else "type", thing, rng)
        looks = [kind for kind in _LOOKS if self._has(kind, thing)]
        links = [kind for kind in RELATIONS if self._has(kind, thing)]
        if draw < 0.36:
            return [noun]
        if draw < 0.64 and looks:
            chosen = rng.permutation(looks)[: 1 + rng.integers(len(looks))]
            return [noun, *(number for kind in chosen for number in self._look(kind, thing, rng))]
        if draw < 0.90 and links:
            return [noun, *self._linked(thing, links, rng)]
        if draw < 0.95 and self._has("state", thing):
            return [noun, self._one("state", thing, rng)]
        if draw < 0.98 and self._has("room", thing):
            return [noun, self._one("room", thing, rng)]
        bare = [self._one(kind, thing, rng) for kind in ("colour", "material") if kind in looks]
        return bare or [noun]

    def swapped(self, parts: list[int], rng: Rng) -> list[int]:
        """Returns the query with another colour, material, size, state, room or other thing."""
        kind = self._attributes.kind(parts[1])
        chance = self._share[kind] / self._share[kind].sum()
        return [parts[0], int(rng.choice(self._columns[kind], p=chance)), *parts[2:]]

    def _look(self, kind: str, thing: int, rng: Rng) -> list[int]:
        """Draws an attribute, at times two colours of a thing that has them."""
        many = 2 if kind == "colour" and rng.random() < 0.3 else 1
        return [int(number) for number in rng.permutation(self._of[kind][thing])[:many]]

    def _linked(self, thing: int, links: list[str], rng: Rng) -> list[int]:
        """Says what it is on, in or under, what it is near, or both; at times its colour too."""
        tight = [kind for kind in links if kind != "near"]
        first = tight if tight and rng.random() < 0.75 else links
        said = [self._one(first[rng.integers(len(first))], thing, rng)]
        if "near" in links and rng.random() < 0.35:
            others = self._of["near"][thing]
            said += rng.permutation(others)[: 1 + rng.integers(2)].tolist()
        if self._has("colour", thing) and rng.random() < 0.2:
            said.append(self._one("colour", thing, rng))
        return list(dict.fromkeys(said))

    def _has(self, kind: str, thing: int) -> bool:
        return len(self._of[kind][thing]) > 0

    def _one(self, kind: str, thing: int, rng: Rng) -> int:
        among = self._of[kind][thing]
        return int(among[rng.integers(len(among))])


class QueryStream(IterableDataset[Batch]):
    """Batches, forever; rare types are asked for more often than they occur."""

    def __init__(self, corpus: Corpus, pieces: WordPieces, batch_size: int, per_frame: int, seed: int) -> None:
        self._corpus, self._pieces, self._maker = corpus, pieces, QueryMaker(corpus)
        self._batch_size, self._per_frame, self._seed = batch_size, per_frame, seed
        self._weight = 1 / np.sqrt(corpus.counts())
        uncommon = corpus.uncommon
        self._fits = [_fit(rows, uncommon) for rows in corpus.visible]
        self._frames = np.array([i for i, fits in enumerate(self._fits) if len(fits)])
        self._until = np.cumsum(self._chances())

    def __iter__(self) -> Iterator[Batch]:
        worker = get_worker_info()
        rng = np.random.default_rng([self._seed, 0 if worker is None else worker.id])
        while True:
            yield self._batch(rng)

    def _chances(self) -> npt.NDArray[np.float64]:
        """Half of the frames are drawn alike, half by the rarest type that is seen in them."""
        types = self._corpus.types
        views = Counter(types[thing] for fits in self._fits for thing in fits)
        rarest = np.array([min(views[types[thing]] for thing in self._fits[frame]) for frame in self._frames])
        rare = 1 / np.sqrt(rarest)
        chances: npt.NDArray[np.float64] = (1 - RARE_SHARE) / len(rare) + RARE_SHARE * rare / rare.sum()
        return chances

    def _batch(self, rng: Rng) -> Batch:
        drawn = np.searchsorted(self._until, rng.random(self._batch_size))
        frames = self._frames[np.minimum(drawn, len(self._frames) - 1)]
        queries: list[list[int]] = []
        for frame in frames:
            queries += self._queries(self._fits[frame], rng)
        numbers = padded(queries)
        said = [random_sentence(self._corpus.attributes, row[row != ALWAYS].tolist(), rng) for row in numbers]
        tokens = self._pieces(said, SENTENCE_TOKENS)
        return Batch(torch.from_numpy(frames), torch.from_numpy(numbers), torch.from_numpy(tokens))

    def _queries(self, fits: npt.NDArray[np.int64], rng: Rng) -> Iterator[list[int]]:
        chance = self._weight[fits] / self._weight[fits].sum()
        for thing in rng.choice(fits, size=min(self._per_frame, len(fits)), replace=False, p=chance):
            parts = self._maker.query(int(thing), rng)
            yield parts
            if len(parts) > 1 and rng.random() < SWAPPED_SHARE:
                yield self._maker.swapped(parts, rng)


def _fit(rows: npt.NDArray[np.float32], uncommon: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    things = rows[rows[:, 1] >= FEWEST_PX, 0].astype(np.int64)
    fits: npt.NDArray[np.int64] = things[~uncommon[things]]
    return fits


def open_stream(stream: QueryStream, workers: int, pinned: bool) -> Iterator[Batch]:
    """Reads a stream in as many processes, or in this one when there are none."""
    ahead = 4 if workers else None
    loader = DataLoader(stream, batch_size=None, num_workers=workers, prefetch_factor=ahead, pin_memory=pinned)
    return iter(loader)
