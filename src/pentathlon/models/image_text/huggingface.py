"""CLIP and SigLIP in the layout of ``transformers``: a folder with ``config.json``, weights and tokenizer."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from pentathlon.core.errors import DataError
from pentathlon.models.encoders.huggingface import read_model_type
from pentathlon.models.encoders.preprocess import CLIP_MEAN, CLIP_STD, Rgb
from pentathlon.models.encoders.tensor_names import fold_names
from pentathlon.models.image_text.contract import Images, Vectors
from pentathlon.models.weights import resolve_weights

_HALF: Rgb = (0.5, 0.5, 0.5)
_NORMS: dict[str, tuple[Rgb, Rgb]] = {"clip": (CLIP_MEAN, CLIP_STD), "siglip": (_HALF, _HALF)}
_CLASSES = {"clip": "CLIPModel", "siglip": "SiglipModel"}
_TOKENIZER_FILES = ("tokenizer.json", "vocab.json", "spiece.model")
BATCH = 16


class HuggingFaceImageText:
    """A model of ``transformers`` with a visual and a text tower.

    Pictures are resized to the model's square without keeping their proportions, as ViSTa's code does: a crop could
    cut away what a sentence speaks of.
    """

    def __init__(self, model: Any, tokenizer: Any, model_type: str, device: str | None = None) -> None:
        self._device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        self._model, self._tokenizer = model.eval().to(self._device), tokenizer
        self._size = int(model.config.vision_config.image_size)
        self._longest = int(model.config.text_config.max_position_embeddings)
        mean, std = _NORMS[model_type]
        self._mean, self._std = (torch.tensor(row, device=self._device).view(1, 3, 1, 1) for row in (mean, std))
        # SigLIP was trained on texts filled up to the longest length, and attends to the filling.
        self._padding = "max_length" if model_type == "siglip" else True

    @property
    def fingerprint(self) -> str:
        """A hash of all weights."""
        digest = hashlib.sha256()
        for name, tensor in sorted(self._model.state_dict().items()):
            digest.update(name.encode())
            digest.update(tensor.cpu().contiguous().numpy().tobytes())
        return digest.hexdigest()[:32]

    @torch.inference_mode()
    def embed_images(self, images: Images) -> Vectors:
        """Embeds pictures, a few at a time."""
        rows = [self._embed(images[at : at + BATCH]) for at in range(0, len(images), BATCH)]
        return np.concatenate(rows)

    @torch.inference_mode()
    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Embeds sentences."""
        words = self._tokenizer(
            list(texts), padding=self._padding, truncation=True, max_length=self._longest, return_tensors="pt"
        )
        return _unit(_pooled(self._model.get_text_features(**words.to(self._device))))

    def _embed(self, images: Images) -> Vectors:
        # Copied, since frames taken from a video may be read-only.
        pixels = torch.from_numpy(np.array(images)).to(self._device).permute(0, 3, 1, 2).float()
        resized = F.interpolate(pixels, (self._size, self._size), mode="bicubic", antialias=True).clamp(0.0, 255.0)
        return _unit(_pooled(self._model.get_image_features((resized / 255.0 - self._mean) / self._std)))


def load_image_text(weights: str, device: str | None = None) -> HuggingFaceImageText:
    """Loads CLIP or SigLIP from a folder or hub id.

    Raises:
        DataError: when it is another model, or lacks tensors or its tokenizer.
    """
    folder = resolve_weights(weights)
    if not folder.is_dir():
        raise DataError(f"Expected a folder that save_pretrained wrote, got the file {folder}. Give the whole folder.")
    model_type = read_model_type(folder)
    if model_type not in _CLASSES:
        known = ", ".join(_CLASSES)
        raise DataError(f"{folder} holds a {model_type!r} model: expected one of {known}. Choose such weights.")
    return HuggingFaceImageText(_load_model(folder, model_type), _load_tokenizer(folder), model_type, device)


def _load_model(folder: Path, model_type: str) -> Any:
    import transformers

    cls = getattr(transformers, _CLASSES[model_type])
    model, info = cls.from_pretrained(str(folder), output_loading_info=True, local_files_only=True, dtype=torch.float32)
    if info["missing_keys"]:
        missing = info["missing_keys"]
        raise DataError(f"{folder} lacks {len(missing)} tensors. Use a complete checkpoint.\n{fold_names(missing)}")
    return model


def _load_tokenizer(folder: Path) -> Any:
    import transformers

    # Without any of these the library makes a tokenizer that knows no word, and says nothing.
    if not any((folder / name).is_file() for name in _TOKENIZER_FILES):
        raise DataError(f"Expected a tokenizer in {folder}, got none of {_TOKENIZER_FILES}. Copy the whole folder.")
    try:
        return transformers.AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    except Exception as error:  # each tokenizer raises what its own library does
        raise DataError(
            f"Expected a tokenizer in {folder}, could not load one ({type(error).__name__}). Copy the whole folder."
        ) from error


def _pooled(features: Any) -> Tensor:
    """The towers gave a tensor once and give a record since ``transformers`` 5."""
    return features if isinstance(features, Tensor) else features.pooler_output


def _unit(features: Tensor) -> Vectors:
    return F.normalize(features.float(), dim=-1).cpu().numpy()
