from __future__ import annotations

from pathlib import Path

import pytest
import torch

from pentathlon.core.errors import DataError
from pentathlon.models.image_text.dense import DenseImageText, DenseShape, forget_depth, prepare
from pentathlon.models.image_text.minilm import MiniLm, save_minilm
from pentathlon.models.image_text.trained import load_dense, save_dense
from pentathlon.models.image_text.word_pieces import WordPieces
from pentathlon.models.weights import write_checkpoint

SHAPE = DenseShape(width=32, vector=16, layers=1, text_width=32, text_layers=1, image_size=64)


@pytest.fixture
def network(minilm: MiniLm) -> DenseImageText:
    torch.manual_seed(1)
    return DenseImageText(SHAPE, minilm).eval()


def pictures(count: int, size: int) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(2)
    rgb = torch.randint(0, 256, (count, size, size, 3), generator=generator, dtype=torch.uint8)
    return rgb, 10 * torch.rand(count, size, size, generator=generator)


@torch.inference_mode()
def test_there_is_a_unit_vector_every_four_pixels_at_any_size(network: DenseImageText) -> None:
    for size in (64, 96):
        vectors = network.pictures(prepare(*pictures(2, size)))
        assert vectors.shape == (2, 16, size // 4, size // 4)
        assert torch.allclose(vectors.norm(dim=1), torch.ones(()), atol=1e-5)


@torch.inference_mode()
def test_depth_may_be_missing(network: DenseImageText) -> None:
    rgb, depth_m = pictures(2, 64)
    whole, bare = prepare(rgb, depth_m), prepare(rgb, None)
    half = forget_depth(whole, torch.tensor([True, False]))
    assert torch.equal(half[0], bare[0])
    assert torch.equal(half[1], whole[1])
    assert not torch.allclose(network.pictures(whole), network.pictures(bare), atol=1e-3)


@torch.inference_mode()
def test_sentences_are_unit_vectors_that_filling_does_not_change(network: DenseImageText, pieces: WordPieces) -> None:
    short, long = (network.texts(torch.from_numpy(pieces(["the red mug"], length))) for length in (6, 20))
    assert torch.allclose(short, long, atol=1e-5)
    assert torch.allclose(short.norm(dim=1), torch.ones(()), atol=1e-5)


@torch.inference_mode()
def test_a_file_keeps_the_network(tmp_path: Path, network: DenseImageText, pieces: WordPieces, minilm: MiniLm) -> None:
    save_minilm(tmp_path / "text.safetensors", minilm, pieces)
    save_dense(tmp_path / "dense.safetensors", network, {"steps": 3}, {"type": {"go": 1.0, "stop": 2.0}})
    again = load_dense(tmp_path / "dense.safetensors", tmp_path / "text.safetensors")
    assert again.thresholds == {"type": {"go": 1.0, "stop": 2.0}}
    assert again.history == {"steps": 3}
    pixels = prepare(*pictures(1, 64))
    cosine = (again.network.pictures(pixels) * network.pictures(pixels)).sum(1)
    assert float(cosine.min()) > 0.999


def test_files_of_another_format_or_with_tensors_missing_are_refused(
    tmp_path: Path, network: DenseImageText, pieces: WordPieces, minilm: MiniLm
) -> None:
    text, path = tmp_path / "text.safetensors", tmp_path / "dense.safetensors"
    save_minilm(text, minilm, pieces)
    with pytest.raises(DataError, match="Expected an image-text network"):
        load_dense(text, text)
    about = {"format": "pentathlon-image-text-1", "shape": {"image_size": 64}, "history": {}, "thresholds": {}}
    write_checkpoint(path, {"bias": torch.zeros(())}, about)
    with pytest.raises(DataError, match="tensors in"):
        load_dense(path, text)
