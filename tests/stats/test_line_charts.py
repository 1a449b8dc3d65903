"""Line charts: which numbers stand below them."""

import re

from pentathlon.stats.charts.lines import Mark, Series, line_chart


def numbers_below(xs: list[float]) -> list[str]:
    svg = line_chart("t", "frames", "%", [Series("a", tuple(Mark(x, 50.0, 50.0, 50.0) for x in xs))], y_range=(0, 100))
    return re.findall(r'text-anchor="middle"[^>]*>([\d.]+)<', svg)


def test_few_places_have_their_own_numbers() -> None:
    assert numbers_below([5.0, 17.0, 90.0]) == ["5", "17", "90"]


def test_many_places_have_round_numbers() -> None:
    assert numbers_below([0.098304 + 1.0813 * step for step in range(60)]) == ["20", "40", "60"]
