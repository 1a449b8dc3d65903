"""ViCLIP (Wang et al. 2024): a video encoder of eight frames beside a text encoder, in its released layout.

A folder holds ``ViClip-InternVid-10M-FLT.pth``, or another file of that layout, and ``bpe_simple_vocab_16e6.txt.gz``.
Patches of all frames attend to each other, each with the sum of its place's and its frame's embedding.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from pentathlon.core.entrants import Floats, Images
from pentathlon.core.errors import DataError
from pentathlon.core.specs import JudgeSpec
from pentathlon.models.encoders.preprocess import IMAGENET_MEAN, IMAGENET_STD
from pentathlon.models.weights import read_checkpoint, weights_hash

FRAMES, TOKENS = 8, 32
VOCABULARY = "bpe_simple_vocab_16e6.txt.gz"
MERGES = 49152 - 256 - 2
_PRE = "model."


class Tower(NamedTuple):
    """Sizes of a transformer."""

    width: int
    layers: int
    heads: int


LARGE_PICTURES, LARGE_TEXTS = Tower(1024, 24, 16), Tower(768, 12, 12)


@dataclass(frozen=True)
class ViClipShape:
    """Sizes of the network; those of ViCLIP-L as they stand."""

    side_px: int = 224
    patch_px: int = 14
    pictures: Tower = LARGE_PICTURES
    texts: Tower = LARGE_TEXTS
    vector: int = 768
    words: int = 49408


class _QuickGelu(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * torch.sigmoid(1.702 * x)


class _Block(nn.Module):
    """CLIP's residual attention block, whose names the released tensors have."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.attn = nn.MultiheadAttention(width, heads, batch_first=True)
        self.ln_1, self.ln_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.mlp = nn.ModuleDict(
            {"c_fc": nn.Linear(width, 4 * width), "gelu": _QuickGelu(), "c_proj": nn.Linear(4 * width, width)}
        )

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        normed = self.ln_1(x)
        x = x + self.attn(normed, normed, normed, need_weights=False, attn_mask=mask)[0]
        deeper: Tensor = x + self.mlp["c_proj"](self.mlp["gelu"](self.mlp["c_fc"](self.ln_2(x))))
        return deeper


class _Blocks(nn.Module):
    def __init__(self, width: int, layers: int, heads: int) -> None:
        super().__init__()
        self.resblocks = nn.ModuleList([_Block(width, heads) for _ in range(layers)])

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        for block in self.resblocks:
            x = block(x, mask)
        return x


class _Vision(nn.Module):
    def __init__(self, shape: ViClipShape) -> None:
        super().__init__()
        width, patch = shape.pictures.width, shape.patch_px
        self.conv1 = nn.Conv3d(3, width, (1, patch, patch), (1, patch, patch), bias=False)
        self.class_embedding = nn.Parameter(torch.zeros(width))
        self.positional_embedding = nn.Parameter(torch.zeros((shape.side_px // patch) ** 2 + 1, width))
        self.temporal_positional_embedding = nn.Parameter(torch.zeros(1, FRAMES, width))
        self.ln_pre, self.ln_post = nn.LayerNorm(width), nn.LayerNorm(width)
        self.transformer = _Blocks(*shape.pictures)
        self.proj = nn.Parameter(torch.zeros(width, shape.vector))

    def forward(self, video: Tensor) -> Tensor:
        """Embeds ``video[B, 3, T, H, W]``."""
        patches = self.conv1(video).flatten(3).permute(0, 3, 2, 1)  # [B, N, T, D]
        patches = patches + self.positional_embedding[1:, None] + self.temporal_positional_embedding
        first = (self.class_embedding + self.positional_embedding[0]).expand(len(video), 1, -1)
        x = torch.cat([first, patches.flatten(1, 2)], dim=1)
        embedded: Tensor = self.ln_post(self.transformer(self.ln_pre(x)))[:, 0] @ self.proj
        return embedded


class _Text(nn.Module):
    def __init__(self, shape: ViClipShape) -> None:
        super().__init__()
        width = shape.texts.width
        self.token_embedding = nn.Embedding(shape.words, width)
        self.positional_embedding = nn.Parameter(torch.zeros(TOKENS, width))
        self.transformer = _Blocks(*shape.texts)
        self.ln_final = nn.LayerNorm(width)
        self.text_projection = nn.Parameter(torch.zeros(width, shape.vector))
        self.register_buffer("mask", torch.full((TOKENS, TOKENS), -torch.inf).triu(1), persistent=False)

    def forward(self, numbers: Tensor) -> Tensor:
        """Embeds ``numbers[K, 32]`` by the last of their tokens, whose number is the highest."""
        x = self.transformer(self.token_embedding(numbers) + self.positional_embedding, self.mask)
        last = self.ln_final(x)[torch.arange(len(numbers)), numbers.argmax(dim=-1)]
        embedded: Tensor = last @ self.text_projection
        return embedded


class ViClip(nn.Module):
    """Both encoders, and the temperature that only training needs."""

    def __init__(self, shape: ViClipShape | None = None) -> None:
        super().__init__()
        self.shape = shape or ViClipShape()
        self.vision_encoder, self.text_encoder = _Vision(self.shape), _Text(self.shape)
        self.temp = nn.Parameter(torch.tensor(0.01))


class ViClipJudge:
    """Scores by the cosine between the embeddings of a video and of a sentence."""

    spec = JudgeSpec(FRAMES)

    def __init__(self, network: ViClip, tokenizer: Any, device: str | None = None) -> None:
        self._device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        self._network, self._tokenizer = network.eval().to(self._device), tokenizer
        self._mean, self._std = (
            torch.tensor(row, device=self._device).view(1, 3, 1, 1) for row in (IMAGENET_MEAN, IMAGENET_STD)
        )
        self._embed = lru_cache(maxsize=64)(self._embed_texts)

    @property
    def fingerprint(self) -> str:
        """A hash of all weights."""
        return weights_hash({name: tensor.float() for name, tensor in self._network.state_dict().items()})

    @torch.inference_mode()
    def score(self, clip: Images, descriptions: Sequence[str]) -> Floats:
        """Scores each description, between -1 and 1."""
        side = self._network.shape.side_px
        pixels = torch.from_numpy(np.array(clip)).to(self._device).permute(0, 3, 1, 2).float()
        resized = F.interpolate(pixels, (side, side), mode="bilinear", align_corners=False)
        video = ((resized / 255.0 - self._mean) / self._std).permute(1, 0, 2, 3)[None]
        embedded = F.normalize(self._network.vision_encoder(video).float(), dim=-1)
        return np.asarray((self._embed(tuple(descriptions)) @ embedded[0]).cpu().numpy(), np.float32)

    def _embed_texts(self, sentences: tuple[str, ...]) -> Tensor:
        words = self._tokenizer(
            list(sentences), padding="max_length", truncation=True, max_length=TOKENS, return_tensors="pt"
        )
        # Released texts are filled up with zeros, which the mask keeps from the tokens before them.
        numbers = words["input_ids"] * words["attention_mask"]
        return F.normalize(self._network.text_encoder(numbers.to(self._device)).float(), dim=-1)


def make_viclip(weights: str, device: str | None = None) -> ViClipJudge:
    """Reads ViCLIP from a folder in its released layout.

    Raises:
        DataError: when a file is missing, or tensors are missing, unknown or of another shape.
    """
    folder = Path(weights).expanduser()
    files = sorted(folder.glob("*.pth")) or sorted(folder.glob("*.safetensors"))
    if not files or not (folder / VOCABULARY).is_file():
        raise DataError(
            f"Expected a checkpoint (*.pth) and {VOCABULARY} in {folder}, got {_names(folder)}. Give the folder of "
            "OpenGVLab/ViCLIP."
        )
    network = ViClip()
    load_released(network, read_checkpoint(files[0]).tensors, files[0])
    return ViClipJudge(network, read_vocabulary(folder / VOCABULARY), device)


def load_released(network: ViClip, tensors: Mapping[str, Tensor], path: Path) -> None:
    """Puts released tensors into the network, all of them and no others.

    Raises:
        DataError: naming the first that is missing, unknown or of another shape.
    """
    given = {name.removeprefix(_PRE): tensor for name, tensor in tensors.items()}
    wanted = network.state_dict()
    for name in sorted(wanted.keys() ^ given.keys()):
        what = "lacks" if name in wanted else "has the unknown tensor"
        raise DataError(f"Expected ViCLIP-L's tensors in {path}, it {what} {name}.")
    for name, tensor in wanted.items():
        if tensor.shape != given[name].shape:
            raise DataError(f"Expected {list(tensor.shape)} for {name} in {path}, got {list(given[name].shape)}.")
    network.load_state_dict(given)


def read_vocabulary(path: Path) -> Any:
    """Builds CLIP's tokenizer from its released list of merges."""
    import transformers

    lines = gzip.decompress(path.read_bytes()).decode("utf-8").split("\n")
    merges = [tuple(line.split()) for line in lines[1 : MERGES + 1] if line.strip()]
    letters = _byte_letters()
    joined = ["".join(pair) for pair in merges]
    tokens = [*letters, *(f"{letter}</w>" for letter in letters), *joined, "<|startoftext|>", "<|endoftext|>"]
    vocabulary = {token: number for number, token in enumerate(tokens)}
    return transformers.CLIPTokenizer(vocab=vocabulary, merges=merges)  # type: ignore[arg-type]


def _byte_letters() -> list[str]:
    """The letter that stands for each byte: itself where it can be printed, one beyond all bytes otherwise."""
    printed = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printed]
    return [chr(byte) for byte in printed] + [chr(256 + number) for number in range(len(others))]


def _names(folder: Path) -> str:
    return ", ".join(sorted(path.name for path in folder.iterdir())[:5]) or "nothing" if folder.is_dir() else "nothing"
