"""From outcomes to scores: errors, scale, direction, intervals."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentathlon.core import DataError, Metric, Outcome, PaperValue
from pentathlon.stats import mean_interval, score_outcomes, success_interval, wilson_interval

SUCCESS = Metric("success", aggregation="success", scale=100, unit="%", paper=PaperValue(88.8, "Table 4, VC-1"))
RETURN = Metric("return", error_value=-1.0)


def outcome(index: int, success: float, reward: float = 0.0, cluster: str = "") -> Outcome:
    return Outcome(f"t{index}", metrics={"success": success, "return": reward}, cluster=cluster)


def test_success_is_wilson_in_percent_with_the_papers_value() -> None:
    (score,) = score_outcomes([SUCCESS], [outcome(index, float(index < 81)) for index in range(263)])
    assert score.value == pytest.approx(100 * 81 / 263)
    assert (score.low, score.high) == tuple(100 * bound for bound in wilson_interval(81, 263)[:2])
    assert (score.n, score.errors, score.unit) == (263, 0, "%")
    assert score.paper == PaperValue(88.8, "Table 4, VC-1")
    assert str(score) == "30.8 % [25.5, 36.6] n=263"


def test_success_of_trials_that_share_a_scene_is_less_sure() -> None:
    won, scenes = [float(index % 4 == 0) for index in range(36)], [f"scene-{index % 12}" for index in range(36)]
    (score,) = score_outcomes([SUCCESS], [outcome(i, won[i], cluster=scenes[i]) for i in range(36)])
    low, high, _ = success_interval(won, scenes)
    assert (score.value, score.low, score.high) == (pytest.approx(25.0), 100 * low, 100 * high)
    assert 100 * (high - low) > 100 * np.ptp(wilson_interval(9, 36)[:2])


def test_a_mean_is_taken_over_clusters() -> None:
    outcomes = [outcome(index, 0.0, float(index), cluster=f"scene-{index % 5}") for index in range(20)]
    (score,) = score_outcomes([RETURN], outcomes)
    low, high, _ = mean_interval([float(index) for index in range(20)], [str(index % 5) for index in range(20)])
    assert (score.value, score.low, score.high) == (9.5, low, high)


@pytest.mark.parametrize(
    ("bounds", "printed"), [((0.0, 1.0), "0.0 % [0.0, 70.8] n=30"), ((0.0, math.inf), "0.0 % [0.0, –] n=30")]
)
def test_zeros_of_a_mean_metric_are_no_certainty(bounds: tuple[float, float], printed: str) -> None:
    zeros = [outcome(index, 0.0, 0.0, cluster=f"seed-{index % 3}") for index in range(30)]
    (score,) = score_outcomes([Metric("return", scale=100, unit="%", bounds=bounds)], zeros)
    assert str(score) == printed
    (unknown,) = score_outcomes([Metric("return")], zeros)
    assert (unknown.low, unknown.high, unknown.method) == (None, None, "all alike, over clusters")
    assert str(unknown) == "0.0 no interval n=30"


def test_a_value_outside_the_declared_bounds_is_refused() -> None:
    with pytest.raises(DataError, match=r"'t0' reports return=1.5; the metric declares bounds of \(0.0, 1.0\)"):
        score_outcomes([Metric("return", bounds=(0.0, 1.0))], [outcome(0, 0.0, 1.5)])


def test_errors_count_as_the_error_value_and_are_counted() -> None:
    outcomes = [outcome(0, 1.0, 3.0), Outcome("t1", status="error", error="boom", metrics={"success": 1.0})]
    success, reward = score_outcomes([SUCCESS, RETURN], outcomes)
    assert (success.value, success.errors, success.n) == (50.0, 1, 2)
    assert (reward.value, reward.errors) == (1.0, 1)


def test_a_negative_scale_keeps_the_bounds_in_order() -> None:
    (score,) = score_outcomes([Metric("return", scale=-1.0)], [outcome(i, 0.0, float(i)) for i in range(9)])
    assert score.low is not None
    assert score.high is not None
    assert score.low < score.value < score.high


def test_a_success_with_a_fractional_error_value_is_a_mean() -> None:
    chance = Metric("success", aggregation="success", error_value=0.25)
    (score,) = score_outcomes([chance], [outcome(0, 1.0), Outcome("t1", status="error")])
    assert score.value == pytest.approx(0.625)
    assert score.low is not None
    assert score.high is not None
    assert 0 <= score.low <= 0.625 <= score.high <= 1


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=20), st.randoms())
def test_scores_do_not_depend_on_the_order_of_trials(rewards: list[float], random: object) -> None:
    outcomes = [outcome(index, 0.0, reward, cluster=str(index % 3)) for index, reward in enumerate(rewards)]
    scores = score_outcomes([RETURN], outcomes)
    random.shuffle(outcomes)  # type: ignore[attr-defined]
    assert score_outcomes([RETURN], outcomes) == scores
    low, high = scores[0].low, scores[0].high
    assert low is None or low <= scores[0].value
    assert high is None or scores[0].value <= high


def test_no_outcomes_no_scores() -> None:
    assert score_outcomes([SUCCESS], []) == ()


@pytest.mark.parametrize(
    ("metrics", "message"),
    [
        ({}, "'t0' reports no 'success'; it reports: none"),
        ({"success": float("inf")}, "success=inf; expected a finite"),
        ({"success": 0.5}, "success=0.5; a success is 0 or 1"),
    ],
)
def test_bad_metrics_name_the_trial(metrics: dict[str, float], message: str) -> None:
    with pytest.raises(DataError, match=message):
        score_outcomes([SUCCESS], [Outcome("t0", metrics=metrics)])
