"""What one account may hand in, and how long archives are kept."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from desk import Desk, DeskMaker
from live_server import agent_archive
from sqlalchemy import update

from pentathlon.core.errors import DataError
from pentathlon.server.client import pack
from pentathlon.server.errors import ConflictError
from pentathlon.server.queue.clerk import ORPHAN_AFTER_S, Clerk
from pentathlon.server.queue.tables import Submission
from pentathlon.server.sizes import DAY_S, MEBIBYTE

SEND = "/api/submissions?task=act/pour-sprint-v1"


def age(desk: Desk, submission: Submission, seconds: float) -> None:
    """Makes a submission older than it is."""
    with desk.database.write() as session:
        moved = {"created_s": Submission.created_s - seconds, "ended_s": Submission.ended_s - seconds}
        session.execute(update(Submission).where(Submission.id == submission.id).values(**moved))


def cancel(desk: Desk, secret: str, submission: Submission) -> None:
    with desk.web(secret) as web:
        assert web.post(f"/api/submissions/{submission.id}/cancel").status_code == 200


def test_an_account_may_hand_in_so_many_a_day(either_desk: Desk) -> None:
    desk = either_desk
    object.__setattr__(desk.settings, "submissions_per_day", 2)
    ada, secret = desk.account("ada")
    first, second = desk.submit(ada), desk.submit(ada)
    cancel(desk, secret, second)
    with pytest.raises(ConflictError, match="2 submissions within 24 hours, and 2 are allowed; .* in 24.0 h"):
        desk.submit(ada)
    desk.submit(desk.account("bob")[0])
    age(desk, first, DAY_S + 1)
    desk.submit(ada)


def test_an_account_may_send_so_many_bytes_a_day(desk_for: DeskMaker) -> None:
    desk = desk_for(upload_bytes_per_day=3 * MEBIBYTE)
    ada = desk.account("ada")[0]
    first = desk.submit(ada, "upload", size_bytes=2 * MEBIBYTE)
    with pytest.raises(ConflictError, match="sent 2 MiB within 24 hours, and 3 MiB are allowed, too few for 2 MiB"):
        desk.submit(ada, "upload", size_bytes=2 * MEBIBYTE)
    desk.submit(ada, "upload", size_bytes=MEBIBYTE)
    with pytest.raises(ConflictError, match="send a smaller archive"):
        desk.submit(desk.account("bob")[0], "upload", size_bytes=4 * MEBIBYTE)
    age(desk, first, DAY_S + 1)
    desk.submit(ada, "upload", size_bytes=2 * MEBIBYTE)


def test_too_many_bytes_are_refused_before_they_are_sent(desk_for: DeskMaker) -> None:
    desk = desk_for(upload_bytes_per_day=1000)
    with desk.web(desk.account("ada")[1]) as web:
        refused = web.post(SEND, content=bytes(2000))
        assert (refused.status_code, "too few for" in refused.json()["error"]) == (409, True)
        unsaid = web.post(SEND, content=iter([bytes(2000)]))
        assert unsaid.status_code == 409
    assert list(desk.settings.data.glob("uploads/*")) == []


def test_an_operator_is_not_counted(desk_for: DeskMaker) -> None:
    desk = desk_for(submissions_per_day=1, upload_bytes_per_day=1)
    boss = desk.account("boss", role="operator")[0]
    assert len({desk.submit(boss, "upload", size_bytes=9).id for _ in range(3)}) == 3


@pytest.fixture
def clerk(desk: Desk) -> Any:
    with closing(Clerk(desk.settings)) as clerk:
        yield clerk


def upload(desk: Desk, content: bytes = b"no archive") -> tuple[Submission, Path, str]:
    ada, secret = desk.account("ada")
    submission = desk.submit(ada, "upload")
    archive = desk.settings.upload(submission.id)
    archive.parent.mkdir(exist_ok=True)
    archive.write_bytes(content)
    return submission, archive, secret


def test_the_archive_of_a_cancelled_submission_goes_at_once(desk: Desk) -> None:
    submission, archive, secret = upload(desk)
    cancel(desk, secret, submission)
    assert not archive.exists()


@pytest.mark.sandbox
def test_the_archive_of_a_refused_submission_goes_at_once(desk: Desk, clerk: Clerk) -> None:
    submission, archive, _ = upload(desk)
    clerk.check(submission.id, 0)
    assert desk.look(submission).state == "refused"
    assert not archive.exists()


@pytest.mark.parametrize("state", ["refused", "cancelled", "finished", "failed"])
def test_archives_are_kept_for_a_stated_time(desk: Desk, clerk: Clerk, state: str) -> None:
    submission, archive, _ = upload(desk)
    clerk.sweep()
    assert archive.exists()
    with desk.database.write() as session:
        ended = update(Submission).where(Submission.id == submission.id).values(state=state, ended_s=time.time())
        session.execute(ended)
    clerk.sweep()
    assert archive.exists() == (state in ("finished", "failed"))
    age(desk, submission, desk.settings.archives_kept_s + 1)
    clerk.sweep()
    assert not archive.exists()


def test_what_was_never_accepted_goes_after_an_hour(desk: Desk, clerk: Clerk) -> None:
    archive = desk.settings.upload("0" * 16)
    archive.parent.mkdir()
    archive.touch()
    clerk.sweep()
    assert archive.exists()
    old_s = time.time() - ORPHAN_AFTER_S - 1
    os.utime(archive, (old_s, old_s))
    clerk.sweep()
    assert not archive.exists()


@pytest.mark.sandbox
@pytest.mark.parametrize(("free_bytes", "state"), [(0, "received"), (300 * MEBIBYTE, "refused")])
def test_an_archive_that_never_fits_is_refused(
    desk: Desk, clerk: Clerk, monkeypatch: pytest.MonkeyPatch, free_bytes: int, state: str
) -> None:
    """While the disk is full nobody is blamed; where all else has room, it is the archive's size."""
    from pentathlon.server.queue import clerk as clerks
    from pentathlon.server.sandbox.sandbox_messages import NoRoom
    from pentathlon.server.sandbox.unpacking import unpack

    submission, _, _ = upload(desk, agent_archive())
    monkeypatch.setattr(unpack, "_ask", lambda *_: NoRoom())
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=free_bytes))
    monkeypatch.setattr(clerks, "await_room", lambda _: None)
    clerk.check(submission.id, 0)
    assert desk.look(submission).state == state
    assert ("more than the server's disk has room for" in desk.look(submission).reason) == (state == "refused")


@pytest.mark.parametrize(
    "link",
    [
        lambda folder: (folder / "weights.bin").symlink_to("/etc/passwd"),
        lambda folder: (folder / "data").symlink_to("/etc"),
        lambda folder: (folder / "gone").symlink_to("nowhere"),
    ],
    ids=["file", "folder", "nothing"],
)
def test_packing_refuses_links(tmp_path: Path, link: Callable[[Path], None]) -> None:
    folder = tmp_path / "agent"
    (folder / ".venv").mkdir(parents=True)
    (folder / ".venv" / "python").symlink_to("/usr/bin/python3")
    (folder / "agent.py").touch()
    pack(folder, tmp_path / "agent.zip")
    link(folder)
    with pytest.raises(DataError, match="is a link"):
        pack(folder, tmp_path / "agent.zip")
