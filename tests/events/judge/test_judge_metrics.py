"""Macro F1 after standardising, held against a slow definition written from the paper's equation."""

from __future__ import annotations

import itertools
import math
import statistics

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pentathlon.events.judge.metrics import (
    macro_f1,
    majority_f1,
    marks,
    predict,
    predict_several,
    softmax,
    standardise,
)
from pentathlon.events.judge.records import Sheet, sheet_metrics

SCORES = st.tuples(st.integers(1, 7), st.integers(2, 5)).flatmap(
    # Few different values, so that ties and descriptions that all videos fit alike are common.
    lambda shape: arrays(np.float64, shape, elements=st.sampled_from([-0.1, 0.0, 0.25, 1.0, 5.0]))
)

FINE_SCORES = st.tuples(st.integers(1, 7), st.integers(2, 5)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(-10_000, 10_000).map(lambda whole: whole / 997))
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
    np.testing.assert_allclose(standardise(scores, leave_one_out), expected, rtol=1e-9, atol=1e-9)


@settings(deadline=None, max_examples=300)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=30))
def test_macro_f1_agrees_with_its_definition(pairs: list[tuple[int, int]]) -> None:
    true, predicted = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    assert macro_f1(marks(true, 5), marks(predicted, 5)) == pytest.approx(slow_macro_f1(true, predicted), abs=1e-9)


def slow_predict(final: list[list[float]], raw: list[list[float]]) -> list[int]:
    """The best of each row to nine decimals, of equal ones the one with the best raw score, then the first."""
    chosen = []
    for row, own in zip(final, raw, strict=True):
        keys = [(round(score, 9), round(own[label], 9), -label) for label, score in enumerate(row)]
        chosen.append(-max(keys)[2])
    return chosen


def slow_chance(true: list[int], said: list[int]) -> float:
    """By dealing the answers in every way; of many videos, by turning them round, which deals each to each once."""
    if len(said) <= 5:
        return statistics.fmean(slow_macro_f1(true, list(dealt)) for dealt in itertools.permutations(said))
    return statistics.fmean(slow_macro_f1(true, said[at:] + said[:at]) for at in range(len(said)))


@settings(deadline=None, max_examples=300)
@given(st.one_of(SCORES, FINE_SCORES), st.data())
def test_a_problem_set_s_macro_f1_agrees_with_an_independent_one(scores: np.ndarray, data: st.DataObject) -> None:
    """Ties, absent classes, classes of a single video and constant scores are all common among these."""
    videos, labels = scores.shape
    true = data.draw(st.lists(st.integers(0, labels - 1), min_size=videos, max_size=videos))
    names = tuple(f"label_{i}" for i in range(labels))
    sheet = Sheet(names, tuple(map(str, range(videos))), tuple((names[i],) for i in true), scores)
    found = sheet_metrics(sheet, "match")
    raw = scores.tolist()
    for name, leave_one_out in (("macro_f1", False), ("macro_f1_leave_one_out", True)):
        said = slow_predict(slow_standardise(raw, leave_one_out), raw)
        assert found[name] == pytest.approx(slow_macro_f1(true, said), abs=1e-9)
    said = slow_predict(slow_standardise(raw, False), raw)
    assert found["macro_f1_over_chance"] == pytest.approx(slow_macro_f1(true, said) - slow_chance(true, said), abs=1e-9)
    assert found["macro_f1_raw"] == pytest.approx(slow_macro_f1(true, slow_predict(raw, raw)), abs=1e-9)
    common = max(set(true), key=lambda label: (true.count(label), -label))
    assert found["majority_f1"] == pytest.approx(slow_macro_f1(true, [common] * videos), abs=1e-9)


def test_a_sheet_survives_being_written_and_read() -> None:
    sheet = Sheet(("a", "b"), ("x", "y"), (("a",), ("a", "b")), np.array([[0.1, 0.2], [1 / 3, 0.0]]))
    again = Sheet.read(sheet.plain())
    assert again.true == sheet.true
    np.testing.assert_array_equal(again.scores, sheet.scores)


def test_several_labels_of_one_video() -> None:
    final = np.array([[1.0, 0.5, -1.0], [-0.2, -0.1, -0.3]])
    assert predict_several(final, [2, 1]).tolist() == [[True, True, False], [False, True, False]]
    true = np.array([[True, True, False], [False, False, True]])
    assert macro_f1(true, predict_several(final, [2, 1])) == pytest.approx((1.0 + 2 / 3 + 0.0) / 3)


@settings(deadline=None, max_examples=100)
@given(arrays(np.bool_, st.tuples(st.integers(1, 6), st.integers(2, 5))))
def test_who_knows_several_labels_is_right_about_all(true: np.ndarray) -> None:
    true[:, 0] |= ~true.any(axis=1)
    names = tuple("abcde"[: true.shape[1]])
    labels = tuple(tuple(name for name, holds in zip(names, row, strict=True) if holds) for row in true)
    sheet = Sheet(names, tuple(map(str, range(len(true)))), labels, true.astype(float))
    assert sheet_metrics(sheet, "match")["macro_f1"] == 1.0


def test_an_absent_class_counts_only_when_it_is_said() -> None:
    assert macro_f1(marks([0, 0, 1], 3), marks([0, 0, 1], 3)) == 1.0
    assert macro_f1(marks([0, 0], 3), marks([0, 2], 3)) == pytest.approx((2 / 3 + 0.0) / 2)


def test_who_says_the_same_of_every_video_is_taken_at_their_word() -> None:
    raw = np.tile([0.1, 0.9, 0.3], (4, 1))
    assert predict(standardise(raw), raw).tolist() == [1, 1, 1, 1]


def test_equal_scores_say_the_first_description() -> None:
    assert predict(standardise(np.ones((3, 4)))).tolist() == [0, 0, 0]


def test_a_permutation_set_gives_the_majority_a_sixth() -> None:
    assert majority_f1(marks([0, 1, 2], 3)) == pytest.approx(0.5 / 3)


def test_who_guesses_is_no_better_than_chance_and_who_says_the_same_exactly_as_good() -> None:
    three = tuple((name,) for name in "abc")
    rng = np.random.default_rng(0)
    guessed = [Sheet(tuple("abc"), tuple("xyz"), three, rng.random((3, 3))) for _ in range(2000)]
    over = [sheet_metrics(one, "match")["macro_f1_over_chance"] for one in guessed]
    assert abs(statistics.fmean(over)) < 3 * statistics.stdev(over) / math.sqrt(len(over))
    constant = Sheet(tuple("abc"), tuple("xyz"), three, np.tile([0.0, 1.0, 0.5], (3, 1)))
    assert sheet_metrics(constant, "match")["macro_f1_over_chance"] == pytest.approx(0.0, abs=1e-12)
    knows = Sheet(tuple("abc"), tuple("xyz"), three, np.eye(3))
    assert sheet_metrics(knows, "match")["macro_f1_over_chance"] == pytest.approx(2 / 3)


def test_softmax_of_large_scores_is_finite() -> None:
    np.testing.assert_allclose(softmax(np.array([[1e4, 0.0]])), [[1.0, 0.0]])


def test_a_bias_towards_one_sentence_is_taken_out() -> None:
    # The first sentence fits every video best; what differs between videos decides.
    scores = np.array([[5.0, 1.2], [5.1, 1.0], [5.0, 1.3]])
    assert predict(scores).tolist() == [0, 0, 0]
    assert predict(standardise(scores)).tolist() == [1, 0, 1]
