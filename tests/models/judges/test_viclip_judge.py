"""ViCLIP: the whole architecture's released names and shapes, and a small one against its equations read plainly."""

from __future__ import annotations

import copy
import gzip
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from pentathlon.core.errors import DataError
from pentathlon.models.judges.viclip import (
    TOKENS,
    Tower,
    ViClip,
    ViClipJudge,
    ViClipShape,
    load_released,
    make_viclip,
    read_vocabulary,
)

SMALL = ViClipShape(28, 14, Tower(16, 2, 2), Tower(12, 2, 2), vector=8, words=600)
CLIP = np.random.default_rng(0).integers(0, 255, (8, 40, 56, 3), dtype=np.uint8)
SENTENCES = ("we open it", "we close it, and then we leave the kitchen, which takes more words than fit in", "a")


@pytest.fixture(scope="module")
def vocabulary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("viclip") / "bpe_simple_vocab_16e6.txt.gz"
    path.write_bytes(gzip.compress(b'"bpe_simple_vocab_16e6.txt#version: 0.2\nt h\nth e</w>\nw e</w>\n'))
    return path


@pytest.fixture(scope="module")
def network() -> ViClip:
    torch.manual_seed(0)
    made = ViClip(SMALL)
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return made.eval()


def test_the_whole_architecture_has_the_released_tensors() -> None:
    with torch.device("meta"):
        tensors = ViClip().state_dict()
    assert len(tensors) == 9 + 24 * 12 + 5 + 12 * 12 + 1
    shapes = {name: tuple(tensor.shape) for name, tensor in tensors.items()}
    assert shapes["vision_encoder.conv1.weight"] == (1024, 3, 1, 14, 14)
    assert shapes["vision_encoder.positional_embedding"] == (257, 1024)
    assert shapes["vision_encoder.temporal_positional_embedding"] == (1, 8, 1024)
    assert shapes["vision_encoder.transformer.resblocks.23.attn.in_proj_weight"] == (3072, 1024)
    assert shapes["vision_encoder.proj"] == (1024, 768)
    assert shapes["text_encoder.transformer.resblocks.11.mlp.c_fc.weight"] == (3072, 768)
    assert shapes["text_encoder.token_embedding.weight"] == (49408, 768)
    assert shapes["text_encoder.positional_embedding"] == (32, 768)
    assert shapes["text_encoder.text_projection"] == (768, 768)
    assert shapes["temp"] == ()


def slow_blocks(tensors: dict[str, Tensor], prefix: str, x: Tensor, layers: int, heads: int, causal: bool) -> Tensor:
    """One head at a time, from the definition."""
    for layer in range(layers):
        at = f"{prefix}.transformer.resblocks.{layer}"
        normed = F.layer_norm(x, x.shape[-1:], tensors[f"{at}.ln_1.weight"], tensors[f"{at}.ln_1.bias"])
        queries, keys, values = (
            normed @ tensors[f"{at}.attn.in_proj_weight"].T + tensors[f"{at}.attn.in_proj_bias"]
        ).chunk(3, dim=-1)
        size, mixed = x.shape[-1] // heads, []
        for head in range(heads):
            part = slice(head * size, (head + 1) * size)
            weight = queries[:, part] @ keys[:, part].T / size**0.5
            if causal:
                weight = weight.masked_fill(torch.ones_like(weight).triu(1).bool(), -torch.inf)
            mixed.append(weight.softmax(dim=-1) @ values[:, part])
        x = x + torch.cat(mixed, dim=-1) @ tensors[f"{at}.attn.out_proj.weight"].T + tensors[f"{at}.attn.out_proj.bias"]
        normed = F.layer_norm(x, x.shape[-1:], tensors[f"{at}.ln_2.weight"], tensors[f"{at}.ln_2.bias"])
        wide = normed @ tensors[f"{at}.mlp.c_fc.weight"].T + tensors[f"{at}.mlp.c_fc.bias"]
        x = x + (wide * torch.sigmoid(1.702 * wide)) @ tensors[f"{at}.mlp.c_proj.weight"].T
        x = x + tensors[f"{at}.mlp.c_proj.bias"]
    return x


def slow_video(tensors: dict[str, Tensor], clip: np.ndarray) -> Tensor:
    mean, std = torch.tensor([0.485, 0.456, 0.406]), torch.tensor([0.229, 0.224, 0.225])
    tokens = [tensors["vision_encoder.class_embedding"] + tensors["vision_encoder.positional_embedding"][0]]
    frames = F.interpolate(torch.from_numpy(clip).permute(0, 3, 1, 2).float(), (28, 28), mode="bilinear")
    frames = (frames.permute(0, 2, 3, 1) / 255 - mean) / std
    kernel = tensors["vision_encoder.conv1.weight"][:, :, 0]
    for place, (row, column) in enumerate([(0, 0), (0, 1), (1, 0), (1, 1)]):
        for time in range(8):
            patch = frames[time, row * 14 : row * 14 + 14, column * 14 : column * 14 + 14]
            token = torch.einsum("dcij,ijc->d", kernel, patch)
            token = token + tensors["vision_encoder.positional_embedding"][1 + place]
            tokens.append(token + tensors["vision_encoder.temporal_positional_embedding"][0, time])
    x = torch.stack(tokens)
    for name in ("ln_pre",):
        x = F.layer_norm(
            x, x.shape[-1:], tensors[f"vision_encoder.{name}.weight"], tensors[f"vision_encoder.{name}.bias"]
        )
    x = slow_blocks(tensors, "vision_encoder", x, 2, 2, causal=False)
    post = tensors["vision_encoder.ln_post.weight"], tensors["vision_encoder.ln_post.bias"]
    return F.layer_norm(x, x.shape[-1:], *post)[0] @ tensors["vision_encoder.proj"]


def slow_text(tensors: dict[str, Tensor], numbers: list[int]) -> Tensor:
    filled = torch.tensor(numbers + [0] * (TOKENS - len(numbers)))
    x = tensors["text_encoder.token_embedding.weight"][filled] + tensors["text_encoder.positional_embedding"]
    x = slow_blocks(tensors, "text_encoder", x, 2, 2, causal=True)
    x = F.layer_norm(x, x.shape[-1:], tensors["text_encoder.ln_final.weight"], tensors["text_encoder.ln_final.bias"])
    return x[len(numbers) - 1] @ tensors["text_encoder.text_projection"]


def test_it_agrees_with_its_definition(network: ViClip, vocabulary: Path) -> None:
    tokenizer = read_vocabulary(vocabulary)
    tensors = network.state_dict()
    video = F.normalize(slow_video(tensors, CLIP), dim=-1)
    expected = []
    for sentence in SENTENCES:
        numbers = tokenizer(sentence, truncation=True, max_length=TOKENS)["input_ids"]
        expected.append(float(F.normalize(slow_text(tensors, numbers), dim=-1) @ video))
    scores = ViClipJudge(network, tokenizer, device="cpu").score(CLIP, SENTENCES)
    np.testing.assert_allclose(scores, expected, atol=1e-4)


def test_order_matters_through_the_frames_embedding_alone(network: ViClip, vocabulary: Path) -> None:
    judge = ViClipJudge(copy.deepcopy(network), read_vocabulary(vocabulary), device="cpu")
    brighter = np.linspace(0, 255, 8, dtype=np.uint8)[:, None, None, None] * np.ones((1, 28, 28, 3), np.uint8)

    def difference() -> float:
        back = brighter[::-1].copy()
        return float(np.abs(judge.score(brighter, SENTENCES) - judge.score(back, SENTENCES)).max())

    seen = difference()
    torch.nn.init.zeros_(judge._network.vision_encoder.temporal_positional_embedding)
    assert seen > 1e-4
    assert difference() < 1e-6


def test_words_are_numbered_as_in_clip(vocabulary: Path) -> None:
    tokenizer = read_vocabulary(vocabulary)
    # 512 letters and ends of words, three merges, and the two marks.
    assert tokenizer("the we")["input_ids"] == [515, 513, 514, 516]


def test_bad_folders_and_tensors_are_named(network: ViClip, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"Expected a checkpoint .* got nothing"):
        make_viclip(str(tmp_path))
    tensors = {f"model.{name}": tensor for name, tensor in network.state_dict().items()}
    load_released(network, tensors, tmp_path)
    with pytest.raises(DataError, match="lacks temp"):
        load_released(network, {name: one for name, one in tensors.items() if name != "model.temp"}, tmp_path)
    with pytest.raises(DataError, match="has the unknown tensor extra"):
        load_released(network, {**tensors, "extra": torch.zeros(1)}, tmp_path)
    with pytest.raises(DataError, match=r"Expected \[\] for temp in .*, got \[2\]"):
        load_released(network, {**tensors, "model.temp": torch.zeros(2)}, tmp_path)
