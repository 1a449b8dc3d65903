"""The judge that looks at frames one by one and averages, blind to their order (Wybitul et al. 2024, section 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from pentathlon.core.entrants import Floats, Images
from pentathlon.core.errors import UsageError
from pentathlon.core.specs import JudgeSpec
from pentathlon.models.image_text import ImageText

PAPERS_FRAMES = 32


class FrameAveragingJudge:
    """Scores by the mean of the frames' embeddings times a sentence's embedding.

    As in the released code the frames' embeddings are of length one and their mean is not.
    """

    def __init__(self, model: ImageText, frames: int = PAPERS_FRAMES) -> None:
        if frames < 1:
            raise UsageError(f"Expected at least one frame, got {frames}.")
        self._model = model
        self.spec = JudgeSpec(frames)
        # All videos of a problem set have the same sentences.
        self._embed_texts = lru_cache(maxsize=64)(model.embed_texts)

    @property
    def fingerprint(self) -> str:
        """That of the image-text model and the number of frames."""
        return f"{self._model.fingerprint}-{self.spec.frames}"

    def score(self, clip: Images, descriptions: Sequence[str]) -> Floats:
        """Scores each description, between -1 and 1."""
        video = self._model.embed_images(clip).mean(axis=0)
        return np.asarray(self._embed_texts(tuple(descriptions)) @ video, np.float32)


def make_frames(weights: str, frames: int = PAPERS_FRAMES, device: str | None = None) -> FrameAveragingJudge:
    """Builds the judge over CLIP or SigLIP in a folder or by hub id."""
    from pentathlon.models.image_text.huggingface import load_image_text

    return FrameAveragingJudge(load_image_text(weights, device), frames)
