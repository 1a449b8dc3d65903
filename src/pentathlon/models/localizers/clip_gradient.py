"""CLIP's last attention, weighted by how much each part of it speaks for a sentence (CoW's CLIP-Grad.).

Chefer et al. 2021 as changed by Gadre et al. 2023, appendix C, equations 4 and 5: the map is not normalised, so that
it stays low where the target is not in the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from pentathlon.core.errors import DataError, UsageError
from pentathlon.models.image_text.huggingface import HuggingFaceImageText
from pentathlon.models.localizers.clip_regions import LOGIT_SCALE
from pentathlon.models.localizers.contract import Depth, Picture, Relevance
from pentathlon.models.localizers.prompts import ENSEMBLE, clean_sentence, embed_phrases, require_described
from pentathlon.models.localizers.thresholds import Thresholds

MAP_SCALE = 10.0
"""The released code multiplies its maps by it, and its thresholds are on that scale."""


class ClipGradient:
    """Shows which patches CLIP's picture token attends to in favour of the sentence."""

    def __init__(
        self,
        model: HuggingFaceImageText,
        name: str,
        thresholds: Thresholds,
        templates: Sequence[str] = ENSEMBLE,
        layers: int = 1,
    ) -> None:
        """Prepares the model.

        Args:
            model: a CLIP with a vision transformer.
            name: as records show it.
            thresholds: on the scale of the map.
            templates: prompts that are averaged.
            layers: how many of the last layers are looked at; the paper takes one.

        Raises:
            DataError: when it is no CLIP.
        """
        if model.model_type != "clip":
            raise DataError(
                f"Expected CLIP for its attention, got a {model.model_type!r} model. Choose CLIP, or use clip-patch."
            )
        blocks = model.network.vision_model.encoder.layers
        if not 1 <= layers <= len(blocks):
            raise UsageError(f"Expected 1 to {len(blocks)} layers of attention, got {layers}.")
        self.name = name
        self._model, self._thresholds, self._templates, self._layers = model, thresholds, templates, layers
        self._sentence: Tensor | None = None
        model.network.set_attn_implementation("eager")
        # Gradients begin at these queries: for the layers below no graph is built.
        model.network.requires_grad_(False)
        for block in blocks[-layers:]:
            block.self_attn.q_proj.weight.requires_grad_(True)

    def describe(self, sentence: str, category: str) -> None:
        """Embeds the sentence."""
        vectors = embed_phrases(self._model, [clean_sentence(sentence)], self._templates)
        self._sentence = torch.from_numpy(vectors[0])

    def relevance(self, rgb: Picture, depth_m: Depth) -> Relevance:
        """Returns the relevance of the patches, smoothly enlarged to the picture's size."""
        patches = self._patches(self._model.prepare(rgb[None]), require_described(self._sentence))
        grid = patches.view(1, 1, *2 * (round(len(patches) ** 0.5),))
        smooth = F.interpolate(grid, rgb.shape[:2], mode="bilinear", align_corners=False)[0, 0]
        return self._thresholds.relevance((MAP_SCALE * smooth).cpu().numpy())

    def _patches(self, pixels: Tensor, sentence: Tensor) -> Tensor:
        network: Any = self._model.network
        with torch.enable_grad():
            seen = network.vision_model(pixels, output_attentions=True)
            vector = F.normalize(network.visual_projection(seen.pooler_output)[0], dim=0)
            score = LOGIT_SCALE * vector @ sentence.to(vector)
            attentions = seen.attentions[-self._layers :]
            gradients = torch.autograd.grad(score, attentions)
        return _roll_out(attentions, gradients)[0, 1:]


def _roll_out(attentions: Sequence[Tensor], gradients: Sequence[Tensor]) -> Tensor:
    """Multiplies ``1 + mean over heads of the positive part of gradient * attention``, the last layer first."""
    total = torch.eye(attentions[0].shape[-1], device=attentions[0].device)
    for attention, gradient in zip(attentions, gradients, strict=True):
        total = total + (gradient * attention.detach())[0].clamp(min=0.0).mean(dim=0) @ total
    return total
