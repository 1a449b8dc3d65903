"""Masked autoencoder (He et al. 2021): a ViT sees a quarter of the patches, a small decoder paints the rest.

Parameter names are those of the released checkpoints. The arithmetic is the paper's with the idle work left out: only
visible patches are projected, tokens are never put back in order (attention does not mind, positions travel with
them), and only masked patches are predicted.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from pentathlon.models.encoders.vit import Block, ViT, initialise


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

    def forward(self, pixels: Tensor, noise: Tensor) -> Tensor:
        """Returns the loss of normalised ``pixels[B, 3, S, S]``; patches with the least ``noise[B, N]`` are shown."""
        patches = patchify(pixels, self.patch_size)
        order = noise.argsort(dim=1)
        shown, hidden = order[:, : self.visible], order[:, self.visible :]
        predicted = self.decode(self.encode(_pick(patches, shown), shown), shown, hidden)
        return pixel_loss(predicted, _pick(patches, hidden))

    def encode(self, patches: Tensor, places: Tensor) -> Tensor:
        """Encodes the shown patches ``[B, V, P*P*3]`` at ``places[B, V]`` to ``[B, 1 + V, D]``."""
        encoder = self.encoder
        x = encoder.patch_embed.embed(patches)
        # The stream of tokens stays in the precision of the matrix products: half the memory traffic under autocast.
        x = encoder.add_cls(x + encoder.pos_embed[0, 1:][places].to(x.dtype))
        for block in encoder.blocks:
            x = block(x)
        return encoder.norm(x)  # type: ignore[no-any-return]

    def decode(self, tokens: Tensor, shown: Tensor, hidden: Tensor) -> Tensor:
        """Predicts the hidden patches ``[B, N - V, P*P*3]``."""
        x = self.decoder_embed(tokens)
        positions = self.decoder_pos_embed[0, 1:]
        cls = x[:, :1] + self.decoder_pos_embed[:, :1].to(x.dtype)
        visible = x[:, 1:] + positions[shown].to(x.dtype)
        masked = (self.mask_token + positions[hidden]).to(x.dtype)
        x = torch.cat([cls, visible, masked], dim=1)
        for block in self.decoder_blocks:
            x = block(x)
        return self.decoder_pred(self.decoder_norm(x[:, 1 + self.visible :]))  # type: ignore[no-any-return]

    def _initialise_decoder(self) -> None:
        # The encoder may carry weights already.
        before = {name: tensor.clone() for name, tensor in self.encoder.state_dict().items()}
        initialise(self)
        self.encoder.load_state_dict(before)


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
