"""Whose turn it is, and what becomes of what waits, on SQLite and on PostgreSQL."""

from __future__ import annotations

import os
import time
from contextlib import closing

import pytest
from desk import Desk, DeskMaker, trial_record
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from pentathlon.server.errors import ConflictError
from pentathlon.server.queue.clerk import Clerk
from pentathlon.server.queue.fairness import TURN, next_place
from pentathlon.server.queue.forecast import Forecaster
from pentathlon.server.queue.states import FINAL, STATES, STEPS
from pentathlon.server.queue.submissions import Entry, accept, cancel
from pentathlon.server.queue.tables import Submission


def order(desk: Desk) -> list[str]:
    with desk.database.read() as session:
        queued = select(Submission.id).where(Submission.state == "queued")
        return list(session.scalars(queued.order_by(Submission.priority, Submission.entered_s, Submission.id)))


def test_the_second_of_one_comes_behind_the_first_of_others(desk: Desk) -> None:
    ada, bob, cyd = (desk.account(name)[0] for name in ("ada", "bob", "cyd"))
    ada_1, ada_2, ada_3 = (desk.submit(ada).id for _ in range(3))
    bob_1, bob_2 = (desk.submit(bob).id for _ in range(2))
    cyd_1 = desk.submit(cyd).id
    assert order(desk) == [ada_1, bob_1, cyd_1, ada_2, bob_2, ada_3]


def test_it_does_so_when_the_first_is_already_running(desk: Desk) -> None:
    ada, bob = (desk.account(name)[0] for name in ("ada", "bob"))
    first = desk.submit(ada)
    assert desk.claims("robot-1").take(first.id, 0)
    second = desk.submit(ada)
    other = desk.submit(bob)
    assert order(desk) == [other.id, second.id]


def test_nobody_waits_for_ever(desk: Desk) -> None:
    """One robot, and a newcomer for every turn: the last of four of one account has its turn all the same."""
    ada = desk.account("ada")[0]
    last = [desk.submit(ada) for _ in range(4)][-1]
    for turn in range(40):
        desk.submit(desk.account(f"newcomer-{turn}")[0])
        started = order(desk)[0]
        claim = desk.claims("robot-1").take(started, 0)
        assert claim is not None
        desk.claims("robot-1").end(claim, "failed", "")
        if started == last.id:
            break
    assert 4 < turn < 20


def test_a_greater_share_takes_shorter_turns() -> None:
    assert next_place(0, None, 1) == TURN
    assert next_place(0, None, 2) == TURN // 2
    assert next_place(600, None, 1) == 600 + TURN
    assert next_place(600, 900, 1) == 900 + TURN + 1


def test_place_and_estimate(desk: Desk) -> None:
    ada, bob = (desk.account(name)[0] for name in ("ada", "bob"))
    forecaster = Forecaster(desk.settings)
    done, first, second = desk.submit(ada), desk.submit(ada), desk.submit(bob)
    with desk.database.read() as session:
        place = forecaster.place(session, desk.look(second))
        assert place is not None
        assert (place.position, place.starts_in_s) == (2, None)
    desk.add_robot(heartbeat_s=time.time())
    desk.add_robot(name="robot-2", heartbeat_s=time.time() - 1000)
    with desk.database.write() as session:
        ended = {"state": "finished", "started_s": 100.0, "ended_s": 140.0}
        session.execute(update(Submission).where(Submission.id == done.id).values(**ended))
    with desk.database.read() as session:
        place = Forecaster(desk.settings).place(session, desk.look(first))
        assert place is not None
        # The idle robot takes the one before it at once, and that takes as long as the last one took.
        assert (place.position, place.starts_in_s) == (2, pytest.approx(40.0, abs=1.0))


def test_an_estimate_counts_down(either_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = either_desk
    ada, _ = desk.account("ada")
    done, running, first, second = (desk.submit(ada) for _ in range(4))
    now_s = time.time()
    desk.add_robot(heartbeat_s=now_s + 1000)
    claims = desk.claims("robot-1")
    claim = claims.take(running.id, 0)
    assert claim is not None
    with desk.database.write() as session:
        ended = {"state": "finished", "started_s": 100.0, "ended_s": 160.0}
        session.execute(update(Submission).where(Submission.id == done.id).values(**ended))
        session.execute(update(Submission).where(Submission.id == running.id).values(entered_s=now_s))

    def starts_in_s(after_s: float, of: Submission) -> float | None:
        monkeypatch.setattr("time.time", lambda: now_s + after_s)
        with desk.database.read() as session:
            place = Forecaster(desk.settings).place(session, desk.look(of))
        return place.starts_in_s if place else None

    # A submission took 60 s, ten for each of its six trials.
    assert [starts_in_s(after_s, first) for after_s in (0, 3, 7)] == pytest.approx([60, 57, 53])
    assert starts_in_s(7, second) == pytest.approx(113)
    # Its first trial took twice as long, and so will the others.
    monkeypatch.setattr("time.time", lambda: now_s + 20)
    record = trial_record(running, 0)
    record.recorded_s = now_s + 20
    claims.record(claim, record, lambda: None)
    assert [starts_in_s(after_s, first) for after_s in (20, 30)] == pytest.approx([100, 90])
    # The second trial is late; those after it still have to be run.
    assert starts_in_s(50, first) == pytest.approx(80)


def test_a_forecast_counts_down_between_two_looks(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, _ = desk.account("ada")
    done, first, second = (desk.submit(ada) for _ in range(3))
    now_s = time.time()
    desk.add_robot(heartbeat_s=now_s)
    with desk.database.write() as session:
        ended = {"state": "finished", "started_s": 100.0, "ended_s": 160.0}
        session.execute(update(Submission).where(Submission.id == done.id).values(**ended))
    monkeypatch.setattr("pentathlon.server.queue.forecast.REFRESH_S", 3600.0)
    forecaster, told = Forecaster(desk.settings), []
    for after_s in (0.0, 5.0, 100.0):
        monkeypatch.setattr("time.time", lambda after_s=after_s: now_s + after_s)
        with desk.database.read() as session:
            place = forecaster.place(session, desk.look(second))
        assert place is not None
        told.append(place.starts_in_s)
    assert told == pytest.approx([60.0, 55.0, 0.0])
    assert first.id != second.id


def test_archives_that_will_not_run_are_cleared_away(desk: Desk) -> None:
    account, _ = desk.account("ada")
    given_up, kept = (desk.submit(account, source="upload") for _ in range(2))
    for submission in (given_up, kept):
        path = desk.settings.upload(submission.id)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"archive")
        os.utime(path, (0, 0))
    with desk.database.write() as session:
        cancel(session, session.get_one(Submission, given_up.id), account)
    with closing(Clerk(desk.settings)) as clerk:
        clerk.sweep()
    assert not desk.settings.upload(given_up.id).exists()
    assert desk.settings.upload(kept.id).exists()


def test_cancelling_ends_once(either_desk: Desk) -> None:
    desk = either_desk
    ada, _ = desk.account("ada")
    submission = desk.submit(ada)
    claim = desk.claims("robot-1").take(submission.id, 0)
    assert claim is not None
    with desk.database.write() as session:
        cancel(session, session.get_one(Submission, submission.id), ada)
    assert not desk.claims("robot-1").end(claim, "finished", "")
    with pytest.raises(ConflictError, match="already ended"), desk.database.write() as session:
        cancel(session, session.get_one(Submission, submission.id), ada)
    assert desk.steps(submission)[-1] == "cancelled"


def test_an_account_has_room_for_so_many(desk_for: DeskMaker) -> None:
    desk = desk_for(unfinished_limit=2)
    ada = desk.account("ada")[0]
    first = desk.submit(ada, request_key="first-one")
    desk.submit(ada)
    assert desk.submit(ada, request_key="first-one").id == first.id
    with pytest.raises(ConflictError, match="2 submissions under way"):
        desk.submit(ada)


def test_what_is_not_committed_is_not_queued(either_desk: Desk) -> None:
    """Submission and job are one transaction, also when it is rolled back."""
    desk = either_desk
    ada = desk.account("ada")[0]
    entry = Entry("0" * 16, "remote", "policy", "pour", "", 6)
    with Session(desk.database.engine) as session:
        accept(session, desk.queue, ada, entry, desk.settings.quota)
        session.rollback()
    assert desk.queue.waiting([f"checks/{entry.id}/0"]) == set()
    assert order(desk) == []


def test_steps_lead_to_an_end_and_never_out_of_one() -> None:
    assert all(STEPS[state] == frozenset() for state in FINAL)
    for state in set(STATES) - FINAL:
        assert "cancelled" in STEPS[state]
        assert STEPS[state] <= set(STATES)


def test_the_token_of_a_remote_policy_is_forgotten_at_the_end(desk: Desk) -> None:
    ada, _ = desk.account("ada")
    submission = desk.submit(ada, remote_token="hush")
    assert desk.look(submission).remote_token == "hush"
    with desk.database.write() as session:
        cancel(session, session.get_one(Submission, submission.id), ada)
    assert desk.look(submission).remote_token == ""


def test_what_a_strangers_program_says_can_be_kept_and_shown(either_desk: Desk) -> None:
    """PostgreSQL takes no zero bytes, and terminals obey escape sequences."""
    desk = either_desk
    submission = desk.submit(desk.account("ada")[0])
    claims = desk.claims("robot-1")
    claim = claims.take(submission.id, 0)
    assert claim is not None
    assert claims.give_back(claim, "The policy raised: \x00\x1b[2J", fruitless=False)
    assert desk.look(submission).reason == "The policy raised: \ufffd\ufffd[2J"
    again = claims.take(submission.id, 1)
    assert again is not None
    assert claims.end(again, "failed", "\x00" + "x" * 10_000)
    assert desk.look(submission).reason == "\ufffd" + "x" * 3999
