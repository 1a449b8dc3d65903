"""How metrics and their units are written."""

import pytest

from pentathlon.report.numbers import metric_title


@pytest.mark.parametrize(
    ("name", "unit", "title"),
    [
        ("score", "%", "score %"),
        ("length", "", "length"),
        ("reward_g", "g", "reward g"),
        ("reward_g, seen locations", "g", "reward g, seen locations"),
        ("first_step_s", "s", "first_step s"),
    ],
)
def test_a_metric_is_titled_with_its_unit_once(name: str, unit: str, title: str) -> None:
    assert metric_title(name, unit) == title
