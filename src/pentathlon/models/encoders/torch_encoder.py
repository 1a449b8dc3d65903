"""A torch network as an encoder: frozen, float32, with features that do not depend on the batch they came in."""

from __future__ import annotations

import hashlib
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from pentathlon.core.entrants import Features, Images
from pentathlon.core.identity import canonical_json
from pentathlon.core.specs import EncoderSpec
from pentathlon.models.encoders.checked import check_images
from pentathlon.models.encoders.network import Network, Tokens, parameters_of
from pentathlon.models.encoders.preprocess import Preprocess

# Matrix kernels may round differently for different shapes. Every forward therefore has the same shape: one image
# on a CPU, where that costs about a tenth of the speed, and a padded block on a GPU.
CPU_BLOCK = 1
GPU_BLOCK = 64


class TorchEncoder:
    """Encodes pictures with a network in evaluation mode.

    Attributes:
        module: the network; its parameters may be trained through :meth:`tokens`.
    """

    def __init__(self, network: Network, preprocess: Preprocess, *, device: str | None = None) -> None:
        self.device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        self.network = network
        self.module = parameters_of(network).to(self.device).eval()
        self.preprocess = preprocess
        self._block = CPU_BLOCK if self.device.type == "cpu" else GPU_BLOCK

    @property
    def spec(self) -> EncoderSpec:
        """Dimensions of what is taken and given."""
        size = self.preprocess.crop
        trainable = any(True for _ in self.module.parameters())
        return EncoderSpec(dim=self.network.dim, image_size=(size, size), grid=self.network.grid, trainable=trainable)

    @cached_property
    def fingerprint(self) -> str:
        """Hash of the weights and of the preprocessing rule: equal for encoders that give equal features."""
        digest = hashlib.sha256(
            canonical_json([type(self.network).__name__, self.network.identity, self.preprocess]).encode()
        )
        for name, tensor in sorted(self.module.state_dict().items()):
            digest.update(f"{name}{tuple(tensor.shape)}{tensor.dtype}".encode())
            digest.update(tensor.detach().cpu().contiguous().flatten().view(torch.uint8).numpy())
        return digest.hexdigest()[:32]

    def tokens(self, images: Tensor) -> Tokens:
        """Encodes uint8 ``images[B, H, W, 3]`` in one forward through which gradients flow."""
        return self.network(self.preprocess(images.to(self.device)))

    def encode(self, images: Images) -> Features:
        """Encodes ``images[B, H, W, 3]``; row ``i`` depends on image ``i`` only, bit for bit."""
        check_images(images)
        count, dim, grid = len(images), self.network.dim, self.network.grid
        pooled = np.empty((count, dim), np.float32)
        patches = None if grid is None else np.empty((count, grid[0] * grid[1], dim), np.float32)
        for start in range(0, count, self._block):
            block = images[start : start + self._block]
            result = self._encode_block(block)
            stop = start + len(block)
            pooled[start:stop] = result.pooled[: len(block)].cpu().numpy()
            if patches is not None and result.patches is not None:
                patches[start:stop] = result.patches[: len(block)].cpu().numpy()
        return Features(pooled, patches)

    @torch.inference_mode()
    def _encode_block(self, images: Images) -> Tokens:
        block = np.zeros((self._block, *images.shape[1:]), np.uint8)
        block[: len(images)] = images
        self.module.eval()
        # Convolutions on a GPU would otherwise round to ten bits.
        with torch.backends.cudnn.flags(enabled=True, benchmark=False, deterministic=True, allow_tf32=False):
            return self.tokens(torch.from_numpy(block))
