"""Errors belong to their clusters, so it does not matter which of two runs is named first."""

from __future__ import annotations

from typing import Any

import pytest

from pentathlon.core import TASKS, TaskEntry
from pentathlon.engine import RunFolder, run
from pentathlon.report.compare import compare


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    row = TaskEntry("example/toy-v1", "", "toy_engine:ToyTask", {"trials": 40})
    monkeypatch.setattr(TASKS, "get", lambda task_id: row)


def test_two_runs_compare_alike_in_either_order(request_for: Any, registered: None) -> None:
    faults = {f"t{index:04}": "raise" for index in (0, 1, 2, 3, 9, 22)}
    broken = RunFolder.open(run(request_for(trials=40, faults=faults)).folder)
    whole = RunFolder.open(run(request_for(trials=40, options={"threshold": 0.45})).folder)
    one, other = (compare(*pair).metrics[0] for pair in ((broken, whole), (whole, broken)))
    assert one.difference == pytest.approx(-other.difference)
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=0.05)
    assert one.method == other.method
    clusters = [{trial: outcome.cluster for trial, outcome in side.outcomes().items()} for side in (broken, whole)]
    assert clusters[0] == clusters[1]
