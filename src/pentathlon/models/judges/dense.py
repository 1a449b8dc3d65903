"""The judge over the built-in dense image-text network: does some place of some frames fit the sentence?

It comes with the program, so that a first judge needs no download. Like all averaging it is blind to the frames' order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from pentathlon.core.entrants import Floats, Images
from pentathlon.core.errors import DataError
from pentathlon.core.specs import JudgeSpec
from pentathlon.models.image_text.dense import SENTENCE_TOKENS, prepare
from pentathlon.models.image_text.fast_tower import fast_tower
from pentathlon.models.image_text.trained import TrainedDense, load_dense
from pentathlon.models.weights import BUILTIN_FOLDER
from pentathlon.storage.files import file_digest

BUILTIN = BUILTIN_FOLDER / "dense-houses.safetensors"
FRAMES = 16
BATCH = 8


class DenseJudge:
    """Scores a sentence by its best places in each frame, softly, averaged over frames."""

    def __init__(self, trained: TrainedDense, fingerprint: str, frames: int = FRAMES) -> None:
        self.spec = JudgeSpec(frames)
        self._fingerprint = fingerprint
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._network, self._pieces = trained.network, trained.pieces
        self._tower = fast_tower(trained.network.pictures, self._device)
        self._size = trained.network.shape.image_size
        self._sharpness = float(trained.network.sharpness.detach().exp())
        self._embed = lru_cache(maxsize=64)(self._embed_texts)

    @property
    def fingerprint(self) -> str:
        """That of the weights, the number of frames and the precision, which changes scores a little."""
        half = self._tower.places.dtype == torch.bfloat16
        return f"{self._fingerprint}-{self.spec.frames}{'-bf16' if half else ''}"

    @torch.inference_mode()
    def score(self, clip: Images, descriptions: Sequence[str]) -> Floats:
        """Scores each description."""
        sentences = self._embed(tuple(descriptions))
        rows = [self._fit(clip[at : at + BATCH], sentences) for at in range(0, len(clip), BATCH)]
        return np.asarray(torch.cat(rows).mean(dim=0).cpu().numpy(), np.float32)

    def _fit(self, images: Images, sentences: Tensor) -> Tensor:
        """The soft maximum over places of the cosine, ``[B, K]``."""
        pixels = prepare(torch.from_numpy(np.array(images)).to(self._device), None)
        if pixels.shape[2:] != (self._size, self._size):
            pixels = F.interpolate(pixels, (self._size, self._size), mode="area")
        cosine = torch.einsum("bdhw,kd->bkhw", self._tower(pixels), sentences).flatten(2)
        return torch.logsumexp(cosine * self._sharpness, dim=2) / self._sharpness

    def _embed_texts(self, sentences: tuple[str, ...]) -> Tensor:
        tokens = torch.from_numpy(self._pieces(list(sentences), SENTENCE_TOKENS))
        embedded: Tensor = self._network.texts(tokens)
        return embedded.to(self._device)


def make_dense(weights: str = "", frames: int = FRAMES) -> DenseJudge:
    """Builds the judge over the built-in network, or one that ``pentathlon train image-text`` wrote."""
    path = Path(weights) if weights else BUILTIN
    if not path.is_file():
        raise DataError(f"Expected an image-text network at {path}, got nothing. Give the file that training wrote.")
    return DenseJudge(load_dense(path), file_digest(path)[:32], frames)
