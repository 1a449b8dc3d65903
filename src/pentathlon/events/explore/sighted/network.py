"""The built-in image-text network as eyes: vectors of places and of sentences, and the score of one against another."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional as F

from pentathlon.models.image_text.dense import SENTENCE_TOKENS, prepare
from pentathlon.models.image_text.fast_tower import fast_tower
from pentathlon.models.image_text.trained import TrainedDense, load_dense
from pentathlon.models.localizers.devices import device_name
from pentathlon.models.localizers.opening import DENSE
from pentathlon.models.weights import BUILTIN_FOLDER

Floats = npt.NDArray[np.float32]
BATCH = 64
_FAR_M = 1e3


class Network:
    """Sees pictures with their depth."""

    def __init__(self, trained: TrainedDense) -> None:
        self._model, self._pieces = trained.network.eval(), trained.pieces
        self._tower = fast_tower(trained.network.pictures, torch.device("cpu"), exact=True)
        self._side = trained.network.shape.image_size
        self.device = device_name(torch.device("cpu"), self._tower.places.dtype)
        self._scale = float(self._model.scale.detach().exp())
        self._bias = float(self._model.bias.detach())
        self._known: dict[str, Floats] = {}

    @torch.inference_mode()
    def look(self, rgb: npt.NDArray[np.uint8], depth_m: Floats) -> Floats:
        """Returns the vectors ``[h, w, D]`` of every fourth pixel of a picture."""
        far = torch.from_numpy(np.array(depth_m, np.float32)).nan_to_num(nan=_FAR_M, posinf=_FAR_M)
        pixels = prepare(torch.from_numpy(np.array(rgb))[None], far[None])
        if pixels.shape[2:] != (self._side, self._side):
            pixels = F.interpolate(pixels, (self._side, self._side), mode="area")
        found: Floats = self._tower(pixels)[0].permute(1, 2, 0).contiguous().numpy()
        return found

    @torch.inference_mode()
    def read(self, sentences: Sequence[str]) -> Floats:
        """Returns the vectors ``[K, D]`` of sentences; each is read once."""
        new = sorted({sentence for sentence in sentences if sentence not in self._known})
        for at in range(0, len(new), BATCH):
            part = new[at : at + BATCH]
            vectors = self._model.texts(torch.from_numpy(self._pieces(part, SENTENCE_TOKENS))).numpy()
            self._known |= dict(zip(part, vectors, strict=True))
        return np.stack([self._known[sentence] for sentence in sentences])

    def score(self, cosine: Floats) -> Floats:
        """The logit of "this place shows what this sentence describes"."""
        found: Floats = cosine * np.float32(self._scale) + np.float32(self._bias)
        return found


@lru_cache(maxsize=1)
def builtin_network() -> Network:
    """Opens the shipped network, once."""
    return Network(load_dense(BUILTIN_FOLDER / f"{DENSE}.safetensors"))
