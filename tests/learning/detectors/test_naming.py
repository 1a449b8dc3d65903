from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pentathlon.learning.detectors.measuring import naming
from pentathlon.learning.detectors.measuring.naming import Named, _probed, name_things, names_before
from pentathlon.learning.detectors.settings import ImageTextSettings
from pentathlon.learning.detectors.training import train
from pentathlon.models.encoders.factories import pixels
from pentathlon.models.image_text.dense import DenseShape
from pentathlon.models.image_text.trained import load_dense

SHAPE = DenseShape(width=32, vector=32, layers=1, text_width=32, text_layers=1, image_size=64, fine=2)


def test_the_right_name_is_counted_where_it_comes_first_or_among_five() -> None:
    scores = np.array([[3, 2, 1, 0, 0, 0, 0], [9, 8, 7, 6, 5, 4, 3]], np.float32)
    assert names_before(scores, np.array([0, 5])).tolist() == [0, 5]
    assert names_before(scores, np.array([2, 4])).tolist() == [2, 4]


def test_the_interval_is_over_houses() -> None:
    before = np.array([0] * 40 + [4] * 40 + [9] * 20)
    apart, together = (Named(before, houses).score(5) for houses in (np.arange(100), np.repeat([0, 1, 2, 3, 4], 20)))
    assert apart[0] == together[0] == pytest.approx(0.8)
    assert Named(before, np.arange(100)).score(1)[0] == pytest.approx(0.4)
    assert together[1].low < apart[1].low < 0.8 < apart[1].high < together[1].high


def test_a_probe_learns_what_is_linear_and_nothing_from_noise() -> None:
    rng = np.random.default_rng(0)
    types = rng.integers(0, 6, 600)
    clear = np.eye(6, dtype=np.float32)[types] + 0.1 * rng.normal(size=(600, 6)).astype(np.float32)
    noise = rng.normal(size=(600, 6)).astype(np.float32)
    assert _probed(clear[:400], clear[400:], types[:400], types[400:]).mean() < 0.1
    assert _probed(noise[:400], noise[400:], types[:400], types[400:]).mean() > 1.5


def test_painted_things_are_named_by_colour(
    tmp_path: Path, painted_views: Path, text_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(naming, "FEWEST_PX", 20)
    settings = ImageTextSettings(
        views=painted_views, out=tmp_path / "out", minilm=text_model, steps=2, batch_size=4, workers=0
    )
    trained = load_dense(train(settings, say=lambda line: None, shape=SHAPE))
    found = name_things(trained, painted_views, {"pixels": pixels(side=4)}, 60, 30)
    assert set(found) == {"the network, by words", "the network, probe", "pixels, probe"}
    assert found["pixels, probe"].score(1)[0] > 0.8, "each painted thing has its own colour"
