"""Scatters and stacked bars: what is drawn lies where its numbers say."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from pentathlon.stats.charts import Mark, Series, scatter_chart, stacked_bars

SVG = "{http://www.w3.org/2000/svg}"


def test_a_mark_with_equal_scores_lies_on_the_line() -> None:
    marks = (Mark(20.0, 20.0, 10.0, 30.0, "even"), Mark(40.0, 10.0, 10.0, 10.0, "<worse>"))
    drawn = ElementTree.fromstring(scatter_chart("a & b", "x", "y", [Series("one", marks)]))
    dots = {dot[0].text: dot for dot in drawn.iter(f"{SVG}circle")}
    diagonal = next(line for line in drawn.iter(f"{SVG}line") if line.get("stroke") == "#5f6b73")
    x1, y1, x2, y2 = (float(diagonal.get(name, "")) for name in ("x1", "y1", "x2", "y2"))
    even, worse = dots["even: 20.0, 20.0"], dots["<worse>: 40.0, 10.0"]

    def height_on_line(x: float) -> float:
        return y1 + (y2 - y1) * (x - x1) / (x2 - x1)

    assert float(even.get("cy", "")) == pytest.approx(height_on_line(float(even.get("cx", ""))), abs=0.2)
    assert float(worse.get("cy", "")) > height_on_line(float(worse.get("cx", ""))) + 50


def test_no_marks_are_still_a_chart() -> None:
    assert "y" in scatter_chart("none", "x", "y", [Series("one", ())])


def test_shares_fill_a_bar() -> None:
    drawn = ElementTree.fromstring(stacked_bars("t", ("good", "bad"), {"first": (0.25, 0.75), "second": (1.0, 0.0)}))
    bars = [bar for bar in drawn.iter(f"{SVG}rect") if len(bar)]
    widths = [float(bar.get("width", "")) for bar in bars]
    assert widths[1] == pytest.approx(3 * widths[0], abs=0.3)
    assert widths[2] == pytest.approx(widths[0] + widths[1], abs=0.3)
    assert float(bars[1].get("x", "")) == pytest.approx(float(bars[0].get("x", "")) + widths[0], abs=0.2)
    assert [bar[0].text for bar in bars][:2] == ["first, good: 25.0 %", "first, bad: 75.0 %"]
