"""Runs that are killed, interrupted or torn, and continued."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import psutil
import pytest
from toy_process import await_success, content, finish, gated, journal_lines, open_gate, running, wait_for_lines

from pentathlon.core import Outcome
from pentathlon.engine import RunFolder, list_runs


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    out = tmp_path_factory.mktemp("undisturbed")
    finish(out, trials=500, heat_size=10)
    return content(out)


def test_a_run_killed_at_twenty_random_moments_ends_as_if_it_never_was(
    tmp_path: Path, undisturbed: dict[str, Outcome]
) -> None:
    chance = random.Random(20)
    killed = 0
    for attempt in range(20):
        with running(tmp_path, trials=500, heat_size=10, pause_s=0.03) as process:
            if attempt % 4 == 0:  # Also while starting, when the folder is made or the journal mended.
                time.sleep(chance.uniform(0.0, 0.6))
            else:
                wait_for_lines(tmp_path, journal_lines(tmp_path) + chance.randrange(1, 20), process)
                time.sleep(chance.uniform(0.0, 0.05))
            killed += process.poll() is None
            process.kill()
    assert killed == 20
    assert 0 < journal_lines(tmp_path) < 500
    finish(tmp_path, trials=500, heat_size=10)
    assert journal_lines(tmp_path) == 500
    assert len(undisturbed) == 500
    assert content(tmp_path) == undisturbed


def test_a_torn_last_line_is_dropped_and_its_trial_run_again(tmp_path: Path, undisturbed: dict[str, Outcome]) -> None:
    finish(tmp_path, trials=500, heat_size=10)
    (folder,) = list_runs(tmp_path)
    journal = folder.path / "trials.jsonl"
    with journal.open("r+b") as file:
        file.truncate(journal.stat().st_size - 30)
    assert len(folder.outcomes()) == 499
    finish(tmp_path, trials=500, heat_size=10)
    assert journal_lines(tmp_path) == 500
    assert content(tmp_path) == undisturbed


def test_a_worker_killed_in_the_middle_costs_nothing(tmp_path: Path, undisturbed: dict[str, Outcome]) -> None:
    with running(tmp_path, trials=500, heat_size=10, faults=gated(*range(40, 500))) as process:
        wait_for_lines(tmp_path, 40, process)
        psutil.Process(process.pid).children()[0].kill()
        open_gate(tmp_path)
        await_success(process)
    assert journal_lines(tmp_path) == 500
    assert content(tmp_path) == undisturbed


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_is_left_resumable(tmp_path: Path, number: signal.Signals) -> None:
    with running(tmp_path, trials=40, heat_size=10, faults=gated(*range(3, 40))) as process:
        wait_for_lines(tmp_path, 3, process)
        workers = psutil.Process(process.pid).children()
        process.send_signal(number)
        _, errors = process.communicate(timeout=30)
    assert process.returncode == 130, errors.decode()
    assert len(workers) == 2
    assert not any(worker.is_running() for worker in workers)
    (folder,) = list_runs(tmp_path)
    assert folder.outcomes().keys() == {"t0000", "t0001", "t0002"}
    assert folder.summary() is None
    finish(tmp_path, trials=40, heat_size=10)
    assert journal_lines(tmp_path) == 40
    summary = RunFolder.open(folder.path).summary()
    assert summary is not None
    assert summary.complete


def test_workers_end_when_the_runner_is_killed(tmp_path: Path) -> None:
    with running(tmp_path, trials=4, heat_size=2, faults=gated(1, 3)) as process:
        wait_for_lines(tmp_path, 2, process)
        workers = psutil.Process(process.pid).children()
        process.kill()
    assert len(workers) == 2
    _, alive = psutil.wait_procs(workers, timeout=10)
    assert not alive


def test_a_second_process_is_refused_by_name(tmp_path: Path) -> None:
    with running(tmp_path, trials=40, faults=gated(*range(1, 40))) as first:
        wait_for_lines(tmp_path, 1, first)
        with running(tmp_path, trials=40) as second:
            _, errors = second.communicate(timeout=60)
        assert second.returncode == 1
        assert f"is being written by process {first.pid} on {os.uname().nodename}" in errors.decode()
        assert first.poll() is None
        open_gate(tmp_path)
        await_success(first)
    assert journal_lines(tmp_path) == 40
