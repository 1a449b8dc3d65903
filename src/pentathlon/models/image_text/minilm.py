"""all-MiniLM-L6-v2 (Wang et al. 2020; sentence-transformers): the states of a sentence's tokens, as a small file.

Matrices are stored as bytes with one scale per row, a quarter of the released file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from pentathlon.core.errors import DataError
from pentathlon.models.image_text.word_pieces import WordPieces
from pentathlon.models.weights import read_checkpoint, write_checkpoint

FORMAT = "pentathlon-minilm-1"
MOST_TOKENS = 64
_EPSILON = 1e-12
_SCALE = ".scale"


@dataclass(frozen=True)
class MiniLmShape:
    """Sizes of the network, for so many words as its tokenizer knows; the defaults are all-MiniLM-L6-v2's."""

    words: int
    width: int = 384
    layers: int = 6
    heads: int = 12


class _Layer(nn.Module):
    """A layer of BERT: normalized after each sum."""

    def __init__(self, shape: MiniLmShape) -> None:
        super().__init__()
        width = shape.width
        self.heads = shape.heads
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.norm1, self.norm2 = nn.LayerNorm(width, _EPSILON), nn.LayerNorm(width, _EPSILON)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        count, length, width = states.shape
        parts = self.qkv(states).view(count, length, 3, self.heads, width // self.heads)
        queries, keys, values = parts.permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)
        states = self.norm1(states + self.out(mixed.transpose(1, 2).reshape(count, length, width)))
        normed: Tensor = self.norm2(states + self.down(F.gelu(self.up(states))))
        return normed


class MiniLm(nn.Module):
    """Returns the states ``[K, L, width]`` of token numbers ``[K, L]``; zeros are filling."""

    def __init__(self, shape: MiniLmShape) -> None:
        super().__init__()
        self.shape = shape
        self.words = nn.Embedding(shape.words, shape.width)
        self.places = nn.Parameter(torch.zeros(MOST_TOKENS, shape.width))
        self.norm = nn.LayerNorm(shape.width, _EPSILON)
        self.layers = nn.ModuleList([_Layer(shape) for _ in range(shape.layers)])

    def forward(self, numbers: Tensor) -> Tensor:
        """Encodes sentences."""
        mask = (numbers != 0)[:, None, None, :]
        states: Tensor = self.norm(self.words(numbers) + self.places[: numbers.shape[1]])
        for layer in self.layers:
            states = layer(states, mask)
        return states


def read_released(folder: Path) -> tuple[MiniLm, WordPieces]:
    """Reads the released ``model.safetensors`` and ``vocab.txt``."""
    released = read_checkpoint(folder / "model.safetensors").tensors
    words = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
    network = MiniLm(MiniLmShape(words=len(words)))
    network.load_state_dict(_renamed(released, network.shape.layers))
    return network.requires_grad_(False).eval(), WordPieces(words)


def save_minilm(path: Path, network: MiniLm, pieces: WordPieces) -> None:
    """Writes network and vocabulary as one file of bytes and scales."""
    tensors: dict[str, Tensor] = {}
    for name, tensor in network.state_dict().items():
        if tensor.ndim == 2:
            scale = (tensor.abs().amax(dim=1) / 127).clamp(min=1e-8)
            tensors[name] = (tensor / scale[:, None]).round().to(torch.int8)
            tensors[name + _SCALE] = scale
        else:
            tensors[name] = tensor.half()
    about = {"format": FORMAT, "shape": asdict(network.shape), "words": list(pieces.words)}
    write_checkpoint(path, tensors, about)


def load_minilm(path: Path) -> tuple[MiniLm, WordPieces]:
    """Reads what :func:`save_minilm` wrote, or the folder of a released model, frozen.

    Raises:
        DataError: when the file is of another format.
    """
    if path.is_dir():
        return read_released(path)
    checkpoint = read_checkpoint(path)
    if checkpoint.metadata.get("format") != json.dumps(FORMAT):
        raise DataError(f"Expected a text model of format {FORMAT!r} at {path}, got another file. Give its path.")
    network = MiniLm(MiniLmShape(**json.loads(checkpoint.metadata["shape"])))
    network.load_state_dict(_unpacked(checkpoint.tensors))
    return network.requires_grad_(False).eval(), WordPieces(json.loads(checkpoint.metadata["words"]))


def _unpacked(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    whole: dict[str, Tensor] = {}
    for name, tensor in tensors.items():
        if name + _SCALE in tensors:
            whole[name] = tensor.float() * tensors[name + _SCALE].float()[:, None]
        elif not name.endswith(_SCALE):
            whole[name] = tensor.float()
    return whole


def _renamed(released: Mapping[str, Tensor], layers: int) -> dict[str, Tensor]:
    """Our names; all tokens are of the first type, whose vector joins the places."""
    first = "embeddings."
    made = {
        "words.weight": released[f"{first}word_embeddings.weight"],
        "places": released[f"{first}position_embeddings.weight"][:MOST_TOKENS]
        + released[f"{first}token_type_embeddings.weight"][0],
    }
    names = {"norm": f"{first}LayerNorm"}
    for i in range(layers):
        old, new = f"encoder.layer.{i}.", f"layers.{i}."
        names[f"{new}out"], names[f"{new}norm1"] = f"{old}attention.output.dense", f"{old}attention.output.LayerNorm"
        names[f"{new}up"], names[f"{new}down"] = f"{old}intermediate.dense", f"{old}output.dense"
        names[f"{new}norm2"] = f"{old}output.LayerNorm"
    for new, old in names.items():
        for kind in ("weight", "bias"):
            made[f"{new}.{kind}"] = released[f"{old}.{kind}"]
    for i in range(layers):
        for kind in ("weight", "bias"):
            parts = [released[f"encoder.layer.{i}.attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
            made[f"layers.{i}.qkv.{kind}"] = torch.cat(parts)
    return made
