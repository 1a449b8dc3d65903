"""A full disk: nothing is lost, nobody is blamed, and work goes on when there is room again."""

from __future__ import annotations

import errno
import threading
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from desk import Desk, DeskMaker
from live_server import agent_archive
from sqlalchemy import text, update
from sqlalchemy.exc import OperationalError
from stand_in_agent import open_still

from pentathlon.server import disk
from pentathlon.server.disk import is_full
from pentathlon.server.queue import clerk as clerks
from pentathlon.server.queue import outputs
from pentathlon.server.queue.clerk import Clerk
from pentathlon.server.queue.database import Database, patiently
from pentathlon.server.queue.jobs import Job
from pentathlon.server.queue.tables import RobotRecord, Submission
from pentathlon.server.robots import robot_evaluation
from pentathlon.server.robots.robot_worker import DISK_FULL, RobotWorker


class FullDisk:
    """Lets a function run out of room at its n-th call, and again until it is emptied."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, module: Any, name: str, at_call: int) -> None:
        self._work, self._left = getattr(module, name), at_call
        self.full = True
        monkeypatch.setattr(module, name, self)
        monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=0 if self.full else 2**40))

    def __call__(self, *given: Any, **named: Any) -> Any:
        self._left -= 1
        if self.full and self._left <= 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return self._work(*given, **named)


def robot_state(desk: Desk) -> tuple[str, str]:
    with desk.web() as web:
        (robot,) = web.get("/api/robots").json()
        return robot["state"], robot["note"]


@pytest.mark.parametrize(
    ("module", "name", "at_call"),
    [
        (robot_evaluation, "write_mp4", 2),
        (robot_evaluation, "write_episode", 2),
        (outputs, "append_log", 1),
        (outputs, "append_log", 3),
        (outputs, "_move", 3),
    ],
)
def test_a_robot_gives_its_submission_back_and_goes_on_when_there_is_room(
    desk_for: DeskMaker, monkeypatch: pytest.MonkeyPatch, module: Any, name: str, at_call: int
) -> None:
    desk = desk_for(heartbeat_s=0.01, fruitless_claims_limit=2)
    monkeypatch.setattr(robot_evaluation, "open_entrant", open_still)
    full_disk = FullDisk(monkeypatch, module, name, at_call)
    submission = desk.submit(desk.account("ada")[0])
    worker = RobotWorker(desk.settings, "robot-1", "stand_in_robot:StandInRobot")
    worker._register()
    for number in range(3):
        worker._change_order("wait", "run", note="")
        worker._work(Job(submission.id, number, threading.Event()))
        view = desk.look(submission)
        assert (view.state, view.claim, view.fruitless_claims) == ("queued", number + 1, 0)
        assert "disk is full" in view.reason
    assert robot_state(desk) == ("paused", DISK_FULL)

    resumed = threading.Thread(target=worker._wait_until_allowed)
    resumed.start()
    resumed.join(0.1)
    assert resumed.is_alive()
    full_disk.full = False
    resumed.join(10)
    assert robot_state(desk) == ("idle", "")
    worker._work(Job(submission.id, 3, threading.Event()))
    assert desk.look(submission).state == "finished"
    assert len(desk.trials(submission)) == 6
    assert len(list((desk.settings.run(submission.id) / "artifacts").iterdir())) == 6
    assert desk.steps(submission).count("finished") == 1


@pytest.mark.parametrize("order", ["pause", "stop"])
def test_room_on_the_disk_overrules_no_operator(desk: Desk, order: str) -> None:
    worker = RobotWorker(desk.settings, "robot-1", "stand_in_robot:StandInRobot")
    worker._register()
    worker._hold("wait", DISK_FULL)
    with desk.web(desk.account("boss", role="operator")[1]) as web:
        web.post(f"/api/robots/robot-1/{order}")
    assert not worker._change_order("wait", "run", note="")
    with desk.database.read() as session:
        assert session.get_one(RobotRecord, "robot-1").order == order
    worker._hold("wait", DISK_FULL)
    with desk.database.read() as session:
        assert session.get_one(RobotRecord, "robot-1").order == order


@pytest.mark.sandbox
def test_the_clerk_blames_no_upload(desk_for: DeskMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = desk_for(fruitless_claims_limit=2)
    monkeypatch.setattr(clerks, "open_entrant", open_still)
    submission = desk.submit(desk.account("ada")[0], source="upload")
    archive = desk.settings.upload(submission.id)
    archive.parent.mkdir()
    archive.write_bytes(agent_archive())
    full_disk = FullDisk(monkeypatch, outputs, "append_log", 1)
    with closing(Clerk(desk.settings)) as clerk:
        monkeypatch.setattr(clerks, "await_room", lambda folder: None)
        for number in range(3):
            clerk.check(submission.id, number)
            view = desk.look(submission)
            assert (view.state, view.claim, view.reason) == ("received", number + 1, clerks.DISK_FULL)
        monkeypatch.undo()
        monkeypatch.setattr(clerks, "open_entrant", open_still)
        full_disk.full = False
        clerk.check(submission.id, 3)
    assert desk.look(submission).state == "queued"
    assert (desk.settings.agent(submission.id) / "entrant.json").is_file()


def test_clerk_and_workers_wait_for_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = iter([0, 0, 2**40])
    monkeypatch.setattr(disk, "ROOM_POLL_S", 0.0)
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=next(looks)))
    disk.await_room(tmp_path)
    assert list(looks) == []


def test_a_full_database_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = Database(f"sqlite:///{tmp_path / 'small.db'}")
    tries: list[int] = []

    def write() -> str:
        tries.append(len(tries))
        with small.engine.connect() as connection:
            connection.execute(text("PRAGMA max_page_count = " + ("1000" if len(tries) > 3 else "2")))
            connection.execute(text("CREATE TABLE a (b)"))
            connection.execute(text("INSERT INTO a VALUES (zeroblob(100000))"))
        return "written"

    monkeypatch.setattr("time.sleep", lambda _: None)
    assert patiently(write, patience_s=0.0) == "written"
    assert len(tries) == 4
    small.close()


def test_other_failures_are_not_taken_for_a_full_disk() -> None:
    assert is_full(OSError(errno.EDQUOT, "Disk quota exceeded"))
    assert not is_full(OSError(errno.EIO, "Input/output error"))
    assert not is_full(OperationalError("", None, Exception("database is locked")))
    assert not is_full(ValueError("No space left on device"))


def test_silence_while_nobody_could_write_is_no_death(desk_for: DeskMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = desk_for(lost_after_s=0.5)
    submission = desk.submit(desk.account("ada")[0])
    claims = desk.claims("robot-1")
    claim = claims.take(submission.id, 0)
    assert claim is not None
    with desk.database.write() as session:
        session.execute(update(Submission).values(heartbeat_s=time.time() - 100))
    with closing(Clerk(desk.settings)) as clerk:
        with monkeypatch.context() as full:
            full.setattr(clerks, "requeue", _fail)
            with pytest.raises(OperationalError):
                clerk.sweep()
        clerk.sweep()
        assert claims.beat(claim), "it had no time to beat again"
        clerk.sweep()
        assert claims.beat(claim)
        time.sleep(0.6)
        clerk.sweep()
    assert not claims.beat(claim), "it did not beat again"
    assert desk.look(submission).state == "queued"


def _fail(*_: Any) -> None:
    raise OperationalError("", None, Exception("database or disk is full"))
