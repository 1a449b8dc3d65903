"""Vision transformer (Dosovitskiy et al. 2021), with the parameter names of the released MAE, VC-1, MVP and MoCo v3."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from pentathlon.core.errors import UsageError
from pentathlon.models.encoders.network import Tokens

Pooling = Literal["cls", "mean"]


@dataclass(frozen=True)
class ViTConfig:
    """Shape of a vision transformer.

    Attributes:
        clip: CLIP's variant: a norm before the blocks, QuickGELU, no bias on the patch projection.
        pooling: the CLS token, or the mean of the patch tokens; both after the last norm.
    """

    image_size: int = 224
    patch_size: int = 16
    dim: int = 768
    depth: int = 12
    heads: int = 12
    mlp_ratio: float = 4.0
    norm_eps: float = 1e-6
    clip: bool = False
    pooling: Pooling = "cls"

    def __post_init__(self) -> None:
        if self.image_size % self.patch_size or self.dim % self.heads:
            raise UsageError(
                f"Expected image_size to be a multiple of patch_size and dim of heads, got {self.image_size}, "
                f"{self.patch_size}, {self.dim}, {self.heads}. Choose sizes that divide."
            )

    @property
    def side(self) -> int:
        """Patches along one edge."""
        return self.image_size // self.patch_size


SIZES: dict[str, ViTConfig] = {
    "tiny": ViTConfig(dim=192, heads=3),
    "small": ViTConfig(dim=384, heads=6),
    "base": ViTConfig(),
    "large": ViTConfig(dim=1024, depth=24, heads=16),
    "huge": ViTConfig(dim=1280, depth=32, heads=16, patch_size=14),
}


class Attention(nn.Module):
    """Multi-head self-attention with one projection for queries, keys and values."""

    def __init__(self, dim: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def split(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Projects ``x[B, N, D]`` to queries, keys and values ``[B, H, N, D/H]``."""
        batch, count, dim = x.shape
        qkv = self.qkv(x).view(batch, count, 3, self.heads, dim // self.heads)
        query, key, value = qkv.transpose(1, 3).unbind(2)
        return query, key, value

    def forward(self, x: Tensor) -> Tensor:
        """Attends within each row of the batch."""
        query, key, value = self.split(x)
        mixed = F.scaled_dot_product_attention(query, key, value)
        return self.proj(mixed.transpose(1, 2).flatten(2))  # type: ignore[no-any-return]


class QuickGELU(nn.Module):
    """The GELU approximation that OpenAI's CLIP was trained with."""

    def forward(self, x: Tensor) -> Tensor:
        """Applies ``x * sigmoid(1.702 x)``."""
        return x * torch.sigmoid(1.702 * x)


class Mlp(nn.Module):
    """Two linear layers with a GELU between them."""

    def __init__(self, dim: int, hidden: int, activation: nn.Module) -> None:
        super().__init__()
        self.fc1 = nn.Linear(dim, hidden)
        self.act = activation
        self.fc2 = nn.Linear(hidden, dim)

    def forward(self, x: Tensor) -> Tensor:
        """Maps each token on its own."""
        return self.fc2(self.act(self.fc1(x)))  # type: ignore[no-any-return]


class Block(nn.Module):
    """Pre-norm transformer block."""

    def __init__(self, dim: int, heads: int, mlp_ratio: float, norm_eps: float, *, quick_gelu: bool = False) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm(dim, eps=norm_eps)
        self.attn = Attention(dim, heads)
        self.norm2 = nn.LayerNorm(dim, eps=norm_eps)
        self.mlp = Mlp(dim, int(dim * mlp_ratio), QuickGELU() if quick_gelu else nn.GELU())

    def forward(self, x: Tensor) -> Tensor:
        """Adds attention, then the MLP, to the residual stream."""
        x = x + self.attn(self.norm1(x))
        return x + self.mlp(self.norm2(x))  # type: ignore[no-any-return]


class PatchEmbed(nn.Module):
    """Linear projection of non-overlapping patches, held as the convolution of the released checkpoints."""

    def __init__(self, patch_size: int, dim: int, *, bias: bool) -> None:
        super().__init__()
        self.proj = nn.Conv2d(3, dim, patch_size, stride=patch_size, bias=bias)

    def forward(self, pixels: Tensor) -> Tensor:
        """Projects ``pixels[B, 3, S, S]`` to ``[B, N, D]``."""
        return self.proj(pixels).flatten(2).transpose(1, 2)  # type: ignore[no-any-return]

    def embed(self, patches: Tensor) -> Tensor:
        """Projects patches ``[B, N, P*P*3]`` (rows, columns, channels) that were cut out before."""
        return F.linear(patches, self.proj.weight.permute(0, 2, 3, 1).flatten(1), self.proj.bias)


class ViT(nn.Module):
    """Vision transformer encoder."""

    def __init__(self, config: ViTConfig) -> None:
        super().__init__()
        self.config = config
        dim = config.dim
        self.cls_token = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos_embed = nn.Parameter(torch.zeros(1, 1 + config.side**2, dim))
        self.patch_embed = PatchEmbed(config.patch_size, dim, bias=not config.clip)
        self.norm_pre = nn.LayerNorm(dim, eps=config.norm_eps) if config.clip else nn.Identity()
        self.blocks = nn.ModuleList(
            Block(dim, config.heads, config.mlp_ratio, config.norm_eps, quick_gelu=config.clip)
            for _ in range(config.depth)
        )
        self.norm = nn.LayerNorm(dim, eps=config.norm_eps)
        if not self.cls_token.is_meta:
            initialise(self)

    @property
    def dim(self) -> int:
        """Length of a token."""
        return self.config.dim

    @property
    def image_size(self) -> int:
        """Edge of the input in pixels."""
        return self.config.image_size

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns of patches."""
        return (self.config.side, self.config.side)

    @property
    def identity(self) -> ViTConfig:
        """What shapes the features besides the weights."""
        return self.config

    def add_cls(self, patches: Tensor) -> Tensor:
        """Puts the CLS token, with its position, before ``patches``."""
        cls = (self.cls_token + self.pos_embed[:, :1]).expand(len(patches), -1, -1)
        return torch.cat([cls.to(patches.dtype), patches], dim=1)

    def embed(self, pixels: Tensor) -> Tensor:
        """Makes the tokens ``[B, 1 + N, D]`` that enter the first block."""
        return self.norm_pre(self.add_cls(self.patch_embed(pixels) + self.pos_embed[:, 1:]))  # type: ignore[no-any-return]

    def forward(self, pixels: Tensor) -> Tokens:
        """Encodes normalised ``pixels[B, 3, S, S]``."""
        x = self.embed(pixels)
        for block in self.blocks:
            x = block(x)
        x = self.norm(x)
        patches = x[:, 1:]
        return Tokens(x[:, 0] if self.config.pooling == "cls" else patches.mean(dim=1), patches)

    def cls_attention(self, pixels: Tensor) -> Tensor:
        """Returns how much CLS attends to each patch in the last block, ``[B, H, N]``."""
        x = self.embed(pixels)
        last = cast(Block, self.blocks[-1])
        for block in self.blocks[:-1]:
            x = block(x)
        query, key, _ = last.attn.split(last.norm1(x))
        weights = (query[:, :, :1] @ key.transpose(2, 3) * query.shape[-1] ** -0.5).softmax(dim=-1)
        return weights[:, :, 0, 1:]  # type: ignore[no-any-return]


def initialise(vit: nn.Module) -> None:
    """Draws weights as MAE does: Xavier for linear layers and patches, 0.02 for tokens, sine-cosine positions."""
    for module in vit.modules():
        if isinstance(module, nn.Linear | nn.Conv2d):
            nn.init.xavier_uniform_(module.weight.flatten(1))
            if module.bias is not None:
                nn.init.zeros_(module.bias)
    for name, parameter in vit.named_parameters(recurse=False):
        if name.endswith("pos_embed"):
            parameter.data.copy_(sine_cosine_positions(parameter.shape[2], int((parameter.shape[1] - 1) ** 0.5)))
        elif name.endswith("token"):
            nn.init.normal_(parameter, std=0.02)


def sine_cosine_positions(dim: int, side: int) -> Tensor:
    """Makes MAE's fixed 2-D positions ``[1, 1 + side², dim]``: half for columns, half for rows, zeros for CLS."""
    frequencies = 1.0 / 10000 ** (torch.arange(dim // 4, dtype=torch.float64) / (dim / 4))
    angles = torch.arange(side, dtype=torch.float64)[:, None] * frequencies
    waves = torch.cat([angles.sin(), angles.cos()], dim=1)
    columns, rows = waves.repeat(side, 1), waves.repeat_interleave(side, dim=0)
    table = torch.cat([torch.zeros(1, dim, dtype=torch.float64), torch.cat([columns, rows], dim=1)])
    return table[None].float()


def resize_positions(positions: Tensor, side: int) -> Tensor:
    """Resizes ``positions[1, 1 + n², D]`` to another grid by antialiased bicubic interpolation; CLS keeps its own."""
    old_side = round((positions.shape[1] - 1) ** 0.5)
    if old_side == side:
        return positions
    cls, grid = positions[:, :1], positions[:, 1:]
    grid = grid.transpose(1, 2).reshape(1, -1, old_side, old_side).float()
    grid = F.interpolate(grid, size=(side, side), mode="bicubic", antialias=True, align_corners=False)
    return torch.cat([cls, grid.flatten(2).transpose(1, 2).to(cls.dtype)], dim=1)


def random_vit(size: str, seed: int = 0, image_size: int = 224, pooling: Pooling = "cls") -> ViT:
    """Makes a ViT with random weights that depend on ``seed`` only."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return ViT(replace(SIZES[size], image_size=image_size, pooling=pooling))
