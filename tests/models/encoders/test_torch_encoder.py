"""Encoders end to end: batch independence, fingerprints, preprocessing and checks on features."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
import torch
from PIL import Image

from pentathlon.core import resolve_entrant
from pentathlon.core.entrants import Encoder, Features, kind_of
from pentathlon.core.errors import EntrantError, UsageError
from pentathlon.core.specs import EncoderSpec
from pentathlon.models.encoders import factories
from pentathlon.models.encoders.checked import checked_encode
from pentathlon.models.encoders.preprocess import RESNET, VIT, Preprocess
from pentathlon.models.encoders.resnet import ResNet
from pentathlon.models.encoders.torch_encoder import TorchEncoder

Images = npt.NDArray[np.uint8]


@pytest.fixture
def images() -> Images:
    return np.random.default_rng(0).integers(0, 256, (5, 70, 60, 3), dtype=np.uint8)


def make_encoder(kind: str) -> TorchEncoder:
    if kind == "vit":
        return factories.random_vit("tiny", image_size=64, device="cpu")
    if kind == "pixels":
        return factories.pixels(16, device="cpu")
    torch.manual_seed(0)
    return TorchEncoder(ResNet(18, image_size=64), RESNET.at(64), device="cpu")


@pytest.mark.parametrize("kind", ["vit", "resnet", "pixels"])
def test_features_do_not_depend_on_the_batch(kind: str, images: Images) -> None:
    encoder = make_encoder(kind)
    together = checked_encode(encoder, images)
    for order in ([4, 2, 0, 1, 3], [1]):
        again = checked_encode(encoder, images[order])
        assert np.array_equal(again.pooled, together.pooled[order])
        if together.patches is not None and again.patches is not None:
            assert np.array_equal(again.patches, together.patches[order])
    assert np.abs(together.pooled[0] - together.pooled[1]).max() > 1e-4


def test_padded_blocks_give_each_image_its_own_features(images: Images) -> None:
    """The path a GPU takes, on a CPU: blocks of four, the last one padded."""
    encoder = make_encoder("vit")
    single = encoder.encode(images)
    encoder._block = 4
    blocks = encoder.encode(images)
    np.testing.assert_allclose(blocks.pooled, single.pooled, rtol=0, atol=1e-6 * np.abs(single.pooled).max())


def test_encoder_fulfils_the_contract(images: Images) -> None:
    encoder = make_encoder("vit")
    assert kind_of(encoder) == "encoder"
    assert encoder.spec == EncoderSpec(dim=192, image_size=(64, 64), grid=(4, 4), trainable=True)
    assert checked_encode(encoder, images[:0]).pooled.shape == (0, 192)


def test_fingerprint_follows_weights_pooling_and_preprocessing() -> None:
    base = factories.random_vit("tiny", seed=1, image_size=32, device="cpu")
    same = factories.random_vit("tiny", seed=1, image_size=32, device="cpu")
    others = [
        factories.random_vit("tiny", seed=2, image_size=32, device="cpu"),
        factories.random_vit("tiny", seed=1, image_size=32, pooling="mean", device="cpu"),
        TorchEncoder(base.network, RESNET.at(32), device="cpu"),
    ]
    assert base.fingerprint == same.fingerprint
    assert len({base.fingerprint, *(other.fingerprint for other in others)}) == 4


def test_random_weights_leave_the_global_generator_alone() -> None:
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    factories.random_vit("tiny", image_size=32, device="cpu")
    assert torch.equal(torch.rand(3), expected)


def test_gradients_flow_through_tokens(images: Images) -> None:
    encoder = make_encoder("vit")
    encoder.tokens(torch.from_numpy(images)).pooled.square().mean().backward()
    assert all(p.grad is not None and p.grad.abs().max() > 0 for p in encoder.module.parameters())


@pytest.mark.parametrize("interpolation", ["bicubic", "bilinear"])
@pytest.mark.parametrize("size", [(300, 400), (120, 96)])
def test_resize_matches_pil(interpolation: str, size: tuple[int, int]) -> None:
    generator = np.random.default_rng(3)
    coarse = generator.integers(0, 256, (size[0] // 10, size[1] // 10, 3), dtype=np.uint8)
    picture = Image.fromarray(coarse).resize((size[1], size[0]), Image.Resampling.BICUBIC)
    rule = Preprocess(interpolation="bicubic" if interpolation == "bicubic" else "bilinear")
    short = min(size)
    resized = picture.resize(
        (256 * size[1] // short, 256 * size[0] // short), getattr(Image.Resampling, interpolation.upper())
    )
    left, top = round((resized.width - 224) / 2), round((resized.height - 224) / 2)
    expected = np.asarray(resized.crop((left, top, left + 224, top + 224)), np.float32)
    tensor = torch.from_numpy(np.asarray(picture).copy())[None].permute(0, 3, 1, 2).float()
    got = rule.resize_and_crop(tensor)[0].permute(1, 2, 0).numpy()
    # PIL rounds to whole levels, once per axis.
    assert np.abs(got - expected).max() <= 1.5
    assert np.abs(got - expected).mean() < 0.5


def test_normalisation_of_a_grey_picture() -> None:
    grey = np.full((1, 256, 256, 3), 51, np.uint8)
    pixels = VIT(torch.from_numpy(grey))
    expected = (0.2 - torch.tensor([0.485, 0.456, 0.406])) / torch.tensor([0.229, 0.224, 0.225])
    assert pixels.shape == (1, 3, 224, 224)
    torch.testing.assert_close(pixels[0, :, 100, 100], expected)


def test_pixels_are_mean_colours_in_reading_order() -> None:
    image = np.zeros((1, 224, 224, 3), np.uint8)
    image[0, :112, 112:] = 255
    pooled = factories.pixels(2, device="cpu").encode(image).pooled.reshape(3, 2, 2)
    assert (pooled[:, 0, 1] > 2).all()
    assert (pooled.reshape(3, 4)[:, [0, 2, 3]] < -1.7).all()


class Bad:
    """An encoder whose features are given."""

    spec = EncoderSpec(dim=4, image_size=(8, 8))

    def __init__(self, pooled: npt.NDArray[np.generic]) -> None:
        self.pooled = pooled

    def encode(self, images: Images) -> Features:
        return Features(self.pooled)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("pooled", "reason"),
    [
        (np.array([[0, 0, 0, 0], [0, np.nan, 0, 0]], np.float32), "NaN or infinity for image 1"),
        (np.zeros((2, 5), np.float32), r"expected shape \[2, 4\], got \[2, 5\]"),
        (np.zeros((3, 4), np.float32), r"expected shape \[2, 4\], got \[3, 4\]"),
        (np.zeros((2, 4), np.float64), "expected a float32 numpy array, got float64"),
    ],
)
def test_bad_features_are_refused(pooled: npt.NDArray[np.generic], reason: str) -> None:
    encoder: Encoder = Bad(pooled)
    with pytest.raises(EntrantError, match=reason):
        checked_encode(encoder, np.zeros((2, 8, 8, 3), np.uint8))


@pytest.mark.parametrize(
    ("images", "reason"),
    [
        (np.zeros((2, 8, 8, 3), np.float32), "uint8 images in 0..255, got float32"),
        (np.zeros((8, 8, 3), np.uint8), r"got \[8, 8, 3\]"),
        (np.zeros((2, 3, 8, 8), np.uint8), r"got \[2, 3, 8, 8\]"),
        ([[0]], "got list"),
    ],
)
def test_bad_images_are_refused(images: object, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        factories.pixels(2, device="cpu").encode(images)  # type: ignore[arg-type]


def test_a_grid_keeps_the_places_of_any_encoders_patches(images: Images) -> None:
    inner, encoder = factories.builtin("mae-tiny", device="cpu"), factories.grid("mae-tiny", device="cpu")
    pooled, patches = checked_encode(encoder, images).pooled, inner.encode(images).patches
    assert patches is not None
    cells = patches.reshape(len(images), 4, 2, 4, 2, 192).mean(axis=(2, 4))
    np.testing.assert_allclose(
        pooled.reshape(len(images), 192, 16), cells.reshape(-1, 16, 192).swapaxes(1, 2), atol=1e-5
    )
    assert (encoder.spec.dim, encoder.spec.trainable) == (3072, True)
    assert encoder.fingerprint != inner.fingerprint


def test_patches_keep_all_of_them(images: Images) -> None:
    inner = factories.builtin("mae-tiny", device="cpu")
    encoder = resolve_entrant("patches@mae-tiny").make()
    pooled, patches = checked_encode(encoder, images).pooled, inner.encode(images).patches
    assert patches is not None
    np.testing.assert_allclose(pooled.reshape(len(images), 192, 64), patches.swapaxes(1, 2), atol=1e-5)
    assert encoder.fingerprint not in (inner.fingerprint, factories.grid("mae-tiny", device="cpu").fingerprint)


@pytest.mark.parametrize(("weights", "reason"), [("pixels-16", "4 x 4 patches or more, got none")])
def test_a_grid_needs_patches(weights: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        factories.grid(weights)
