from __future__ import annotations

import numpy as np
import torch

from pentathlon.learning.detectors.looking import DEPTH_STEP_M
from pentathlon.learning.detectors.loss import object_numbers
from pentathlon.learning.detectors.views import ViewsJob, render_house
from pentathlon.learning.detectors.vocabulary import UNCOMMON
from pentathlon.models.localizers import open_localizer
from pentathlon.worlds.houses.assets.catalogue import catalogue


def test_the_highest_place_lies_on_the_largest_thing_of_most_views() -> None:
    facts, pixels = render_house(ViewsJob("held-out", 0, 1, 12), 0)
    localizer = open_localizer("")
    assert localizer.name == "builtin"
    right = []
    for picture, rows in zip(pixels, facts.frames, strict=True):
        large = max(rows, key=lambda row: row.pixels, default=None)
        if large is None or large.pixels < 2000 or facts.objects[large.object].type in UNCOMMON:
            continue
        kind = facts.objects[large.object].type
        localizer.describe(catalogue()[kind].noun, catalogue()[kind].noun)
        found = localizer.relevance(picture[..., :3], picture[..., 3] * np.float32(DEPTH_STEP_M))
        assert found.map.shape == (56, 56)
        assert found.go <= found.stop
        y, x = np.unravel_index(found.map.argmax(), found.map.shape)
        number = int(object_numbers(torch.from_numpy(picture))[4 * y + 2, 4 * x + 2])
        right.append(number >= 0 and facts.objects[number].type == kind)
    assert len(right) >= 4
    assert np.mean(right) >= 0.6
