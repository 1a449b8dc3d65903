"""Localizers that look at pictures of several walkers at once; each of them also serves one walker alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

from pentathlon.models.localizers.contract import Depth, Picture, Relevance
from pentathlon.models.localizers.prompts import require_described

Words = TypeVar("Words")


class BatchLocalizer(Protocol[Words]):
    """Finds what several sentences describe, each in a picture of its own; it remembers nothing."""

    @property
    def name(self) -> str:
        """As records show it."""
        ...

    @property
    def device(self) -> str:
        """What it looks with, as records show it; empty where it does not tell."""
        ...

    def understand(self, sentence: str, category: str, beside: Sequence[str] = ()) -> Words:
        """Computes whatever depends on the words alone; ``beside`` names other things to look for."""
        ...

    def look(self, asked: Sequence[Words], rgb: Sequence[Picture], depth_m: Sequence[Depth]) -> list[Seen]:
        """Looks at pictures of one size; all three have one length, and so has what it returns."""
        ...


Seen = tuple[Relevance, ...]
"""Where the described thing is, and then each of the things beside it."""


class OneWalker(Generic[Words]):
    """Keeps the sentence of one walker, and looks at its pictures one by one."""

    name: str
    device: str = ""
    """What it looks with, as records show it; empty where it does not tell."""
    _words: Words | None = None
    _beside: Seen = ()

    def understand(self, sentence: str, category: str, beside: Sequence[str] = ()) -> Words:
        """Computes whatever depends on the words alone."""
        raise NotImplementedError

    def look(self, asked: Sequence[Words], rgb: Sequence[Picture], depth_m: Sequence[Depth]) -> list[Seen]:
        """Looks at pictures of one size."""
        raise NotImplementedError

    def describe(self, sentence: str, category: str) -> None:
        """Starts an episode."""
        self._words = self.understand(sentence, category)

    def relevance(self, rgb: Picture, depth_m: Depth) -> Relevance:
        """Tells where in a picture the described thing is."""
        ((own, *others),) = self.look([require_described(self._words)], [rgb], [depth_m])
        self._beside = tuple(others)
        return own
