"""CLIP-Ref., CLIP-Patch and CLIP-Grad. against slow definitions, in ViT-B/32 and a small one with random weights."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from random_models import CLIP_TEXT, clip_tokenizer, no_depth, picture, seeded, small_clip
from torch import Tensor

from pentathlon.core.errors import DataError, UsageError
from pentathlon.models.image_text.huggingface import HuggingFaceImageText
from pentathlon.models.localizers.clip_gradient import ClipGradient
from pentathlon.models.localizers.clip_regions import ClipPatches, ClipReferring, cut_tiles
from pentathlon.models.localizers.prompts import ENSEMBLE, PHOTO
from pentathlon.models.localizers.thresholds import Thresholds

HALF = Thresholds(0.5, 0.6)
SENTENCE = "red mug on the desk"
MEAN, STD = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)
WHERE = ("top left", "top center", "top right", "center left", "center", "center right")
WHERE += ("bottom left", "bottom center", "bottom right")


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> HuggingFaceImageText:
    config = transformers.CLIPConfig(text_config=CLIP_TEXT)
    assert (config.vision_config.patch_size, config.vision_config.num_hidden_layers) == (32, 12)
    model = seeded(transformers.CLIPModel, config)
    return HuggingFaceImageText(model, clip_tokenizer(tmp_path_factory.mktemp("clip")), "clip", "cpu")


@pytest.fixture
def small(tmp_path: Path) -> HuggingFaceImageText:
    return HuggingFaceImageText(small_clip(), clip_tokenizer(tmp_path), "clip", "cpu")


def slow_text(model: HuggingFaceImageText, phrase: str, templates: Sequence[str]) -> Tensor:
    total = torch.zeros(())
    for template in templates:
        words = model._tokenizer(template.replace("{}", phrase), return_tensors="pt")
        feature = model.network.get_text_features(**words).pooler_output[0].detach()
        total = total + feature / feature.norm()
    return total / total.norm()


def slow_pixels(tile: np.ndarray) -> Tensor:
    return torch.from_numpy((tile / 255.0 - np.array(MEAN)) / np.array(STD)).permute(2, 0, 1)[None].float()


def slow_image(model: HuggingFaceImageText, tile: np.ndarray) -> Tensor:
    feature = model.network.get_image_features(slow_pixels(tile)).pooler_output[0].detach()
    return feature / feature.norm()


def slow_map(scores: list[float], shape: tuple[int, ...]) -> np.ndarray:
    """A softmax written out, and each pixel looked up in its ninth."""
    shares = [math.exp(100 * (score - max(scores))) for score in scores]
    found = np.zeros(shape[:2])
    for row in range(shape[0]):
        for column in range(shape[1]):
            found[row, column] = shares[int((row + 0.5) * 3 / shape[0]) * 3 + int((column + 0.5) * 3 / shape[1])] / sum(
                shares
            )
    return found


def slow_last_block(network: Any, hidden: Tensor, attention: Tensor) -> Tensor:
    """The end of CLIP's visual tower for given attention weights of its last block, head by head."""
    block, tower = network.vision_model.encoder.layers[-1], network.vision_model
    values = block.self_attn.v_proj(block.layer_norm1(hidden))
    width = values.shape[-1] // len(attention)
    heads = [attention[h] @ values[:, h * width : (h + 1) * width] for h in range(len(attention))]
    hidden = hidden + block.self_attn.out_proj(torch.cat(heads, dim=-1))
    hidden = hidden + block.mlp(block.layer_norm2(hidden))
    feature = network.visual_projection(tower.post_layernorm(hidden[0]))
    return feature / feature.norm()


def slow_attention(network: Any, hidden: Tensor) -> Tensor:
    block = network.vision_model.encoder.layers[-1]
    normed, heads = block.layer_norm1(hidden), block.self_attn.num_heads
    query, key = block.self_attn.q_proj(normed), block.self_attn.k_proj(normed)
    width = query.shape[-1] // heads
    rows = []
    for h in range(heads):
        part = slice(h * width, (h + 1) * width)
        rows.append(torch.softmax(query[:, part] @ key[:, part].T / math.sqrt(width), dim=-1))
    return torch.stack(rows)


def before_last_block(network: Any, rgb: np.ndarray, kind: torch.dtype) -> Tensor:
    pixels = slow_pixels(rgb).to(kind)
    return network.vision_model(pixels, output_hidden_states=True).hidden_states[-2][0].detach()


def upscaled(patches: np.ndarray, side: int) -> np.ndarray:
    """Bilinear enlargement by hand, times the released code's ten."""
    grid = round(len(patches) ** 0.5)
    places = np.clip((np.arange(side) + 0.5) * grid / side - 0.5, 0, grid - 1)
    low = np.minimum(places.astype(int), grid - 2)
    weights = np.zeros((side, grid))
    weights[np.arange(side), low] = 1 - (places - low)
    weights[np.arange(side), low + 1] = places - low
    return 10 * weights @ patches.reshape(grid, grid) @ weights.T


def test_nine_phrases_agree_with_their_definition(full: HuggingFaceImageText) -> None:
    localizer, rgb = ClipReferring(full, "ref", HALF, PHOTO), picture(224, 224)
    localizer.describe(SENTENCE, "mug")
    found = localizer.relevance(rgb, no_depth(rgb))
    image = slow_image(full, rgb)
    scores = [float(image @ slow_text(full, f"{SENTENCE} in the {where}", PHOTO)) for where in WHERE]
    np.testing.assert_allclose(found.map, slow_map(scores, rgb.shape), atol=2e-4)
    assert found.map.dtype == np.float32
    assert np.ptp(found.map) > 0.01
    assert (found.go, found.stop) == (0.5, 0.6)


def test_nine_tiles_agree_with_their_definition(full: HuggingFaceImageText) -> None:
    localizer, rgb = ClipPatches(full, "patch", HALF, PHOTO), picture(672, 672)
    localizer.describe(SENTENCE, "mug")
    found = localizer.relevance(rgb, no_depth(rgb)).map
    text = slow_text(full, SENTENCE, PHOTO)
    tiles = [rgb[224 * i : 224 * i + 224, 224 * j : 224 * j + 224] for i in range(3) for j in range(3)]
    scores = [float(slow_image(full, tile) @ text) for tile in tiles]
    np.testing.assert_allclose(found, slow_map(scores, rgb.shape), atol=2e-4)
    assert np.ptp(found) > 0.01


def test_eighty_prompts_are_averaged(small: HuggingFaceImageText) -> None:
    localizer, rgb = ClipPatches(small, "patch", HALF), picture(96, 96)
    localizer.describe(SENTENCE, "mug")
    text = slow_text(small, SENTENCE, ENSEMBLE)
    tiles = [rgb[32 * i : 32 * i + 32, 32 * j : 32 * j + 32] for i in range(3) for j in range(3)]
    expected = slow_map([float(slow_image(small, tile) @ text) for tile in tiles], rgb.shape)
    found = localizer.relevance(rgb, no_depth(rgb)).map
    np.testing.assert_allclose(found, expected, atol=1e-4)
    single = ClipPatches(small, "patch", HALF, PHOTO)
    single.describe(SENTENCE, "mug")
    assert np.abs(single.relevance(rgb, no_depth(rgb)).map - found).max() > 1e-3


def test_gradients_agree_with_their_definition(full: HuggingFaceImageText) -> None:
    localizer, rgb = ClipGradient(full, "grad", HALF, PHOTO), picture(224, 224)
    localizer.describe(SENTENCE, "mug")
    found = localizer.relevance(rgb, no_depth(rgb)).map
    hidden = before_last_block(full.network, rgb, torch.float32)
    attention = slow_attention(full.network, hidden).detach().requires_grad_()
    score = 100 * slow_last_block(full.network, hidden, attention) @ slow_text(full, SENTENCE, PHOTO)
    (gradient,) = torch.autograd.grad(score, attention)
    products = np.maximum((gradient * attention).detach().numpy()[:, 0, 1:], 0).mean(axis=0)
    np.testing.assert_allclose(found, upscaled(products, 224), atol=1e-5, rtol=1e-3)
    assert found.max() > 2 * found.min() >= 0


def test_gradients_agree_with_finite_differences(small: HuggingFaceImageText) -> None:
    localizer, rgb = ClipGradient(small, "grad", HALF, PHOTO), picture(32, 32)
    localizer.describe(SENTENCE, "mug")
    found = localizer.relevance(rgb, no_depth(rgb)).map
    text = slow_text(small, SENTENCE, PHOTO).double()
    network = small.network.double()
    hidden = before_last_block(network, rgb, torch.float64)
    attention = slow_attention(network, hidden).detach()
    cam = np.zeros((len(attention), 16))
    for head in range(len(attention)):
        for patch in range(16):
            scores = []
            for step in (1e-5, -1e-5):
                moved = attention.clone()
                moved[head, 0, 1 + patch] += step
                scores.append(float(100 * slow_last_block(network, hidden, moved) @ text))
            cam[head, patch] = (scores[0] - scores[1]) / 2e-5 * float(attention[head, 0, 1 + patch])
    np.testing.assert_allclose(found, upscaled(np.maximum(cam, 0).mean(axis=0), 32), atol=1e-4, rtol=1e-3)
    assert found.max() > 0.01


def test_more_layers_add_to_the_last(small: HuggingFaceImageText) -> None:
    rgb, maps = picture(32, 32), []
    for layers in (1, 2):
        localizer = ClipGradient(small, "grad", HALF, PHOTO, layers)
        localizer.describe(SENTENCE, "mug")
        maps.append(localizer.relevance(rgb, no_depth(rgb)).map)
    assert (maps[1] >= maps[0] - 1e-6).all()
    assert maps[1].max() > maps[0].max()
    with pytest.raises(UsageError, match="Expected 1 to 2 layers of attention, got 3"):
        ClipGradient(small, "grad", HALF, PHOTO, 3)


def test_tiles_cover_pictures_that_have_no_thirds() -> None:
    rgb = picture(224, 100)
    tiles = cut_tiles(rgb)
    assert tiles.shape == (9, 75, 34, 3)
    np.testing.assert_array_equal(tiles[0], rgb[:75, :34])
    np.testing.assert_array_equal(tiles[8], rgb[149:, 66:])
    np.testing.assert_array_equal(tiles[4], rgb[74:149, 33:67])


@pytest.mark.parametrize("kind", [ClipReferring, ClipPatches, ClipGradient])
def test_empty_sentences_and_missing_ones_are_refused(kind: Any, small: HuggingFaceImageText) -> None:
    localizer, rgb = kind(small, "name", HALF, PHOTO), picture(32, 32)
    with pytest.raises(UsageError, match="Expected a description such as 'red mug on the desk', got ' . '"):
        localizer.describe(" . ", "mug")
    with pytest.raises(UsageError, match="Expected describe before relevance"):
        localizer.relevance(rgb, no_depth(rgb))


def test_gradients_want_clip(tmp_path: Path) -> None:
    vision = small_clip().config.vision_config.to_dict()
    config = transformers.SiglipConfig(vision_config={**vision, "model_type": "siglip_vision_model"})
    config.text_config.num_hidden_layers = 1
    model = HuggingFaceImageText(transformers.SiglipModel(config), clip_tokenizer(tmp_path), "siglip", "cpu")
    with pytest.raises(DataError, match="Expected CLIP for its attention, got a 'siglip' model"):
        ClipGradient(model, "grad", HALF)
