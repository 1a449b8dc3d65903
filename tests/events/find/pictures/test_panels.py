"""Frames of films: every panel is where it belongs."""

import numpy as np

from pentathlon.events.find.pictures.panels import (
    CAPTION_PX,
    GAP_PX,
    NOTHING_RGB,
    PANEL_PX,
    Panels,
    draw_panels,
    heated,
)

RGB = np.full((PANEL_PX, PANEL_PX, 3), (10, 200, 30), np.uint8)


def tile(frame: np.ndarray, number: int) -> np.ndarray:
    left = number * (PANEL_PX + GAP_PX)
    return frame[CAPTION_PX:, left : left + PANEL_PX]


def test_the_camera_is_first_and_what_is_not_told_stays_empty() -> None:
    frame = draw_panels(Panels(RGB, None, None, None, "red mug"))
    assert frame.shape == (PANEL_PX + CAPTION_PX, 4 * PANEL_PX + 3 * GAP_PX, 3)
    assert (tile(frame, 0) == RGB).all()
    for number in (1, 2, 3):
        assert (tile(frame, number) == NOTHING_RGB).all()


def test_the_caption_is_written() -> None:
    with_words = draw_panels(Panels(RGB, None, None, None, "red mug"))
    without = draw_panels(Panels(RGB, None, None, None, ""))
    assert (with_words[:CAPTION_PX] != without[:CAPTION_PX]).any()


def test_the_most_relevant_place_is_the_reddest() -> None:
    relevance = np.zeros((4, 4), np.float32)
    relevance[1, 2] = 3.0
    hot = heated(RGB, relevance)
    redness = hot[..., 0].astype(int) - hot[..., 2]
    row, column = np.unravel_index(int(np.argmax(redness)), redness.shape)
    assert (row * 4 // PANEL_PX, column * 4 // PANEL_PX) == (1, 2)


def test_a_flat_map_of_any_size_is_drawn() -> None:
    assert heated(RGB, np.full((3, 5), np.nan, np.float32)).shape == RGB.shape


def test_a_long_map_keeps_its_shape_and_its_cells() -> None:
    world = np.zeros((10, 40, 3), np.uint8)
    world[:, ::2] = 255
    shown = tile(draw_panels(Panels(RGB, None, world, None, "")), 2)
    inside = (shown != NOTHING_RGB).any(axis=2).any(axis=1)
    assert inside.sum() == 56
    assert set(np.unique(shown[inside])) == {0, 255}
