"""What a claim guards, on SQLite and on PostgreSQL."""

from __future__ import annotations

import threading
import time
from contextlib import closing

import pytest
from desk import TRIALS, Desk, DeskMaker, trial_record
from sqlalchemy import update

from pentathlon.server.queue.claims import ClaimLostError, Claims
from pentathlon.server.queue.clerk import Clerk
from pentathlon.server.queue.jobs import Job
from pentathlon.server.queue.tables import Order, Submission
from pentathlon.server.robots.robot_worker import RobotWorker


def _break_off(claims: Claims, submission: Submission, times: int) -> None:
    for number in range(times):
        claim = claims.take(submission.id, number)
        assert claim is not None
        claims.give_back(claim, "The server failed.", fruitless=True)


def test_of_many_who_take_one_submission_one_gets_it(either_desk: Desk) -> None:
    submission = either_desk.submit(either_desk.account("ada")[0])
    barrier = threading.Barrier(6)
    got = []

    def grab(number: int) -> None:
        claims = either_desk.claims(f"robot-{number}")
        barrier.wait()
        if claims.take(submission.id, 0) is not None:
            got.append(number)

    threads = [threading.Thread(target=grab, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 1
    assert either_desk.look(submission).worker == f"robot-{got[0]}"
    assert either_desk.steps(submission) == ["received", "checking", "queued", "running"]


def test_who_was_taken_over_from_can_write_nothing(either_desk: Desk) -> None:
    desk = either_desk
    submission = desk.submit(desk.account("ada")[0])
    lost, heir = desk.claims("robot-1"), desk.claims("robot-2")
    old = lost.take(submission.id, 0)
    assert old is not None
    lost.record(old, trial_record(submission, 0), lambda: None)
    with desk.database.write() as session:
        session.execute(update(Submission).values(heartbeat_s=time.time() - 100))
    with closing(Clerk(desk.settings)) as clerk:
        clerk.sweep()
    assert desk.look(submission).state == "queued"
    new = heir.take(submission.id, 1)
    assert new is not None
    assert not lost.beat(old)
    assert not lost.end(old, "finished", "")
    with pytest.raises(ClaimLostError):
        lost.record(old, trial_record(submission, 1), lambda: None)
    heir.record(new, trial_record(submission, 1), lambda: None)
    heir.record(new, trial_record(submission, 1), lambda: None)
    assert heir.end(new, "finished", "")
    assert desk.trials(submission) == [trial.id for trial in TRIALS[:2]]
    assert desk.look(submission).trials_done == 2
    assert desk.steps(submission) == ["received", "checking", "queued", "running", "queued", "running", "finished"]


def test_a_worker_that_starts_again_takes_up_what_it_held(desk: Desk) -> None:
    submission = desk.submit(desk.account("ada")[0])
    before = desk.claims("robot-1").take(submission.id, 0)
    assert before is not None
    assert desk.claims("robot-2").take(submission.id, 0) is None
    after = desk.claims("robot-1").take(submission.id, 0)
    assert after is not None
    assert not desk.claims("robot-1").beat(before)
    assert desk.claims("robot-1").beat(after)


def test_what_breaks_every_worker_fails_in_the_end(desk_for: DeskMaker) -> None:
    desk = desk_for(fruitless_claims_limit=3)
    submission = desk.submit(desk.account("ada")[0])
    claims = desk.claims("robot-1")
    _break_off(claims, submission, times=3)
    assert claims.take(submission.id, 3) is None
    assert desk.look(submission).state == "failed"
    assert "broke off 3 times" in desk.look(submission).reason


def test_a_stopped_robot_is_no_fault_of_the_submission(desk_for: DeskMaker) -> None:
    desk = desk_for(fruitless_claims_limit=2)
    submission = desk.submit(desk.account("ada")[0])
    for number in range(5):
        claim = desk.claims("robot-1").take(submission.id, number)
        assert claim is not None
        desk.claims("robot-1").give_back(claim, "The operator stopped the robot.", fruitless=False)
    assert desk.look(submission).state == "queued"


def test_a_job_that_vanished_is_put_back(desk_for: DeskMaker) -> None:
    """A worker died between taking the job from the queue and taking the submission."""
    desk = desk_for(lost_after_s=0.1)
    submission = desk.submit(desk.account("ada")[0])
    with desk.database.write() as session:
        session.execute(update(Submission).values(heartbeat_s=time.time() - 100))
    with closing(Clerk(desk.settings)) as clerk:
        clerk.sweep()
        assert desk.look(submission).claim == 0, "its job still waits"
        desk.queue._client.cancel_workflow(f"robots/{submission.id}/0")
        clerk.sweep()
        assert desk.look(submission).claim == 0, "a worker may have taken it just now"
        time.sleep(0.15)
        clerk.sweep()
    assert desk.look(submission).claim == 1
    assert desk.queue.waiting([f"robots/{submission.id}/1"]) == {f"robots/{submission.id}/1"}


def test_a_job_that_came_too_late_is_passed_on(either_desk: Desk) -> None:
    desk = either_desk
    submission = desk.submit(desk.account("ada")[0])
    desk.claims("robot-1").pass_on(submission.id, 0)
    assert desk.look(submission).claim == 1
    assert desk.queue.waiting([f"robots/{submission.id}/1"])
    desk.claims("robot-1").pass_on(submission.id, 0)
    assert desk.look(submission).claim == 1
    assert desk.steps(submission) == ["received", "checking", "queued"]


@pytest.mark.parametrize("order", ["pause", "stop"])
def test_a_job_that_meets_an_order_is_not_begun(desk: Desk, order: Order) -> None:
    submission = desk.submit(desk.account("ada")[0])
    worker = RobotWorker(desk.settings, "robot-1", "stand_in_robot:StandInRobot")
    worker._order = order
    job = Job(submission.id, 0, threading.Event())
    worker._work(job)
    assert (desk.look(submission).state, desk.look(submission).claim) == ("queued", 1)
    assert desk.steps(submission) == ["received", "checking", "queued"]
    assert job.done.is_set()


def test_an_upload_that_breaks_the_clerk_is_refused_in_the_end(desk_for: DeskMaker) -> None:
    desk = desk_for(fruitless_claims_limit=2)
    submission = desk.submit(desk.account("ada")[0], source="upload")
    claims = desk.claims("clerk", "checks")
    _break_off(claims, submission, times=2)
    assert claims.take(submission.id, 2) is None
    assert desk.look(submission).state == "refused"
