from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pentathlon.learning.detectors.measuring import scores
from pentathlon.learning.detectors.measuring.findings import Alarms, Choices, Findings, Hits
from pentathlon.learning.detectors.measuring.questions import Question


def column(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


@pytest.fixture
def findings() -> Findings:
    hits = Hits(
        question=np.array([0, 0, 0, 0]),
        frame=np.array([0, 1, 2, 3]),
        score=column(5.0, 4.0, 1.0, -np.inf),
        pixels=column(100, 100, 100, 30),
        depth_m=column(1, 1, 2, 2),
        floor_m=column(0.5, 2.0, 0.5, 0.5),
    )
    alarms = Alarms(np.array([0, 0, 0]), np.array([2, 5, 6]), column(3.0, 2.0, 0.0))
    choices = Choices(
        question=np.zeros(5, np.int64),
        frame=np.array([0, 0, 1, 1, 2]),
        score=column(3.0, 1.0, 2.0, 2.5, 0.0),
        fits=np.array([True, False, True, False, True]),
    )
    return Findings([Question("colour", (1, 2), "red mug", "Mug")], 10, hits, alarms, choices)


def test_average_precision_of_a_worked_example() -> None:
    # Ranked: right, wrong, right, right; one right thing is never found.
    found = scores.average_precision(column(0.9, 0.7, 0.6), column(0.8), 4)
    assert found == pytest.approx((1 + 0.75 + 0.75) / 4)
    assert scores.average_precision(column(), column(0.5), 3) == 0.0


def test_a_summary_counts_things_of_sixty_pixels(findings: Findings) -> None:
    summary = scores.summarize(findings, [0], 2.5)
    assert (summary.views, summary.precision, summary.recall) == (3, round(2 / 3, 4), round(2 / 3, 4))
    assert summary.mean_ap == pytest.approx((1 + 1 + 3 / 5) / 3, abs=1e-4)


def test_alarms_count_views_without_the_thing(findings: Findings) -> None:
    # Of ten views six hold none; the alarm in view 2 is beside a right thing.
    assert scores.alarm_rate(findings, [0], 1.0) == pytest.approx(100 / 6)
    assert scores.alarm_rate(findings, [0], 2.5) == 0.0
    assert scores.quiet_threshold(findings, [0]) == pytest.approx(2.05, abs=0.01)


def test_thresholds_of_the_best_f_measure(findings: Findings) -> None:
    threshold = scores.best_f_threshold(findings, [0])
    measures = [scores.summarize(findings, [0], t).f1 for t in np.arange(-3.0, 6.0, 0.05)]
    assert scores.summarize(findings, [0], threshold).f1 == max(measures)
    assert threshold > 2.0
    # All three things and two alarms: 15 / 17, against 10 / 14 for two things and none.
    assert 0.0 < scores.best_f_threshold(findings, [0], recall_weight=2.0) < 1.0


def test_recall_by_bins(findings: Findings) -> None:
    table = scores.binned_recall(findings, [0], 2.0, findings.hits.floor_m, (0, 1, 3), 20)
    assert table == {"0-1": (pytest.approx(1 / 3, abs=1e-4), 3), "1-3": (1.0, 1)}


def test_telling_apart_compares_things_of_one_type(findings: Findings) -> None:
    told = scores.tell_apart(findings, [0])
    assert (told.questions, told.choices, told.right) == (1, 2, 0.5)
    assert told.auc == pytest.approx((2 + 1 + 0) / 6)


def test_a_walk_stops_by_the_score_that_weighs_misses_against_alarms(findings: Findings) -> None:
    # Within 1 m the thing scores 5, 1 and not at all; in six views without it the peaks are 2 and 0.
    assert 2.0 < scores.success_threshold(findings, [0]) <= 5.0
    silent = replace(findings, alarms=Alarms(np.zeros(0, np.int64), np.zeros(0, np.int64), column()))
    assert scores.success_threshold(silent, [0]) <= 1.0
