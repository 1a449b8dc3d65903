"""Random views: resampling, blur and colour by known examples."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from pentathlon.learning.pretraining.augment import (
    Views,
    blur_matrices,
    hue_rotation,
    jitter_colours,
    random_views,
    resample,
    resampling,
)
from pentathlon.learning.pretraining.contrastive import views_of
from pentathlon.learning.pretraining.mae import MaskedObjective
from pentathlon.learning.pretraining.masked_autoencoder import patchify
from pentathlon.learning.pretraining.settings import ContrastiveSettings, MaeSettings


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def test_resampling_the_whole_at_its_own_size_changes_nothing() -> None:
    matrix = resampling(torch.zeros(1), torch.full((1,), 6.0), 6, 6)
    torch.testing.assert_close(matrix[0], torch.eye(6))


def test_resampling_halves_a_ramp_to_its_means() -> None:
    matrix = resampling(torch.zeros(1), torch.full((1,), 8.0), 8, 4)
    ramp = matrix[0] @ torch.arange(8.0)
    torch.testing.assert_close(ramp[1:3], torch.tensor([2.5, 4.5]))


def test_crop_takes_the_interval_it_names() -> None:
    frames = torch.zeros(1, 8, 8, 3, dtype=torch.uint8)
    frames[0, 2:4, 4:6, 1] = 200
    rows = resampling(torch.tensor([2.0]), torch.tensor([2.0]), 8, 2)
    columns = resampling(torch.tensor([4.0]), torch.tensor([2.0]), 8, 2)
    assert resample(frames, rows, columns)[0, :, 0, 0].tolist() == [0, 200, 0]


def test_views_of_one_colour_are_that_colour_and_vary_with_the_generator() -> None:
    frames = torch.full((4, 20, 24, 3), 128, dtype=torch.uint8)
    flat = random_views(frames, 16, Views(blur_chance=1.0), generator())
    expected = (128 / 255 - torch.tensor([0.485, 0.456, 0.406])) / torch.tensor([0.229, 0.224, 0.225])
    torch.testing.assert_close(flat, expected.view(1, 3, 1, 1).expand(4, 3, 16, 16), rtol=1e-4, atol=1e-4)
    noise = torch.randint(0, 256, (4, 20, 24, 3), generator=generator(3)).to(torch.uint8)
    views = Views(jitter_chance=0.8, grey_chance=0.2, blur_chance=0.5, solarise_chance=0.2)
    assert torch.equal(random_views(noise, 16, views, generator(1)), random_views(noise, 16, views, generator(1)))
    assert not torch.equal(random_views(noise, 16, views, generator(1)), random_views(noise, 16, views, generator(2)))


def test_flip_mirrors_half_of_the_frames() -> None:
    ramp = torch.arange(0, 200, 10).to(torch.uint8).view(1, 1, 20, 1).expand(400, 20, 20, 3)
    pixels = random_views(ramp, 8, Views(smallest_area=1.0), generator())
    falling = (pixels[:, 0, 4, 7] < pixels[:, 0, 4, 0]).float().mean().item()
    assert falling == pytest.approx(0.5, abs=0.08)


def test_a_third_of_a_turn_moves_red_to_green() -> None:
    rotation = hue_rotation(torch.tensor([1 / 3]))[0]
    torch.testing.assert_close(
        rotation @ torch.tensor([1.0, 0.0, 0.0]), torch.tensor([0.0, 1.0, 0.0]), atol=1e-5, rtol=0
    )
    torch.testing.assert_close(rotation @ torch.full((3,), 0.4), torch.full((3,), 0.4))


def test_grey_pictures_have_equal_channels() -> None:
    pixels = torch.rand(2, 3, 5, 5, generator=generator())
    grey = jitter_colours(pixels, Views(grey_chance=1.0), generator())
    torch.testing.assert_close(grey[:, 0], grey[:, 1])
    luma = (pixels * torch.tensor([0.299, 0.587, 0.114]).view(1, 3, 1, 1)).sum(dim=1)
    torch.testing.assert_close(grey[:, 2], luma)


def test_blur_spreads_a_point_and_keeps_its_sum() -> None:
    blur = blur_matrices(50, 32, 1.0, generator())
    point = torch.zeros(32)
    point[16] = 1.0
    spread = blur @ point
    torch.testing.assert_close(spread.sum(dim=1), torch.ones(50), rtol=0, atol=0.02)
    torch.testing.assert_close(blur_matrices(2, 32, 0.0, generator())[1], torch.eye(32))


def test_views_that_differ_by_their_crop_alone_keep_colours_and_sides() -> None:
    settings = ContrastiveSettings(data=("x",), out=Path("x"), crops_only=True, smallest_area=1.0)
    frames = torch.zeros((8, 16, 16, 3), dtype=torch.uint8)
    frames[:, :, 8:, 0] = 255
    for rule in views_of(settings):
        red = random_views(frames, 16, rule, torch.Generator().manual_seed(0))[:, 0]
        assert (red[:, :, 12:].mean((1, 2)) > red[:, :, :4].mean((1, 2)) + 1.0).all()
    mixed = views_of(ContrastiveSettings(data=("x",), out=Path("x")))
    assert mixed[0].jitter_chance > 0.0
    assert mixed[0].flip_chance > 0.0


def test_autocast_does_not_round_the_views() -> None:
    frames = torch.randint(0, 256, (2, 24, 24, 3), generator=torch.Generator().manual_seed(0), dtype=torch.uint8)
    plain = random_views(frames, 16, Views(), torch.Generator().manual_seed(1))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        torch.testing.assert_close(random_views(frames, 16, Views(), torch.Generator().manual_seed(1)), plain)


def test_masked_training_cuts_its_patches_from_the_same_views() -> None:
    settings = MaeSettings(data=("x",), out=Path("x"), size="tiny", image_size=32, smallest_area=0.3)
    objective = MaskedObjective(settings, torch.device("cpu"))
    frames = torch.randint(0, 256, (6, 40, 36, 3), generator=generator(), dtype=torch.uint8)
    sample = objective.draw(frames, generator(4))
    after = generator(4)
    views = random_views(frames, 32, Views(smallest_area=0.3), after)
    torch.testing.assert_close(sample.patches, patchify(views, 16), rtol=1e-5, atol=1e-5)
    assert torch.equal(sample.noise, torch.rand(6, 4, generator=after))
