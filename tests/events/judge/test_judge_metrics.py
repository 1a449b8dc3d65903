"""Macro F1 after standardising, held against a slow definition written from the paper's equation."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pentathlon.events.judge.metrics import macro_f1, majority_f1, predict, softmax, standardise

SCORES = st.tuples(st.integers(1, 7), st.integers(2, 5)).flatmap(
    # Few different values, so that ties and descriptions that all videos fit alike are common.
    lambda shape: arrays(np.float64, shape, elements=st.sampled_from([-0.1, 0.0, 0.25, 1.0, 5.0]))
)


def slow_standardise(scores: list[list[float]], leave_one_out: bool) -> list[list[float]]:
    shares = []
    for row in scores:
        powers = [math.exp(score) for score in row]
        shares.append([power / sum(powers) for power in powers])
    final = []
    for video, row in enumerate(shares):
        line = []
        for label, share in enumerate(row):
            column = [other[label] for number, other in enumerate(shares) if not (leave_one_out and number == video)]
            if not column:
                line.append(0.0)
                continue
            deviation = statistics.stdev(column) if len(column) > 1 else 0.0
            line.append((share - statistics.fmean(column)) / (deviation + 1e-6))
        final.append(line)
    return final


def slow_macro_f1(true: list[int], predicted: list[int]) -> float:
    total = []
    for label in set(true) | set(predicted):
        pairs = list(zip(true, predicted, strict=True))
        right = sum(a == b == label for a, b in pairs)
        wrong = sum(a != label and b == label for a, b in pairs)
        missed = sum(a == label and b != label for a, b in pairs)
        total.append(right / (right + 0.5 * (wrong + missed)))
    return sum(total) / len(total)


@settings(deadline=None, max_examples=300)
@given(SCORES, st.booleans())
def test_standardising_follows_the_equation(scores: np.ndarray, leave_one_out: bool) -> None:
    expected = np.array(slow_standardise(scores.tolist(), leave_one_out))
    np.testing.assert_allclose(standardise(scores, leave_one_out), expected, rtol=1e-9, atol=1e-6)


@settings(deadline=None, max_examples=300)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=30))
def test_macro_f1_agrees_with_its_definition(pairs: list[tuple[int, int]]) -> None:
    true, predicted = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    assert macro_f1(true, predicted) == pytest.approx(slow_macro_f1(true, predicted), abs=1e-9)


def test_an_absent_class_counts_only_when_it_is_said() -> None:
    assert macro_f1([0, 0, 1], [0, 0, 1]) == 1.0
    assert macro_f1([0, 0], [0, 2]) == pytest.approx((2 / 3 + 0.0) / 2)


def test_equal_scores_say_the_first_description() -> None:
    assert predict(standardise(np.ones((3, 4)))).tolist() == [0, 0, 0]


def test_a_permutation_set_gives_the_majority_a_sixth() -> None:
    assert majority_f1([0, 1, 2]) == pytest.approx(0.5 / 3)


def test_softmax_of_large_scores_is_finite() -> None:
    np.testing.assert_allclose(softmax(np.array([[1e4, 0.0]])), [[1.0, 0.0]])


def test_a_bias_towards_one_sentence_is_taken_out() -> None:
    # The first sentence fits every video best; what differs between videos decides.
    scores = np.array([[5.0, 1.2], [5.1, 1.0], [5.0, 1.3]])
    assert predict(scores).tolist() == [0, 0, 0]
    assert predict(standardise(scores)).tolist() == [1, 0, 1]
