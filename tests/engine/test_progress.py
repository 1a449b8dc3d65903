from __future__ import annotations

import io
import sys
from typing import Any

import pytest

from pentathlon.core import Outcome
from pentathlon.engine import PlainProgress, RichProgress, choose_progress, run

GOOD, BAD = Outcome("a", {"success": 1.0}), Outcome("b", status="error", error="no")


class Clock:
    def __init__(self) -> None:
        self.now_s = 0.0

    def monotonic(self) -> float:
        return self.now_s


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("pentathlon.engine.progress.time", clock)
    return clock


def test_plain_lines_tell_count_errors_rate_and_time_left(clock: Clock) -> None:
    stream = io.StringIO()
    progress = PlainProgress("toy", stream, every_s=5.0)
    progress.start(total=100, done=20)
    for second, outcome in enumerate([GOOD] * 9 + [BAD], start=1):
        clock.now_s = float(second)
        progress.advance(outcome)
    clock.now_s = 100.0
    progress.finish()
    assert stream.getvalue().splitlines() == [
        "toy: 20/100 trials recorded",
        "toy: 25/100 trials, 0 errors, 1.0/s, 0:01:15 left",
        "toy: 30/100 trials, 1 error, 1.0/s, 0:01:10 left",
        "toy: 30/100 trials, 1 error, 0.1/s, 0:11:40 left",
    ]


def test_a_few_trials_tell_nothing_of_the_time_left(clock: Clock) -> None:
    stream = io.StringIO()
    progress = PlainProgress("toy", stream, every_s=0.0)
    progress.start(total=100, done=20)
    for second in range(1, 7):
        clock.now_s = float(second)
        progress.advance(GOOD)
    assert ["left" in line for line in stream.getvalue().splitlines()] == [False] * 5 + [True] * 2


def test_the_bar_tells_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("COLUMNS", "120")
    progress = RichProgress("toy")
    progress.start(total=10, done=4)
    for outcome in (GOOD, GOOD, BAD):
        progress.advance(outcome)
    progress.finish()
    last = stream.getvalue().strip().splitlines()[-1]
    assert "toy" in last
    assert "7/10" in last
    assert "1 error" in last
    assert "/s" in last


def test_the_stream_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(choose_progress("toy"), PlainProgress)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert isinstance(choose_progress("toy"), RichProgress)


class Counter:
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    def note(self, text: str) -> None:
        self.told.append(text)

    def start(self, total: int, done: int) -> None:
        self.told.append((total, done))

    def advance(self, outcome: Outcome) -> None:
        self.told.append(outcome.trial)

    def finish(self) -> None:
        self.told.append("finish")


def test_a_run_tells_its_progress(request_for: Any) -> None:
    run(request_for(limit=3))
    counter = Counter()
    run(request_for(limit=8), counter)
    first, *trials, last = counter.told
    assert first == (8, 3)
    assert sorted(trials) == ["t0003", "t0004", "t0005", "t0006", "t0007"]
    assert last == "finish"
