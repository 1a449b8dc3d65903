"""Paired differences and McNemar's test against printed numbers and hand counts."""

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentathlon.core.errors import UsageError
from pentathlon.stats import mcnemar, paired_difference


def successes(both: int, only_a: int, only_b: int, neither: int) -> tuple[dict[str, bool], dict[str, bool]]:
    pairs = [(True, True)] * both + [(True, False)] * only_a + [(False, True)] * only_b + [(False, False)] * neither
    a = {f"t{index}": pair[0] for index, pair in enumerate(pairs)}
    b = {f"t{index}": pair[1] for index, pair in enumerate(pairs)}
    return a, b


@pytest.mark.parametrize(
    ("table", "p_value"),
    [
        ((101, 121, 59, 33), 4.434449263755575e-06),  # the example of statsmodels' mcnemar(exact=True)
        ((9, 37, 16, 82), 2 * sum(comb(53, k) for k in range(17)) / 2**53),  # Agresti's infarction and diabetes pairs
        ((5, 9, 1, 5), 2 * 11 / 2**10),  # by hand: (C(10,0) + C(10,1)) / 2^10, two-sided
        ((3, 4, 4, 3), 1.0),
        ((7, 0, 0, 2), 1.0),
    ],
)
def test_mcnemar_gives_printed_values(table: tuple[int, int, int, int], p_value: float) -> None:
    result = mcnemar(*successes(*table))
    assert (result.only_a, result.only_b) == (table[1], table[2])
    assert result.p_value == pytest.approx(p_value, rel=1e-4)


def test_difference_counts_wins_ties_losses_over_common_trials() -> None:
    a = {"t1": 1.0, "t2": 0.5, "t3": 0.0, "only-a": 9.0}
    b = {"t1": 0.0, "t2": 0.5, "t3": 0.5, "only-b": 9.0}
    result = paired_difference(a, b)
    assert result.n == 3
    assert (result.wins, result.ties, result.losses) == (1, 1, 1)
    assert result.difference == pytest.approx(0.5 / 3)
    assert result.interval.low == pytest.approx(-0.5)
    assert result.interval.high == pytest.approx(1.0)


def test_pairing_finds_a_small_steady_gain_that_hard_trials_would_hide() -> None:
    b = {f"t{index}": float(index) for index in range(40)}
    a = {trial: value + 0.1 + 0.01 * (index % 3) for index, (trial, value) in enumerate(b.items())}
    interval = paired_difference(a, b).interval
    assert 0.1 < interval.low < interval.high < 0.12


def test_clusters_are_resampled_whole() -> None:
    a = {f"t{index}": float(index < 10) for index in range(20)}
    b = dict.fromkeys(a, 0.0)
    scenes = {f"t{index}": "easy" if index < 10 else "hard" for index in range(20)}
    assert paired_difference(a, b, scenes).interval[:2] == (0.0, 1.0)


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
