"""Paired differences: hand counts, agreement of test and interval, false positives over clusters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp

from pentathlon.core.errors import UsageError
from pentathlon.stats import paired_difference


def test_difference_counts_wins_ties_losses_over_common_trials() -> None:
    a = {"t1": 1.0, "t2": 0.5, "t3": 0.0, "only-a": 9.0}
    b = {"t1": 0.0, "t2": 0.5, "t3": 0.5, "only-b": 9.0}
    result = paired_difference(a, b)
    assert result.n == 3
    assert (result.wins, result.ties, result.losses) == (1, 1, 1)
    assert result.difference == pytest.approx(0.5 / 3)
    theory = ttest_1samp([1.0, 0.0, -0.5], 0.0)
    assert result.p_value == pytest.approx(theory.pvalue)
    assert result.interval[:2] == pytest.approx(tuple(theory.confidence_interval()))


def test_pairing_finds_a_small_steady_gain_that_hard_trials_would_hide() -> None:
    b = {f"t{index}": float(index) for index in range(40)}
    a = {trial: value + 0.1 + 0.01 * (index % 3) for index, (trial, value) in enumerate(b.items())}
    interval = paired_difference(a, b).interval
    assert 0.1 < interval.low < interval.high < 0.12


def test_clusters_are_what_differences_are_taken_over() -> None:
    a = {f"t{index}": float(index < 10) for index in range(20)}
    b = dict.fromkeys(a, 0.0)
    scenes = {f"t{index}": "easy" if index < 10 else "hard" for index in range(20)}
    apart, together = paired_difference(a, b, bounds=(0.0, 1.0)), paired_difference(a, b, scenes, (0.0, 1.0))
    assert apart.interval.low > 0
    assert apart.p_value < 0.01
    assert together.interval[:2] == (-1.0, 1.0)
    assert together.p_value == pytest.approx(ttest_1samp([1.0, 0.0], 0.0).pvalue)


def three_seeds(generator: np.random.Generator) -> dict[str, float]:
    """Successes of 25 episodes in each of three seeds, which resemble each other; the same rate for everyone."""
    rates = np.repeat(generator.beta(2.0, 2.0, size=3), 25)
    return {f"t{index}": float(won) for index, won in enumerate(generator.random(75) < rates)}


def test_equal_entrants_are_told_apart_in_no_more_than_one_of_twenty_comparisons() -> None:
    generator = np.random.default_rng(5)
    seeds = {f"t{index}": str(index // 25) for index in range(75)}
    results = [paired_difference(three_seeds(generator), three_seeds(generator), seeds, (0, 1)) for _ in range(600)]
    assert sum(result.p_value <= 0.05 for result in results) <= 0.07 * len(results)
    assert sum(paired_p_of_trials(generator) <= 0.05 for _ in range(600)) >= 0.2 * 600


def paired_p_of_trials(generator: np.random.Generator) -> float:
    return paired_difference(three_seeds(generator), three_seeds(generator)).p_value


def test_differences_that_are_all_alike_leave_room() -> None:
    same = {f"t{index}": 1.0 for index in range(60)}
    equal = paired_difference(same, same, bounds=(0.0, 1.0))
    share = 1 - 0.025 ** (1 / 60)
    assert (equal.difference, equal.p_value) == (0.0, 1.0)
    assert equal.interval[:2] == pytest.approx((-share, share))
    # Five that are all better are a coin falling five times; six are the first to be told from chance.
    for n, told in ((5, False), (6, True)):
        a = {f"t{index}": 1.0 for index in range(n)}
        better = paired_difference(a, dict.fromkeys(a, 0.0), bounds=(0.0, 1.0))
        assert better.p_value == pytest.approx(2 * 0.5**n)
        assert (better.p_value <= 0.05, better.interval.low > 0) == (told, told)


values = st.dictionaries(st.sampled_from([f"t{index}" for index in range(12)]), st.floats(-10, 10), min_size=1)


@given(values, values)
def test_swapping_sides_flips_the_sign(a: dict[str, float], b: dict[str, float]) -> None:
    if not a.keys() & b.keys():
        with pytest.raises(UsageError, match="none in common"):
            paired_difference(a, b)
        return
    forth, back = paired_difference(a, b), paired_difference(b, a)
    assert forth.difference == pytest.approx(-back.difference)
    assert (forth.wins, forth.ties, forth.losses) == (back.losses, back.ties, back.wins)
    assert forth.interval.low <= forth.difference <= forth.interval.high
    assert forth.p_value == pytest.approx(back.p_value)
    # The test and the interval never contradict each other, but for rounding at the very edge.
    if abs(forth.p_value - 0.05) > 1e-6 and forth.interval.low > -float("inf"):
        assert (forth.p_value < 0.05) == (not forth.interval.low <= 0 <= forth.interval.high)
