"""Frontiers on maps drawn by hand: ``#`` occupied, ``.`` free, a blank unknown."""

import numpy as np
import numpy.typing as npt

from pentathlon.models.navigation.frontiers import frontier_cells, group_frontiers
from pentathlon.models.navigation.mapper import FREE, OCCUPIED, UNKNOWN

KIND = {" ": UNKNOWN, ".": FREE, "#": OCCUPIED}


def drawn(*lines: str) -> npt.NDArray[np.uint8]:
    return np.array([[KIND[character] for character in line] for line in lines], np.uint8)


def edge_of(*lines: str) -> npt.NDArray[np.bool_]:
    state = drawn(*lines)
    return frontier_cells(state, state == FREE)


def test_a_closed_room_has_no_frontier() -> None:
    assert not edge_of("#####", "#...#", "#...#", "#####").any()


def test_free_cells_beside_the_unknown_are_frontier() -> None:
    edge = edge_of(
        "####  ",
        "#.... ",
        "#.... ",
        "#.... ",
        "####  ",
    )
    assert np.argwhere(edge).tolist() == [[1, 4], [2, 4], [3, 4]]


def test_the_unknown_across_a_corner_does_not_count() -> None:
    edge = edge_of("#### ", "#...#", "#...#", "#####")
    assert not edge.any()


def test_the_rim_of_the_array_is_unknown() -> None:
    assert edge_of("...").all()


def test_dust_is_no_frontier() -> None:
    """A free cell without a free neighbour, as a stray pixel leaves it, is none."""
    edge = edge_of("     ", "  .  ", "     ", "  .. ", "     ")
    assert np.argwhere(edge).tolist() == [[3, 2], [3, 3]]


def test_closed_cells_are_none() -> None:
    state = drawn("    ", " .. ", "    ")
    assert not frontier_cells(state, np.zeros(state.shape, bool)).any()


def test_frontiers_that_touch_are_one_and_stand_for_their_middle() -> None:
    edge = np.zeros((7, 9), bool)
    edge[1, 1:6] = True
    edge[5, 7] = edge[4, 8] = True
    frontiers = group_frontiers(edge)
    assert frontiers.cells[0].tolist() == [1, 3]
    assert frontiers.cells[1].tolist() in ([4, 8], [5, 7])
    assert frontiers.sizes.tolist() == [5, 2]


def test_a_bent_frontier_is_represented_by_one_of_its_own_cells() -> None:
    edge = np.zeros((6, 6), bool)
    edge[0, :] = edge[:, 0] = True
    (cell,) = group_frontiers(edge).cells
    assert edge[tuple(cell)]


def test_two_cells_are_too_few() -> None:
    edge = np.zeros((5, 5), bool)
    edge[2, 2] = edge[2, 3] = True
    assert len(group_frontiers(edge).cells) == 0
