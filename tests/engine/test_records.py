from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pentathlon.core import Outcome, RunFolderError
from pentathlon.engine.folders.records import Journal, read_outcomes, read_statuses

OUTCOMES = [
    Outcome(
        "a", {"success": 1.0}, cluster="house-1", seed=2**62, steps=3, wall_time_s=0.5, details={"actions": ["left"]}
    ),
    Outcome("b", status="error", error="ValueError: naïve \n line", artifacts={"video": "artifacts/b/video.mp4"}),
]


def write(path: Path, outcomes: list[Outcome], protocol: str = "p1") -> None:
    journal = Journal(path, protocol)
    journal.append(outcomes)
    journal.commit()
    journal.close()


def test_outcomes_come_back_as_they_were(tmp_path: Path) -> None:
    write(tmp_path / "trials.jsonl", OUTCOMES)
    assert list(read_outcomes(tmp_path / "trials.jsonl", "p1").values()) == OUTCOMES
    assert read_statuses(tmp_path / "trials.jsonl", "p1") == {"a": "ok", "b": "error"}


def test_no_journal_means_no_outcomes(tmp_path: Path) -> None:
    assert read_outcomes(tmp_path / "trials.jsonl") == {}


def test_nothing_is_written_before_the_commit(tmp_path: Path) -> None:
    path = tmp_path / "trials.jsonl"
    journal = Journal(path, "p1")
    assert journal.due_in_s() is None
    journal.append(OUTCOMES)
    due_in_s = journal.due_in_s()
    assert due_in_s is not None
    assert 0 <= due_in_s <= 0.05
    assert path.stat().st_size == 0
    assert journal.commit() == OUTCOMES
    assert journal.commit() == []
    assert path.read_bytes().count(b"\n") == 2
    journal.close()


def test_many_waiting_outcomes_are_due_at_once(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "trials.jsonl", "p1")
    journal.append([Outcome(str(index)) for index in range(1000)])
    assert journal.due_in_s() == 0.0
    journal.close()


def test_later_lines_supersede(tmp_path: Path) -> None:
    path = tmp_path / "trials.jsonl"
    write(path, [Outcome("a", status="error", error="first")])
    write(path, [Outcome("a", {"success": 1.0})])
    assert read_outcomes(path) == {"a": Outcome("a", {"success": 1.0})}


@settings(deadline=None)
@given(cut=st.integers(min_value=0))
def test_a_torn_journal_keeps_its_whole_lines_and_goes_on(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    path = tmp_path_factory.mktemp("torn") / "trials.jsonl"
    write(path, OUTCOMES)
    data = path.read_bytes()
    torn = data[: cut % (len(data) + 1)]
    path.write_bytes(torn)
    whole = torn.count(b"\n")
    assert list(read_outcomes(path).values()) == OUTCOMES[:whole]
    write(path, [Outcome("c")])
    assert list(read_outcomes(path).values()) == [*OUTCOMES[:whole], Outcome("c")]


def test_a_last_line_longer_than_a_block_is_found_torn(tmp_path: Path) -> None:
    path = tmp_path / "trials.jsonl"
    write(path, OUTCOMES)
    with path.open("ab") as file:
        file.write(b'{"trial": "' + b"x" * 200_000)
    write(path, [])
    assert list(read_outcomes(path).values()) == OUTCOMES
    assert path.read_bytes().endswith(b"}\n")


def test_a_malformed_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "trials.jsonl"
    write(path, OUTCOMES[:1])
    with path.open("ab") as file:
        file.write(b"nonsense\n")
    for read in (read_outcomes, lambda path: read_statuses(path, "p1")):
        with pytest.raises(
            RunFolderError, match=r"trials\.jsonl, line 2: expected the record of a trial.*Delete that line"
        ):
            read(path)


def test_lines_of_another_protocol_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "trials.jsonl"
    write(path, OUTCOMES[:1])
    write(path, OUTCOMES[1:], protocol="p2")
    with pytest.raises(RunFolderError, match=r"line 2: expected protocol p1, got p2.*another version of the protocol"):
        read_statuses(path, "p1")
    with pytest.raises(RunFolderError, match="expected protocol p2, got p1"):
        read_outcomes(path, "p2")


def test_what_could_not_be_synced_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    journal = Journal(tmp_path / "trials.jsonl", "p1")
    journal.append(OUTCOMES)
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(RunFolderError, match="Input/output error"):
        journal.commit()
    assert read_outcomes(tmp_path / "trials.jsonl") == {}
    journal.close()


def test_a_write_cut_short_by_a_full_disk_leaves_no_torn_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "trials.jsonl"
    journal = Journal(path, "p1")
    journal.append(OUTCOMES[:1])
    journal.commit()
    write_whole = os.write
    room = iter([40])

    def write_until_full(descriptor: int, data: memoryview) -> int:
        try:
            return write_whole(descriptor, data[: next(room)])
        except StopIteration:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from None

    monkeypatch.setattr(os, "write", write_until_full)
    journal.append(OUTCOMES[1:])
    with pytest.raises(RunFolderError, match="No space left.*What was recorded is safe.*run the same command again"):
        journal.commit()
    assert list(read_outcomes(path).values()) == OUTCOMES[:1]
    assert path.read_bytes().endswith(b"}\n")
    monkeypatch.undo()
    assert journal.commit() == OUTCOMES[1:]
    assert list(read_outcomes(path).values()) == OUTCOMES
    journal.close()
