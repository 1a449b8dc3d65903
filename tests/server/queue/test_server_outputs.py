"""Whose files are published: those of the worker that holds the claim, never those of one that lost it."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from desk import Desk, trial_record
from sqlalchemy.exc import OperationalError
from stand_in_agent import open_still
from stand_in_robot import StandInRobot

from pentathlon.core import Outcome, Workspace
from pentathlon.events.act.data.episode_files import from_png, read_episode
from pentathlon.events.act.protocol import make_protocol
from pentathlon.server.queue.claims import ClaimLostError, requeue
from pentathlon.server.queue.clerk import Clerk
from pentathlon.server.queue.outputs import Outputs, read_log
from pentathlon.server.queue.tables import Submission
from pentathlon.server.robots import robot_evaluation
from pentathlon.server.robots.guard import GuardedRobot
from pentathlon.server.robots.robot_evaluation import RobotEvaluation
from pentathlon.storage.video import read_mp4
from pentathlon.worlds.tabletop.arm.robot import Sight

TRIALS = make_protocol("pour", "sprint").trials()


class Lamp(StandInRobot):
    """Sees one brightness only, so that its pictures tell whose they are."""

    def __init__(self, name: str, brightness: int, before_weighing: Callable[[], None] = lambda: None) -> None:
        super().__init__(name, (120, 160))
        self._brightness, self._before_weighing = brightness, before_weighing

    def sense(self) -> Sight:
        sight = super().sense()
        return Sight(sight.joints, np.full_like(sight.image, self._brightness), sight.depth)

    def weigh_g(self) -> float:
        self._before_weighing()
        return super().weigh_g()


@pytest.fixture(autouse=True)
def still_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robot_evaluation, "open_entrant", open_still)


def evaluate(desk: Desk, submission: Submission, number: int, robot: Lamp) -> bool:
    claims = desk.claims(robot.name)
    claim = claims.take(submission.id, number)
    assert claim is not None
    guarded = GuardedRobot(robot, lambda setup: None, keep_pictures=True)
    return RobotEvaluation(desk.settings, desk.database, claims, claim, guarded).run()


def published(desk: Desk, submission: Submission) -> dict[str, bytes]:
    """All files that others may see, but logs."""
    folders = (desk.settings.run(submission.id), desk.settings.episodes("pour-sprint-v1", submission.id))
    paths = [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]
    return {str(path): path.read_bytes() for path in paths}


def video(run: Path) -> Path:
    return Workspace(run).artifact(TRIALS[0].id, "video.mp4")


def test_a_worker_that_lost_its_claim_overwrites_nothing(either_desk: Desk) -> None:
    desk = either_desk
    submission = desk.submit(desk.account("ada")[0])
    heirs_files: list[dict[str, bytes]] = []

    def take_over() -> None:
        """Believed dead in its first trial; meanwhile another evaluates everything."""
        if not heirs_files:
            with desk.database.write() as session:
                assert requeue(session, desk.queue, session.get_one(Submission, submission.id), "Lost.")
            assert evaluate(desk, submission, 1, Lamp("robot-2", 200))
            heirs_files.append(published(desk, submission))

    with pytest.raises(ClaimLostError):
        evaluate(desk, submission, 0, Lamp("robot-1", 20, take_over))
    run_files = ("run.json", "trials.jsonl", "summary.json", "lock", "summary.lock")
    assert len(heirs_files[0]) == 2 * len(TRIALS) + len(run_files)
    assert published(desk, submission) == heirs_files[0]
    assert read_mp4(video(desk.settings.run(submission.id))).mean() == pytest.approx(200, abs=5)
    episode = read_episode(desk.settings.episodes("pour-sprint-v1", submission.id), 0)
    assert from_png(episode.pictures[0]).mean() == 200
    assert list(desk.settings.unpublished(submission.id).iterdir()) == []


def test_a_worker_that_goes_on_after_its_trial_was_recorded_by_another_is_told(desk: Desk) -> None:
    submission = desk.submit(desk.account("ada")[0])
    lost, heir = desk.claims("robot-1"), desk.claims("robot-2")
    old = lost.take(submission.id, 0)
    assert old is not None
    with desk.database.write() as session:
        requeue(session, desk.queue, session.get_one(Submission, submission.id), "Lost.")
    new = heir.take(submission.id, 1)
    assert new is not None
    heir.record(new, trial_record(submission, 0), lambda: None)
    with pytest.raises(ClaimLostError):
        lost.record(old, trial_record(submission, 0), lambda: pytest.fail("published without a claim"))


def test_publishing_is_repeated_with_its_transaction(desk: Desk) -> None:
    """The database goes away after the files were moved and before the commit."""
    submission = desk.submit(desk.account("ada")[0])
    claims = desk.claims("robot-1")
    claim = claims.take(submission.id, 0)
    assert claim is not None
    outputs = Outputs(desk.settings, claim)
    video(outputs.run).write_bytes(b"video")
    outcome = Outcome(TRIALS[0].id, artifacts={"video": f"artifacts/{TRIALS[0].id}/video.mp4"})
    outages = iter([OperationalError("", None, Exception("away"))])

    def publish() -> None:
        outputs.publish_trial(outcome)
        if (outage := next(outages, None)) is not None:
            raise outage

    claims.record(claim, trial_record(submission, 0), publish)
    assert video(desk.settings.run(submission.id)).read_bytes() == b"video"
    assert desk.look(submission).trials_done == 1


def test_logs_of_several_claims_read_as_one(tmp_path: Path) -> None:
    for number in (0, 2, 10):
        (tmp_path / f"{number}.txt").write_text(f"claim {number}\n")
    assert read_log(tmp_path, 1000) == "claim 0\nclaim 2\nclaim 10\n"
    assert read_log(tmp_path, 12) == " 2\nclaim 10\n"
    assert read_log(tmp_path / "none", 1000) == ""


def test_what_nobody_published_is_cleared_away_after_the_end(desk: Desk) -> None:
    account, _ = desk.account("ada")
    ended, running = (desk.submit(account) for _ in range(2))
    for submission in (ended, running):
        for folder in (desk.settings.unpublished(submission.id), desk.settings.agent(submission.id)):
            (folder / "0").mkdir(parents=True)
    with desk.database.write() as session:
        stored = session.get_one(Submission, ended.id)
        stored.state, stored.ended_s = "cancelled", time.time() - 60
    with closing(Clerk(desk.settings)) as clerk:
        clerk.sweep()
    assert list(desk.settings.folder(ended.id).iterdir()) == []
    assert len(list(desk.settings.folder(running.id).iterdir())) == 2
