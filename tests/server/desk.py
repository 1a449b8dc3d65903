"""A server's database and queue without its processes, with short ways to do what the tests need."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from fastapi.testclient import TestClient
from sqlalchemy import select

from pentathlon.core import Outcome, to_plain
from pentathlon.events.act.protocol import make_protocol
from pentathlon.server.accounts.tokens import make_account
from pentathlon.server.api.app import create_app
from pentathlon.server.queue.claims import Claims
from pentathlon.server.queue.database import Database
from pentathlon.server.queue.jobs import JobQueue, QueueName, prepare_queue
from pentathlon.server.queue.submissions import Entry, accept, new_id
from pentathlon.server.queue.tables import Account, RobotRecord, StateChange, Submission, TrialRecord
from pentathlon.server.queue.upgrading import upgrade
from pentathlon.server.settings import ServerSettings


@dataclass(frozen=True)
class Desk:
    settings: ServerSettings
    database: Database
    queue: JobQueue

    @staticmethod
    def open(data: Path, **changes: Any) -> Desk:
        data.mkdir()
        usual = {
            "tasks": ("act/*-sprint-v1",),
            "public_trials": True,
            "remote_hosts": ("policy.example",),
            "uploads_without_control_groups": True,
        }
        settings = ServerSettings(data=data, **{**usual, **changes})
        database = Database(settings.database_url)
        upgrade(database)
        prepare_queue(settings.database_url)
        return Desk(settings, database, JobQueue(settings.database_url))

    def close(self) -> None:
        self.queue.close()
        self.database.close()

    def account(self, name: str, **fields: Any) -> tuple[Account, str]:
        with self.database.write() as session:
            made = make_account(session, name, **fields)
        return made.account, made.secret

    def submit(self, account: Account, source: Any = "remote", **fields: Any) -> Submission:
        """Hands an entry in; a remote policy is taken to have been checked already."""
        where = {"challenge": "policy", "task": "act/pour-sprint-v1", "title": "", "trials_total": 6}
        entry = Entry(new_id(), source, **{**where, **fields})
        with self.database.write() as session:
            accepted = accept(session, self.queue, account, entry, self.settings.quota)
        if source == "upload" or accepted.id != entry.id:
            return accepted
        clerk = self.claims("clerk", "checks")
        claim = clerk.take(entry.id, 0)
        assert claim is not None
        assert clerk.end(claim, "queued", "", fruitless_claims=0)
        return self.look(accepted)

    def add_robot(self, **fields: Any) -> None:
        """A robot as its worker would have registered it, long ago."""
        empty = {"driver": "", "note": "", "submission_id": "", "confirmed": "", "awaiting": "", "order": "run"}
        with self.database.write() as session:
            session.add(RobotRecord(**{"name": "robot-1", "heartbeat_s": 0.0, **empty, **fields}))

    def claims(self, worker: str, name: QueueName = "robots") -> Claims:
        return Claims(self.database, self.queue, name, worker, self.settings.fruitless_claims_limit)

    def look(self, submission: Submission) -> Submission:
        with self.database.read() as session:
            return session.get_one(Submission, submission.id)

    def steps(self, submission: Submission) -> list[str]:
        statement = select(StateChange.state).where(StateChange.submission_id == submission.id)
        with self.database.read() as session:
            return list(session.scalars(statement.order_by(StateChange.id)))

    def trials(self, submission: Submission) -> list[str]:
        with self.database.read() as session:
            statement = select(TrialRecord.trial).where(TrialRecord.submission_id == submission.id)
            return list(session.scalars(statement.order_by(TrialRecord.position)))

    @contextmanager
    def web(self, token: str = "") -> Iterator[TestClient]:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        with TestClient(create_app(self.settings), headers=headers, raise_server_exceptions=False) as client:
            yield client


DeskMaker: TypeAlias = Callable[..., Desk]


TRIALS = make_protocol("pour", "sprint").trials()


def trial_record(submission: Submission, position: int, reward_g: float = 1.0) -> TrialRecord:
    """The record of a trial of pouring."""
    trial = TRIALS[position]
    outcome = Outcome(
        trial.id,
        {"reward_g": reward_g, "success": float(reward_g > 0)},
        cluster=trial.cluster,
        steps=10,
        wall_time_s=0.1,
        details={"location": trial.setup.location, "seen_location": trial.seen_location},
    )
    return TrialRecord(
        submission_id=submission.id,
        trial=trial.id,
        position=position,
        outcome=to_plain(outcome),
        worker="robot-1",
        recorded_s=0.0,
    )
