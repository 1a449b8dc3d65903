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
    assert other.low is not None
    assert other.high is not None
    # Sums in the other order differ in their last digit.
    mirrored = (-other.difference, -other.high, -other.low, other.p_value)
    assert (one.difference, one.low, one.high, one.p_value) == pytest.approx(mirrored, rel=1e-12, abs=1e-12)
    assert (one.first, one.second) == (other.second, other.first)
    assert (one.better, one.equal, one.worse, one.method) == (other.worse, other.equal, other.better, other.method)
    clusters = [{trial: outcome.cluster for trial, outcome in side.outcomes().items()} for side in (broken, whole)]
    assert clusters[0] == clusters[1]
