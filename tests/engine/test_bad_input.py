"""Everything that can be wrong with a request or a run folder, each with its message."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest
import toy_engine

from pentathlon.core import (
    DataError,
    EntrantError,
    Heat,
    MachineError,
    MissingDependencyError,
    PentathlonError,
    RunFolderError,
    SpecMismatchError,
    UnknownIdError,
    UsageError,
)
from pentathlon.engine import RunFolder, RunInfo, list_runs, run
from pentathlon.engine.workers.workbench import build_task

REFUSED: list[tuple[dict[str, Any], type[PentathlonError], str]] = [
    (
        {"entrant": "ToyEncoder", "kind": "encoder"},
        UsageError,
        "tests entrants of kind 'agent', but 'toy' is of kind 'encoder'",
    ),
    (
        {"entrant": "ToyEncoder", "kind": None},
        UsageError,
        "tests entrants of kind 'agent', but 'toy' is of kind 'encoder'",
    ),
    ({"entrant": "ToyEncoder"}, EntrantError, "registered as 'agent' but built a 'encoder'"),
    ({"entrant": "broken_agent"}, EntrantError, "broken_agent raised RuntimeError: no weights here.*Python shell"),
    ({"entrant": "deadly_agent"}, EntrantError, "No worker survived building the entrant.*SIGABRT"),
    ({"entrant": "ToyAgnet"}, UnknownIdError, "Unknown attribute of toy_engine 'ToyAgnet'. Did you mean 'ToyAgent'"),
    ({"options": {"size": 3}}, EntrantError, "unexpected keyword argument 'size'"),
    (
        {"entrant": "WrongActions"},
        SpecMismatchError,
        r"Spec mismatch in 'action.labels'.*'left', 'right'.*'up', 'down'",
    ),
    ({"sides": 3}, DataError, "Task 'example/toy-v1' could not be built: toy_engine:ToyTask raised TypeError.*sides"),
    ({"trials": 0}, DataError, "lists no trials"),
    ({"limit": 0}, UsageError, "limit of at least 1 trial, got 0"),
    ({"workers": -1}, UsageError, "0 or more workers, got -1"),
    ({"trial_time_limit_s": 0.0}, UsageError, "trial time limit above 0 s"),
    ({"build_time_limit_s": -1.0}, UsageError, "build time limit above 0 s"),
    ({"address": "127.0.0.1:6379"}, UsageError, "no address without a cluster.*Add: --on ray"),
]


@pytest.mark.parametrize(("fields", "error", "message"), REFUSED, ids=[row[2][:30] for row in REFUSED])
def test_a_wrong_request_is_refused_and_leaves_no_run(
    request_for: Any, tmp_path: Path, fields: dict[str, Any], error: type[PentathlonError], message: str
) -> None:
    with pytest.raises(error, match=message) as caught:
        run(request_for(**fields))
    assert type(caught.value) is error
    assert list_runs(tmp_path) == []


def test_a_refused_entrant_does_not_harm_an_earlier_run(request_for: Any) -> None:
    before = run(request_for(limit=5))
    with pytest.raises(DataError, match="could not be built"):
        run(request_for(sides=3))
    assert len(RunFolder.open(before.folder).outcomes()) == 5


def test_ray_that_is_not_installed_is_named(request_for: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingDependencyError, match=r"Ray is needed.*pip install 'pentathlon\[ray\]'"):
        run(request_for(on="ray"))


def test_a_cluster_that_does_not_answer_is_named(request_for: Any, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
        with pytest.raises(UsageError, match=f"No Ray cluster answers at '{address}'.*ray start --head"):
            run(request_for(on="ray", address=address))
    assert list_runs(tmp_path) == []


def test_a_second_writer_is_refused(request_for: Any) -> None:
    summary = run(request_for(limit=1))
    with (
        RunFolder.create_or_open(summary.folder, RunFolder.open(summary.folder).info),
        pytest.raises(RunFolderError, match=f"being written by process {os.getpid()} on .*Wait for it"),
    ):
        run(request_for())
    assert run(request_for()).complete


@pytest.mark.parametrize("damage", [b"", b"{", b'{"format": 1}', b"\xff\xfe", b'{"format": "one"}'])
def test_a_corrupted_run_file_is_refused(request_for: Any, damage: bytes) -> None:
    summary = run(request_for(limit=3))
    (summary.folder / "run.json").write_bytes(damage)
    with pytest.raises(RunFolderError, match=r"run\.json is corrupted: expected the JSON of a RunInfo"):
        run(request_for())
    assert (summary.folder / "trials.jsonl").read_bytes().count(b"\n") == 3


def test_a_corrupted_summary_is_told(request_for: Any) -> None:
    summary = run(request_for(limit=3))
    (summary.folder / "summary.json").write_text("{}", encoding="utf-8")
    with pytest.raises(RunFolderError, match=r"summary\.json is corrupted"):
        RunFolder.open(summary.folder).summary()


def edit_run_file(folder: Path, **changes: Any) -> None:
    file = folder / "run.json"
    file.write_text(json.dumps({**json.loads(file.read_text(encoding="utf-8")), **changes}), encoding="utf-8")


def test_another_format_is_refused(request_for: Any) -> None:
    summary = run(request_for(limit=1))
    edit_run_file(summary.folder, format=99)
    with pytest.raises(RunFolderError, match="expected format 1, got 99"):
        run(request_for())


def test_a_folder_of_another_run_is_refused(request_for: Any) -> None:
    summary = run(request_for(limit=1))
    edit_run_file(summary.folder, entrant="someone-else")
    with pytest.raises(RunFolderError, match="holds another run: expected entrant 'toy', got 'someone-else'"):
        run(request_for())


def test_trials_of_another_protocol_are_refused(request_for: Any) -> None:
    old, new = run(request_for(limit=2)), run(request_for(limit=2, revision=2))
    (new.folder / "trials.jsonl").write_bytes((old.folder / "trials.jsonl").read_bytes())
    with pytest.raises(RunFolderError, match=r"line 1: expected protocol \w+, got \w+.*move the folder away"):
        run(request_for(revision=2))


def test_recorded_trials_that_the_task_does_not_have_are_refused(request_for: Any) -> None:
    summary = run(request_for(limit=2))
    journal = summary.folder / "trials.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b"t0001", b"gone1"))
    with pytest.raises(RunFolderError, match="records 1 trials that 'example/toy-v1' does not have, such as 'gone1'"):
        run(request_for())


def test_trials_that_vanish_are_a_hard_error(request_for: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pentathlon.engine.runner._Job._run_heats", lambda *arguments: None)
    with pytest.raises(RunFolderError, match="expected 12 trials, 12 are not recorded, such as 't0000'"):
        run(request_for())


def test_broken_folders_are_reported_and_skipped(request_for: Any, tmp_path: Path) -> None:
    good = run(request_for(limit=1))
    broken = run(request_for(limit=1, revision=2))
    (broken.folder / "run.json").write_text("{", encoding="utf-8")
    headless = run(request_for(limit=1, revision=3))
    (headless.folder / "run.json").unlink()
    problems: list[RunFolderError] = []
    assert [folder.path for folder in list_runs(tmp_path, problems.append)] == [good.folder]
    assert len(problems) == 2
    with pytest.warns(UserWarning, match="is corrupted|is no run folder"):
        assert len(list_runs(tmp_path)) == 1


def test_a_folder_without_a_run_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="is no run folder: expected a run.json"):
        RunFolder.open(tmp_path)
    assert list_runs(tmp_path / "nowhere") == []


@contextmanager
def mounted(folder: Path, options: str) -> Iterator[Path]:
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("mounting a tmpfs needs root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_read_only_output_folder_is_refused(request_for: Any, tmp_path: Path) -> None:
    # Root may write whatever the mode says, so for root the file system itself must be read-only.
    folder = tmp_path / "locked"
    with mounted(folder, "ro") if os.geteuid() == 0 else nullcontext(folder):
        folder.mkdir(mode=0o555, exist_ok=True)
        with pytest.raises(RunFolderError, match="Cannot write in .*locked.*choose another output folder"):
            run(request_for(out=folder))


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    with mounted(tmp_path / "tiny", "size=64k") as folder:
        yield folder


def test_a_full_disk_stops_the_run_and_loses_nothing(request_for: Any, tiny_disk: Path) -> None:
    ballast = tiny_disk / "ballast"
    ballast.write_bytes(bytes(32 * 1024))
    request = request_for(out=tiny_disk, trials=100, pause_s=0.005)
    with pytest.raises(RunFolderError, match="No space left for .*run the same command again; it continues"):
        run(request)
    (folder,) = list_runs(tiny_disk)
    recorded = folder.outcomes()
    ballast.unlink()
    summary = run(request)
    assert summary.complete
    assert (folder.path / "trials.jsonl").read_bytes().count(b"\n") == 100
    assert 0 < len(recorded) < 100
    assert {trial: folder.outcomes()[trial] for trial in recorded} == recorded


def test_a_disk_that_fills_while_a_video_is_written_lowers_no_score(request_for: Any, tiny_disk: Path) -> None:
    ballast = tiny_disk / "ballast"
    ballast.write_bytes(bytes(40 * 1024))
    request = request_for(out=tiny_disk, faults={"t0005": "film"})
    with pytest.raises(MachineError, match="could not run trial 't0005'.*No space left on device.*same command again"):
        run(request)
    (folder,) = list_runs(tiny_disk)
    assert len(folder.outcomes()) == 11
    ballast.unlink()
    summary = run(request)
    assert (summary.errors, summary.complete) == (0, True)
    assert (folder.path / folder.outcomes()["t0005"].artifacts["video"]).stat().st_size > 20_000


def test_heat_data_that_is_not_plain_is_refused(request_for: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toy_engine.ToyTask, "heats", lambda self: [Heat("h0", ("t0000",), {"world": object()})])
    with pytest.raises(DataError, match="must be plain JSON values: object is no plain JSON value.*h0"):
        run(request_for())


def test_a_protocol_that_is_not_plain_is_refused(request_for: Any) -> None:
    task = build_task(request_for().task, {"revision": object()})
    with pytest.raises(TypeError):
        RunInfo.describe(task, request_for().entrant)
    with pytest.raises(DataError, match="must be plain JSON values"):
        run(request_for(overrides={"revision": object()}))
