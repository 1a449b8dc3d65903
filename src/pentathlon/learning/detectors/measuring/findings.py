"""Runs a network over views and keeps every peak of its maps: on what was asked for, or on something else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional as F

from pentathlon.learning.detectors.attributes import padded
from pentathlon.learning.detectors.augment import decoded
from pentathlon.learning.detectors.corpus import Corpus
from pentathlon.learning.detectors.measuring.questions import Question
from pentathlon.learning.pretraining.loop import precision
from pentathlon.models.image_text.dense import SENTENCE_TOKENS, STRIDE, DenseImageText, forget_depth
from pentathlon.models.image_text.second_look import enlarged, is_worth_it
from pentathlon.models.image_text.word_pieces import WordPieces

LOWEST = -4.0
"""Peaks below this score are not counted."""
NEIGHBOURHOOD = 5
"""A peak is the highest of so many places squared."""
NEAR_PX = 6
"""A peak so near to a right thing has found it."""
BATCH = 16
SENTENCES = 256


class Hits(NamedTuple):
    """Right things in view, one row per question that fits; a score of -inf was not found."""

    question: npt.NDArray[np.int64]
    frame: npt.NDArray[np.int64]
    score: npt.NDArray[np.float32]
    pixels: npt.NDArray[np.float32]
    depth_m: npt.NDArray[np.float32]
    floor_m: npt.NDArray[np.float32]


class Alarms(NamedTuple):
    """Peaks on wrong things, one row per question, view and thing."""

    question: npt.NDArray[np.int64]
    frame: npt.NDArray[np.int64]
    score: npt.NDArray[np.float32]


class Choices(NamedTuple):
    """Best score of a question on each thing of its type in view, and whether it fits."""

    question: npt.NDArray[np.int64]
    frame: npt.NDArray[np.int64]
    score: npt.NDArray[np.float32]
    fits: npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Findings:
    """All that was found in some views."""

    questions: Sequence[Question]
    frames: int
    hits: Hits
    alarms: Alarms
    choices: Choices


@torch.inference_mode()
def embed(model: DenseImageText, pieces: WordPieces, sentences: Sequence[str]) -> Tensor:
    """Returns unit vectors of sentences on the model's device."""
    tokens = torch.from_numpy(pieces(sentences, SENTENCE_TOKENS)).to(model.bias.device)
    return torch.cat([model.texts(part) for part in torch.split(tokens, SENTENCES)])


class Finder:
    """Looks for questions in the views of a corpus."""

    def __init__(
        self, model: DenseImageText, pieces: WordPieces, corpus: Corpus, questions: Sequence[Question], *, depth: bool
    ) -> None:
        self.model, self.corpus, self.questions, self.depth = model, corpus, questions, depth
        self.device = model.bias.device
        self.sentences = embed(model, pieces, [question.sentence for question in questions])
        numbers = torch.from_numpy(padded([question.parts for question in questions])).to(self.device)
        bits = torch.from_numpy(corpus.bits).to(self.device)
        self.fits = bits[:, numbers].all(-1).T
        self.of_type = bits[:, numbers[:, 0]].T
        self.detailed = (numbers[:, 1] != 0)[:, None]

    @torch.inference_mode()
    def find(self, pictures: Tensor) -> Findings:
        """Looks at all views, in the corpus' order."""
        hits: list[list[Tensor]] = []
        alarms: list[list[Tensor]] = []
        choices: list[list[Tensor]] = []
        for frame, (first, both, numbers) in enumerate(self._seen(pictures)):
            scores, twice = self._scored(first), self._scored(both)
            scores = torch.where(is_worth_it(scores)[:, None, None], twice, scores)
            view = _View(scores, numbers, int(self.corpus.base[frame]))
            at = torch.full((1,), frame, device=self.device)
            rows = torch.from_numpy(self.corpus.visible[frame]).to(self.device)
            hits.append(self._hits(view, at, rows))
            alarms.append(self._alarms(view, at))
            choices.append(self._choices(view, at, rows))
        joined = (Hits(*_joined(hits)), Alarms(*_joined(alarms)), Choices(*_joined(choices)))
        return Findings(self.questions, len(pictures), *joined)

    def _scored(self, vectors: Tensor) -> Tensor:
        return self.model.score(torch.einsum("dhw,qd->qhw", vectors, self.sentences))

    def _seen(self, pictures: Tensor) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
        """Yields of each view the vectors of one look, their mean with those of a second one, and the objects."""
        for part in torch.split(pictures, BATCH):
            pixels, numbers = decoded(part.to(self.device))
            if not self.depth:
                pixels = forget_depth(pixels, torch.ones(len(pixels), dtype=torch.bool, device=self.device))
            with precision(self.device):
                first, second = (self.model.pictures(seen).float() for seen in (pixels, enlarged(pixels)))
            # Scores are linear in vectors, so that their mean is that of the mean vector.
            both = (first + F.interpolate(second, first.shape[2:], mode="area")) / 2
            yield from zip(first, both, numbers, strict=True)

    def _hits(self, view: _View, frame: Tensor, rows: Tensor) -> list[Tensor]:
        question, place = torch.nonzero(self.fits[:, view.things], as_tuple=True)
        listed = torch.isin(view.things[place], rows[:, 0].long())
        question, place = question[listed], place[listed]
        masked = torch.where(view.peaks[question] & view.near[place], view.scores[question], -torch.inf)
        best = masked.flatten(1).amax(1)
        row = torch.searchsorted(rows[:, 0].contiguous(), view.things[place].float())
        return [question, frame.expand(len(question)), best, *rows[row, 1:].T]

    def _alarms(self, view: _View, frame: Tensor) -> list[Tensor]:
        covered = self.fits[:, view.things].float() @ view.near.flatten(1).float() > 0
        wrong = view.peaks.flatten(1) & ~covered
        question, place = torch.nonzero(wrong, as_tuple=True)
        key = question * (len(self.corpus.types) + 1) + view.under.flatten()[place]
        unique, inverse = torch.unique(key, return_inverse=True)
        top = torch.full((len(unique),), -torch.inf, device=self.device)
        top.scatter_reduce_(0, inverse, view.scores.flatten(1)[question, place], "amax")
        return [unique // (len(self.corpus.types) + 1), frame.expand(len(unique)), top]

    def _choices(self, view: _View, frame: Tensor, rows: Tensor) -> list[Tensor]:
        large = rows[rows[:, 1] >= 60, 0].long()
        asked = self.of_type[:, view.things] & self.detailed & torch.isin(view.things, large)
        question, place = torch.nonzero(asked, as_tuple=True)
        masked = torch.where(view.inside[place], view.scores[question], -torch.inf)
        fits = self.fits[question, view.things[place]]
        return [question, frame.expand(len(question)), masked.flatten(1).amax(1), fits]


class _View:
    """One frame: scores and peaks of all questions, and on which places each thing is."""

    def __init__(self, scores: Tensor, numbers: Tensor, base: int) -> None:
        self.scores = scores
        top = F.max_pool2d(scores[None], NEIGHBOURHOOD, 1, NEIGHBOURHOOD // 2)[0]
        self.peaks = (scores == top) & (scores > LOWEST)
        rows = torch.where(numbers >= 0, numbers + base, 0)
        things = torch.unique(rows)
        self.things = things[things > 0]
        masks = (rows == self.things[:, None, None]).float()[:, None]
        side = scores.shape[-1]
        reach = STRIDE + 2 * (NEAR_PX - STRIDE // 2)
        self.near = F.max_pool2d(masks, reach, STRIDE, (reach - STRIDE) // 2)[:, 0, :side, :side] > 0
        self.inside = F.max_pool2d(masks, STRIDE, STRIDE)[:, 0] > 0
        self.under = rows[STRIDE // 2 :: STRIDE, STRIDE // 2 :: STRIDE]


def _joined(rows: Sequence[Sequence[Tensor]]) -> list[Any]:
    return [torch.cat(list(column)).cpu().numpy() for column in zip(*rows, strict=True)]
