"""How numbers are written in every table and page."""

from __future__ import annotations

import re

from pentathlon.core.scores import Score

MISSING = "–"


def decimals(*values: float) -> int:
    """Returns how many decimals show about three digits of the largest of ``values``."""
    largest = max(map(abs, values))
    return 1 if largest >= 10 else 2 if largest >= 1 else 3


def number(value: float | None, *others: float) -> str:
    """Writes ``value`` with as many decimals as it and ``others``, which stand beside it, need."""
    return MISSING if value is None else f"{value:.{decimals(value, *others)}f}"


def score_value(score: Score) -> str:
    """Writes the value alone, ``88.8 %``."""
    return with_unit(number(score.value, score.low, score.high), score.unit)


def score_interval(score: Score) -> str:
    """Writes the interval alone, ``[82.1, 93.0]``."""
    bounds = (number(bound, score.value, score.low, score.high) for bound in (score.low, score.high))
    return f"[{', '.join(bounds)}]"


def with_unit(text: str, unit: str) -> str:
    """Appends the unit, if there is one."""
    return f"{text} {unit}" if unit else text


def metric_title(name: str, unit: str) -> str:
    """Writes a metric with its unit once: ``score %``, ``reward g, seen locations`` of ``reward_g, seen locations``."""
    named = re.compile(rf"_{re.escape(unit)}\b")
    return named.sub(f" {unit}", name) if unit and named.search(name) else with_unit(name, unit)


def count(n: int, noun: str) -> str:
    """Writes ``1 error`` or ``2 errors``."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"
