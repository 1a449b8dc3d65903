"""The dense image-text network as a model of whole pictures: its vectors of all places, averaged.

So localizers that ask CLIP about regions or phrases can ask the built-in network in CLIP's place.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from pentathlon.models.image_text.contract import Images, Vectors
from pentathlon.models.image_text.dense import SENTENCE_TOKENS, prepare
from pentathlon.models.image_text.trained import TrainedDense
from pentathlon.models.weights import weights_hash

BATCH = 256


class PooledDense:
    """Embeds pictures without depth, and sentences.

    Attributes:
        network: both towers.
    """

    def __init__(self, trained: TrainedDense) -> None:
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.network, self._pieces = trained.network.eval().to(self.device), trained.pieces
        self._size = trained.network.shape.image_size

    @property
    def fingerprint(self) -> str:
        """A hash of all weights."""
        return weights_hash(self.network.state_dict())

    @torch.inference_mode()
    def embed_images(self, images: Images) -> Vectors:
        """Embeds pictures, each as the mean of its places."""
        return pooled(self.network.pictures(self.prepare(images))).cpu().numpy()

    @torch.inference_mode()
    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Embeds sentences."""
        parts = (texts[at : at + BATCH] for at in range(0, len(texts), BATCH))
        tokens = (torch.from_numpy(self._pieces(list(part), SENTENCE_TOKENS)).to(self.device) for part in parts)
        return torch.cat([self.network.texts(part) for part in tokens]).cpu().numpy()

    def prepare(self, images: Images) -> Tensor:
        """Turns ``images[B, H, W, 3]`` into what the picture tower takes, without depth."""
        pixels = prepare(torch.from_numpy(np.array(images)).to(self.device), None)
        if pixels.shape[2:] != (self._size, self._size):
            pixels = F.interpolate(pixels, (self._size, self._size), mode="bilinear", antialias=True)
        return pixels


def pooled(places: Tensor) -> Tensor:
    """Returns the unit vector of each picture's mean place, of ``[B, vector, H, W]``."""
    return F.normalize(places.mean((2, 3)), dim=-1)
