"""The dense image-text network as a localizer: its score at every fourth pixel, with thresholds by kind of sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.utils.fusion import fuse_conv_bn_eval

from pentathlon.models.image_text.dense import COARSE, SENTENCE_TOKENS, PictureTower, prepare
from pentathlon.models.image_text.trained import TrainedDense
from pentathlon.models.localizers.contract import Depth, Picture, Relevance
from pentathlon.models.localizers.prompts import clean_sentence, require_described
from pentathlon.models.localizers.thresholds import Thresholds

TYPE, LOOKS = "type", "colour"
_RELATIONS = {"on": r"\bon\b", "in": r"\b(in|inside)\b", "under": r"\b(under|below|underneath)\b"}
_NEAR = r"\b(near|next to|close to)\b"
# Training never names the floor, and nearly all that is looked for lies on something else.
_FLOOR = re.compile(r"\s+on the floor\b")
_ANYTHING = Thresholds(0.0, 0.0)


class DenseLocalizer:
    """Scores every place of a picture against the sentence."""

    def __init__(self, trained: TrainedDense, name: str) -> None:
        self.name = name
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._model, self._pieces, self._by_kind = trained.network, trained.pieces, trained.thresholds
        self._tower = folded(trained.network.pictures).to(self._device)
        self._size = trained.network.shape.image_size
        self._sentences: Tensor | None = None
        self._thresholds = _ANYTHING
        self._beside: tuple[Relevance, ...] = ()

    def describe(self, sentence: str, category: str) -> None:
        """Embeds the sentence and chooses the thresholds of its kind."""
        words = _FLOOR.sub("", clean_sentence(sentence))
        self._sentences = self._embedded([words])
        self._thresholds = self._thresholds_of(kind_of(words, category))

    def describe_beside(self, phrases: Sequence[str]) -> None:
        """Embeds names of other things."""
        if phrases:
            first = require_described(self._sentences)[:1]
            self._sentences = torch.cat([first, self._embedded([clean_sentence(phrase) for phrase in phrases])])

    @torch.inference_mode()
    def relevance(self, rgb: Picture, depth_m: Depth) -> Relevance:
        """Scores a picture; depth that is no number counts as far."""
        sentences = require_described(self._sentences)
        colours = torch.from_numpy(np.array(rgb))[None]
        far = torch.from_numpy(np.nan_to_num(depth_m, nan=np.inf, posinf=1e3))[None]
        pixels = prepare(colours.to(self._device), far.to(self._device))
        # The network takes pictures of any size that its strides divide: a small one costs less than an enlarged one.
        side = min(self._size, COARSE * -(-max(pixels.shape[2:]) // COARSE))
        if pixels.shape[2:] != (side, side):
            pixels = F.interpolate(pixels, (side, side), mode="area")
        cosines = torch.einsum("dhw,kd->khw", self._tower(pixels)[0], sentences)
        own, *others = self._model.score(cosines.cpu()).numpy()
        names = self._thresholds_of(TYPE)
        self._beside = tuple(names.relevance(other) for other in others)
        return self._thresholds.relevance(own)

    def beside(self) -> tuple[Relevance, ...]:
        """Tells where the other things are in the last picture."""
        return self._beside

    @torch.inference_mode()
    def _embedded(self, sentences: Sequence[str]) -> Tensor:
        tokens = torch.from_numpy(self._pieces(sentences, SENTENCE_TOKENS))
        vectors: Tensor = self._model.texts(tokens).to(self._device)
        return vectors

    def _thresholds_of(self, kind: str) -> Thresholds:
        row = self._by_kind.get(kind) or self._by_kind.get(TYPE)
        return _ANYTHING if row is None else Thresholds(row["go"], row["stop"])


def kind_of(sentence: str, category: str) -> str:
    """Tells what a sentence says beyond its noun: where the thing is, how it looks, or nothing."""
    rest = sentence.lower().replace(category.lower(), "", 1)
    for relation, words in _RELATIONS.items():
        if re.search(words, rest):
            return relation
    if re.search(_NEAR, rest):
        return "near"
    return LOOKS if re.search(r"\w", rest) else TYPE


def folded(tower: PictureTower) -> PictureTower:
    """Joins each normalization with the convolution before it, in place: the same maps in less time."""
    tower.eval()
    for module in tower.modules():
        if isinstance(module, nn.Sequential) and len(module) == 2:
            first, second = module
            if isinstance(first, nn.Conv2d) and isinstance(second, nn.BatchNorm2d):
                module[0], module[1] = fuse_conv_bn_eval(first, second), nn.Identity()
    return tower.to(memory_format=torch.channels_last)  # type: ignore[call-overload,no-any-return]
