"""Masked autoencoder (He et al. 2021): a ViT sees a quarter of the patches, a small decoder paints the rest.

Parameter names are those of the released checkpoints. The arithmetic is the paper's with the idle work left out: only
visible patches are projected, tokens are never put back in order (attention does not mind, positions travel with
them), and only masked patches are predicted, so that the decoder's last block computes nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from pentathlon.models.encoders.vit import Attention, Block, ViT, initialise

if KERNELS := find_spec("triton") is not None:
    from pentathlon.learning.pretraining.short_attention import fits, short_attention


@dataclass(frozen=True)
class DecoderConfig:
    """Shape of the decoder; the defaults are the paper's."""

    dim: int = 512
    depth: int = 8
    heads: int = 16


DECODERS: dict[str, DecoderConfig] = {
    "tiny": DecoderConfig(dim=192, depth=4, heads=6),
    "small": DecoderConfig(dim=256, depth=4, heads=8),
    "base": DecoderConfig(),
    "large": DecoderConfig(),
}


class MaskedAutoencoder(nn.Module):
    """Encoder and decoder with the pixel loss."""

    def __init__(self, encoder: ViT, decoder: DecoderConfig, *, mask_ratio: float = 0.75) -> None:
        super().__init__()
        config = encoder.config
        self.encoder = encoder
        self.patch_size = config.patch_size
        self.visible = int(config.side**2 * (1 - mask_ratio))
        self.decoder_embed = nn.Linear(config.dim, decoder.dim)
        self.mask_token = nn.Parameter(torch.zeros(1, 1, decoder.dim))
        self.decoder_pos_embed = nn.Parameter(torch.zeros(1, 1 + config.side**2, decoder.dim), requires_grad=False)
        self.decoder_blocks = nn.ModuleList(
            Block(decoder.dim, decoder.heads, config.mlp_ratio, config.norm_eps) for _ in range(decoder.depth)
        )
        self.decoder_norm = nn.LayerNorm(decoder.dim, eps=config.norm_eps)
        self.decoder_pred = nn.Linear(decoder.dim, config.patch_size**2 * 3)
        encoder.pos_embed.requires_grad_(False)
        self._initialise_decoder()

    def forward(self, patches: Tensor, noise: Tensor) -> Tensor:
        """Returns the loss of normalised ``patches[B, N, P*P*3]``; those with the least ``noise[B, N]`` are shown."""
        order = noise.argsort(dim=1)
        shown, hidden = order[:, : self.visible], order[:, self.visible :]
        x = self.embed(patches, shown)
        for block in blocks_of(self.encoder.blocks):
            x = self.run_block(block, x)
        x = self.hand_over(x, shown, hidden)
        *blocks, last = blocks_of(self.decoder_blocks)
        for block in blocks:
            x = self.run_block(block, x)
        return self.loss(self.run_block(last, x, 1 + self.visible), patches, hidden)

    def compile_regions(self) -> None:
        """Compiles each part of :meth:`forward` on its own; the code of one block then serves the whole depth."""
        for name in ("embed", "run_block", "hand_over", "loss"):
            setattr(self, name, torch.compile(getattr(self, name), dynamic=False))

    def embed(self, patches: Tensor, shown: Tensor) -> Tensor:
        """Projects the patches at the places ``shown[B, V]`` to the encoder's tokens ``[B, 1 + V, D]``."""
        encoder = self.encoder
        x = encoder.patch_embed.embed(_pick(patches, shown))
        # The stream of tokens stays in the precision of the matrix products: half the memory traffic under autocast.
        return encoder.add_cls(x + encoder.pos_embed[0, 1:][shown].to(x.dtype))

    @staticmethod
    def run_block(block: Block, x: Tensor, first: int = 0) -> Tensor:
        """Gives ``block(x)[:, first:]`` without the work for what comes before."""
        x, normed = x[:, first:], block.norm1(x)
        x = x + attend(block.attn, normed, first)
        return x + block.mlp(block.norm2(x))  # type: ignore[no-any-return]

    def hand_over(self, x: Tensor, shown: Tensor, hidden: Tensor) -> Tensor:
        """Makes the decoder's tokens: CLS, those of the shown patches, a mask token for each hidden one."""
        x = self.decoder_embed(self.encoder.norm(x))
        positions = self.decoder_pos_embed[0, 1:]
        cls = x[:, :1] + self.decoder_pos_embed[:, :1].to(x.dtype)
        visible = x[:, 1:] + positions[shown].to(x.dtype)
        masked = (self.mask_token + positions[hidden]).to(x.dtype)
        return torch.cat([cls, visible, masked], dim=1)

    def loss(self, x: Tensor, patches: Tensor, hidden: Tensor) -> Tensor:
        """Predicts the hidden patches from their tokens ``x[B, N - V, D]`` and compares."""
        return pixel_loss(self.decoder_pred(self.decoder_norm(x)), _pick(patches, hidden))

    def _initialise_decoder(self) -> None:
        # The encoder may carry weights already.
        before = {name: tensor.clone() for name, tensor in self.encoder.state_dict().items()}
        initialise(self)
        self.encoder.load_state_dict(before)


def blocks_of(blocks: nn.ModuleList) -> Iterable[Block]:
    """The list with the type of its members."""
    return cast(Iterable[Block], blocks)


def attend(attention: Attention, x: Tensor, first: int) -> Tensor:
    """Gives ``attention(x)[:, first:]``, by the kernel for short sequences where it can run."""
    dim = x.shape[2] // attention.heads
    if KERNELS and x.is_cuda and torch.is_autocast_enabled("cuda") and fits(x.shape[1], dim):
        qkv = F.linear(x, attention.qkv.weight)
        mixed, _ = short_attention(qkv, attention.qkv.bias, attention.heads, first)
    else:
        query, key, value = attention.split(x)
        mixed = F.scaled_dot_product_attention(query[:, :, first:], key, value).transpose(1, 2).flatten(2)
    return attention.proj(mixed)  # type: ignore[no-any-return]


def patchify(pixels: Tensor, patch_size: int) -> Tensor:
    """Cuts ``pixels[B, 3, S, S]`` into patches ``[B, N, P*P*3]`` (rows, columns, channels), from the top left."""
    count, channels, size, _ = pixels.shape
    side = size // patch_size
    cut = pixels.view(count, channels, side, patch_size, side, patch_size)
    return cut.permute(0, 2, 4, 3, 5, 1).reshape(count, side * side, patch_size * patch_size * channels)


def pixel_loss(predicted: Tensor, patches: Tensor) -> Tensor:
    """Mean squared error against patches normalised by their own mean and variance (unbiased, plus 1e-6)."""
    patches = patches.float()
    variance, mean = torch.var_mean(patches, dim=-1, keepdim=True)
    return (predicted.float() - (patches - mean) * (variance + 1e-6).rsqrt()).square().mean()


def _pick(patches: Tensor, places: Tensor) -> Tensor:
    return patches.gather(1, places[:, :, None].expand(-1, -1, patches.shape[2]))
