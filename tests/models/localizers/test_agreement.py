"""The F1 of appendix C on maps drawn by hand."""

from __future__ import annotations

import numpy as np
import pytest

from pentathlon.models.localizers.tuning.agreement import Tally, judge_map, no_pictures

TRUTH = """
.##.
.##.
....
"""
GOOD = """
.99.
.9..
.4..
"""
HALF = """
.99.
....
99..
"""
AWAY = """
....
....
..99
"""


def drawn(text: str) -> np.ndarray:
    return np.array([[int(c) / 10 if c.isdigit() else 0.0 for c in line] for line in text.split()], np.float32)


def truth(text: str = TRUTH) -> np.ndarray:
    return np.array([[c == "#" for c in line] for line in text.split()])


@pytest.mark.parametrize(
    ("picture", "expected"),
    [(GOOD, (1, 0, 0)), (HALF, (0, 1, 0)), (AWAY, (0, 1, 0)), ("....\n....\n....", (0, 0, 1))],
)
def test_what_is_in_the_picture(picture: str, expected: tuple[int, int, int]) -> None:
    assert tuple(int(count[0]) for count in judge_map(drawn(picture), truth(), np.array([0.5]))) == expected


def test_what_is_not_in_the_picture() -> None:
    nowhere = np.zeros((3, 4), bool)
    found = judge_map(drawn(AWAY), nowhere, np.array([0.5, 0.9, 0.95]))
    # Float32 holds 0.9 as a little less, so that it does not lie above 0.9.
    assert [rows.tolist() for rows in found] == [[0, 0, 0], [1, 0, 0], [0, 0, 0]]


def test_a_lower_threshold_can_turn_a_hit_into_an_alarm() -> None:
    """Above 0.3 three of four pixels are right; above nothing three of twelve are."""
    found = judge_map(drawn(GOOD) + 0.01, truth(), np.array([0.0, 0.3, 0.95]))
    assert [rows.tolist() for rows in found] == [[0, 1, 0], [1, 0, 0], [0, 0, 1]]


def test_f1_by_hand() -> None:
    """Three right, one alarm, two missed: 3 / (3 + 1.5)."""
    tally = no_pictures(1)
    rows = [(GOOD, TRUTH)] * 3 + [(HALF, TRUTH)] + [("....\n....\n....", TRUTH)] * 2
    for picture, where in rows:
        tally = tally.plus(judge_map(drawn(picture), truth(where), np.array([0.5])))
    assert tuple(int(count[0]) for count in tally) == (3, 1, 2)
    np.testing.assert_allclose(tally.f1(), [3 / 4.5])
    assert no_pictures(2).f1().tolist() == [0.0, 0.0]


def test_it_agrees_with_its_definition() -> None:
    random = np.random.default_rng(0)
    thresholds = np.linspace(0.0, 1.0, 33)
    for _ in range(20):
        relevance = (random.integers(0, 33, (6, 7)) / 32).astype(np.float32)
        where = random.random((6, 7)) < random.choice([0.0, 0.6])
        found = judge_map(relevance, where, thresholds)
        for i, threshold in enumerate(thresholds):
            assert tuple(int(count[i]) for count in found) == slow(relevance > threshold, where)


def slow(mask: np.ndarray, where: np.ndarray) -> tuple[int, int, int]:
    if not where.any():
        return (0, int(mask.any()), 0)
    if not mask.any():
        return (0, 0, 1)
    share = (mask * where).sum() / mask.sum()
    return (1, 0, 0) if share > 0.5 else (0, 1, 0)


def test_tallies_add_up() -> None:
    one = Tally(*np.array([[1], [2], [3]]))
    assert [rows.tolist() for rows in one.plus(one)] == [[2], [4], [6]]
