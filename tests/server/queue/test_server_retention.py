"""What is kept for how long: results, files, jobs, credentials and robots."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from desk import Desk, DeskMaker
from visiting import add_result, cookie_for

from pentathlon.server.accounts.tokens import make_token, revoke_token
from pentathlon.server.queue.clerk import Clerk
from pentathlon.server.queue.jobs import JobQueue
from pentathlon.server.queue.results import leaderboard
from pentathlon.server.queue.tables import RobotRecord, SignIn, StateChange, Submission, Token, TrialRecord
from pentathlon.server.sizes import DAY_S
from pentathlon.server.supervisor import prepare


def make_older(desk: Desk, submission: Submission, days: float, **changes: object) -> None:
    with desk.database.write() as session:
        ended_s = session.get_one(Submission, submission.id).created_s - days * DAY_S
        moved = sa.update(Submission).where(Submission.id == submission.id)
        session.execute(moved.values(ended_s=ended_s, **changes))


def files_of(desk: Desk, submission: Submission) -> list[bool]:
    places = (desk.settings.folder(submission.id), desk.settings.run(submission.id))
    return [place.exists() for place in (*places, desk.settings.upload(submission.id))]


def fill(desk: Desk, submission: Submission) -> None:
    for place in (desk.settings.logs(submission.id), desk.settings.run(submission.id), desk.settings.data / "uploads"):
        place.mkdir(parents=True, exist_ok=True)
    desk.settings.upload(submission.id).write_bytes(b"archive")


def sweep(desk: Desk) -> None:
    clerk = Clerk(desk.settings)
    clerk.sweep()
    clerk.close()


def test_old_results_keep_their_place_and_lose_their_files(desk_for: DeskMaker) -> None:
    desk = desk_for(keep_days=30)
    ada, _ = desk.account("ada")
    old, new, failed, waiting = (add_result(desk, ada, [grams]) for grams in (1.0, 2.0, 3.0, 4.0))
    for submission in (old, new, failed, waiting):
        fill(desk, submission)
    make_older(desk, old, 31)
    make_older(desk, new, 29)
    make_older(desk, failed, 31, state="failed", scores=None)
    with desk.database.write() as session:
        session.get_one(Submission, waiting.id).state = "running"
    sweep(desk)
    assert [files_of(desk, each) for each in (old, new, failed, waiting)] == [
        *([False] * 3, [True] * 3, [False] * 3, [True] * 3)
    ]
    with desk.database.read() as session:
        for table in (TrialRecord, StateChange):
            assert set(session.scalars(sa.select(table.submission_id))) == {new.id, waiting.id}
        assert set(session.scalars(sa.select(Submission.id))) == {old.id, new.id, waiting.id}
        assert [row.row.id for row in leaderboard(session, old.task, "policy")] == [new.id, old.id]


def test_the_page_of_an_old_submission_says_what_is_gone(desk_for: DeskMaker) -> None:
    desk = desk_for(keep_days=30)
    ada, token = desk.account("ada")
    old = add_result(desk, ada, [1.0])
    make_older(desk, old, 31)
    sweep(desk)
    with desk.web(token) as web:
        web.cookies.set("pentathlon_sign_in", cookie_for(desk.database, token))
        page = web.get(f"/submissions/{old.id}").text
    assert "removed 30 days after its end" in page


def test_jobs_that_are_done_or_of_nothing_go_after_a_day(either_desk: Desk) -> None:
    desk = either_desk
    ada, _ = desk.account("ada")
    finished, waiting = add_result(desk, ada, [1.0]), desk.submit(ada)
    jobs = {f"robots/{finished.id}/0": "SUCCESS", f"robots/{waiting.id}/0": "ENQUEUED"}
    jobs |= {f"checks/{finished.id}/0": "PENDING", f"checks/{waiting.id}/0": "SUCCESS"}
    age_jobs(desk, jobs)
    sweep(desk)
    assert job_ids(desk) == {f"robots/{waiting.id}/0"}


def test_jobs_done_a_moment_ago_stay(desk: Desk) -> None:
    ada, _ = desk.account("ada")
    finished = add_result(desk, ada, [1.0])
    age_jobs(desk, {f"robots/{finished.id}/0": "SUCCESS", f"checks/{finished.id}/0": "SUCCESS"}, days=0.5)
    sweep(desk)
    assert len(job_ids(desk)) == 2


def age_jobs(desk: Desk, states: dict[str, str], days: float = 2.0) -> None:
    """Lets jobs have been put in, and done where they are, some days ago."""
    with desk.database.write() as session:
        for job, state in states.items():
            values = {"job": job, "state": state, "ms": int(days * DAY_S * 1000)}
            done = "created_at - :ms" if state == "SUCCESS" else "NULL"
            table = status_table(desk)
            session.execute(
                sa.text(
                    f"UPDATE {table} SET status = :state, completed_at = {done}, created_at = created_at - :ms"
                    " WHERE workflow_uuid = :job"
                ),
                values,
            )


def job_ids(desk: Desk) -> set[str]:
    with desk.database.read() as session:
        return set(session.scalars(sa.text(f"SELECT workflow_uuid FROM {status_table(desk)}")))


def status_table(desk: Desk) -> str:
    return "workflow_status" if desk.database.sqlite else "dbos.workflow_status"


def test_many_jobs_go_in_one_sweep(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, _ = desk.account("ada")
    submissions = [add_result(desk, ada, [1.0]) for _ in range(5)]
    monkeypatch.setattr("pentathlon.server.queue.jobs.LIST_AT_ONCE", 2)
    age_jobs(desk, {f"{queue}/{each.id}/0": "SUCCESS" for each in submissions for queue in ("checks", "robots")})
    queue = JobQueue(desk.settings.database_url)
    queue.remove_done(4e9)
    queue.close()
    assert job_ids(desk) == set()


def test_worn_out_credentials_go(desk: Desk) -> None:
    ada, first = desk.account("ada")
    with desk.database.write() as session:
        revoked, fresh = make_token(session, ada, "revoked"), make_token(session, ada, "fresh")
        make_token(session, ada, "expired", token_days=-2)
    gone = cookie_for(desk.database, fresh.secret)
    stays = cookie_for(desk.database, first)
    with desk.database.write() as session:
        revoke_token(session, ada, revoked.token.id)
        session.execute(sa.update(SignIn).where(SignIn.id == gone.split("_")[1]).values(expires_s=1.0))
    sweep(desk)
    with desk.database.read() as session:
        assert set(session.scalars(sa.select(Token.label))) == {"first", "fresh"}
        assert list(session.scalars(sa.select(SignIn.id))) == [stays.split("_")[1]]


def test_robots_that_are_no_longer_configured_disappear(desk_for: DeskMaker) -> None:
    desk = desk_for(drivers=("one:robot",))
    for name in ("robot-1", "robot-2"):
        desk.add_robot(name=name)
        desk.settings.live_view(name).parent.mkdir(exist_ok=True)
        desk.settings.live_view(name).write_bytes(b"jpeg")
    prepare(desk.settings, lambda _: None)
    with desk.database.read() as session:
        assert list(session.scalars(sa.select(RobotRecord.name))) == ["robot-1"]
    assert [desk.settings.live_view(f"robot-{number}").exists() for number in (1, 2)] == [True, False]
