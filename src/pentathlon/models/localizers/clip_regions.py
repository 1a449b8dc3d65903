"""CLIP asked about nine regions of a picture: nine phrases about the whole, or one phrase about nine tiles.

CLIP-Ref. and CLIP-Patch of CoW (Gadre et al. 2023, section 4.3): the nine scores go through a softmax, so that a map
adds up to one over the regions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pentathlon.models.image_text.contract import Images, ImageText, Vectors
from pentathlon.models.localizers.batches import OneWalker, Seen
from pentathlon.models.localizers.contract import Depth, Picture
from pentathlon.models.localizers.devices import device_name
from pentathlon.models.localizers.post_processing import stretched
from pentathlon.models.localizers.prompts import ENSEMBLE, clean_sentence, embed_phrases
from pentathlon.models.localizers.thresholds import Thresholds

SIDE = 3
LOGIT_SCALE = 100.0
"""What CLIP's training ended with, and CoW's code uses."""

PLACES = (
    *("in the top left", "in the top center", "in the top right"),
    *("in the center left", "in the center", "in the center right"),
    *("in the bottom left", "in the bottom center", "in the bottom right"),
)


class _NineRegions(OneWalker[Vectors]):
    """What both have in common: a vector for each phrase, and a map of nine regions."""

    def __init__(
        self, model: ImageText, name: str, thresholds: Thresholds, templates: Sequence[str] = ENSEMBLE
    ) -> None:
        self.name = name
        self._model, self._thresholds, self._templates = model, thresholds, templates
        self.device = device_name(getattr(model, "device", None))

    def _said(self, phrases: Sequence[str]) -> Vectors:
        return embed_phrases(self._model, phrases, self._templates)

    def _map(self, cosines: Vectors, shape: tuple[int, int]) -> Seen:
        logits = LOGIT_SCALE * cosines.reshape(SIDE, SIDE)
        powers = np.exp(logits - logits.max())
        return (self._thresholds.relevance(stretched(powers / powers.sum(), shape)),)


class ClipReferring(_NineRegions):
    """Asks which of nine phrases such as "mug in the top left" fits the picture best."""

    def understand(self, sentence: str, category: str, beside: Sequence[str] = ()) -> Vectors:
        """Embeds the nine phrases."""
        return self._said([f"{clean_sentence(sentence)} {place}" for place in PLACES])

    def look(self, asked: Sequence[Vectors], rgb: Sequence[Picture], depth_m: Sequence[Depth]) -> list[Seen]:
        """Gives each ninth of a picture the share of its phrase."""
        pictures = self._model.embed_images(np.stack(rgb))
        return [
            self._map(phrases @ picture, rgb[0].shape[:2]) for phrases, picture in zip(asked, pictures, strict=True)
        ]


class ClipPatches(_NineRegions):
    """Asks which of nine tiles fits the sentence best."""

    def understand(self, sentence: str, category: str, beside: Sequence[str] = ()) -> Vectors:
        """Embeds the sentence."""
        return self._said([clean_sentence(sentence)])

    def look(self, asked: Sequence[Vectors], rgb: Sequence[Picture], depth_m: Sequence[Depth]) -> list[Seen]:
        """Gives each ninth of a picture its tile's share."""
        tiles = self._model.embed_images(np.concatenate([cut_tiles(one) for one in rgb]))
        own = tiles.reshape(len(rgb), SIDE * SIDE, -1)
        return [self._map(nine @ words[0], rgb[0].shape[:2]) for words, nine in zip(asked, own, strict=True)]


def cut_tiles(rgb: Picture) -> Images:
    """Cuts a picture into nine tiles of one size, row by row; they overlap by a pixel where it has no thirds."""
    height, width = (-(-size // SIDE) for size in rgb.shape[:2])
    tops, lefts = (
        np.rint(np.linspace(0, whole - part, SIDE)).astype(int)
        for whole, part in zip(rgb.shape[:2], (height, width), strict=True)
    )
    return np.stack([rgb[top : top + height, left : left + width] for top in tops for left in lefts])
