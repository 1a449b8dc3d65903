"""How numbers, intervals, metrics and their units are written."""

import pytest

from pentathlon.core.numbers import interval, metric_title, number
from pentathlon.core.scores import Score


@pytest.mark.parametrize(
    ("name", "unit", "title"),
    [
        ("score", "%", "score %"),
        ("length", "", "length"),
        ("reward_g", "g", "reward g"),
        ("reward_g, seen locations", "g", "reward g, seen locations"),
        ("first_step_s", "s", "first step s"),
        ("macro_f1_leave_one_out", "", "macro F1 leave one out"),
        ("spl", "%", "SPL %"),
    ],
)
def test_a_metric_is_titled_with_its_unit_once(name: str, unit: str, title: str) -> None:
    assert metric_title(name, unit) == title


@pytest.mark.parametrize(
    ("value", "low", "high", "text"),
    [
        (88.8, 82.1, 93.04, "88.8 % [82.1, 93.0] n=9"),
        (0.04, 0.01, 12.0, "0.04 % [0.01, 12.00] n=9"),
        (0.04, 0.0016, 0.2, "0.040 % [0.002, 0.200] n=9"),
        (50.0, 49.996, 50.004, "50.000 % [49.996, 50.004] n=9"),
        (16.6667, 0.0001, 91.291, "16.7 % [0.0, 91.3] n=9"),
        (50.0, 49.9, 50.1, "50.0 % [49.9, 50.1] n=9"),
        (0.0002, 0.0001, 0.0004, "0.00020 % [0.00010, 0.00040] n=9"),
        (0.0, 0.0, 11.4, "0.0 % [0.0, 11.4] n=9"),
        (12.5, None, None, "12.5 % no interval n=9"),
        (12.5, 0.0, None, "12.5 % [0.0, –] n=9"),
    ],
)
def test_a_score_shows_as_many_decimals_as_tell_its_numbers_apart(
    value: float, low: float | None, high: float | None, text: str
) -> None:
    assert str(Score("success", value, low, high, 9, unit="%")) == text


def test_numbers_beside_each_other_have_the_same_decimals() -> None:
    assert (number(63.334, 63.33), number(63.33, 63.334)) == ("63.334", "63.330")
    assert (number(None), number(5, 40), number(0.5)) == ("–", "5.0", "0.500")
    assert interval(-15.04, 0.0) == "[-15.0, 0.0]"
