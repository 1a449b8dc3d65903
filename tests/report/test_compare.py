"""Comparisons: paired over common trials, refused across tasks and protocols."""

from pathlib import Path
from typing import Any

import pytest

from pentathlon.core import UsageError
from pentathlon.engine import RunFolder
from pentathlon.report import compare


def pick(runs: list[RunFolder], task: str, entrant: str, renderer: str = "fast") -> RunFolder:
    def wanted(run: RunFolder) -> bool:
        return (run.info.task, run.info.entrant, run.info.protocol["renderer"]) == (task, entrant, renderer)

    return next(run for run in runs if wanted(run))


def test_success_is_paired_and_errors_count_as_failures(runs: list[RunFolder]) -> None:
    task = "see/toyworld-hammer-v1"
    first, second = pick(runs, task, "vit-tiny-mae"), pick(runs, task, "vit-tiny-random")
    result = compare.compare(first, second)
    success = result.metrics[0]
    a, b = first.outcomes(), second.outcomes()
    wins = sum(a[trial].metrics.get("success", 0) > b[trial].metrics.get("success", 0) for trial in a)
    assert (success.better, result.n, result.errors) == (wins, 60, (4, 4))
    assert success.first == pytest.approx(63.333333)
    assert success.difference == pytest.approx(success.first - success.second)
    assert success.low is not None
    assert success.high is not None
    assert success.low <= success.difference <= success.high
    assert success.method == "t over clusters"
    assert (success.p_value < 0.05) == (success.low > 0)
    assert f"success: +{success.difference:.1f} % [" in str(result)
    assert f"p = {success.p_value:.2g}, t over clusters)" in str(result)


def test_each_journal_is_read_once(runs: list[RunFolder], monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Path] = []
    read = Path.open

    def watched(path: Path, *arguments: Any, **options: Any) -> Any:
        opened.extend([path] if path.suffix == ".jsonl" else [])  # Looking for tasks opens other files.
        return read(path, *arguments, **options)

    monkeypatch.setattr(Path, "open", watched)
    task = "find/pasture-imagined-v1"
    first, second = pick(runs, task, "cow-owl"), pick(runs, task, "cow-clip")
    assert compare.compare(first, second).left_out == 30
    assert sorted(opened) == sorted([first.path / "trials.jsonl", second.path / "trials.jsonl"])


def test_better_means_smaller_where_smaller_is_better(runs: list[RunFolder]) -> None:
    task = "see/toyworld-hammer-v1"
    result = compare.compare(pick(runs, task, "vit-tiny-mae"), pick(runs, task, "vit-tiny-random"))
    distance = result.metrics[1]
    assert distance.difference < 0
    assert distance.better > distance.worse


def test_only_common_trials_count(runs: list[RunFolder]) -> None:
    task = "find/pasture-imagined-v1"
    result = compare.compare(pick(runs, task, "cow-owl"), pick(runs, task, "cow-clip"))
    assert (result.n, result.left_out) == (30, 30)
    assert "30 trials left out" in str(result)


def test_a_run_equals_itself(runs: list[RunFolder]) -> None:
    run = pick(runs, "see/toyhand-pen-v1", "mobilenet-v2")
    success = compare.compare(run, run).metrics[0]
    # All trials alike in three clusters: at most 1 - 0.025 ** (1 / 3) of others may differ, by 100 points at most.
    assert (success.low, success.high) == (pytest.approx(-70.76, abs=0.01), pytest.approx(70.76, abs=0.01))
    assert (success.difference, success.p_value, success.equal) == (0, 1, 60)


def test_other_tasks_and_protocols_are_refused(runs: list[RunFolder]) -> None:
    walker = pick(runs, "see/dmc-walker-walk-v1", "vit-tiny-mae")
    with pytest.raises(UsageError, match=r"got task 'see/dmc-walker-walk-v1' and 'see/toyhand-pen-v1'"):
        compare.compare(walker, pick(runs, "see/toyhand-pen-v1", "vit-tiny-mae"))
    with pytest.raises(UsageError, match="got protocol"):
        compare.compare(walker, pick(runs, "see/dmc-walker-walk-v1", "vit-tiny-mae", renderer="opengl"))


def test_no_common_trial_is_said(tmp_path: Path) -> None:
    import report_demo

    report_demo.register()
    task = report_demo.DemoTask("see/toyhand-pen-v1", 6)
    full = report_demo.write_run(tmp_path, task, "full", 0.5)
    empty = report_demo.write_run(tmp_path, task, "empty", 0.5, recorded=0, summarised=False)
    with pytest.raises(UsageError, match="none in common"):
        compare.compare(full, empty)
