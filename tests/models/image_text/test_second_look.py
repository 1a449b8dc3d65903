from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from pentathlon.models.image_text.second_look import WORTH, enlarged, is_worth_it, look_twice


class Tower(nn.Module):
    """Embeds each place of four by four pixels as their mean colours; remembers what it was shown."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[tuple[int, ...]] = []

    def forward(self, pixels: Tensor) -> Tensor:
        self.shown.append(tuple(pixels.shape))
        return F.avg_pool2d(pixels, 4)


def plain(cosine: Tensor) -> Tensor:
    return cosine


def pictures(*brightness: float) -> Tensor:
    rng = torch.Generator().manual_seed(0)
    return torch.stack([value + 0.01 * torch.rand(4, 32, 32, generator=rng) for value in brightness])


def test_only_pictures_that_may_show_it_are_looked_at_again() -> None:
    tower, asked = Tower(), torch.tensor([[[1.0, 0, 0, 0]]]).expand(3, 1, 4)
    scores = look_twice(tower, plain, seen := pictures(-3.0, 0.5, -1.5), asked)  # type: ignore[arg-type]
    assert tower.shown == [(3, 4, 32, 32), (1, 4, 48, 48)]
    first = F.avg_pool2d(seen[:, :1], 4)
    assert torch.equal(scores[[0, 2]], first[[0, 2]])
    larger = F.interpolate(seen[1:2], (48, 48), mode="bilinear", align_corners=False)
    second = F.adaptive_avg_pool2d(F.avg_pool2d(larger[:, :1], 4), 8)
    assert torch.allclose(scores[1], (first[1] + second[0]) / 2, atol=1e-6)


def test_the_first_sentence_decides_for_all() -> None:
    tower = Tower()
    asked = torch.tensor([[[1.0, 0, 0, 0], [-1.0, 0, 0, 0]]])
    assert look_twice(tower, plain, pictures(-3.0), asked).max() > WORTH  # type: ignore[arg-type]
    assert len(tower.shown) == 1
    look_twice(tower, plain, pictures(3.0), asked)  # type: ignore[arg-type]
    assert len(tower.shown) == 3


def test_one_place_is_enough() -> None:
    maps = torch.full((2, 4, 4), WORTH - 0.1)
    maps[1, 2, 3] = WORTH + 0.1
    assert is_worth_it(maps).tolist() == [False, True]


def test_enlarged_pictures_have_sides_that_the_network_divides() -> None:
    for side, wanted in ((224, 336), (128, 192), (112, 160)):
        assert enlarged(torch.zeros(1, 4, side, side)).shape == (1, 4, wanted, wanted)
