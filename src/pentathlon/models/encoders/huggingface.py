"""Encoders in the layout of ``transformers``: ViT-MAE, ViT, DINOv2, CLIP's visual tower and ResNet."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from pentathlon.models.encoders.network import Tokens, pool_map
from pentathlon.models.encoders.preprocess import CLIP, INCEPTION, RESNET, VIT, Preprocess
from pentathlon.models.encoders.vit import Pooling
from pentathlon.models.pretrained_folder import load_network, read_model_type, require_known


@dataclass(frozen=True)
class Architecture:
    """A class of ``transformers`` and how its pictures are prepared.

    Attributes:
        image_size: input in pixels, where it is not the one in the model's configuration.
    """

    class_name: str
    preprocess: Preprocess
    options: tuple[tuple[str, Any], ...] = ()
    image_size: int | None = None


ARCHITECTURES: dict[str, Architecture] = {
    "vit_mae": Architecture("ViTMAEModel", VIT, (("mask_ratio", 0.0),)),
    "vit": Architecture("ViTModel", INCEPTION, (("add_pooling_layer", False),)),
    # Released with positions for 518 pixels but used at 224; the library interpolates them.
    "dinov2": Architecture("Dinov2Model", VIT, image_size=224),
    "clip": Architecture("CLIPVisionModel", CLIP),
    "clip_vision_model": Architecture("CLIPVisionModel", CLIP),
    "resnet": Architecture("ResNetModel", RESNET),
}


class HuggingFaceNetwork(nn.Module):
    """A model of ``transformers`` that gives normed CLS and patch tokens, or a pooled feature map."""

    def __init__(self, model: nn.Module, model_type: str, pooling: Pooling = "cls") -> None:
        super().__init__()
        self.model = model
        config: Any = model.config
        self.image_size = ARCHITECTURES[model_type].image_size or int(getattr(config, "image_size", 224))
        self.identity = (model_type, pooling)
        self._model_type, self._pooling = model_type, pooling
        if model_type == "resnet":
            self.dim, side = int(config.hidden_sizes[-1]), -(-self.image_size // 32)
        else:
            self.dim, side = int(config.hidden_size), self.image_size // int(config.patch_size)
        self.grid = (side, side)

    def forward(self, pixels: Tensor) -> Tokens:
        """Encodes normalised ``pixels[B, 3, S, S]``."""
        hidden = self.model(pixels, **self._inputs(pixels)).last_hidden_state
        if self._model_type == "resnet":
            return pool_map(hidden)
        if self._model_type.startswith("clip"):
            hidden = self._post_norm(hidden)
        patches = hidden[:, 1:]
        return Tokens(hidden[:, 0] if self._pooling == "cls" else patches.mean(dim=1), patches)

    def cls_attention(self, pixels: Tensor) -> Tensor:
        """Returns how much CLS attends to each patch in the last block, ``[B, H, N]``."""
        model: Any = self.model
        model.set_attn_implementation("eager")
        try:
            output = model(pixels, output_attentions=True, **self._inputs(pixels))
        finally:
            model.set_attn_implementation("sdpa")
        return output.attentions[-1][:, :, 0, 1:]  # type: ignore[no-any-return]

    def _inputs(self, pixels: Tensor) -> dict[str, Tensor]:
        if self._model_type != "vit_mae":
            return {}
        # ViT-MAE shuffles its patches by this noise; rising numbers keep them in place.
        count = self.grid[0] * self.grid[1]
        return {"noise": torch.arange(count, device=pixels.device).float().expand(len(pixels), count)}

    def _post_norm(self, hidden: Tensor) -> Tensor:
        norm = next(module for name, module in self.model.named_modules() if name.endswith("post_layernorm"))
        return norm(hidden)  # type: ignore[no-any-return]


def load_huggingface(folder: Path, *, pooling: Pooling = "cls") -> HuggingFaceNetwork:
    """Loads the model in ``folder``, as ``save_pretrained`` writes it.

    Raises:
        DataError: when it is of an architecture that gives no features here, or lacks tensors.
    """
    model_type = read_model_type(folder)
    require_known(folder, model_type, ARCHITECTURES)
    architecture = ARCHITECTURES[model_type]
    model = load_network(folder, architecture.class_name, **dict(architecture.options))
    return HuggingFaceNetwork(model, model_type, pooling)
