"""How an agent tells its target: by a localizer, by the true mask, or not at all."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from pentathlon.core.entrants import Observation
from pentathlon.core.specs import ArraySpec
from pentathlon.models.localizers import Localizer, Relevance
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

    def __init__(self, localizer: Localizer, post: PostProcessing = "whole") -> None:
        self._localizer, self._post = localizer, post
        self.name = localizer.name if post == "whole" else f"{localizer.name}, {post}"

    def describe(self, sentence: str, category: str) -> None:
        """Starts an episode."""
        self._localizer.describe(sentence, category)

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
