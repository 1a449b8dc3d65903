"""Attention pictures: the map follows the attention, and the overlay brightens where it looks."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from pentathlon.core.errors import UsageError
from pentathlon.models.attention import attention_maps, overlay
from pentathlon.models.encoders import factories
from pentathlon.models.encoders.vit import ViT

IMAGES = np.random.default_rng(0).integers(0, 256, (2, 64, 64, 3), dtype=np.uint8)


def test_cls_attention_equals_softmax_of_the_last_block() -> None:
    encoder = factories.random_vit("tiny", image_size=32, device="cpu")
    network = encoder.network
    assert isinstance(network, ViT)
    pixels = encoder.preprocess(torch.from_numpy(IMAGES))
    with torch.inference_mode():
        x = network.embed(pixels)
        for block in list(network.blocks)[:-1]:
            x = block(x)
        last = network.blocks[-1]
        qkv = last.attn.qkv(last.norm1(x)).reshape(2, 5, 3, 3, 64).permute(2, 0, 3, 1, 4)
        expected = (qkv[0] @ qkv[1].transpose(-2, -1) / 8.0).softmax(dim=-1)[:, :, 0, 1:]
        torch.testing.assert_close(network.cls_attention(pixels), expected)


def test_map_has_mean_one_over_the_input() -> None:
    maps = attention_maps(factories.random_vit("tiny", image_size=64, device="cpu"), IMAGES)
    assert maps.shape == (2, 64, 64)
    np.testing.assert_allclose(maps.mean(axis=(1, 2)), 1.0, atol=0.02)


def test_overlay_is_brightest_where_attention_is() -> None:
    encoder = factories.random_vit("tiny", image_size=64, device="cpu")
    grey = np.full((1, 80, 80, 3), 90, np.uint8)
    grey[:, 20:40, 20:40] = 255
    maps, picture = attention_maps(encoder, grey)[0], overlay(encoder, grey, opacity=1.0)[0].astype(float).sum(axis=2)
    assert picture[np.unravel_index(maps.argmax(), maps.shape)] > picture[np.unravel_index(maps.argmin(), maps.shape)]


def test_network_without_attention_is_refused() -> None:
    with pytest.raises(UsageError, match="Expected a vision transformer, got Pixels"):
        attention_maps(factories.pixels(4, device="cpu"), IMAGES)
