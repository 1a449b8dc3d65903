"""Intervals against printed numbers, theory and simulation."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binomtest, norm, t

from pentathlon.core.errors import UsageError
from pentathlon.stats import mean_interval, success_interval, wilson_interval
from pentathlon.stats.clusters import FloatArray
from pentathlon.stats.intervals import NO_BOUNDS, Bounds

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


def test_clustered_successes_by_hand() -> None:
    # Cluster rates 1, 1/2 (6 times), 0: standard error sqrt(8/7 * (0.25 + 0.25) / 64) = 0.094491; Student's t 3.49948.
    # So 0.25 * (1.95996 / (3.49948 * 0.094491))^2 = 8.78305 trials; Clopper-Pearson of half of those.
    assert success_interval(*in_clusters([4, 2, 2, 2, 2, 2, 2, 0], 4)) == (
        pytest.approx(beta.ppf(0.025, 4.39152, 5.39152), abs=1e-5),
        pytest.approx(beta.ppf(0.975, 5.39152, 4.39152), abs=1e-5),
        "Korn-Graubard over clusters",
    )


def test_clusters_whose_trials_end_alike_are_trials_themselves() -> None:
    alike = success_interval(*in_clusters([3, 3, 0, 3, 0, 0, 0], 3))
    exact = binomtest(3, 7).proportion_ci(method="exact")
    assert alike[:2] == pytest.approx((exact.low, exact.high))
    # At the ends nothing tells the likeness; three seeds on twelve benches then count as twelve trials, not as 36.
    never, always = (success_interval(*in_clusters([won] * 12, 3)) for won in (0, 3))
    assert (never.low, never.high) == (0.0, pytest.approx(1 - 0.025 ** (1 / 12)))
    assert (always.low, always.high) == (pytest.approx(0.025 ** (1 / 12)), 1.0)


def test_without_clusters_wilson_is_left_as_it_is() -> None:
    successes, _ = in_clusters([2, 1], 3)
    assert success_interval(successes, ["one"] * 6)[:2] == wilson_interval(3, 6)[:2]
    assert success_interval(successes, ["one"] * 6).method == "Wilson within one cluster"
    assert success_interval(successes, [""] * 6).method == "Wilson over trials"
    assert success_interval(successes, list("abcdef"))[:2] == wilson_interval(3, 6)[:2]


trials_in_clusters = st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=1, max_size=40)


@given(trials_in_clusters, st.randoms())
def test_clusters_never_make_a_rate_surer_and_order_is_ignored(trials: list[tuple[bool, int]], random: object) -> None:
    interval = success_interval([won for won, _ in trials], [str(cluster) for _, cluster in trials])
    plain = wilson_interval(sum(won for won, _ in trials), len(trials))
    assert 0 <= interval.low < interval.high <= 1
    assert interval.high - interval.low >= plain.high - plain.low - 1e-12
    random.shuffle(trials)  # type: ignore[attr-defined]
    assert success_interval([won for won, _ in trials], [str(cluster) for _, cluster in trials]) == interval


def share_covered(draw: Callable[[], tuple[FloatArray, list[str]]], truth: float, times: int, bounds: Bounds) -> float:
    """Share of simulated evaluations whose interval holds the true mean."""
    covered = 0
    for _ in range(times):
        low, high, _ = mean_interval(*draw(), bounds)
        covered += low <= truth <= high
    return covered / times


SEEDS = [str(seed) for seed in np.repeat(np.arange(3), 25)]


def test_three_seeds_that_share_half_the_variance_are_covered() -> None:
    generator = np.random.default_rng(20)

    def draw() -> tuple[FloatArray, list[str]]:
        return np.repeat(generator.normal(size=3), 25) + generator.normal(size=75), SEEDS

    assert share_covered(draw, 0.0, 1000, NO_BOUNDS) >= 0.93


@pytest.mark.parametrize("clusters", [3, 5, 10])
def test_skewed_clusters_that_share_half_the_variance_are_covered(clusters: int) -> None:
    generator = np.random.default_rng(22)
    labels = [str(index) for index in np.repeat(np.arange(clusters), 25)]

    def draw_heavy() -> tuple[FloatArray, list[str]]:
        return np.repeat(generator.exponential(size=clusters), 25) + generator.exponential(size=len(labels)), labels

    def draw_bounded() -> tuple[FloatArray, list[str]]:
        rates = np.clip(generator.beta(0.2, 0.8, size=clusters), 1e-6, 1 - 1e-6)
        return generator.beta(2 * np.repeat(rates, 25), 2 * (1 - np.repeat(rates, 25))), labels

    assert share_covered(draw_heavy, 2.0, 1000, NO_BOUNDS) >= 0.935
    assert share_covered(draw_bounded, 0.2, 1000, (0.0, 1.0)) >= 0.935


@pytest.mark.parametrize(("rate", "likeness"), [(0.05, 0.9), (0.2, 0.5), (0.5, 0.5), (0.9, 0.3)])
def test_three_seeds_of_successes_are_covered(rate: float, likeness: float) -> None:
    generator = np.random.default_rng(21)
    spread = (1 - likeness) / likeness

    def draw() -> tuple[FloatArray, list[str]]:
        rates = generator.beta(rate * spread, (1 - rate) * spread, size=3)
        return (generator.random(75) < np.repeat(rates, 25)).astype(float), SEEDS

    assert share_covered(draw, rate, 1000, (0.0, 1.0)) >= 0.935


def test_ten_scenes_are_covered_where_trials_alone_are_not() -> None:
    generator = np.random.default_rng(20)
    scenes = [str(scene) for scene in np.repeat(np.arange(10), 10)]

    def draw(labels: list[str]) -> tuple[FloatArray, list[str]]:
        return np.repeat(generator.normal(size=10), 10) + generator.normal(size=100), labels

    assert share_covered(lambda: draw(scenes), 0.0, 500, NO_BOUNDS) >= 0.93
    assert share_covered(lambda: draw([""] * 100), 0.0, 500, NO_BOUNDS) <= 0.75


@pytest.mark.parametrize("value", [0.0, 0.25, 1.0])
def test_trials_that_all_end_alike_leave_room_within_their_bounds(value: float) -> None:
    share = 1 - 0.025 ** (1 / 20)
    expected = (value - share * value, value + share * (1 - value))
    assert mean_interval([value] * 20, bounds=(0.0, 1.0))[:2] == pytest.approx(expected)
    fewer = mean_interval([value] * 20, [str(index % 2) for index in range(20)], (0.0, 1.0))
    assert fewer.high - fewer.low > 4 * share
    assert mean_interval([0.1 + 0.2, 0.3], bounds=(0.0, 1.0)).method == "all alike, over trials"


def test_trials_that_all_end_alike_without_bounds_have_no_interval() -> None:
    assert mean_interval([3.0] * 8)[:2] == (-math.inf, math.inf)
    assert mean_interval([3.0])[:2] == (-math.inf, math.inf)
    assert mean_interval([0.0] * 8, bounds=(0.0, math.inf))[:2] == (0.0, math.inf)


finite = st.floats(-1e6, 1e6)
clustered = st.lists(st.tuples(finite, st.integers(0, 3)), min_size=1, max_size=30)


@given(clustered, st.randoms())
def test_an_interval_holds_the_mean_has_a_width_and_ignores_order(
    trials: list[tuple[float, int]], random: object
) -> None:
    interval = mean_interval([value for value, _ in trials], [str(cluster) for _, cluster in trials])
    bounded = mean_interval([v for v, _ in trials], [str(cluster) for _, cluster in trials], (-2e6, 2e6))
    mean = float(np.mean(np.sort([value for value, _ in trials])))
    for low, high, _ in (interval, bounded):
        assert low <= mean <= high
        assert low < high
    assert -2e6 <= bounded.low < bounded.high <= 2e6
    random.shuffle(trials)  # type: ignore[attr-defined]
    assert mean_interval([value for value, _ in trials], [str(cluster) for _, cluster in trials]) == interval


@pytest.mark.parametrize("n", [2, 8, 100])
def test_a_mean_without_clusters_or_bounds_is_students(n: int) -> None:
    values = norm.ppf((np.arange(n) + 0.5) / n)
    expected = t.ppf(0.975, n - 1) * values.std(ddof=1) / np.sqrt(n)
    low, high, method = mean_interval(values)
    assert (low, high, method) == (pytest.approx(-expected), pytest.approx(expected), "t over trials")


@pytest.mark.parametrize(("clusters", "quantile"), [(3, 0.995), (29, 0.995), (30, 0.975)])
def test_fewer_than_thirty_clusters_take_the_quantile_of_99_percent(clusters: int, quantile: float) -> None:
    means = norm.ppf((np.arange(clusters) + 0.5) / clusters)
    half = t.ppf(quantile, clusters - 1) * means.std(ddof=1) / np.sqrt(clusters)
    low, high, _ = mean_interval(np.repeat(means, 4), [str(index) for index in np.repeat(np.arange(clusters), 4)])
    assert (low, high) == pytest.approx((-half, half))


def test_clusters_of_equal_size_give_students_interval_of_their_means() -> None:
    values, seeds = [0.2, 0.4, 0.5, 0.5, 0.9, 0.7], ["a", "a", "b", "b", "c", "c"]
    half = t.ppf(0.995, 2) * np.std([0.3, 0.5, 0.8], ddof=1) / np.sqrt(3)
    expected = (pytest.approx(1.6 / 3 - half), pytest.approx(1.6 / 3 + half), "t over clusters")
    assert mean_interval(values, seeds) == expected
    # Clusters that agree by chance must not claim to know more than their trials do.
    agreeing = mean_interval([0.0, 1.0] * 3, seeds)
    assert agreeing[:2] == mean_interval([0.0, 1.0] * 3)[:2]


def test_bounds_cut_and_keep_means_near_them_inside() -> None:
    values, seeds = [0.0, 0.0, 0.0, 0.0, 0.4, 0.2], ["a", "a", "b", "b", "c", "c"]
    assert mean_interval(values, seeds).low < 0
    assert mean_interval(values, seeds, (0.0, math.inf)).low == 0.0
    low, high, method = mean_interval(values, seeds, (0.0, 1.0))
    assert 0 < low < 0.1 < high < 1
    assert method == "Korn-Graubard over clusters"


def test_unequal_clusters_are_weighted_by_their_trials() -> None:
    interval = mean_interval([0.0, 1.0, 1.0, 1.0], ["a", "b", "b", "b"])
    assert interval.low + interval.high == pytest.approx(1.5)


@pytest.mark.parametrize(("successes", "n"), [(1, 0), (-1, 5), (6, 5)])
def test_wilson_refuses_impossible_counts(successes: int, n: int) -> None:
    with pytest.raises(UsageError, match=rf"got successes={successes}, n={n}"):
        wilson_interval(successes, n)


def test_bad_input_is_named() -> None:
    with pytest.raises(UsageError, match=r"between 0 and 1.*got 95"):
        wilson_interval(1, 2, confidence=95)
    with pytest.raises(UsageError, match=r"between 0 and 1.*got 95"):
        mean_interval([1.0, 2.0], confidence=95)
    with pytest.raises(UsageError, match="non-empty"):
        mean_interval([])
    with pytest.raises(UsageError, match="nan at index 1"):
        mean_interval([0.0, float("nan")])
    with pytest.raises(UsageError, match="1 clusters for 2 values"):
        mean_interval([0.0, 1.0], ["a"])
    with pytest.raises(UsageError, match="1 clusters for 2 values"):
        success_interval([0.0, 1.0], ["a"])
    with pytest.raises(UsageError, match="successes of 0 or 1"):
        success_interval([0.0, 0.5], ["a", "b"])
    with pytest.raises(UsageError, match=r"within \(0.0, 1.0\), got 0.5 to 2.0"):
        mean_interval([0.5, 2.0], bounds=(0.0, 1.0))


@pytest.mark.parametrize("tiny", [1e-15, 1e-120, 1e-200])
def test_differences_too_small_to_count_are_taken_as_alike(tiny: float) -> None:
    assert mean_interval([0.0, tiny, 0.0], bounds=(0.0, 1.0)).high == pytest.approx(1 - 0.025 ** (1 / 3))
