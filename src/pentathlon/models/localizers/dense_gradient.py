"""CLIP-Grad. asked of the built-in network: its last attention, weighted by how much it speaks for a sentence.

The network has no token for the whole picture; its score is that of the mean place, and a place is as relevant as the
mean of what all places attend to there.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from pentathlon.models.image_text.dense import AttentionLayer
from pentathlon.models.image_text.pooled import PooledDense, pooled
from pentathlon.models.localizers.clip_gradient import MAP_SCALE
from pentathlon.models.localizers.clip_regions import LOGIT_SCALE
from pentathlon.models.localizers.contract import Depth, Picture, Relevance
from pentathlon.models.localizers.prompts import ENSEMBLE, clean_sentence, embed_phrases, require_described
from pentathlon.models.localizers.thresholds import Thresholds


class DenseGradient:
    """Shows which places the network's last attention looks at in favour of the sentence."""

    def __init__(
        self, model: PooledDense, name: str, thresholds: Thresholds, templates: Sequence[str] = ENSEMBLE
    ) -> None:
        self.name = name
        self._model, self._thresholds, self._templates = model, thresholds, templates
        context = model.network.pictures.context
        model.network.requires_grad_(False)
        self._watched = _Watched(context[-1])  # type: ignore[arg-type]
        context[-1] = self._watched
        self._sentence: Tensor | None = None

    def describe(self, sentence: str, category: str) -> None:
        """Embeds the sentence."""
        vectors = embed_phrases(self._model, [clean_sentence(sentence)], self._templates)
        self._sentence = torch.from_numpy(vectors[0]).to(self._model.device)

    def relevance(self, rgb: Picture, depth_m: Depth) -> Relevance:
        """Returns the relevance of the places, smoothly enlarged to the picture's size."""
        places = self._places(rgb, require_described(self._sentence))
        grid = places.view(1, 1, *2 * (round(len(places) ** 0.5),))
        smooth = F.interpolate(grid, rgb.shape[:2], mode="bilinear", align_corners=False)[0, 0]
        return self._thresholds.relevance((MAP_SCALE * smooth).cpu().numpy())

    def _places(self, rgb: Picture, sentence: Tensor) -> Tensor:
        with torch.enable_grad():
            vector = pooled(self._model.network.pictures(self._model.prepare(rgb[None])))[0]
            attention = self._watched.attention
            (gradient,) = torch.autograd.grad(LOGIT_SCALE * vector @ sentence, attention)
        weighed = (gradient * attention.detach())[0].clamp(min=0.0)
        return weighed.mean(dim=0).sum(dim=0)


class _Watched(nn.Module):
    """An attention layer that keeps its attention ``[B, heads, places, places]``, from which gradients begin."""

    def __init__(self, layer: AttentionLayer) -> None:
        super().__init__()
        self.layer = layer
        self.attention = torch.empty(0)

    def forward(self, x: Tensor) -> Tensor:
        """Computes what the layer itself does."""
        queries, keys, values = self.layer.parts(x)
        scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        self.attention = scores.softmax(dim=-1)
        if torch.is_grad_enabled():
            self.attention.requires_grad_(True)
        return self.layer.mixed(x, self.attention @ values)
