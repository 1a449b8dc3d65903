from __future__ import annotations

import math

import torch

from pentathlon.learning.detectors.augment import augmented, decoded
from pentathlon.learning.detectors.looking import BACKGROUND
from pentathlon.learning.detectors.loss import object_numbers, pair_losses, sample_pixels, vectors_at
from pentathlon.models.image_text.dense import DenseImageText, DenseShape
from pentathlon.models.image_text.minilm import MiniLm, MiniLmShape


def network() -> DenseImageText:
    torch.manual_seed(0)
    text = MiniLm(MiniLmShape(words=4, width=8, layers=1, heads=1))
    return DenseImageText(DenseShape(width=32, vector=8, layers=1, text_width=32, text_layers=1, image_size=64), text)


def pictures() -> torch.Tensor:
    made = torch.zeros(2, 64, 64, 6, dtype=torch.uint8)
    made[..., 4], made[..., 5] = BACKGROUND & 255, BACKGROUND >> 8
    made[0, 10:20, 30:40, 4:] = torch.tensor([3, 1])
    made[0, 40:60, 0:60, 4:] = torch.tensor([5, 0])
    return made


def test_losses_are_those_of_the_definition() -> None:
    model, generator = network(), torch.Generator().manual_seed(1)
    cosine = 2 * torch.rand(7, 5, generator=generator) - 1
    right = torch.rand(7, 5, generator=generator) < 0.3
    right[2], right[:, 4] = False, False
    found = pair_losses(model, cosine, right)
    score = (cosine * math.exp(model.scale.item()) + model.bias.item()).flatten().tolist()
    sigmoid = sum(math.log1p(math.exp(-z if r else z)) for z, r in zip(score, right.flatten(), strict=True))
    assert math.isclose(found.sigmoid.item(), sigmoid / right.sum().item(), rel_tol=1e-4)
    sharp = cosine * min(math.exp(model.sharpness.item()), 60.0)
    for loss, table, hits in ((found.of_pixel, sharp, right), (found.of_sentence, sharp.T, right.T)):
        lines = []
        for values, good in zip(table.tolist(), hits.tolist(), strict=True):
            wrong = sum(math.exp(v) for v, g in zip(values, good, strict=True) if not g)
            parts = [math.log1p(wrong / math.exp(v)) for v, g in zip(values, good, strict=True) if g]
            if parts:
                lines.append(sum(parts) / len(parts))
        assert math.isclose(loss.item(), sum(lines) / len(lines), rel_tol=1e-3)


def test_objects_are_two_bytes_and_the_building_is_none() -> None:
    numbers = object_numbers(pictures())
    assert numbers[0, 15, 35] == 259
    assert numbers[0, 50, 5] == 5
    assert numbers[1].unique().tolist() == [-1]


def test_small_things_are_sampled_nearly_as_often_as_large_ones() -> None:
    torch.manual_seed(0)
    numbers = object_numbers(pictures())
    drawn = numbers.flatten(1).gather(1, sample_pixels(numbers, 20_000))[0]
    small, large, bare = ((drawn == number).float().mean().item() for number in (259, 5, -1))
    assert math.isclose(small / large, (100 / 1200) ** 0.3, rel_tol=0.1)
    assert math.isclose(bare, 0.2 / 1.2, rel_tol=0.1)


def test_vectors_are_interpolated_between_the_middles_of_places() -> None:
    grid = torch.nn.functional.normalize(torch.randn(1, 8, 4, 4, generator=torch.Generator().manual_seed(0)), dim=1)
    # Pixel (5, 1): 1.5 pixels right of the middle of place (0, 0), whose next is 4 pixels further.
    found = vectors_at(grid, torch.tensor([[16 * 1 + 5]]), 16)[0]
    x, y = (5.5 / 4 - 0.5), max(0.0, 1.5 / 4 - 0.5)
    row = grid[0, :, 0, :] * (1 - 0.0)
    slow = row[:, 0] * (1 - x) + row[:, 1] * x
    assert y == 0.0
    assert float(torch.nn.functional.cosine_similarity(found, slow, dim=0)) > 0.98


def test_changed_pictures_keep_objects_with_their_pixels() -> None:
    torch.manual_seed(0)
    source = pictures()[:1].repeat(32, 1, 1, 1)
    source[..., 0] = torch.where(object_numbers(source) == 5, 250, 0).to(torch.uint8)
    pixels, numbers = augmented(source, 0.5)
    plain, _ = decoded(source)
    red = pixels[:, 0] > float(plain[:, 0].mean()) + 1.0
    agree = (red == (numbers == 5)).float().mean()
    assert float(agree) > 0.97
    missing = (pixels[:, 3] == -1.0).flatten(1).all(1)
    assert 4 < int(missing.sum()) < 28
