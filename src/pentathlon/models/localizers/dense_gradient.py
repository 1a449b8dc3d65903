"""CLIP-Grad. asked of the built-in network: its last attention, weighted by how much it speaks for a sentence.

The network has no token for the whole picture; its score is that of the mean place, and a place is as relevant as the
mean of what all places attend to there.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from pentathlon.models.image_text.contract import Images
from pentathlon.models.image_text.dense import AttentionLayer
from pentathlon.models.image_text.pooled import PooledDense, pooled
from pentathlon.models.localizers.batches import OneWalker, Seen
from pentathlon.models.localizers.clip_gradient import MAP_SCALE
from pentathlon.models.localizers.clip_regions import LOGIT_SCALE
from pentathlon.models.localizers.contract import Depth, Picture
from pentathlon.models.localizers.devices import device_name
from pentathlon.models.localizers.prompts import ENSEMBLE, clean_sentence, embed_phrases
from pentathlon.models.localizers.thresholds import Thresholds


class DenseGradient(OneWalker[Tensor]):
    """Shows which places the network's last attention looks at in favour of the sentence."""

    def __init__(
        self, model: PooledDense, name: str, thresholds: Thresholds, templates: Sequence[str] = ENSEMBLE
    ) -> None:
        self.name = name
        self._model, self._thresholds, self._templates = model, thresholds, templates
        self.device = device_name(model.device)
        context = model.network.pictures.context
        model.network.requires_grad_(False)
        self._watched = _Watched(context[-1])  # type: ignore[arg-type]
        context[-1] = self._watched

    def understand(self, sentence: str, category: str, beside: Sequence[str] = ()) -> Tensor:
        """Embeds the sentence."""
        vectors = embed_phrases(self._model, [clean_sentence(sentence)], self._templates)
        return torch.from_numpy(vectors[0]).to(self._model.device)

    def look(self, asked: Sequence[Tensor], rgb: Sequence[Picture], depth_m: Sequence[Depth]) -> list[Seen]:
        """Returns the relevance of the places, smoothly enlarged to the pictures' size."""
        places = self._places(np.stack(rgb), torch.stack(list(asked)))
        grid = places.view(len(rgb), 1, *2 * (round(places.shape[1] ** 0.5),))
        smooth = F.interpolate(grid, rgb[0].shape[:2], mode="bilinear", align_corners=False)[:, 0]
        return [(self._thresholds.relevance(one),) for one in (MAP_SCALE * smooth).cpu().numpy()]

    def _places(self, rgb: Images, sentences: Tensor) -> Tensor:
        with torch.enable_grad():
            vectors = pooled(self._model.network.pictures(self._model.prepare(rgb)))
            attention = self._watched.attention
            # No picture's score depends on another's attention, so the sum has each one's own gradient.
            (gradient,) = torch.autograd.grad(LOGIT_SCALE * (vectors * sentences).sum(), attention)
        weighed = (gradient * attention.detach()).clamp(min=0.0)
        return weighed.mean(dim=1).sum(dim=1)


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
