import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pentathlon.worlds.houses.plan.polygons import (
    Rect,
    contains,
    contains_rect,
    edges,
    is_rectilinear,
    is_simple,
    overlap_area,
    rectangles,
    signed_area,
    union_outline,
)

L_SHAPE = ((0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (2.0, 2.0), (2.0, 5.0), (0.0, 5.0))


def test_area_and_cut_of_an_l_shape() -> None:
    assert signed_area(L_SHAPE) == 14.0
    assert signed_area(L_SHAPE[::-1]) == -14.0
    parts = rectangles(L_SHAPE)
    assert sum(part.area for part in parts) == 14.0
    assert not any(a.overlaps(b) for a in parts for b in parts if a != b)


def test_edges_point_inwards_whatever_the_order_of_corners() -> None:
    for outline in (L_SHAPE, L_SHAPE[::-1]):
        for edge in edges(outline):
            middle = np.array([(edge.start[0] + edge.end[0]) / 2, (edge.start[1] + edge.end[1]) / 2])
            inside = middle + 0.1 * np.array(edge.inward)
            outside = middle - 0.1 * np.array(edge.inward)
            assert contains(L_SHAPE, inside[:1], inside[1:]).all()
            assert not contains(L_SHAPE, outside[:1], outside[1:]).any()


def test_straight_runs_are_joined() -> None:
    outline = ((0.0, 0.0), (1.0, 0.0), (3.0, 0.0), (3.0, 1.0), (0.0, 1.0))
    assert len(edges(outline)) == 4


def test_shapes_that_are_refused() -> None:
    assert not is_rectilinear(((0.0, 0.0), (1.0, 1.0), (0.0, 1.0)))
    assert not is_rectilinear(((0.0, 0.0), (0.0, 0.0), (1.0, 0.0), (1.0, 1.0)))
    eight = ((0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (1.0, 2.0), (1.0, -1.0), (0.0, -1.0))
    assert is_rectilinear(eight)
    assert not is_simple(eight)


def test_rect_inside_an_l_shape() -> None:
    assert contains_rect(L_SHAPE, Rect(0.5, 0.5, 1.5, 4.5))
    assert not contains_rect(L_SHAPE, Rect(0.5, 0.5, 3.0, 3.0))


rect = st.builds(
    lambda x, y, w, d: Rect(x, y, x + w, y + d),
    *(st.integers(-5, 5) for _ in range(2)),
    *(st.integers(1, 6) for _ in range(2)),
)


@settings(max_examples=60, deadline=None)
@given(rect, rect)
def test_overlap_agrees_with_the_formula(first: Rect, second: Rect) -> None:
    width = max(0, min(first.x1, second.x1) - max(first.x0, second.x0))
    depth = max(0, min(first.y1, second.y1) - max(first.y0, second.y0))
    assert overlap_area(first.outline(), second.outline()) == width * depth
    assert first.overlaps(second) == (width * depth > 0)


def test_union_of_two_rectangles_is_their_outline() -> None:
    joined = union_outline([Rect(0, 0, 4, 2), Rect(0, 2, 2, 5)])
    assert signed_area(joined) == 14.0
    assert len(joined) == 6
