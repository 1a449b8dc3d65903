"""Runs the toy task in a process of its own, which tests may kill."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from pentathlon.core import EntrantEntry, Outcome, TaskEntry
from pentathlon.engine import RunRequest, Shard, list_runs, run


@contextmanager
def running(
    out: Path, settings: Mapping[str, Any] | None = None, env: Mapping[str, str] | None = None, **options: Any
) -> Iterator[subprocess.Popen[bytes]]:
    """Starts a run with ``settings`` of the request and ``options`` of the task."""
    command = [sys.executable, __file__, str(out), json.dumps(settings or {}), json.dumps(options)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def gated(*trials: int) -> dict[str, str]:
    """Faults that make the trials wait for :func:`open_gate`, so that a test finds the run where it wants it."""
    return {f"t{index:04}": "gated" for index in trials}


def open_gate(out: Path) -> None:
    (folder,) = list_runs(out)
    (folder.path / "open").touch()


def await_success(process: subprocess.Popen[bytes]) -> None:
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors.decode()


def finish(
    out: Path, settings: Mapping[str, Any] | None = None, env: Mapping[str, str] | None = None, **options: Any
) -> None:
    with running(out, settings, env, **options) as process:
        await_success(process)


def journal_lines(out: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in out.glob("*/*/*/trials.jsonl"))


def wait_for_lines(out: Path, count: int, process: subprocess.Popen[bytes]) -> None:
    deadline_s = time.monotonic() + 60
    while journal_lines(out) < count and process.poll() is None:
        assert time.monotonic() < deadline_s
        time.sleep(0.005)


def content(out: Path) -> dict[str, Outcome]:
    """The outcomes of the one run in ``out``, without their timings."""
    (folder,) = list_runs(out)
    return {trial: replace(outcome, wall_time_s=0.0) for trial, outcome in folder.outcomes().items()}


def main(out: str, settings: str, options: str) -> None:
    task = TaskEntry("example/toy-v1", "", "toy_engine:ToyTask", json.loads(options))
    fields = {"workers": 2, "entrant": "ToyAgent", **json.loads(settings)}
    if shard := fields.pop("shard", None):
        fields["shard"] = Shard(*shard)
    entrant = EntrantEntry("toy", "agent", "", f"toy_engine:{fields.pop('entrant')}")
    try:
        run(RunRequest(task, entrant, Path(out), **fields))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main(*sys.argv[1:])
