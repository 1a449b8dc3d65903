"""The clerk's process: checks submissions before they wait for their turn, and looks after what got lost."""

from __future__ import annotations

import logging
import shutil
import time
from pathlib import Path

from sqlalchemy import select, update
from sqlalchemy.exc import DBAPIError

from pentathlon.core.errors import PentathlonError
from pentathlon.server.disk import await_room, is_full
from pentathlon.server.queue.claims import Claim, Claims, queue_of, requeue
from pentathlon.server.queue.database import Database
from pentathlon.server.queue.jobs import CHECKS_AT_ONCE, JobListener, JobQueue, job_id
from pentathlon.server.queue.offers import find_offer, server_task
from pentathlon.server.queue.outputs import Outputs
from pentathlon.server.queue.retention import Retention
from pentathlon.server.queue.states import ACTIVE, FINAL, WAITING, State
from pentathlon.server.queue.tables import Submission
from pentathlon.server.sandbox.kinds.stubs import try_out
from pentathlon.server.settings import ServerSettings
from pentathlon.server.workers.attempt import SERVER_FAILED
from pentathlon.server.workers.heart import Heart
from pentathlon.server.workers.submitted import check_uploads, open_entrant

NAME = "clerk"
WORKS = "The entrant starts and answers."
DISK_FULL = "The server's disk is full; it is checked when there is room again."
ORPHAN_AFTER_S = 3600.0

_log = logging.getLogger(__name__)


class Clerk:
    """Checks submissions and sweeps."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self._database = Database(settings.database_url, pool_size=2 * CHECKS_AT_ONCE)
        self._queue = JobQueue(settings.database_url)
        self._claims = Claims(self._database, self._queue, "checks", NAME, settings.fruitless_claims_limit)
        self._retention = Retention(settings, self._database, self._queue)
        self._gone_since_s: dict[str, float] = {}
        self._trusts_silence_from_s = float("-inf")

    def run(self) -> None:
        """Works for ever."""
        JobListener(self._settings.database_url, "checks", NAME, self.check).start()
        while True:
            try:
                self.sweep()
            except DBAPIError as error:
                _log.warning("Could not sweep: %s", error.orig)
            time.sleep(self._settings.lost_after_s / 4)

    def close(self) -> None:
        """Closes all connections."""
        self._queue.close()
        self._database.close()

    def check(self, submission_id: str, number: int) -> None:
        """Tries out what was uploaded or registered; it is queued or refused with the reason."""
        claim = self._claims.take(submission_id, number)
        if claim is None:
            return
        with Heart(lambda: self._keep(claim), self._settings.heartbeat_s):
            try:
                self._attempt(claim)
                return
            except Exception as error:
                if not is_full(error):
                    raise
                _log.warning("The disk is full; giving %s back: %s", submission_id, error)
                self._claims.give_back(claim, DISK_FULL, fruitless=False)
        await_room(self._settings.data)

    def _attempt(self, claim: Claim) -> None:
        outputs = Outputs(self._settings, claim)
        try:
            self._check(claim.submission, outputs)
        except PentathlonError as error:
            outputs.note(NAME, f"Refused: {error}")
            if self._claims.end(claim, "refused", str(error)):
                self._settings.upload(claim.submission.id).unlink(missing_ok=True)
        except Exception as error:
            if is_full(error):
                raise
            _log.exception("The check of %s failed", claim.submission.id)
            outputs.note(NAME, SERVER_FAILED)
            self._claims.give_back(claim, f"The server failed ({type(error).__name__}).", fruitless=True)
        else:
            outputs.note(NAME, f"Checked: {WORKS}")
            self._claims.end(claim, "queued", WORKS, outputs.publish_agent, fruitless_claims=0)
        finally:
            outputs.clear()

    def sweep(self) -> None:
        """Gives back to the queue what lost its worker or its job, and clears away what nobody needs."""
        try:
            self._give_back()
        except DBAPIError:
            # Who cannot reach the database, or write to it, is silent and yet alive.
            self._trusts_silence_from_s = time.monotonic() + self._settings.lost_after_s
            raise
        self._clear_folders()
        self._clear_uploads()
        self._retention.sweep()

    def _give_back(self) -> None:
        lost = self._lost()
        if lost and time.monotonic() < self._trusts_silence_from_s:
            self._try_to_write(lost[0])
            return
        for submission in lost:
            with self._database.write() as session:
                session.add(submission)
                given = requeue(session, self._queue, submission, "The worker was lost; another continues.")
            if given:
                _log.warning("Gave %s back to the queue.", submission.id)

    def _try_to_write(self, submission: Submission) -> None:
        """Raises while nobody can write."""
        with self._database.write() as session:
            same = update(Submission).where(Submission.id == submission.id).values(heartbeat_s=Submission.heartbeat_s)
            session.execute(same.execution_options(synchronize_session=False))

    def _check(self, submission: Submission, outputs: Outputs) -> None:
        find_offer(self._settings, submission.task)
        if submission.source == "upload":
            check_uploads(self._settings)
            self._unpack(submission, outputs)
        task = server_task(self._settings, submission.task)
        with open_entrant(self._settings, submission, task, 0, outputs.agent, outputs.log) as entrant:
            try_out(entrant, task.kind, task.spec)

    def _unpack(self, submission: Submission, outputs: Outputs) -> None:
        from pentathlon.server.sandbox.unpacking.unpack import unpack

        outputs.clear()
        outputs.agent.parent.mkdir(parents=True)
        unpack(self._settings.upload(submission.id), outputs.agent, self._settings.limits)

    def _keep(self, claim: Claim) -> None:
        self._claims.beat(claim)

    def _lost(self) -> list[Submission]:
        """Submissions in hand whose holder is silent, and waiting ones that no queue holds."""
        silent = Submission.heartbeat_s < time.time() - self._settings.lost_after_s
        with self._database.read() as session:
            held = list(session.scalars(select(Submission).where(Submission.state.in_(ACTIVE), silent)))
            waiting = list(session.scalars(select(Submission).where(Submission.state.in_(WAITING), silent)))
            session.expunge_all()
        return held + self._without_job(waiting)

    def _without_job(self, waiting: list[Submission]) -> list[Submission]:
        """Those of ``waiting`` whose job has been out of its queue for long; it may just have been taken up."""
        jobs = {_job(submission): submission for submission in waiting}
        now_s = time.monotonic()
        gone = jobs.keys() - self._queue.waiting(list(jobs))
        self._gone_since_s = {job: self._gone_since_s.get(job, now_s) for job in gone}
        return [
            jobs[job] for job, since_s in self._gone_since_s.items() if now_s - since_s > self._settings.lost_after_s
        ]

    def _clear_folders(self) -> None:
        """Removes the unpacked agents of submissions that have ended, and what was not published; archives stay."""
        data = self._settings.data
        folders = [path for name in ("agent", "unpublished") for path in data.glob(f"submissions/*/{name}")]
        ids = {path.parent.name for path in folders}
        # A worker notices within a heartbeat that its submission has ended.
        ended = (Submission.state.in_(FINAL), Submission.ended_s < time.time() - self._settings.lost_after_s)
        with self._database.read() as session:
            unneeded = set(session.scalars(select(Submission.id).where(Submission.id.in_(ids), *ended)))
        for folder in folders:
            if folder.parent.name in unneeded:
                shutil.rmtree(folder, ignore_errors=True)

    def _clear_uploads(self) -> None:
        """Removes archives that will not run any more, and what an upload left that was never accepted."""
        now_s = time.time()
        paths = {path.stem: path for path in self._settings.data.glob("uploads/*")}
        columns = select(Submission.id, Submission.state, Submission.ended_s).where(Submission.id.in_(paths))
        with self._database.read() as session:
            known = {row.id: row for row in session.execute(columns)}
        for submission, path in paths.items():
            row = known.get(submission)
            # An upload is on the disk before it is accepted.
            kept_s = ORPHAN_AFTER_S if row is None else self._kept_s(row.state)
            since_s = _modified_s(path) if row is None or row.ended_s is None else row.ended_s
            if now_s - since_s >= kept_s:
                path.unlink(missing_ok=True)

    def _kept_s(self, state: State) -> float:
        if state not in FINAL:
            return float("inf")
        return self._settings.archives_kept_s if state in ("finished", "failed") else 0.0


def _job(submission: Submission) -> str:
    return job_id(submission.id, queue_of(submission), submission.claim)


def _modified_s(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return float("inf")
