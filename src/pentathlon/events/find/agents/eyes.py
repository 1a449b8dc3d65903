"""How an agent tells its target: by a localizer, by the true mask, or not at all."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from pentathlon.core.entrants import Observation
from pentathlon.core.specs import ArraySpec
from pentathlon.events.find.agents.relations import FLOOR, Link, Said, take_apart
from pentathlon.models.localizers import Localizer, PhraseLocalizer, Relevance
from pentathlon.models.localizers.post_processing import PostProcessing, post_process

RGB = ArraySpec("rgb", (None, None, 3), "uint8")
DEPTH = ArraySpec("depth_m", (None, None), "float32", unit="m")
TRUE_MASK = ArraySpec("true_mask", (None, None), "uint8")
TRUE_ACTION = ArraySpec("true_action", (), "int64")


class Eyes(Protocol):
    """Finds the target in an observation."""

    @property
    def name(self) -> str:
        """As records show it."""
        ...

    @property
    def observations(self) -> tuple[ArraySpec, ...]:
        """What they look at."""
        ...

    def describe(self, sentence: str, category: str) -> None:
        """Starts an episode."""
        ...

    def relevance(self, observation: Observation) -> Relevance:
        """Tells where the target is."""
        ...


class LocalizerEyes:
    """Sees with a localizer."""

    observations = (RGB, DEPTH)

    def __init__(self, localizer: Localizer, post: PostProcessing = "whole", *, apart: bool = True) -> None:
        """Sets how it looks.

        Args:
            localizer: tells where things are.
            post: what is kept of its masks.
            apart: whether to look for the things of a sentence one by one, where the localizer can, and to leave
                relations to who knows distances.
        """
        self._localizer, self._post = localizer, post
        self._phrases = localizer if apart and isinstance(localizer, PhraseLocalizer) else None
        self.name = localizer.name if post == "whole" else f"{localizer.name}, {post}"
        self.links: tuple[Link, ...] = ()

    @property
    def device(self) -> str:
        """What the localizer looks with; empty where it does not tell."""
        return str(getattr(self._localizer, "device", ""))

    def describe(self, sentence: str, category: str) -> None:
        """Starts an episode."""
        said = Said(sentence, ()) if self._phrases is None else take_apart(sentence, category)
        self.links = said.links
        self._localizer.describe(said.head, category)
        if self._phrases is not None:
            self._phrases.describe_beside([link.noun for link in said.links if link.noun != FLOOR])

    def beside(self) -> tuple[Relevance, ...]:
        """Tells where the other things that the sentence names are in the last picture."""
        return () if self._phrases is None else self._phrases.beside()

    def relevance(self, observation: Observation) -> Relevance:
        """Tells where the target is."""
        return post_process(self._localizer.relevance(observation["rgb"], observation["depth_m"]), self._post)


class TrueMaskEyes:
    """Reads the privileged observation ``true_mask``."""

    name = "true masks"
    observations = (DEPTH, TRUE_MASK)

    def __init__(self, post: PostProcessing = "whole") -> None:
        self._post = post

    def describe(self, sentence: str, category: str) -> None:
        """Needs no words."""

    def relevance(self, observation: Observation) -> Relevance:
        """Returns the mask itself."""
        return post_process(Relevance(observation["true_mask"].astype(np.float32), 0.5, 0.5), self._post)


class ShutEyes:
    """Never sees the target."""

    name = "none"
    observations = (DEPTH,)

    def describe(self, sentence: str, category: str) -> None:
        """Needs no words."""

    def relevance(self, observation: Observation) -> Relevance:
        """Returns a map of nothing."""
        return Relevance(np.zeros(observation["depth_m"].shape, np.float32), 0.5, 0.5)
