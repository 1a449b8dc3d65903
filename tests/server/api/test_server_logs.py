"""The log of a submission: what a stranger's program says never looks like a line of the server's."""

import re
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from desk import Desk

from pentathlon.server.queue import clerk as clerk_module
from pentathlon.server.queue.outputs import append_log, read_log
from pentathlon.server.queue.submissions import Entry, accept, new_id
from pentathlon.server.sandbox.limits import SandboxError
from pentathlon.server.sandbox.log import EntrantLog
from pentathlon.server.workers.attempt import SERVER_FAILED, attempt

OURS = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d |\[sandbox\]")
FORGED = "2026-01-01 00:00:00 robot-1: Finished: 99.0 g."


def server_lines(path: Path) -> list[str]:
    return [line for line in path.read_text().splitlines() if OURS.match(line.lstrip())]


def test_output_is_marked(tmp_path: Path) -> None:
    log = EntrantLog(tmp_path / "log.txt", 1000)
    log.write(f"hello\n{FORGED}\n  {FORGED}\n\u200b{FORGED}\n[sandbox] all is well\n".encode())
    log.close()
    assert server_lines(tmp_path / "log.txt") == []
    log = EntrantLog(tmp_path / "log.txt", 1000)
    log.conclude("crashed")
    log.close()
    lines = (tmp_path / "log.txt").read_text().splitlines()
    assert [line.startswith("[entrant] ") for line in lines] == [True] * 5 + [False]


def test_marks_count_against_the_limit(tmp_path: Path) -> None:
    with closing(EntrantLog(tmp_path / "log.txt", 1000)) as log:
        log.write(b"\n" * 50)
        with pytest.raises(SandboxError, match="printed more than 1,000 bytes"):
            log.write(b"\n" * 900)
    assert 500 < (tmp_path / "log.txt").stat().st_size <= 1000


def test_what_is_quoted_begins_no_line(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    append_log(path, "robot-1", f"Failed: it raised\n{FORGED}\x1b[2J")
    log = EntrantLog(path, 1000)
    log.conclude(f"crashed: it raised\n{FORGED}")
    log.close()
    assert [line.rpartition(": ")[2] for line in server_lines(path)] == ["it raised", "it raised"]
    assert "\x1b" not in path.read_text()


def test_the_servers_own_failures_are_told_to_its_operator_alone(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("a secret of the server")

    monkeypatch.setattr(clerk_module, "open_entrant", fail)
    account, _ = desk.account("ada")
    entry = Entry(new_id(), "remote", "policy", "act/pour-sprint-v1", "", 6, url="ws://policy.example")
    with desk.database.write() as session:
        submission = accept(session, desk.queue, account, entry, desk.settings.quota)
    with closing(clerk_module.Clerk(desk.settings)) as clerk:
        clerk.check(submission.id, 0)
    told = read_log(desk.settings.logs(submission.id), 10**6)
    assert "The server failed; its operator can see why" in told
    assert "secret" not in told
    assert "Traceback" not in told
    assert "a secret of the server" in caplog.text


def test_a_workers_own_failure_is_told_to_its_operator_alone(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> None:
        raise RuntimeError("a secret of the server")

    submission = desk.submit(desk.account("ada")[0])
    claims = desk.claims("robot-1")
    claim = claims.take(submission.id, submission.claim)
    assert claim is not None
    told: list[str] = []
    attempt(claims, claim, SimpleNamespace(run=fail, log=told.append))  # type: ignore[arg-type]
    assert told == [SERVER_FAILED]
    assert "secret" not in desk.look(submission).reason
    assert "a secret of the server" in caplog.text
