"""What every localizer offers: where in a picture the thing is that a sentence describes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
Depth = npt.NDArray[np.float32]
RelevanceMap = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Relevance:
    """How well each place of a picture fits the sentence.

    Attributes:
        map: ``[h, w]``, finite, higher fits better; its grid covers the whole picture and may be coarser.
        go: above it a place counts as the target while walking.
        stop: above it a place counts as the target when the walk is to end; at least ``go``.
    """

    map: RelevanceMap
    go: float
    stop: float


class Localizer(Protocol):
    """Finds what a sentence describes in one picture after another."""

    @property
    def name(self) -> str:
        """As records show it."""
        ...

    def describe(self, sentence: str, category: str) -> None:
        """Starts an episode: whatever depends on the words alone is computed here.

        Args:
            sentence: the whole description.
            category: the noun of what it describes, such as ``mug``.
        """
        ...

    def relevance(self, rgb: Picture, depth_m: Depth) -> Relevance:
        """Tells where in ``rgb[H, W, 3]``, seen with ``depth_m[H, W]``, the described thing is."""
        ...


@runtime_checkable
class PhraseLocalizer(Localizer, Protocol):
    """A localizer that looks for several things at once."""

    def describe_beside(self, phrases: Sequence[str]) -> None:
        """Lets it look for other things too; the next :meth:`describe` forgets them."""
        ...

    def beside(self) -> tuple[Relevance, ...]:
        """Tells where those are in the picture of the last :meth:`relevance`."""
        ...
