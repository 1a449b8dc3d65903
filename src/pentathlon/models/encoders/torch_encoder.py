"""A torch network as an encoder: frozen, float32, with features that do not depend on the batch they came in."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
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

# Matrix kernels may round differently for different shapes. On a GPU every forward is therefore a padded block. On a
# CPU it is one image, or a few where this machine's kernels are found to give the same bits for them.
CPU_BLOCK = 4
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
        for start, stop in self._spans(count):
            result = self._forward(images[start:stop])
            pooled[start:stop] = result.pooled[: stop - start].cpu().numpy()
            if patches is not None and result.patches is not None:
                patches[start:stop] = result.patches[: stop - start].cpu().numpy()
        return Features(pooled, patches)

    def _spans(self, count: int) -> Iterator[tuple[int, int]]:
        """Cuts a batch into forwards: blocks, and on a CPU what is left over image by image."""
        block = GPU_BLOCK
        if self.device.type == "cpu":
            block = CPU_BLOCK if count >= CPU_BLOCK and self._blocks_are_exact else 1
        whole = count if self.device.type != "cpu" else count - count % block
        yield from ((start, min(start + block, count)) for start in range(0, whole, block))
        yield from ((start, start + 1) for start in range(whole, count))

    @cached_property
    def _blocks_are_exact(self) -> bool:
        """Whether a block gives each image the very bits that it gets alone, on this machine and for this network."""
        size = self.preprocess.crop
        images = np.random.default_rng(0).integers(0, 256, (CPU_BLOCK, size, size, 3), dtype=np.uint8)
        together, alone = (
            self._forward(images),
            [self._forward(images[index : index + 1]) for index in range(CPU_BLOCK)],
        )
        return all(
            mine is None or torch.equal(mine, torch.cat(apart))
            for mine, apart in zip(together, zip(*alone, strict=True), strict=True)
        )

    @torch.inference_mode()
    def _forward(self, images: Images) -> Tokens:
        if self.device.type != "cpu":
            padding = np.zeros((GPU_BLOCK - len(images), *images.shape[1:]), np.uint8)
            images = np.concatenate([images, padding])
        self.module.eval()
        # Convolutions on a GPU would otherwise round to ten bits.
        with torch.backends.cudnn.flags(enabled=True, benchmark=False, deterministic=True, allow_tf32=False):
            return self.tokens(torch.tensor(images))
