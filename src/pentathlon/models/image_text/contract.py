"""What every image-text model offers; torch is not needed to name it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

Images: TypeAlias = npt.NDArray[np.uint8]
Vectors: TypeAlias = npt.NDArray[np.float32]


class ImageText(Protocol):
    """Embeds pictures and sentences as vectors of length one whose product tells how well they fit."""

    @property
    def fingerprint(self) -> str:
        """Changes with the weights."""
        ...

    def embed_images(self, images: Images) -> Vectors:
        """Embeds ``images[B, H, W, 3]``, each by itself, as ``[B, D]``."""
        ...

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Embeds sentences as ``[K, D]``; one that is too long is cut as the model's own tokenizer does."""
        ...
