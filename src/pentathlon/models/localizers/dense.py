"""The dense image-text network as a localizer: its score at every fourth pixel, with thresholds by kind of sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from pentathlon.models.image_text.contract import Images
from pentathlon.models.image_text.dense import COARSE, SENTENCE_TOKENS, prepare
from pentathlon.models.image_text.fast_tower import fast_tower
from pentathlon.models.image_text.second_look import look_twice
from pentathlon.models.image_text.trained import TrainedDense
from pentathlon.models.localizers.batches import OneWalker, Seen
from pentathlon.models.localizers.contract import Depth, Picture, Relevance
from pentathlon.models.localizers.devices import device_name
from pentathlon.models.localizers.prompts import clean_sentence, require_described
from pentathlon.models.localizers.thresholds import Thresholds

TYPE, LOOKS = "type", "colour"
_RELATIONS = {"on": r"\bon\b", "in": r"\b(in|inside)\b", "under": r"\b(under|below|underneath)\b"}
_NEAR = r"\b(near|next to|close to)\b"
# Training never names the floor, and nearly all that is looked for lies on something else.
_FLOOR = re.compile(r"\s+on the floor\b")
_ANYTHING = Thresholds(0.0, 0.0)
_FAR_M = 1e3


class Words(NamedTuple):
    """What is asked: vectors ``[K, vector]`` of the sentence and of the things beside it, and thresholds of each."""

    vectors: Tensor
    thresholds: tuple[Thresholds, ...]


class DenseLocalizer(OneWalker[Words]):
    """Scores every place of a picture against the sentence."""

    def __init__(self, trained: TrainedDense, name: str) -> None:
        self.name = name
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._pieces, self._by_kind = trained.pieces, trained.thresholds
        self._score = trained.network.to(self._device).score
        self._texts = trained.network.texts
        self._tower = fast_tower(trained.network.pictures, self._device)
        self._size = trained.network.shape.image_size
        self.device = device_name(self._device, self._tower.places.dtype)

    def describe_beside(self, phrases: Sequence[str]) -> None:
        """Embeds names of other things."""
        said = require_described(self._words)
        self._words = self._joined(Words(said.vectors[:1], said.thresholds[:1]), phrases)

    def beside(self) -> tuple[Relevance, ...]:
        """Tells where the other things are in the last picture."""
        return self._beside

    def understand(self, sentence: str, category: str, beside: Sequence[str] = ()) -> Words:
        """Embeds the sentence and chooses the thresholds of its kind."""
        words = _FLOOR.sub("", clean_sentence(sentence))
        own = Words(self._embedded([words]), (self._thresholds_of(kind_of(words, category)),))
        return self._joined(own, beside)

    @torch.inference_mode()
    def look(self, asked: Sequence[Words], rgb: Sequence[Picture], depth_m: Sequence[Depth]) -> list[Seen]:
        """Scores pictures; depth that is no number counts as far."""
        pixels = self._prepared(np.stack(rgb), np.stack(depth_m))
        sentences = nn.utils.rnn.pad_sequence([words.vectors for words in asked], batch_first=True)
        scores = look_twice(self._tower, self._score, pixels, sentences).cpu().numpy()
        return [
            tuple(line.relevance(found) for line, found in zip(words.thresholds, row, strict=False))
            for words, row in zip(asked, scores, strict=True)
        ]

    def _prepared(self, rgb: Images, depth_m: npt.NDArray[np.float32]) -> Tensor:
        far = torch.from_numpy(depth_m).to(self._device).nan_to_num(nan=_FAR_M, posinf=_FAR_M)
        pixels = prepare(torch.from_numpy(rgb).to(self._device), far)
        # The network takes pictures of any size that its strides divide: a small one costs less than an enlarged one.
        side = min(self._size, COARSE * -(-max(pixels.shape[2:]) // COARSE))
        if pixels.shape[2:] != (side, side):
            pixels = F.interpolate(pixels, (side, side), mode="area")
        return pixels

    def _joined(self, own: Words, phrases: Sequence[str]) -> Words:
        if not phrases:
            return own
        others = self._embedded([clean_sentence(phrase) for phrase in phrases])
        names = (self._thresholds_of(TYPE),) * len(phrases)
        return Words(torch.cat([own.vectors, others]), (*own.thresholds, *names))

    @torch.inference_mode()
    def _embedded(self, sentences: Sequence[str]) -> Tensor:
        tokens = torch.from_numpy(self._pieces(sentences, SENTENCE_TOKENS)).to(self._device)
        vectors: Tensor = self._texts(tokens)
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
