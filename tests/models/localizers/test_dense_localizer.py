from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from pentathlon.core.errors import UsageError
from pentathlon.models.image_text.dense import DenseImageText, DenseShape, prepare
from pentathlon.models.image_text.minilm import MiniLm, MiniLmShape, save_minilm
from pentathlon.models.image_text.trained import save_dense
from pentathlon.models.image_text.word_pieces import WordPieces
from pentathlon.models.localizers import Localizer, open_localizer
from pentathlon.models.localizers.dense import kind_of

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "red", "mug", "on", "top", "of", "a", "desk", "the", "floor"]
THRESHOLDS = {"type": {"go": 1.0, "stop": 3.0}, "on": {"go": 0.5, "stop": 2.0}}


@pytest.fixture
def network() -> DenseImageText:
    torch.manual_seed(0)
    text = MiniLm(MiniLmShape(words=len(WORDS), width=24, layers=1, heads=2))
    shape = DenseShape(width=32, vector=16, layers=1, text_width=32, text_layers=1, image_size=64)
    made = DenseImageText(shape, text)
    # Statistics of a trained network: nothing is normalized by zeros and ones.
    for module in made.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.running_mean.uniform_(-0.5, 0.5)
            module.running_var.uniform_(0.5, 2.0)
    return made.eval()


@pytest.fixture
def localizer(tmp_path: Path, network: DenseImageText) -> Localizer:
    save_minilm(tmp_path / "minilm-l6.safetensors", network.texts.minilm, WordPieces(WORDS))
    save_dense(tmp_path / "net.safetensors", network, {}, THRESHOLDS)
    return open_localizer(f"dense:{tmp_path / 'net.safetensors'}")


def picture(size: int = 64) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.integers(0, 256, (size, size, 3), np.uint8), rng.uniform(0, 8, (size, size)).astype(np.float32)


@torch.inference_mode()
def test_scores_are_those_of_the_definition(localizer: Localizer, network: DenseImageText) -> None:
    rgb, depth_m = picture()
    localizer.describe("red mug.", "mug")
    found = localizer.relevance(rgb, depth_m)
    sentence = network.texts(torch.tensor([[2, 4, 5, 3]]))[0]
    vectors = network.pictures(prepare(torch.from_numpy(rgb)[None], torch.from_numpy(depth_m)[None]))[0]
    slow = np.empty((16, 16))
    for y in range(16):
        for x in range(16):
            cosine = float(vectors[:, y, x] @ sentence)
            slow[y, x] = cosine * float(network.scale.exp()) + float(network.bias)
    assert found.map.dtype == np.float32
    assert np.abs(found.map - slow).max() < 0.05


def test_thresholds_follow_the_kind_of_sentence(localizer: Localizer) -> None:
    for sentence, wanted in (("mug", (1.0, 3.0)), ("mug on top of a desk", (0.5, 2.0)), ("red mug", (1.0, 3.0))):
        localizer.describe(sentence, "mug")
        found = localizer.relevance(*picture())
        assert (found.go, found.stop) == wanted


def test_the_floor_is_not_asked_for(localizer: Localizer) -> None:
    maps = []
    for sentence in ("mug", "mug on the floor"):
        localizer.describe(sentence, "mug")
        maps.append(localizer.relevance(*picture()).map)
    assert np.array_equal(*maps)


def test_large_pictures_and_broken_depth_give_a_finite_map(localizer: Localizer) -> None:
    rgb, depth_m = picture(192)
    depth_m[:50], depth_m[50:60] = np.nan, np.inf
    localizer.describe("mug", "mug")
    found = localizer.relevance(rgb, depth_m).map
    assert found.shape == (16, 16)
    assert np.isfinite(found).all()


def test_a_sentence_comes_first(localizer: Localizer) -> None:
    with pytest.raises(UsageError, match="describe before relevance"):
        localizer.relevance(*picture())
    with pytest.raises(UsageError, match="Expected a description"):
        localizer.describe(" . ", "mug")


@pytest.mark.parametrize(
    ("sentence", "category", "kind"),
    [
        ("mug", "mug", "type"),
        ("small, red and white, ceramic mug", "mug", "colour"),
        ("mug on top of a desk, near a laptop", "mug", "on"),
        ("apple in a box", "apple", "in"),
        ("apple under a sofa", "apple", "under"),
        ("vase near a sofa", "vase", "near"),
        ("iron on button", "iron on button", "type"),
    ],
)
def test_kinds_of_sentences(sentence: str, category: str, kind: str) -> None:
    assert kind_of(sentence, category) == kind
