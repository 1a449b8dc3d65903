"""Thresholds found on hand-made views, and what rendered views are like."""

from __future__ import annotations

import numpy as np
import pytest

from pentathlon.core.errors import DataError
from pentathlon.models.localizers import Relevance
from pentathlon.models.localizers.tuning.tune import tune
from pentathlon.models.localizers.tuning.views import Recipe, View, render_views

NOUNS = {"Mug": "mug", "Bowl": "bowl", "Vase": "vase"}
RED, BLUE = (200, 0, 0), (0, 0, 100)


class ColourLocalizer:
    """Mugs are red and bowls are blue: the map is the brightness of that colour, from 0 to 1."""

    name = "colours"

    def describe(self, sentence: str, category: str) -> None:
        self._channel = {"mug": 0, "bowl": 2}[category]

    def relevance(self, rgb: np.ndarray, depth_m: np.ndarray) -> Relevance:
        return Relevance((rgb[..., self._channel] / 255).astype(np.float32), 0.0, 0.0)


def view(colour: tuple[int, int, int] | None, kind: str | None) -> View:
    """A grey picture with one coloured square."""
    rgb = np.full((12, 12, 3), 20, np.uint8)
    square = np.zeros((12, 12), bool)
    square[3:6, 4:8] = True
    if colour is not None:
        rgb[square] = colour
    return View(rgb, np.ones((12, 12), np.float32), {kind: square} if kind else {})


def test_the_best_threshold_parts_the_target_from_the_rest() -> None:
    views = [view(RED, "Mug"), view(BLUE, "Bowl"), view((120, 0, 60), None), view(None, None)]
    found = tune(ColourLocalizer(), views, NOUNS)
    # Above 120 no other thing is red, above 60 none is blue; a mug ends at 200, a bowl at 100.
    assert 60 / 255 < found.threshold < 100 / 255 or 120 / 255 < found.threshold < 200 / 255
    assert set(found.by_category) == {"mug", "bowl"}
    # One threshold cannot serve both: between 60 and 100 the purple square is taken for a mug, 1 / (1 + 0.5).
    assert found.f1 == pytest.approx((1 + 2 / 3) / 2)
    assert found.by_category == pytest.approx({"mug": 2 / 3, "bowl": 1.0})


def test_a_plateau_is_cut_in_its_middle() -> None:
    found = tune(ColourLocalizer(), [view(RED, "Mug"), view(None, None)], {"Mug": "mug"})
    assert found.f1 == 1.0
    assert found.threshold == pytest.approx((20 + 200) / 2 / 255, abs=0.01)


def test_nothing_to_tune_on_is_told() -> None:
    with pytest.raises(DataError, match="Expected views that show any of Mug, Bowl, Vase, got none"):
        tune(ColourLocalizer(), [view(RED, None)], NOUNS)
    flat = View(np.full((4, 4, 3), 9, np.uint8), np.ones((4, 4), np.float32), {"Mug": np.eye(4, dtype=bool)})
    with pytest.raises(DataError, match="Expected maps that differ from place to place, got 0.03"):
        tune(ColourLocalizer(), [flat], {"Mug": "mug"})


@pytest.fixture(scope="module")
def views() -> list[View]:
    return list(render_views(Recipe(("Television", "Mug", "HousePlant", "Sofa", "Bed"), 24, 112)))


def test_rendered_views_show_what_their_masks_say(views: list[View]) -> None:
    assert len(views) == 24
    shown = [len(view.masks) for view in views]
    assert 4 < sum(count > 0 for count in shown) < 24
    for seen in views:
        assert seen.rgb.shape == (112, 112, 3)
        assert seen.depth_m.shape == (112, 112)
        for mask in seen.masks.values():
            assert 5 <= mask.sum() < 112 * 112
        masks = list(seen.masks.values())
        assert not masks or np.sum(masks, axis=0).max() == 1


def test_rendered_views_are_always_the_same(views: list[View]) -> None:
    again = next(render_views(Recipe(("Television", "Mug", "HousePlant", "Sofa", "Bed"), 1, 112)))
    np.testing.assert_array_equal(again.rgb, views[0].rgb)
