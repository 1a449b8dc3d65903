"""How workers hold submissions: they take a claim, keep it alive and give it up.

A claim is a number in the submission's row. Whoever takes the submission over raises the number, and from then on
whatever the former holder still writes is refused. Each function is one transaction and may be repeated when the
database was away.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from pentathlon.core.errors import PentathlonError
from pentathlon.server.queue.database import Database, patiently
from pentathlon.server.queue.jobs import JobQueue, QueueName
from pentathlon.server.queue.states import State
from pentathlon.server.queue.submissions import step, told
from pentathlon.server.queue.tables import StateChange, Submission, TrialRecord

Result = TypeVar("Result")

ACTIVE_STATE: dict[QueueName, State] = {"checks": "checking", "robots": "running", "tasks": "running"}
WAITING_STATE: dict[QueueName, State] = {"checks": "received", "robots": "queued", "tasks": "queued"}


ROBOT_EVENT = "act/"


class ClaimLostError(PentathlonError):
    """The submission was cancelled or taken over; what its former holder does counts no more."""


@dataclass(frozen=True)
class Claim:
    """A submission in the hands of one worker.

    Attributes:
        submission: as it was when taken.
        number: to be compared with the row's before anything is written.
    """

    submission: Submission
    number: int


class Claims:
    """Takes and holds claims of one queue for one worker.

    Args:
        database: of the server.
        queue: jobs that are given back go there.
        name: of the queue that the worker serves.
        worker: its name.
        fruitless_limit: claims in a row without a recorded trial after which a submission fails.
    """

    def __init__(self, database: Database, queue: JobQueue, name: QueueName, worker: str, fruitless_limit: int) -> None:
        self._database, self._queue = database, queue
        self._name, self._worker = name, worker
        self._fruitless_limit = fruitless_limit
        self._active, self._waiting = ACTIVE_STATE[name], WAITING_STATE[name]

    def take(self, submission_id: str, number: int) -> Claim | None:
        """Takes the submission that a job names, or ``None`` when the job is out of date.

        A worker that died and started again under its name takes up what it held.
        """
        return self._write(lambda session: self._take(session, submission_id, number))

    def beat(self, claim: Claim) -> bool:
        """Tells that the holder lives; returns whether it still is the holder. Does not wait for the database."""
        with self._database.write() as session:
            return self._touch(session, claim, heartbeat_s=time.time())

    def record(self, claim: Claim, record: TrialRecord, publish: Callable[[], None]) -> None:
        """Records a trial, once.

        Args:
            claim: the holder's.
            record: of the trial.
            publish: is called while the claim holds and nobody can take it; may be called again when the database was
                away meanwhile.

        Raises:
            ClaimLostError: when the claim is no longer the holder's.
        """

        def write(session: Session) -> None:
            new = session.get(TrialRecord, (record.submission_id, record.trial)) is None
            done = Submission.trials_done + int(new)
            # The row is locked from here to the commit, so whoever wants to take over has to wait.
            if not self._touch(session, claim, trials_done=done, fruitless_claims=0, heartbeat_s=time.time()):
                raise ClaimLostError(f"The submission {claim.submission.id} was cancelled or taken over.")
            if new:
                publish()
                session.merge(record)

        self._write(write)

    def end(
        self, claim: Claim, to: State, reason: str, publish: Callable[[], None] | None = None, **changes: Any
    ) -> bool:
        """Moves the submission on to ``to``; returns whether the claim was still good.

        Args:
            claim: the holder's.
            to: the next state.
            reason: told to the submitter.
            publish: as that of :meth:`record`.
            changes: further columns to set.
        """

        def write(session: Session) -> bool:
            submission = self._held(session, claim)
            if submission is None or not step(session, submission, to, reason, **changes):
                return False
            if publish is not None:
                publish()
            if to == "queued":
                submission.worker = ""
                self._queue.put(session, queue_of(submission), submission)
            return True

        return self._write(write)

    def give_back(self, claim: Claim, reason: str, *, fruitless: bool) -> bool:
        """Sends the submission back to the queue, to be continued by another worker.

        Args:
            claim: the holder's.
            reason: told to the submitter.
            fruitless: whether this counts as an attempt that the submission may have spoilt.
        """

        def write(session: Session) -> bool:
            submission = self._held(session, claim)
            if submission is None:
                return False
            attempts = submission.fruitless_claims - (not fruitless)
            return requeue(session, self._queue, submission, reason, fruitless_claims=max(0, attempts))

        return self._write(write)

    def pass_on(self, submission_id: str, number: int) -> None:
        """Puts a job back that was received but not taken up, for another worker."""

        def write(session: Session) -> None:
            submission = session.get(Submission, submission_id)
            if submission is not None and (submission.state, submission.claim) == (self._waiting, number):
                requeue(session, self._queue, submission, submission.reason)

        self._write(write)

    def _take(self, session: Session, submission_id: str, number: int) -> Claim | None:
        submission = session.get(Submission, submission_id)
        if submission is None or submission.claim < number:
            return None
        if submission.state == self._active and submission.worker == self._worker:
            return self._resume(session, submission)
        if submission.state != self._waiting or submission.claim != number:
            return None
        if self._is_hopeless(session, submission):
            return None
        started_s = submission.started_s
        if self._name != "checks":
            started_s = started_s or time.time()
        changes: dict[str, Any] = {"fruitless_claims": submission.fruitless_claims + 1, "started_s": started_s}
        taken = step(session, submission, self._active, worker=self._worker, **changes)
        return Claim(submission, number) if taken else None

    def _resume(self, session: Session, submission: Submission) -> Claim | None:
        # A new number, in case the process that died was only cut off and still writes.
        held = Claim(submission, submission.claim)
        number = submission.claim + 1
        if self._is_hopeless(session, submission):
            return None
        changes = {"claim": number, "fruitless_claims": submission.fruitless_claims + 1, "heartbeat_s": time.time()}
        return Claim(submission, number) if self._touch(session, held, **changes) else None

    def _is_hopeless(self, session: Session, submission: Submission) -> bool:
        """Ends a submission that was begun too often without getting anywhere, and says whether it was."""
        if submission.fruitless_claims < self._fruitless_limit:
            return False
        end: State = "refused" if self._name == "checks" else "failed"
        step(session, submission, end, f"Its evaluation broke off {self._fruitless_limit} times at the same place.")
        return True

    def _touch(self, session: Session, held: Claim, /, **changes: Any) -> bool:
        guard = (
            Submission.id == held.submission.id,
            Submission.claim == held.number,
            Submission.state == self._active,
        )
        statement = update(Submission).where(*guard).values(**changes).execution_options(synchronize_session=False)
        return session.execute(statement).rowcount == 1  # type: ignore[attr-defined, no-any-return]

    def _held(self, session: Session, claim: Claim) -> Submission | None:
        return session.scalar(
            select(Submission).where(
                Submission.id == claim.submission.id,
                Submission.claim == claim.number,
                Submission.state == self._active,
            )
        )

    def _write(self, work: Callable[[Session], Result]) -> Result:
        def transaction() -> Result:
            with self._database.write() as session:
                return work(session)

        return patiently(transaction)


def queue_of(submission: Submission) -> QueueName:
    """The queue of an unfinished submission: tasks of act need a robot, others a plain worker."""
    if submission.state in ("received", "checking"):
        return "checks"
    return "robots" if needs_robot(submission.task) else "tasks"


def needs_robot(task: str) -> bool:
    """Whether a task is run on robots."""
    return task.startswith(ROBOT_EVENT)


def requeue(session: Session, queue: JobQueue, submission: Submission, reason: str, **changes: Any) -> bool:
    """Raises the claim of an unfinished submission and puts a new job for it into its queue.

    Returns:
        Whether this was done; ``False`` when state or claim had changed meanwhile.
    """
    name = queue_of(submission)
    waiting = WAITING_STATE[name]
    now_s, reason = time.time(), told(reason)
    guard = (
        Submission.id == submission.id,
        Submission.claim == submission.claim,
        Submission.state == submission.state,
    )
    values = {
        "claim": submission.claim + 1,
        "state": waiting,
        "reason": reason,
        "worker": "",
        "heartbeat_s": now_s,
        **changes,
    }
    statement = update(Submission).where(*guard).values(**values).execution_options(synchronize_session=False)
    if session.execute(statement).rowcount != 1:  # type: ignore[attr-defined]
        return False
    if submission.state != waiting:
        change = StateChange(
            submission_id=submission.id,
            state=waiting,
            reason=reason,
            worker=submission.worker,
            at_s=now_s,
        )
        session.add(change)
    session.refresh(submission)
    queue.put(session, name, submission)
    return True
