"""Where a thing is said to be, asked of the map: what is named beside it must have been seen there, in space."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from pentathlon.models.localizers import Relevance
from pentathlon.models.navigation.back_projection import Points
from pentathlon.models.navigation.mapper import FloorMap
from pentathlon.models.navigation.memory import sampled

Floats = npt.NDArray[np.float32]
Relation = Literal["on", "in", "under", "near"]

FLOOR = "floor"
FLOOR_TOP_M = 0.5
"""What stands on the floor reaches below this; tables are higher."""
REACH_M: dict[Relation, float] = {"on": 0.4, "in": 0.4, "under": 0.5, "near": 0.75}
"""How far from a thing, along the floor, a part of the other one must have been seen."""
FOR: dict[Relation, float] = {"on": 1.0, "in": 1.5, "under": 2.5, "near": 0.5}
AGAINST: dict[Relation, float] = {"on": 1.5, "in": 1.5, "under": 1.5, "near": 0.6}
"""By how much a score, which is a logit, rises where the other thing was seen, and falls where it was not.

They are guessed logarithms of how much more often that holds of the target than of what is taken for it: many things
stand on the same desk, few lie under a bed, and four of five beds are seen where they are. None was tuned.
"""
FLOOR_FOR, FLOOR_AGAINST = 0.7, 2.5
TIGHT: tuple[Relation, ...] = ("on", "in", "under")
DOUBT = 1.0
"""A score of the other thing so far below its threshold counts as nothing, so far above it as all."""
COVER_M = 0.03
EVERY, FEW_PX = 5, 4096
"""Of more than so many pixels, one of five is enough to know where the other things are."""
_WORDS: dict[str, Relation] = {
    "on top of": "on", "on": "on", "underneath": "under", "under": "under", "below": "under", "inside": "in",
    "in": "in", "near": "near", "next to": "near", "close to": "near",
}  # fmt: skip
_SPLIT = re.compile(rf",?\s+({'|'.join(_WORDS)})\s+")
_ARTICLE = re.compile(r"^(a|an|the)\s+")


class Link(NamedTuple):
    """What a sentence says of a thing's place: its relation to something of a name."""

    relation: Relation
    noun: str


class Said(NamedTuple):
    """A sentence taken apart: what the thing is and looks like, and where it is."""

    head: str
    links: tuple[Link, ...]


def take_apart(sentence: str, category: str) -> Said:
    """Splits a sentence before its relations; it stays whole where the category does not come before them."""
    head, *rest = _SPLIT.split(sentence.strip())
    if category.lower() not in head.lower():
        return Said(sentence, ())
    links: list[Link] = []
    for word, others in zip(rest[::2], rest[1::2], strict=True):
        links += [Link(_WORDS[word], _ARTICLE.sub("", noun.strip())) for noun in others.split(", ") if noun.strip()]
    return Said(head, tuple(links))


class Surroundings:
    """Remembers where the other things of a sentence were seen, and weighs the target's relevance by it.

    Attributes:
        links: what is said of the target's place.
    """

    def __init__(self, floor: FloorMap, links: Sequence[Link]) -> None:
        self.links = tuple(links)
        self._floor = floor
        self._seen = [np.full(floor.state.shape, -np.inf, np.float32) for _ in self.others]
        self._top_m = [np.full(floor.state.shape, -np.inf, np.float32) for _ in self.others]
        self._rounds = {relation: _disc(reach_m / floor.cell_m) for relation, reach_m in REACH_M.items()}

    @property
    def others(self) -> tuple[Link, ...]:
        """The links to things that can be looked for; the floor is known."""
        return tuple(link for link in self.links if link.noun != FLOOR)

    def weigh(self, points: Points, relevance: Relevance, beside: Sequence[Relevance]) -> Relevance:
        """Returns the relevance, higher where what is said of its place was seen to be so, lower where it was not.

        Pixels that nobody asks about, neither relevant enough nor among those that are remembered, stay as they are.

        Args:
            points: of the pixels of ``relevance.map``, on the agent's map.
            relevance: of the thing itself.
            beside: of the other things, on the same grid, in the order of :attr:`others`.
        """
        rows, columns = self._floor.cells(points)
        known = (rows >= 0) & (columns >= 0) & np.isfinite(points.z_m)
        if not known.any():
            return relevance
        few = np.flatnonzero(known)
        few = few[:: EVERY if len(few) > FEW_PX else 1]
        counts = relevance.map > relevance.go
        counts[sampled(counts.shape)] = True
        counts &= known
        cells, z_m = (rows[counts], columns[counts]), points.z_m[counts]
        gain = np.zeros(len(z_m), np.float32)
        for link in self.links:
            if link.noun == FLOOR:
                gain += np.where(z_m < FLOOR_TOP_M, FLOOR_FOR, -FLOOR_AGAINST).astype(np.float32)
        for number, (link, other) in enumerate(zip(self.others, beside, strict=True)):
            above = other.map.ravel()[few] - np.float32(other.go)
            self._remember(number, (rows.ravel()[few], columns.ravel()[few]), points.z_m.ravel()[few], above)
            sure = self._evidence(number, link.relation, cells, z_m)
            gain += sure * FOR[link.relation] - (1.0 - sure) * AGAINST[link.relation]
        weighed = relevance.map.copy()
        weighed[counts] += gain
        return Relevance(weighed, relevance.go, relevance.stop)

    def anchors(self) -> npt.NDArray[np.bool_]:
        """Tells in which cells of the map there is something that the target is on, in or under."""
        found = np.zeros(self._floor.state.shape, bool)
        for seen, link in zip(self._seen, self.others, strict=True):
            if link.relation in TIGHT:
                found |= seen > 0
        return found

    def _remember(self, number: int, cells: tuple[npt.NDArray[np.int32], ...], z_m: Floats, above: Floats) -> None:
        np.maximum.at(self._seen[number], cells, above)
        there = above > 0
        np.maximum.at(self._top_m[number], tuple(axis[there] for axis in cells), z_m[there])

    def _evidence(
        self, number: int, relation: Relation, cells: tuple[npt.NDArray[np.int32], ...], z_m: Floats
    ) -> Floats:
        """How sure it is, from 0 to 1, that the other thing is near each point, and above it if that is said."""
        if not len(z_m):
            return z_m
        disc = self._rounds[relation]
        low = [max(0, int(axis.min()) - len(disc)) for axis in cells]
        part = tuple(slice(a, int(axis.max()) + len(disc) + 1) for a, axis in zip(low, cells, strict=True))
        at = tuple(axis - a for axis, a in zip(cells, low, strict=True))
        nearby = ndimage.maximum_filter(self._seen[number][part], footprint=disc)[at]
        sure: Floats = np.clip((nearby + DOUBT) / (2 * DOUBT), 0.0, 1.0).astype(np.float32)
        if relation == "under":
            top_m = ndimage.maximum_filter(self._top_m[number][part], footprint=disc)[at]
            sure[z_m > top_m - COVER_M] = 0.0
        return sure


def _disc(radius: float) -> npt.NDArray[np.bool_]:
    reach = int(radius)
    along = np.arange(-reach, reach + 1)
    disc: npt.NDArray[np.bool_] = np.hypot(along[:, None], along) <= radius
    return disc
