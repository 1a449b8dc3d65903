"""AUROC, calibration and value-order correlation, held against slow definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from pentathlon.events.judge.detection import auroc, calibration, order_correlation

PAIRS = st.lists(st.tuples(st.booleans(), st.sampled_from([-1.0, 0.0, 0.5, 2.0])), min_size=2, max_size=20)


@settings(deadline=None, max_examples=200)
@given(PAIRS)
def test_auroc_is_the_share_of_pairs_in_order(pairs: list[tuple[bool, float]]) -> None:
    hits = [score for done, score in pairs if done]
    misses = [score for done, score in pairs if not done]
    together = [(hit > miss) + 0.5 * (hit == miss) for hit in hits for miss in misses]
    expected = sum(together) / len(together) if together else 0.5
    done, scores = np.array([one for one, _ in pairs]), np.array([score for _, score in pairs])
    assert auroc(done, scores) == pytest.approx(expected, abs=1e-12)


def test_scores_that_tell_done_from_missed_become_good_chances() -> None:
    rng = np.random.default_rng(0)
    done = [np.array([True, False, False, True]) for _ in range(12)]
    sharp = calibration(done, [marks * 4.0 + rng.normal(0, 0.5, 4) for marks in done])
    blunt = calibration(done, [rng.normal(0, 1.0, 4) for _ in done])
    assert sharp.brier < 0.05
    assert blunt.brier == pytest.approx(0.25, abs=0.05)
    assert sharp.error < 0.1


def test_shifting_and_scaling_scores_changes_no_chance() -> None:
    rng = np.random.default_rng(1)
    done = [rng.random(5) < 0.5 for _ in range(8)]
    scores = [marks + rng.normal(0, 1.0, 5) for marks in done]
    moved = [0.001 * row + 7.0 for row in scores]
    assert calibration(done, moved) == pytest.approx(calibration(done, scores), abs=1e-6)


@settings(deadline=None, max_examples=100)
@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=3, max_size=12))
def test_order_correlation_is_spearman_s(values: list[float]) -> None:
    order = np.arange(len(values), dtype=float)
    if len(set(values)) == 1:
        assert order_correlation(np.array(values), order) == 0.0
    else:
        assert order_correlation(np.array(values), order) == pytest.approx(spearmanr(values, order)[0], abs=1e-9)
