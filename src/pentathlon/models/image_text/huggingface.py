"""CLIP and SigLIP in the layout of ``transformers``: a folder with ``config.json``, weights and tokenizer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from pentathlon.models.encoders.preprocess import CLIP_MEAN, CLIP_STD, Rgb
from pentathlon.models.image_text.contract import Images, Vectors
from pentathlon.models.pretrained_folder import find_folder, load_network, load_tokenizer
from pentathlon.models.weights import weights_hash

_HALF: Rgb = (0.5, 0.5, 0.5)
_NORMS: dict[str, tuple[Rgb, Rgb]] = {"clip": (CLIP_MEAN, CLIP_STD), "siglip": (_HALF, _HALF)}
_CLASSES = {"clip": "CLIPModel", "siglip": "SiglipModel"}
BATCH = 16


class HuggingFaceImageText:
    """A model of ``transformers`` with a visual and a text tower.

    Pictures are resized to the model's square without keeping their proportions, as ViSTa's code does: a crop could
    cut away what a sentence speaks of.

    Attributes:
        network: the model itself.
        model_type: its name in ``transformers``.
    """

    def __init__(self, model: Any, tokenizer: Any, model_type: str, device: str | None = None) -> None:
        self._device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        self.network, self.model_type = model.eval().to(self._device), model_type
        self._tokenizer = tokenizer
        self._size = int(model.config.vision_config.image_size)
        self._longest = int(model.config.text_config.max_position_embeddings)
        mean, std = _NORMS[model_type]
        self._mean, self._std = (torch.tensor(row, device=self._device).view(1, 3, 1, 1) for row in (mean, std))
        # SigLIP was trained on texts filled up to the longest length, and attends to the filling.
        self._padding = "max_length" if model_type == "siglip" else True

    @property
    def fingerprint(self) -> str:
        """A hash of all weights."""
        return weights_hash(self.network.state_dict())

    @torch.inference_mode()
    def embed_images(self, images: Images) -> Vectors:
        """Embeds pictures, a few at a time."""
        batches = (images[at : at + BATCH] for at in range(0, len(images), BATCH))
        return np.concatenate([_unit(_pooled(self.network.get_image_features(self.prepare(b)))) for b in batches])

    @torch.inference_mode()
    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Embeds sentences."""
        words = self._tokenizer(
            list(texts), padding=self._padding, truncation=True, max_length=self._longest, return_tensors="pt"
        )
        return _unit(_pooled(self.network.get_text_features(**words.to(self._device))))

    def prepare(self, images: Images) -> Tensor:
        """Turns ``images[B, H, W, 3]`` into what the visual tower takes."""
        # Copied, since frames taken from a video may be read-only.
        pixels = torch.from_numpy(np.array(images)).to(self._device).permute(0, 3, 1, 2).float()
        resized = F.interpolate(pixels, (self._size, self._size), mode="bicubic", antialias=True).clamp(0.0, 255.0)
        return (resized / 255.0 - self._mean) / self._std


def load_image_text(weights: str, device: str | None = None) -> HuggingFaceImageText:
    """Loads CLIP or SigLIP from a folder or hub id.

    Raises:
        DataError: when it is another model, or lacks tensors or its tokenizer.
    """
    folder = find_folder(weights, _CLASSES)
    network = load_network(folder.path, _CLASSES[folder.model_type])
    return HuggingFaceImageText(network, load_tokenizer(folder.path), folder.model_type, device)


def _pooled(features: Any) -> Tensor:
    """The towers gave a tensor once and give a record since ``transformers`` 5."""
    return features if isinstance(features, Tensor) else features.pooler_output


def _unit(features: Tensor) -> Vectors:
    return F.normalize(features.float(), dim=-1).cpu().numpy()
