from __future__ import annotations

import math
import time
from pathlib import Path

import msgspec
import numpy as np
import pytest

from pentathlon.learning.detectors.corpus import Recipe, house_attributes, house_paths, make_corpus, read_corpus
from pentathlon.learning.detectors.loss import object_numbers
from pentathlon.learning.detectors.views import HouseViews, ViewsJob, array_path, floor_distances, render_views
from pentathlon.storage.making import SERIAL


def test_facts_agree_with_the_pixels() -> None:
    import torch

    facts, pixels = render_views(ViewsJob("train", 1, 3))
    assert pixels.shape == (3, 224, 224, 6)
    assert facts.house == "train/1"
    numbers = object_numbers(torch.from_numpy(pixels)).numpy()
    for frame, rows in zip(numbers, facts.frames, strict=True):
        seen, counts = np.unique(frame[frame >= 0], return_counts=True)
        large = {int(n): int(c) for n, c in zip(seen, counts, strict=True) if c >= 20}
        assert {row.object: row.pixels for row in rows} == large
        assert max(large, default=0) < len(facts.objects)
    again, same = render_views(ViewsJob("train", 1, 3))
    assert again == facts
    assert np.array_equal(pixels, same)


def test_distances_along_the_floor_of_a_camera_that_looks_down() -> None:
    depth_m = np.full((101, 101), 2.0, np.float32)
    floor_m = floor_distances(depth_m, 30.0, 90.0)
    assert floor_m[50, 50] == pytest.approx(2.0 * math.cos(math.radians(30.0)), abs=0.01)
    assert floor_m[100, 50] < floor_m[50, 50] < floor_m[0, 50]


def test_no_house_is_begun_after_the_minutes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    began: list[str] = []

    def fake(path: Path, about: dict[str, object]) -> None:
        began.append(path.name)
        job = msgspec.convert(about, ViewsJob)
        np.save(array_path(path), np.zeros((job.frames, 8, 8, 6), np.uint8))
        path.write_bytes(msgspec.json.encode(HouseViews("train/0", (), ((),) * job.frames)))
        time.sleep(0.1)

    monkeypatch.setattr("pentathlon.learning.detectors.corpus.make_views", fake)
    recipe = Recipe(train=9, tune=1, held_out=1, frames=2, measured_frames=2)
    assert make_corpus(recipe, tmp_path, minutes=0.25 / 60) == len(began) < 11
    assert make_corpus(recipe, tmp_path, pool=SERIAL) == 11
    assert len(began) == 11
    corpus = read_corpus(house_paths(tmp_path, "train", 4), house_attributes())
    assert (len(corpus.paths), len(corpus.base)) == (4, 8)
