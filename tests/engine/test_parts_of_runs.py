"""Shards, single trials, errors tried again, and scores computed again."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
import toy_engine
from toy_process import content, finish, gated, open_gate, running

from pentathlon.core import TASKS, RunFolderError, TaskEntry, UnknownIdError, UsageError
from pentathlon.engine import RunFolder, Shard, list_runs, rescore, run
from pentathlon.report import standings


@pytest.mark.parametrize("text", ["0/8", "9/8", "2", "2/", "a/b", "2/8/1"])
def test_a_malformed_shard_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="Expected a shard such as 2/8"):
        Shard.parse(text)


def test_shards_together_are_the_whole_run(request_for: Any, tmp_path: Path) -> None:
    whole = run(request_for(out=tmp_path / "whole"))
    first = run(request_for(shard=Shard(1, 2)))
    assert (first.recorded, first.complete) == (8, False)
    second = run(request_for(shard=Shard.parse("2/2")))
    assert (second.recorded, second.expected, second.complete) == (12, 12, True)
    assert content(tmp_path / "runs") == content(tmp_path / "whole")
    assert second.scores == whole.scores
    assert sorted(path.name for path in second.folder.glob("trials*")) == ["trials-1-of-2.jsonl", "trials-2-of-2.jsonl"]
    (row,) = standings.build(list_runs(tmp_path / "runs")).tables[0].rows
    (cell,) = row.cells
    assert cell is not None
    assert (cell.recorded, cell.complete) == (12, True)
    assert run(request_for()).recorded == 12
    assert journal_sizes(tmp_path / "runs") == 12


def journal_sizes(out: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in out.glob("*/*/*/trials*.jsonl"))


def test_shards_that_overlap_count_no_trial_twice(request_for: Any, tmp_path: Path) -> None:
    run(request_for(shard=Shard(1, 2), faults={"t0000": "raise"}))
    folder = RunFolder.open(run(request_for(shard=Shard(1, 3), retry_errors=1)).folder)
    assert journal_sizes(tmp_path / "runs") == 9
    assert folder.outcomes()["t0000"].status == folder.statuses()["t0000"] == "ok"
    assert len(folder.outcomes()) == len(folder.statuses()) == 8


def test_two_shards_write_at_the_same_time_and_a_whole_run_waits_for_them(request_for: Any, tmp_path: Path) -> None:
    with running(tmp_path, {"shard": [1, 2]}, faults=gated(*range(1, 12))) as process:
        wait_for_shard(tmp_path, process)
        with pytest.raises(RunFolderError, match="is being written by process"):
            run(request_for(out=tmp_path))
        with pytest.raises(RunFolderError, match="is being written by process"):
            run(request_for(out=tmp_path, shard=Shard(1, 2)))
        assert run(request_for(out=tmp_path, shard=Shard(2, 2))).recorded == 5
        open_gate(tmp_path)
        process.communicate(timeout=60)
    (folder,) = list_runs(tmp_path)
    summary = folder.summary()
    assert summary is not None
    assert (summary.recorded, summary.complete) == (12, True)


def wait_for_shard(out: Path, process: Any) -> None:
    while journal_sizes(out) < 1 and process.poll() is None:
        time.sleep(0.01)


def test_a_shard_that_is_refused_leaves_no_run(request_for: Any, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        run(request_for("WrongActions", shard=Shard(1, 2)))
    assert list(tmp_path.rglob("run.json")) == []


def test_fresh_and_shard_do_not_go_together(request_for: Any) -> None:
    with pytest.raises(UsageError, match="Expected --fresh or --shard, got both"):
        run(request_for(shard=Shard(1, 2), fresh=True))


def test_one_trial_is_run_by_its_id(request_for: Any) -> None:
    summary = run(request_for(only=("t0007",)))
    assert content(summary.folder).keys() == {"t0007"}
    assert run(request_for()).complete
    with pytest.raises(UnknownIdError, match="Unknown trial 't0070'. Did you mean 't00"):
        run(request_for(only=("t0070",)))


def test_errors_are_tried_again_as_often_as_asked(request_for: Any) -> None:
    summary = run(request_for(faults={"t0001": "raise twice", "t0002": "raise"}, retry_errors=2))
    assert {trial for trial, one in content(summary.folder).items() if one.status == "error"} == {"t0002"}
    lines = (summary.folder / "trials.jsonl").read_text(encoding="utf-8")
    assert lines.count('"t0001"') == lines.count('"t0002"') == 3


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    row = TaskEntry("example/toy-v1", "", "toy_engine:ToyTask", {})
    monkeypatch.setattr(TASKS, "get", lambda task_id: row)


def test_stored_outcomes_are_scored_again(
    request_for: Any, registered: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    summary = run(request_for(overrides={"revision": 2}))
    before = (summary.folder / "trials.jsonl").read_bytes()
    monkeypatch.setattr(toy_engine.ToyTask, "scores", lambda self, outcomes: ())
    again = rescore(RunFolder.open(summary.folder))
    assert (again.scores, again.recorded) == ((), 12)
    assert RunFolder.open(summary.folder).summary() == again
    assert (summary.folder / "trials.jsonl").read_bytes() == before


def test_outcomes_of_another_protocol_are_not_scored(request_for: Any, registered: None) -> None:
    summary = run(request_for(revision=2))
    with pytest.raises(RunFolderError, match="cannot be scored by another protocol's rule"):
        rescore(RunFolder.open(summary.folder))


def test_an_interrupted_shard_goes_on(tmp_path: Path) -> None:
    with running(tmp_path, {"shard": [2, 2]}, trials=40, faults=gated(*range(8, 40))) as process:
        wait_for_shard(tmp_path, process)
        process.kill()
    finish(tmp_path, {"shard": [2, 2]}, trials=40)
    assert journal_sizes(tmp_path) == 20
