"""Whole masks and centre pixels on maps drawn by hand."""

import numpy as np
import pytest

from pentathlon.core.errors import UnknownIdError
from pentathlon.models.localizers import Relevance
from pentathlon.models.localizers.post_processing import post_process, stretched

DRAWN = """
.....
.124.
.....
...39
"""


def relevance_of(drawing: str, go: float = 0.5) -> Relevance:
    rows = [[float(c) if c != "." else 0.0 for c in line] for line in drawing.split()]
    return Relevance(np.array(rows, np.float32), go, go)


def test_whole_masks_are_left_as_they_are() -> None:
    relevance = relevance_of(DRAWN)
    assert post_process(relevance, "whole") is relevance


def test_the_centre_pixel_of_each_mask_carries_its_highest_value() -> None:
    kept = post_process(relevance_of(DRAWN), "centre")
    above = np.argwhere(kept.map > kept.go).tolist()
    assert above == [[1, 2], [3, 3]]
    assert kept.map[1, 2] == 4.0
    assert kept.map[3, 3] == 9.0


def test_the_centre_of_a_ring_lies_on_the_ring() -> None:
    kept = post_process(relevance_of("111\n1.1\n111"), "centre")
    (pixel,) = np.argwhere(kept.map > kept.go).tolist()
    assert pixel in ([0, 1], [1, 0], [1, 2], [2, 1])


def test_pixels_that_touch_at_a_corner_are_one_mask() -> None:
    kept = post_process(relevance_of("1..\n.1.\n..1"), "centre")
    assert np.argwhere(kept.map > kept.go).tolist() == [[1, 1]]


def test_nothing_above_the_threshold_gives_nothing() -> None:
    assert not (post_process(relevance_of("...\n..."), "centre").map > 0.5).any()


def test_an_unknown_way_is_refused() -> None:
    with pytest.raises(UnknownIdError, match="post-processing"):
        post_process(relevance_of("1"), "middle")  # type: ignore[arg-type]


def test_a_coarse_map_is_stretched_over_the_whole_picture() -> None:
    coarse = np.array([[1, 2], [3, 4]], np.float32)
    assert stretched(coarse, (4, 4)).tolist() == [[1, 1, 2, 2], [1, 1, 2, 2], [3, 3, 4, 4], [3, 3, 4, 4]]
    assert stretched(coarse, (3, 2)).tolist() == [[1, 2], [3, 4], [3, 4]]
    assert stretched(coarse, (2, 2)) is coarse
