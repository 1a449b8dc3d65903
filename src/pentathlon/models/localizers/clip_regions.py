"""CLIP asked about nine regions of a picture: nine phrases about the whole, or one phrase about nine tiles.

CLIP-Ref. and CLIP-Patch of CoW (Gadre et al. 2023, section 4.3): the nine scores go through a softmax, so that a map
adds up to one over the regions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pentathlon.models.image_text.contract import Images, ImageText, Vectors
from pentathlon.models.localizers.contract import Depth, Picture, Relevance
from pentathlon.models.localizers.post_processing import stretched
from pentathlon.models.localizers.prompts import ENSEMBLE, clean_sentence, embed_phrases, require_described
from pentathlon.models.localizers.thresholds import Thresholds

SIDE = 3
LOGIT_SCALE = 100.0
"""What CLIP's training ended with, and CoW's code uses."""

PLACES = (
    *("in the top left", "in the top center", "in the top right"),
    *("in the center left", "in the center", "in the center right"),
    *("in the bottom left", "in the bottom center", "in the bottom right"),
)


class _NineRegions:
    """What both have in common: a vector for each phrase, and a map of nine regions."""

    def __init__(
        self, model: ImageText, name: str, thresholds: Thresholds, templates: Sequence[str] = ENSEMBLE
    ) -> None:
        self.name = name
        self._model, self._thresholds, self._templates = model, thresholds, templates
        self._phrases: Vectors | None = None

    def _say(self, phrases: Sequence[str]) -> None:
        self._phrases = embed_phrases(self._model, phrases, self._templates)

    def _compare(self, images: Images, shape: tuple[int, int]) -> Relevance:
        phrases = require_described(self._phrases)
        logits = LOGIT_SCALE * (self._model.embed_images(images) @ phrases.T).reshape(SIDE, SIDE)
        powers = np.exp(logits - logits.max())
        return self._thresholds.relevance(stretched(powers / powers.sum(), shape))


class ClipReferring(_NineRegions):
    """Asks which of nine phrases such as "mug in the top left" fits the picture best."""

    def describe(self, sentence: str, category: str) -> None:
        """Embeds the nine phrases."""
        self._say([f"{clean_sentence(sentence)} {place}" for place in PLACES])

    def relevance(self, rgb: Picture, depth_m: Depth) -> Relevance:
        """Gives each ninth of the picture the share of its phrase."""
        return self._compare(rgb[None], rgb.shape[:2])


class ClipPatches(_NineRegions):
    """Asks which of nine tiles fits the sentence best."""

    def describe(self, sentence: str, category: str) -> None:
        """Embeds the sentence."""
        self._say([clean_sentence(sentence)])

    def relevance(self, rgb: Picture, depth_m: Depth) -> Relevance:
        """Gives each ninth of the picture its tile's share."""
        return self._compare(cut_tiles(rgb), rgb.shape[:2])


def cut_tiles(rgb: Picture) -> Images:
    """Cuts a picture into nine tiles of one size, row by row; they overlap by a pixel where it has no thirds."""
    height, width = (-(-size // SIDE) for size in rgb.shape[:2])
    tops, lefts = (
        np.rint(np.linspace(0, whole - part, SIDE)).astype(int)
        for whole, part in zip(rgb.shape[:2], (height, width), strict=True)
    )
    return np.stack([rgb[top : top + height, left : left + width] for top in tops for left in lefts])
