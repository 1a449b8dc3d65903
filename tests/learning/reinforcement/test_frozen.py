"""Features of a frozen encoder by the fast way of GPUs, run on a CPU."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from pentathlon.core.errors import UsageError
from pentathlon.learning.reinforcement.navigation.frozen import FrozenFeatures, ResizeByMatrix, open_frozen
from pentathlon.models.encoders.preprocess import Preprocess, Squeezed

RULES = (Preprocess(resize=146, crop=128), Preprocess(resize=64, crop=64), Squeezed(resize=48, crop=48))


def pictures(count: int, height: int, width: int) -> torch.Tensor:
    down, across = np.mgrid[0:height, 0:width]
    waves = [127 + 120 * np.sin(down / (3 + i) + across / (5 + i)) for i in range(3 * count)]
    return torch.from_numpy(np.stack(waves).reshape(count, 3, height, width).transpose(0, 2, 3, 1).astype(np.uint8))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", [(128, 128), (60, 80)])
def test_resizing_by_matrices_gives_the_rules_pixels(rule: Preprocess, size: tuple[int, int]) -> None:
    rgb = pictures(2, *size)
    wanted, found = rule(rgb), ResizeByMatrix(rule, size, torch.device("cpu"))(rgb)
    assert found.shape == wanted.shape
    off = (found.float() - wanted).abs() * torch.tensor(rule.std).view(3, 1, 1) * 255
    assert off.max() < 3.0, "of 255"
    assert off.mean() < 0.6, "of 255"


def test_the_fast_way_gives_the_encoders_patches() -> None:
    encoder = open_frozen("mae-tiny", "cpu")
    rgb = pictures(3, 128, 128)
    fast = FrozenFeatures(encoder, fast=True, compiled=False)(rgb).float()
    plain = FrozenFeatures(encoder)(rgb).float()
    patches = encoder.encode(rgb.numpy()).patches
    assert patches is not None
    wanted = torch.from_numpy(patches)
    assert fast.shape == plain.shape == wanted.shape
    for found in (fast, plain):
        assert torch.cosine_similarity(found, wanted, dim=-1).min() > 0.995


def test_a_learner_under_autocast_sees_the_same() -> None:
    seen = FrozenFeatures(open_frozen("mae-tiny", "cpu"), fast=True, compiled=False)
    rgb = pictures(2, 64, 64)
    alone = seen(rgb)
    with torch.autocast("cpu", torch.bfloat16):
        assert torch.equal(seen(rgb), alone)


def test_pooled_features_stand_in_where_there_are_no_patches() -> None:
    assert FrozenFeatures(open_frozen("pixels-16", "cpu"))(pictures(2, 32, 32)).shape == (2, 768)


def test_entrants_that_are_no_networks_are_refused() -> None:
    with pytest.raises(UsageError, match="Expected an encoder of this package"):
        open_frozen("hold-still", "cpu")
