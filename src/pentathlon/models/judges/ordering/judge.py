"""The judge that sees order: the likelihood of a description's steps, one after the other, in the frames of a film."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from pentathlon.core.entrants import Floats, Images
from pentathlon.core.errors import DataError
from pentathlon.core.specs import JudgeSpec
from pentathlon.models.image_text.dense import SENTENCE_TOKENS, prepare
from pentathlon.models.judges.ordering.alignment import ordered_fit
from pentathlon.models.judges.ordering.steps import split_steps
from pentathlon.models.judges.ordering.trained import TrainedOrder, load_order
from pentathlon.models.weights import BUILTIN_FOLDER

BUILTIN = BUILTIN_FOLDER / "judge-order.safetensors"
LEAST_SEEN = 2
"""Frames that something is to be seen in before the judge speaks of it."""


class OrderJudge:
    """Scores a description by how well its steps, in its order, fit the film.

    Attributes:
        remarks: of the last film: the steps that it saw, of those it was trained on.
    """

    def __init__(self, trained: TrainedOrder, fingerprint: str) -> None:
        self.spec = JudgeSpec(trained.network.shape.frames)
        self.fingerprint = fingerprint
        self.remarks: dict[str, Any] = {}
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._network = trained.network.to(self._device)
        self._network.pictures.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self._pieces, self._steps, self._known = trained.pieces, trained.steps, trained.known.to(self._device)
        self._embed = lru_cache(maxsize=256)(self._embed_steps)

    @torch.inference_mode()
    def score(self, clip: Images, descriptions: Sequence[str]) -> Floats:
        """Scores each description; a difference is the logarithm of how much likelier one is than the other."""
        film = self._look(clip)
        known = self._network.fits(film, self._known)
        usual = torch.logsumexp(known, dim=-1, keepdim=True)
        self.remarks = {"seen": self._seen(known[0])}
        return np.array([self._fit(film, usual, split_steps(one)) for one in descriptions], np.float32)

    def _fit(self, film: Tensor, usual: Tensor, steps: tuple[str, ...]) -> float:
        # Of more steps than frames nobody could see the last ones.
        vectors = self._embed(steps[: film.shape[1]])
        fits = self._network.fits(film, vectors) - usual
        whole = ordered_fit(fits, torch.tensor([len(vectors)], device=self._device))
        return float(whole[0] * self._network.sharpness.exp())

    def _look(self, clip: Images) -> Tensor:
        shape = self._network.shape
        if len(clip) != shape.frames:
            raise DataError(f"Expected {shape.frames} frames, got {len(clip)}. Sample them anew.")
        pixels = prepare(torch.from_numpy(np.array(clip)).to(self._device), None)
        if pixels.shape[2:] != (shape.image_size, shape.image_size):
            pixels = F.interpolate(pixels, (shape.image_size, shape.image_size), mode="area")
        return self._network.films(pixels[None])

    def _embed_steps(self, steps: tuple[str, ...]) -> Tensor:
        tokens = torch.from_numpy(self._pieces(list(steps), SENTENCE_TOKENS)).to(self._device)
        embedded: Tensor = self._network.texts(tokens)
        return embedded

    def _seen(self, known: Tensor) -> list[str]:
        """The best known step of each frame, told once for each stretch that is no mere flicker."""
        stretches = [(place, len(list(same))) for place, same in groupby(known.argmax(dim=-1).tolist())]
        told = [self._steps[place] for place, frames in stretches if frames >= LEAST_SEEN]
        return [step for step, _ in groupby(told)]


def make_order(weights: str = "") -> OrderJudge:
    """Builds the judge that comes with the program, or one that ``pentathlon train judge-order`` wrote."""
    path = Path(weights) if weights else BUILTIN
    if not path.is_file():
        raise DataError(f"Expected a judge at {path}, got nothing. Give the file that training wrote.")
    with path.open("rb") as file:
        fingerprint = hashlib.file_digest(file, "sha256").hexdigest()[:32]
    return OrderJudge(load_order(path), fingerprint)
