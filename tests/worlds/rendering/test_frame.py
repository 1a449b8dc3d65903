"""Frames translate geom ids by tables."""

from __future__ import annotations

import numpy as np

from pentathlon.worlds.rendering.frame import Frame


def test_ids_by_a_table_give_sky_and_sites_the_background() -> None:
    frame = Frame.empty((4, 1))
    frame.geom_id[:] = [[0, 2, -1, 3]]  # the last is the first site of a model with three geoms
    np.testing.assert_array_equal(frame.ids([7, 8, 9]), [[7, 9, -1, -1]])
    np.testing.assert_array_equal(frame.ids(np.array([7, 8, 9]), background=0), [[7, 9, 0, 0]])


def test_empty_batches_have_the_documented_types() -> None:
    batch = Frame.empty((3, 2), count=5)
    assert (batch.rgb.shape, batch.rgb.dtype) == ((5, 2, 3, 3), np.uint8)
    assert (batch.depth_m.shape, batch.depth_m.dtype) == ((5, 2, 3), np.float32)
    assert (batch.geom_id.shape, batch.geom_id.dtype) == ((5, 2, 3), np.int32)
