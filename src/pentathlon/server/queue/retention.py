"""What goes after its time: old results' files, rows and jobs, worn-out credentials, and deleted accounts."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence

from sqlalchemy import Select, and_, delete, exists, or_, select

from pentathlon.server.queue.database import Database
from pentathlon.server.queue.jobs import JobQueue
from pentathlon.server.queue.states import FINAL
from pentathlon.server.queue.tables import Account, SignIn, StateChange, Submission, Token, TrialRecord
from pentathlon.server.settings import ServerSettings
from pentathlon.server.sizes import DAY_S

EVERY_S = 600.0
AT_ONCE = 200
"""Submissions removed in one go, so that nobody waits long for the database."""


class Retention:
    """Removes what its time is over for; called again and again by the clerk.

    Args:
        settings: say how long things are kept, and where they lie.
        database: of the server.
        queue: its jobs are removed once nothing waits for them.
    """

    def __init__(self, settings: ServerSettings, database: Database, queue: JobQueue) -> None:
        self._settings, self._database, self._queue = settings, database, queue
        self._cleared_s = float("-inf")

    def sweep(self) -> None:
        """Removes deleted accounts at once, and every ten minutes what is old."""
        self._remove_accounts()
        if time.monotonic() - self._cleared_s < EVERY_S:
            return
        self._cleared_s = time.monotonic()
        self._remove_old()
        self._remove_credentials()
        self._remove_jobs()

    def _remove_accounts(self) -> None:
        with self._database.read() as session:
            leaving = list(session.scalars(select(Account.id).where(Account.deleted_s.is_not(None))))
        for account in leaving:
            self._remove_account(account)

    def _remove_account(self, account: str) -> None:
        """Removes an account whose submissions no worker holds any more; it notices within a heartbeat."""
        of_account = select(Submission.id).where(Submission.account_id == account)
        let_go = (Submission.state.in_(FINAL), Submission.ended_s < time.time() - self._settings.lost_after_s)
        while batch := self._read(of_account.where(*let_go).limit(AT_ONCE)):
            self._remove_files(batch, episodes=True)
            self._remove_rows(batch, whole=True)
        if self._read(of_account.limit(1)):
            return
        with self._database.write() as session:
            tokens = select(Token.id).where(Token.account_id == account)
            session.execute(delete(SignIn).where(SignIn.token_id.in_(tokens)))
            session.execute(delete(Token).where(Token.account_id == account))
            session.execute(delete(Account).where(Account.id == account))

    def _remove_old(self) -> None:
        """Removes submissions that ended long ago; finished ones keep their row, for it stands on the leaderboard."""
        old = Submission.ended_s < time.time() - self._settings.keep_days * DAY_S
        has_trials = exists().where(TrialRecord.submission_id == Submission.id)
        finished = Submission.state == "finished"
        statement = select(Submission.id).where(old).limit(AT_ONCE)
        while batch := self._read(statement.where(finished, has_trials)):
            self._remove_files(batch)
            self._remove_rows(batch, whole=False)
        while batch := self._read(statement.where(Submission.state.in_(FINAL), ~finished)):
            self._remove_files(batch)
            self._remove_rows(batch, whole=True)

    def _remove_credentials(self) -> None:
        now_s = time.time()
        worn_out = or_(Token.expires_s < now_s - DAY_S, and_(Token.revoked_s.is_not(None), Token.revoked_s < now_s))
        with self._database.write() as session:
            session.execute(delete(SignIn).where(SignIn.expires_s < now_s))
            session.execute(delete(SignIn).where(SignIn.token_id.in_(select(Token.id).where(worn_out))))
            session.execute(delete(Token).where(worn_out))

    def _remove_jobs(self) -> None:
        before_s = time.time() - DAY_S
        self._queue.remove_done(before_s)
        waiting = self._queue.waiting_since(before_s)
        unfinished = Submission.state.not_in(FINAL)
        wanted = select(Submission.id).where(Submission.id.in_({job.submission for job in waiting}), unfinished)
        with self._database.read() as session:
            still = set(session.scalars(wanted))
        self._queue.remove([job.id for job in waiting if job.submission not in still])

    def _read(self, statement: Select[str]) -> list[str]:
        with self._database.read() as session:
            return list(session.scalars(statement))

    def _remove_rows(self, batch: Sequence[str], *, whole: bool) -> None:
        with self._database.write() as session:
            session.execute(delete(TrialRecord).where(TrialRecord.submission_id.in_(batch)))
            session.execute(delete(StateChange).where(StateChange.submission_id.in_(batch)))
            if whole:
                session.execute(delete(Submission).where(Submission.id.in_(batch)))

    def _remove_files(self, batch: Sequence[str], *, episodes: bool = False) -> None:
        """Removes the files before the rows, so that a crash in between leaves nothing without a row."""
        for submission in batch:
            self._settings.upload(submission).unlink(missing_ok=True)
            folders = [self._settings.folder(submission), self._settings.run(submission)]
            if episodes:
                folders += self._settings.data.glob(f"episodes/*/{submission}")
            for folder in folders:
                shutil.rmtree(folder, ignore_errors=True)
