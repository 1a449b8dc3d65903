"""How numbers are written in every table, page and line."""

from __future__ import annotations

import math

MISSING = "–"
NO_INTERVAL = "no interval"
_MOST_DECIMALS = 3
_SAID = {"auroc": "AUROC", "exqa": "ExQA", "f1": "F1", "spl": "SPL", "t3": "T3"}


def decimals(*values: float | None) -> int:
    """Returns how many decimals show ``values`` beside each other.

    About three digits of the largest; up to three decimals where fewer would show two different numbers as the same,
    or a small one as 0, and where more would not; more where all are smaller than that.
    """
    known = [value for value in values if value is not None]
    largest = max(map(abs, known), default=0.0)
    if 0 < largest < 0.01:
        return 1 - math.floor(math.log10(largest))
    least = 1 if largest >= 10 or not largest else 2 if largest >= 1 else 3
    most = _told_apart(known, _MOST_DECIMALS)
    return next(places for places in range(least, _MOST_DECIMALS + 1) if _told_apart(known, places) == most)


def number(value: float | None, *others: float | None) -> str:
    """Writes ``value`` with as many decimals as it and ``others``, which stand beside it, need."""
    return MISSING if value is None else f"{value:.{decimals(value, *others)}f}"


def interval(low: float | None, high: float | None, *others: float) -> str:
    """Writes ``[82.1, 93.0]``; says so where neither side is known."""
    if low is None and high is None:
        return NO_INTERVAL
    return f"[{number(low, high, *others)}, {number(high, low, *others)}]"


def with_unit(text: str, unit: str) -> str:
    """Appends the unit, if there is one."""
    return f"{text} {unit}" if unit else text


def metric_name(name: str, unit: str = "") -> str:
    """Writes a metric as people say it, without its unit: ``macro F1`` of ``macro_f1``, ``reward`` of ``reward_g``."""
    first, comma, rest = name.partition(",")
    words = (first.removesuffix(f"_{unit}") if unit else first).split("_")
    return " ".join(_SAID.get(word, word) for word in words) + comma + rest


def metric_title(name: str, unit: str) -> str:
    """Writes a metric with its unit once: ``score %``, ``reward g, seen locations`` of ``reward_g, seen locations``."""
    first, comma, rest = metric_name(name, unit).partition(",")
    return with_unit(first, unit) + comma + rest


def count(n: int, noun: str) -> str:
    """Writes ``1 error`` or ``2 errors``."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def _told_apart(values: list[float], places: int) -> int:
    return len({round(value, places) for value in (*values, 0.0)})
