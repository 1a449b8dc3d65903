"""Grounding DINO: a detector that grounds each word of a sentence (Liu et al. 2023), in the place of CoW's MDETR."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import torch
from PIL import Image
from torch import Tensor

from pentathlon.models.encoders.preprocess import IMAGENET_MEAN, IMAGENET_STD
from pentathlon.models.localizers.boxes import paint_boxes
from pentathlon.models.localizers.contract import Depth, Picture, Relevance
from pentathlon.models.localizers.detector import Detector
from pentathlon.models.localizers.preparing import normalised, resized_shares
from pentathlon.models.localizers.prompts import clean_sentence, require_described

CLASSES = {"grounding-dino": "GroundingDinoForObjectDetection"}
SHORT_PX, LONG_PX = 800, 1333
"""The shorter side becomes the first; the longer one never passes the second."""


class _Words(NamedTuple):
    inputs: dict[str, Tensor]
    asked: Tensor


class GroundingDino(Detector):
    """Gives each pixel the highest probability of the boxes around it that show what the category's words name.

    The words of "mug on the desk" name two things; a box of the desk is none of the mug. Where the sentence does not
    say the category, all its words count.
    """

    _words: _Words | None = None

    def _read_sizes(self, config: Any) -> None:
        self._longest = int(config.max_text_len)

    def describe(self, sentence: str, category: str) -> None:
        """Reads the words and marks those of the category."""
        # A full stop would begin the name of another thing.
        text = clean_sentence(sentence).lower().replace(".", " ") + "."
        words = self._tokenizer(
            text, truncation=True, max_length=self._longest, return_offsets_mapping=True, return_tensors="pt"
        )
        offsets = words.pop("offset_mapping")[0]
        self._words = _Words(dict(words.to(self._device)), _asked(text, category.lower(), offsets))

    @torch.inference_mode()
    def relevance(self, rgb: Picture, depth_m: Depth) -> Relevance:
        """Scores all boxes and paints them, the best on top."""
        words = require_described(self._words)
        output = self._network(pixel_values=self._prepare(rgb), **words.inputs)
        logits = output.logits[0, :, : len(words.asked)].cpu()
        scores = logits[:, words.asked].sigmoid().amax(dim=1)
        boxes = output.pred_boxes[0].cpu().numpy()
        return self._thresholds.relevance(paint_boxes(boxes, scores.numpy(), rgb.shape[:2]))

    def _prepare(self, rgb: Picture) -> Tensor:
        shares = resized_shares(rgb, fitted_size(*rgb.shape[:2]), Image.Resampling.BILINEAR)
        return normalised(shares, IMAGENET_MEAN, IMAGENET_STD).to(self._device)


def fitted_size(height: int, width: int) -> tuple[int, int]:
    """Returns height and width of the network's input in pixels, the proportions kept."""
    short, long = sorted((height, width))
    side: float = SHORT_PX
    if long / short * SHORT_PX > LONG_PX:
        side = LONG_PX * short / long
    lengths = {short: round(side), long: int(side * long / short)}
    return lengths[height], lengths[width]


def _asked(text: str, category: str, offsets: Tensor) -> Tensor:
    """Marks the tokens that lie in the first place where the text says the category; all where it does not."""
    found = re.search(rf"\b{re.escape(category.strip())}\b", text) if category.strip() else None
    if found is None:
        return torch.ones(len(offsets), dtype=torch.bool)
    starts, ends = offsets[:, 0], offsets[:, 1]
    return (starts < found.end()) & (ends > found.start())
