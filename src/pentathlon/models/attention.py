"""Pictures of where a vision transformer looks: the last layer's CLS attention over the frame."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional as F

from pentathlon.core.entrants import Images
from pentathlon.core.errors import UsageError
from pentathlon.models.encoders.checked import check_images
from pentathlon.models.encoders.torch_encoder import TorchEncoder

# Dark violet to yellow, evenly rising in lightness so that a grey print still reads.
_HEAT = np.array([[13, 8, 60], [92, 18, 110], [187, 55, 84], [246, 140, 35], [252, 246, 160]], np.float32)


@runtime_checkable
class Attentive(Protocol):
    """A network that can tell where its CLS token looks."""

    def cls_attention(self, pixels: Tensor) -> Tensor:
        """Returns ``[B, heads, patches]`` of the last layer."""
        ...


@torch.inference_mode()
def attention_maps(encoder: TorchEncoder, images: Images) -> npt.NDArray[np.float32]:
    """Returns the CLS attention, averaged over heads, as ``[B, S, S]`` over the network's input; its mean is 1.

    Raises:
        UsageError: when the encoder has no CLS token.
    """
    check_images(images)
    network = encoder.network
    grid = network.grid
    if not isinstance(network, Attentive) or grid is None:
        raise UsageError(
            f"Expected a vision transformer, got {type(network).__name__}, which has no attention to show."
        )
    pixels = encoder.preprocess(torch.tensor(images).to(encoder.device))
    maps = network.cls_attention(pixels).mean(dim=1).view(len(images), 1, *grid)
    maps = maps / maps.mean(dim=(2, 3), keepdim=True)
    size = encoder.spec.image_size
    smooth = F.interpolate(maps, size=size, mode="bilinear", align_corners=False)[:, 0]
    return smooth.float().cpu().numpy()


def overlay(encoder: TorchEncoder, images: Images, *, opacity: float = 0.55) -> Images:
    """Lays the attention over what the network sees of each frame, ``[B, S, S, 3]``; bright is looked at more."""
    maps = attention_maps(encoder, images)
    seen = encoder.preprocess.resize_and_crop(torch.tensor(images).permute(0, 3, 1, 2).float())
    frames = seen.permute(0, 2, 3, 1).numpy()
    low, high = (np.quantile(maps, q, axis=(1, 2), keepdims=True) for q in (0.01, 0.99))
    heat = _colour(np.clip((maps - low) / np.maximum(high - low, 1e-6), 0.0, 1.0))
    return np.clip((1 - opacity) * frames + opacity * heat, 0, 255).astype(np.uint8)


def _colour(values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    stops = np.linspace(0.0, 1.0, len(_HEAT))
    return np.stack([np.interp(values, stops, _HEAT[:, channel]) for channel in range(3)], axis=-1).astype(np.float32)
