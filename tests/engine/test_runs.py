"""Whole runs through local workers: outcomes, faults, resume, limits."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy
import psutil
import pytest
import toy_engine
from toy_process import content

from pentathlon.core import DataError, EntrantError, MachineError, Outcome
from pentathlon.engine import RunFolder, RunSummary, list_runs, run
from pentathlon.storage.cpus import vector_instructions


def failed(outcomes: Mapping[str, Outcome]) -> set[str]:
    return {trial for trial, outcome in outcomes.items() if outcome.status == "error"}


def lines(summary: RunSummary) -> list[dict[str, Any]]:
    text = (summary.folder / "trials.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_a_run_records_every_trial_once(request_for: Any) -> None:
    summary = run(request_for())
    records = lines(summary)
    assert sorted(record["trial"] for record in records) == [f"t{index:04}" for index in range(12)]
    assert {record["protocol"] for record in records} == {RunFolder.open(summary.folder).info.protocol_hash}
    assert (summary.expected, summary.recorded, summary.errors, summary.complete) == (12, 12, 0, True)
    assert summary.scores[0].value == 100.0
    assert RunFolder.open(summary.folder).summary() == summary
    assert all(record["wall_time_s"] > 0 for record in records)
    assert records[0]["details"]["odd"] == [0, 1]


def test_outcomes_do_not_depend_on_the_number_of_workers(request_for: Any, tmp_path: Path) -> None:
    runs = [run(request_for(workers=count, out=tmp_path / str(count), trials=40)) for count in (1, 2, 4)]
    first, *others = [content(summary.folder) for summary in runs]
    assert len(first) == 40
    assert others == [first, first]
    assert len({summary.folder.name for summary in runs}) == 1


def test_a_finished_run_is_not_run_again(request_for: Any) -> None:
    first = run(request_for())
    before = (first.folder / "trials.jsonl").read_bytes()
    assert run(request_for(faults={"t0000": "raise"})) == first
    assert (first.folder / "trials.jsonl").read_bytes() == before


def test_a_limited_run_is_continued_in_the_same_folder(request_for: Any, tmp_path: Path) -> None:
    limited = run(request_for(limit=6))
    assert (limited.expected, limited.recorded, limited.complete) == (12, 6, False)
    assert sorted(content(limited.folder)) == [f"t{index:04}" for index in range(6)]
    whole = run(request_for())
    assert whole.folder == limited.folder
    assert whole.complete
    assert len(lines(whole)) == 12
    assert content(whole.folder) == content(run(request_for(out=tmp_path / "other")).folder)


def test_an_exception_is_the_error_of_one_trial(request_for: Any) -> None:
    summary = run(request_for(faults={"t0001": "raise"}))
    outcomes = content(summary.folder)
    assert summary.errors == 1
    assert outcomes["t0001"].error == "ValueError: the toy broke"
    assert "misbehave" in outcomes["t0001"].details["traceback"]
    assert all(outcome.status == "ok" for trial, outcome in outcomes.items() if trial != "t0001")


def test_an_exception_fails_a_joint_heat_from_there_on(request_for: Any) -> None:
    outcomes = content(run(request_for(faults={"t0001": "raise"}, joint=True)).folder)
    assert [trial for trial, outcome in sorted(outcomes.items()) if outcome.status == "error"] == [
        "t0001",
        "t0002",
        "t0003",
    ]


IN_ITS_MIDDLE = {
    "infinite": "Metrics must be finite, got {'number': inf}.",
    "odd": "The task's outcome cannot be recorded: object is no plain JSON value.",
    "silent": "The task ended the heat without an outcome for this trial.",
    "renamed": "DataError: The task yielded an outcome for the unknown trial 'xt0001' of heat 'h0'.",
    "astray": "The task's outcome cannot be recorded: its cluster is 'elsewhere', but the heat's origins say 'h0'.",
}
AT_ITS_END = {
    "twice": "DataError: The task yielded a second outcome for trial 't0003' of heat 'h0'.",
    "late": "OSError: cannot close the world",
}
IN_A_HEAT = [("t0001", *row) for row in IN_ITS_MIDDLE.items()] + [("t0003", *row) for row in AT_ITS_END.items()]


@pytest.mark.parametrize(("trial", "fault", "message"), IN_A_HEAT)
def test_what_a_task_may_not_do_is_an_error_outcome(request_for: Any, trial: str, fault: str, message: str) -> None:
    summary = run(request_for(faults={trial: fault}))
    outcomes = content(summary.folder)
    assert outcomes[trial].error == message
    assert summary.errors == 1
    assert len(lines(summary)) == 12


def test_a_second_outcome_in_the_middle_costs_the_trial_in_turn(request_for: Any) -> None:
    summary = run(request_for(faults={"t0000": "twice"}))
    assert {trial for trial, outcome in content(summary.folder).items() if outcome.status == "error"} == {"t0001"}


def test_errors_can_be_tried_again(request_for: Any, tmp_path: Path) -> None:
    first = run(request_for(faults={"t0001": "raise"}))
    assert run(request_for()).errors == 1
    second = run(request_for(retry_errors=1))
    assert second.errors == 0
    assert len(lines(second)) == 13
    assert second.folder == first.folder
    assert content(second.folder) == content(run(request_for(out=tmp_path / "other")).folder)


def test_a_worker_that_dies_once_costs_nothing(request_for: Any, tmp_path: Path) -> None:
    summary = run(request_for(faults={"t0005": "die once"}, workers=2))
    assert summary.errors == 0
    assert (summary.folder / "t0005.died").exists()
    assert len(lines(summary)) == 12
    assert content(summary.folder) == content(run(request_for(out=tmp_path / "other")).folder)


CRASHES = [("segfault", "ended by SIGSEGV"), ("exit", "exited with status 7")]


@pytest.mark.parametrize("joint", [False, True])
@pytest.mark.parametrize(("fault", "words"), CRASHES)
def test_a_trial_that_always_kills_its_worker_is_the_only_one_to_fail(
    request_for: Any, fault: str, words: str, joint: bool
) -> None:
    outcomes = content(run(request_for(faults={"t0005": fault}, joint=joint)).folder)
    assert failed(outcomes) == {"t0005"}
    assert words in outcomes["t0005"].error
    assert "It happened 2 times in this trial." in outcomes["t0005"].error


@pytest.mark.parametrize("joint", [False, True])
def test_two_crashes_in_one_heat_cost_two_trials(request_for: Any, joint: bool) -> None:
    faults = {"t0005": "segfault", "t0006": "exit", "t0008": "exit"}
    assert failed(content(run(request_for(faults=faults, joint=joint, workers=2)).folder)) == set(faults)


@pytest.mark.parametrize("joint", [False, True])
@pytest.mark.parametrize("fault", ["killed", "full disk", "full disk elsewhere", "no memory", "wrapped"])
def test_what_the_machine_does_is_no_error_of_a_model(
    request_for: Any, tmp_path: Path, fault: str, joint: bool
) -> None:
    with pytest.raises(MachineError, match="could not run trial 't0005'.*run the same command again; it continues"):
        run(request_for(faults={"t0005": fault}, joint=joint))
    (folder,) = list_runs(tmp_path)
    missing = {"t0005", "t0006", "t0007"} if joint else {"t0005"}
    assert content(tmp_path).keys() == {f"t{index:04}" for index in range(12)} - missing
    assert folder.summary() is None
    mended = run(request_for(joint=joint))
    assert (mended.errors, mended.complete) == (0, True)


def test_a_machine_that_fails_at_everything_ends_the_run_soon(request_for: Any, tmp_path: Path) -> None:
    faults = {f"t{index:04}": "full disk" for index in range(1, 200)}
    started_s = time.monotonic()
    with pytest.raises(MachineError, match="No space left on device"):
        run(request_for(faults=faults, trials=200))
    assert time.monotonic() - started_s < 60
    assert content(tmp_path).keys() == {"t0000"}


def test_a_worker_killed_once_from_outside_costs_nothing(request_for: Any) -> None:
    summary = run(request_for(faults={"t0005": "killed once"}))
    assert (summary.errors, summary.complete) == (0, True)


def test_a_child_that_outlives_its_worker_does_not_hide_the_death(request_for: Any) -> None:
    summary = run(request_for(faults={"t0011": "die with child"}))
    assert "ended by SIGSEGV" in content(summary.folder)["t0011"].error
    children = [int(line) for line in (summary.folder / "t0011.died").read_text(encoding="utf-8").splitlines()]
    assert len(children) == 2
    # A kill is sent before it takes effect.
    deadline_s = time.monotonic() + 10.0
    while any(_runs(child) for child in children) and time.monotonic() < deadline_s:
        time.sleep(0.05)
    assert not any(_runs(child) for child in children)


def _runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_a_trial_that_hangs_is_ended_and_spares_the_others(request_for: Any) -> None:
    faults = {"t0005": "hang", "t0006": "hang"}
    outcomes = content(run(request_for(faults=faults, trial_time_limit_s=1.0)).folder)
    assert failed(outcomes) == set(faults)
    assert outcomes["t0005"].error == "Time limit: the trial was not finished after 1 s and ended."


def test_the_limit_is_for_each_trial_and_not_for_the_heat(request_for: Any) -> None:
    summary = run(request_for(trials=6, heat_size=6, pause_s=0.4, trial_time_limit_s=1.2))
    assert (summary.errors, summary.recorded) == (0, 6)


def test_a_joint_heat_has_the_limit_of_all_its_trials(request_for: Any) -> None:
    outcomes = content(run(request_for(faults={"t0001": "hang"}, joint=True, trial_time_limit_s=0.3)).folder)
    assert failed(outcomes) == {"t0001", "t0002", "t0003"}
    assert "Time limit: the 3 trials of a joint heat were not finished after 0.3 s for each" in outcomes["t0001"].error


@pytest.mark.timeout(60)
def test_an_entrant_that_is_never_built_is_given_up(request_for: Any, tmp_path: Path) -> None:
    with pytest.raises(EntrantError, match="No worker survived building the entrant: it was not built after 1 s"):
        run(request_for("endless_agent", build_time_limit_s=1.0))
    assert list_runs(tmp_path) == []


@pytest.mark.parametrize("fault", ["raise", "infinite", "odd", "silent", "exit", "hang", "astray"])
def test_errors_carry_cluster_seed_and_time(request_for: Any, tmp_path: Path, fault: str) -> None:
    summary = run(request_for(faults={"t0005": fault}, pause_s=0.01, trial_time_limit_s=1.0))
    whole = content(run(request_for(out=tmp_path / "other")).folder)
    broken = RunFolder.open(summary.folder).outcomes()["t0005"]
    assert broken.status == "error"
    assert (broken.cluster, broken.seed) == (whole["t0005"].cluster, whole["t0005"].seed) == ("h1", broken.seed)
    assert broken.seed > 0
    assert broken.wall_time_s > 0


def test_a_video_is_on_disk_before_the_record_that_names_it(request_for: Any, synced: list[Path]) -> None:
    summary = run(request_for(built=toy_engine.ToyAgent(), trials=1, faults={"t0000": "film"}))
    (video,) = RunFolder.open(summary.folder).outcomes()["t0000"].artifacts.values()
    assert synced.index(summary.folder / video) < synced.index(summary.folder / "trials.jsonl")


def test_a_task_that_lists_a_trial_twice_is_refused(request_for: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    heats = toy_engine.ToyTask().heats()
    monkeypatch.setattr(toy_engine.ToyTask, "heats", lambda self: [*heats, replace(heats[0], id="again")])
    with pytest.raises(DataError, match="lists trial 't0000' 2 times"):
        run(request_for())


def test_scores_that_fail_leave_the_records(request_for: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toy_engine.ToyTask, "scores", lambda self, outcomes: outcomes[0].metrics["missing"])
    with pytest.raises(DataError, match="could not score 12 recorded trials: KeyError"):
        run(request_for())
    (folder,) = list_runs(tmp_path)
    assert len(folder.outcomes()) == 12
    assert folder.summary() is None


def test_a_run_tells_what_it_was_made_with(request_for: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/some/bin/pentathlon", "run", "see/*"])
    info = RunFolder.open(run(request_for(limit=1, options={"threshold": 0.25})).folder).info
    assert (info.task, info.entrant, info.kind, info.factory) == (
        "example/toy-v1",
        "toy",
        "agent",
        "toy_engine:ToyAgent",
    )
    assert info.options == {"threshold": 0.25}
    assert info.protocol == {"trials": 12, "heat_size": 4, "joint": False, "revision": 1}
    assert info.packages["numpy"] == numpy.__version__
    assert info.python == platform.python_version()
    assert info.hardware.cpus >= 1
    assert info.hardware.memory_gib > 0
    assert info.hardware.vectors == vector_instructions()
    assert info.command == "pentathlon run 'see/*'"


def test_overrides_reach_the_task_and_its_protocol(request_for: Any) -> None:
    plain, changed = run(request_for(limit=1)), run(request_for(limit=1, overrides={"revision": 2}))
    assert plain.folder != changed.folder
    assert RunFolder.open(changed.folder).info.protocol["revision"] == 2


def test_the_folder_is_named_by_content(request_for: Any, tmp_path: Path) -> None:
    summary = run(request_for(limit=1))
    other = run(request_for(limit=1, options={"threshold": 0.2}))
    assert summary.folder.relative_to(tmp_path / "runs").parts[:2] == ("example", "toy-v1")
    assert summary.folder.name.startswith("toy-")
    assert other.folder != summary.folder
    assert {folder.path for folder in list_runs(tmp_path)} == {summary.folder, other.folder}


def test_the_runner_imports_no_heavy_package() -> None:
    code = "import sys, pentathlon.engine; print(sorted({'torch', 'mujoco', 'ray', 'av', 'rich'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
