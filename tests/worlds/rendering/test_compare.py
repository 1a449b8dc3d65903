"""Differences are measured as defined, and the side-by-side picture holds what it says."""

from __future__ import annotations

import numpy as np
import pytest

from pentathlon.core.errors import UsageError
from pentathlon.worlds.rendering.frame import Frame
from pentathlon.worlds.rendering.gallery.compare import Comparison, difference, side_by_side, stack


def test_each_number_counts_its_own_kind_of_difference() -> None:
    left, right = Frame.blank((10, 10)), Frame.blank((10, 10))
    right.depth_m[0, :5] = 0.002  # 5 pixels beyond 1 mm
    right.depth_m[1, :] = 0.0009  # within
    right.geom_id[0, :2] = 3
    right.rgb[..., 0] = 6
    found = difference(left, right)
    assert found.depth_equal == pytest.approx(0.95)
    assert found.ids_equal == pytest.approx(0.98)
    assert found.colour_mean_abs == pytest.approx(2.0)
    assert "95.00 %" in str(found)


def test_colours_do_not_wrap_around() -> None:
    left, right = Frame.blank((2, 2)), Frame.blank((2, 2))
    left.rgb[:] = 255
    assert difference(left, right).colour_mean_abs == difference(right, left).colour_mean_abs == 255


def test_frames_of_two_sizes_are_refused() -> None:
    with pytest.raises(UsageError, match="one size"):
        difference(Frame.blank((2, 2)), Frame.blank((3, 2)))


def test_the_strip_shows_every_panel() -> None:
    frames = [Frame.blank((30, 20)) for _ in range(4)]
    for frame, level in zip(frames, (10, 20, 30, 40), strict=True):
        frame.rgb[:] = level
    strip = np.asarray(side_by_side(Comparison(*frames), "grey"))
    middles = [int(strip[24, 32 * i + 15, 0]) for i in range(5)]
    assert middles == [10, 30, 80, 20, 40]  # fast, OpenGL fast, four times their difference, fine, OpenGL fine
    alone = side_by_side(Comparison(frames[0], frames[1], None, None), "grey")
    assert alone.width == 62
    assert stack([alone, alone]).height == 2 * alone.height
