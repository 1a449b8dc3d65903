"""Wilson and bootstrap intervals against printed numbers, theory and simulation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm, t

from pentathlon.core.errors import UsageError
from pentathlon.stats import bootstrap_interval, clustered_wilson_interval, wilson_interval

NEWCOMBE_TABLE_1 = [  # Newcombe 1998, Statistics in Medicine 17, Table I, method 3.
    (81, 263, 0.2553, 0.3662),
    (15, 148, 0.0624, 0.1605),
    (0, 20, 0.0000, 0.1611),
    (1, 29, 0.0061, 0.1718),
]


@pytest.mark.parametrize(("successes", "n", "low", "high"), NEWCOMBE_TABLE_1)
def test_wilson_gives_newcombes_table(successes: int, n: int, low: float, high: float) -> None:
    interval = wilson_interval(successes, n)
    assert interval.low == pytest.approx(low, abs=5e-5)
    assert interval.high == pytest.approx(high, abs=5e-5)


counts = st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(counts)
def test_wilson_contains_the_rate_and_mirrors_failures(case: tuple[int, int]) -> None:
    successes, n = case
    low, high, _ = wilson_interval(successes, n)
    assert 0 <= low <= successes / n <= high <= 1
    assert low < high
    mirrored = wilson_interval(n - successes, n)
    assert mirrored.low == pytest.approx(1 - high, abs=1e-12)


@given(counts, st.integers(2, 20))
def test_wilson_shrinks_with_n_and_widens_with_confidence(case: tuple[int, int], factor: int) -> None:
    successes, n = case
    low, high, _ = wilson_interval(successes, n)
    more = wilson_interval(successes * factor, n * factor)
    surer = wilson_interval(successes, n, confidence=0.99)
    assert more.high - more.low < high - low
    assert surer.low <= low
    assert surer.high >= high


def in_clusters(wins: list[int], size: int) -> tuple[list[float], list[str]]:
    """Trials of which the first few of each cluster succeed."""
    successes = [float(trial < won) for won in wins for trial in range(size)]
    return successes, [f"c{index}" for index in range(len(wins)) for _ in range(size)]


def test_clustered_wilson_by_hand() -> None:
    # Between 2/7, within 1/4, likeness 1/29, so 32 trials tell as much as 29; times (2.0395 / 2.3646)^2 for Student.
    # Wilson of 0.5 with n = 21.574: 1.95996 * sqrt(0.25 / 21.574 + 3.84146 / (4 * 21.574^2)) / (1 + 3.84146 / 21.574).
    assert clustered_wilson_interval(*in_clusters([4, 2, 2, 2, 2, 2, 2, 0], 4)) == (
        pytest.approx(0.5 - 0.19439, abs=1e-5),
        pytest.approx(0.5 + 0.19439, abs=1e-5),
        "Wilson over clusters",
    )


def test_clusters_whose_trials_end_alike_are_trials_themselves() -> None:
    alike = clustered_wilson_interval(*in_clusters([3, 3, 0, 3, 0, 0, 0], 3))
    assert alike[:2] == pytest.approx(wilson_interval(3, 7)[:2])
    # At the ends nothing tells the likeness; three seeds on twelve benches then count as twelve trials, not as 36.
    never, always = (clustered_wilson_interval(*in_clusters([won] * 12, 3)) for won in (0, 3))
    assert (never.low, never.high) == (0.0, pytest.approx(0.2425, abs=5e-5))
    assert (always.low, always.high) == (pytest.approx(0.7575, abs=5e-5), 1.0)


def test_without_clusters_wilson_is_left_as_it_is() -> None:
    successes, _ = in_clusters([2, 1], 3)
    assert clustered_wilson_interval(successes, ["one"] * 6) == wilson_interval(3, 6)
    assert clustered_wilson_interval(successes, list("abcdef")) == wilson_interval(3, 6)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=1, max_size=40), st.randoms())
def test_clustered_wilson_holds_the_plain_one_in_any_order(trials: list[tuple[bool, int]], random: object) -> None:
    interval = clustered_wilson_interval([won for won, _ in trials], [str(cluster) for _, cluster in trials])
    plain = wilson_interval(sum(won for won, _ in trials), len(trials))
    assert 0 <= interval.low <= plain.low + 1e-12
    assert plain.high - 1e-12 <= interval.high <= 1
    random.shuffle(trials)  # type: ignore[attr-defined]
    assert clustered_wilson_interval([won for won, _ in trials], [str(cluster) for _, cluster in trials]) == interval


def test_clustered_wilson_restores_the_coverage_that_shared_benches_take_away() -> None:
    generator = np.random.default_rng(21)
    clustered = plain = 0
    for _ in range(300):
        rates = generator.beta(0.5, 0.5, size=12)
        successes, benches = in_clusters(generator.binomial(3, rates).tolist(), 3)
        low, high, _ = clustered_wilson_interval(successes, benches)
        clustered += low <= 0.5 <= high
        low, high, _ = wilson_interval(int(sum(successes)), 36)
        plain += low <= 0.5 <= high
    assert clustered >= 279
    assert plain <= 255


finite = st.floats(-1e6, 1e6)


@given(st.lists(finite, min_size=1, max_size=30), st.randoms())
def test_bootstrap_contains_the_mean_and_ignores_order(values: list[float], random: object) -> None:
    interval = bootstrap_interval(values)
    mean = float(np.mean(values))
    slack = 1e-9 * (1 + abs(mean))
    assert min(values) - slack <= interval.low <= mean + slack
    assert mean - slack <= interval.high <= max(values) + slack
    shuffled = list(values)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert bootstrap_interval(shuffled) == interval


@given(st.lists(finite, min_size=2, max_size=20), st.floats(0.01, 100), finite)
def test_bootstrap_follows_a_change_of_unit_in_the_width(values: list[float], scale: float, shift: float) -> None:
    width = np.ptp(bootstrap_interval(values)[:2])
    moved = np.ptp(bootstrap_interval([scale * value + shift for value in values])[:2])
    # The seed follows the data, so the two differ by Monte Carlo noise, which the range bounds.
    assert moved == pytest.approx(scale * width, abs=0.2 * scale * np.ptp(values) + 1e-6 * (1 + abs(shift)))


@pytest.mark.parametrize("n", [8, 20, 100])
def test_bootstrap_of_normal_scores_is_students_interval(n: int) -> None:
    values = norm.ppf((np.arange(n) + 0.5) / n)
    expected = t.ppf(0.975, n - 1) * values.std(ddof=1) / np.sqrt(n)
    interval = bootstrap_interval(values)
    assert interval.high == pytest.approx(expected, rel=0.08)
    assert interval.low == pytest.approx(-expected, rel=0.08)


def test_three_clusters_span_their_means() -> None:
    values, seeds = [0.2, 0.4, 0.5, 0.5, 0.9, 0.7], ["a", "a", "b", "b", "c", "c"]
    assert bootstrap_interval(values, seeds) == (pytest.approx(0.3), pytest.approx(0.8), "bootstrap over clusters")


def test_unequal_clusters_are_weighted_by_their_trials() -> None:
    interval = bootstrap_interval([0.0, 1.0, 1.0, 1.0], ["a", "b", "b", "b"])
    assert interval.low <= 0.75 <= interval.high


def test_one_cluster_falls_back_to_trials_and_says_so() -> None:
    values = [1.0, 2.0, 4.0, 8.0]
    assert bootstrap_interval(values, ["s"] * 4) == bootstrap_interval(values)
    assert bootstrap_interval(values, ["s"] * 4).method == "bootstrap over trials"
    assert bootstrap_interval([3.0]) == (3.0, 3.0, "one trial, no spread known")


def test_large_samples_use_the_normal_limit_smoothly() -> None:
    values = np.random.default_rng(1).exponential(size=2001)
    below, above = bootstrap_interval(values[:2000]), bootstrap_interval(values)
    width = above.high - above.low
    assert below.low == pytest.approx(above.low, abs=0.05 * width)
    assert below.high == pytest.approx(above.high, abs=0.05 * width)


def test_clusters_restore_the_coverage_that_shared_scenes_take_away() -> None:
    generator = np.random.default_rng(20)
    scenes = [str(scene) for scene in np.repeat(np.arange(10), 10)]
    clustered = naive = 0
    for _ in range(200):
        values = np.repeat(generator.normal(size=10), 10) + generator.normal(size=100)
        low, high, _ = bootstrap_interval(values, scenes)
        clustered += low <= 0 <= high
        low, high, _ = bootstrap_interval(values)
        naive += low <= 0 <= high
    assert clustered >= 180
    assert naive <= 150


@pytest.mark.parametrize(("successes", "n"), [(1, 0), (-1, 5), (6, 5)])
def test_wilson_refuses_impossible_counts(successes: int, n: int) -> None:
    with pytest.raises(UsageError, match=rf"got successes={successes}, n={n}"):
        wilson_interval(successes, n)


def test_bad_input_is_named() -> None:
    with pytest.raises(UsageError, match=r"between 0 and 1.*got 95"):
        wilson_interval(1, 2, confidence=95)
    with pytest.raises(UsageError, match="non-empty"):
        bootstrap_interval([])
    with pytest.raises(UsageError, match="nan at index 1"):
        bootstrap_interval([0.0, float("nan")])
    with pytest.raises(UsageError, match="1 clusters for 2 values"):
        bootstrap_interval([0.0, 1.0], ["a"])
    with pytest.raises(UsageError, match="1 clusters for 2 values"):
        clustered_wilson_interval([0.0, 1.0], ["a"])
    with pytest.raises(UsageError, match="successes of 0 or 1"):
        clustered_wilson_interval([0.0, 0.5], ["a", "b"])
