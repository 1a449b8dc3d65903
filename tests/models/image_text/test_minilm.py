from __future__ import annotations

import math
from pathlib import Path

import pytest
import torch
from torch import Tensor

from pentathlon.core.errors import DataError
from pentathlon.models.image_text.minilm import MiniLm, load_minilm, save_minilm
from pentathlon.models.image_text.word_pieces import WordPieces
from pentathlon.models.weights import write_checkpoint


def slow_states(network: MiniLm, numbers: list[int]) -> Tensor:
    """BERT's definition for one sentence without filling, token by token."""
    weights = {name: tensor.double() for name, tensor in network.state_dict().items()}
    width, heads = network.shape.width, network.shape.heads

    def norm(row: Tensor, name: str) -> Tensor:
        row = row - row.mean()
        return row / (row.square().mean() + 1e-12).sqrt() * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def linear(row: Tensor, name: str) -> Tensor:
        return weights[f"{name}.weight"] @ row + weights[f"{name}.bias"]

    rows = [norm(weights["words.weight"][n] + weights["places"][i], "norm") for i, n in enumerate(numbers)]
    for i in range(network.shape.layers):
        layer, size = f"layers.{i}", width // heads
        triples = [linear(row, f"{layer}.qkv").view(3, heads, size) for row in rows]
        mixed = []
        for query, _, _ in triples:
            parts = []
            for head in range(heads):
                fit = torch.stack([query[head] @ key[head] / math.sqrt(size) for _, key, _ in triples]).softmax(0)
                parts.append(sum(share * value[head] for share, (_, _, value) in zip(fit, triples, strict=True)))
            mixed.append(torch.cat(parts))
        rows = [norm(row + linear(mix, f"{layer}.out"), f"{layer}.norm1") for row, mix in zip(rows, mixed, strict=True)]
        ups = [linear(row, f"{layer}.up") for row in rows]
        ups = [up * 0.5 * (1 + torch.erf(up / math.sqrt(2))) for up in ups]
        rows = [norm(row + linear(up, f"{layer}.down"), f"{layer}.norm2") for row, up in zip(rows, ups, strict=True)]
    return torch.stack(rows)


def test_states_are_those_of_the_definition_whatever_the_filling(minilm: MiniLm) -> None:
    numbers = [2, 6, 4, 5, 3]
    found = minilm(torch.tensor([[*numbers, 0, 0, 0]]))[0, : len(numbers)]
    assert torch.allclose(found.double(), slow_states(minilm, numbers), atol=1e-5)


def test_a_file_keeps_states_and_words(tmp_path: Path, minilm: MiniLm, pieces: WordPieces) -> None:
    save_minilm(tmp_path / "text.safetensors", minilm, pieces)
    network, words = load_minilm(tmp_path / "text.safetensors")
    assert words.words == pieces.words
    numbers = torch.from_numpy(pieces(["the red mug", "desk"], 6))
    real = numbers != 0
    cosine = torch.nn.functional.cosine_similarity(network(numbers)[real], minilm(numbers)[real], dim=-1)
    assert float(cosine.min()) > 0.999
    assert not any(parameter.requires_grad for parameter in network.parameters())


def test_another_file_is_refused(tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "other.safetensors", {"a": torch.zeros(2)}, {"format": "other"})
    with pytest.raises(DataError, match="Expected a text model"):
        load_minilm(tmp_path / "other.safetensors")
