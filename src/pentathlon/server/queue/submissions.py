"""Submissions and their states.

The row in the table is the truth. Every step is one compare-and-set inside one transaction: it names the state and the
claim it starts from, and does nothing when another process was first. So a submission ends exactly once.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, bindparam, select, update
from sqlalchemy.orm import Session

from pentathlon.server.errors import ConflictError, NotFoundError
from pentathlon.server.queue.database import Reader
from pentathlon.server.queue.fairness import place_in_queue
from pentathlon.server.queue.jobs import JobQueue
from pentathlon.server.queue.states import FINAL, STEPS, State
from pentathlon.server.queue.tables import Account, Challenge, Source, StateChange, Submission
from pentathlon.server.quotas import check_quota
from pentathlon.server.sandbox.log import printable
from pentathlon.server.settings import Quota

MAX_REASON = 4000
# Made once: to make a statement costs more than to run this one.
_ONE = select(Submission.__table__).where(Submission.id == bindparam("id"))


@dataclass(frozen=True)
class Entry:
    """What somebody hands in: an uploaded archive or the address of a remote entrant."""

    id: str
    source: Source
    challenge: Challenge
    task: str
    title: str
    trials_total: int
    request_key: str | None = None
    sha256: str = ""
    size_bytes: int = 0
    url: str = ""
    remote_token: str = ""


def new_id() -> str:
    """Draws the id of a submission."""
    return secrets.token_hex(8)


def find_request(session: Session, account: Account, request_key: str | None) -> Submission | None:
    """Returns the submission that an earlier sending of the same request made."""
    if request_key is None:
        return None
    return session.scalar(
        select(Submission).where(Submission.account_id == account.id, Submission.request_key == request_key)
    )


def check_same(earlier: Submission, entry: Entry) -> None:
    """Refuses a request that has the key of an earlier one and asks for something else.

    Raises:
        ConflictError: since answering with the earlier submission would say that this one was taken.
    """
    names = ["source", "challenge", "task", "title", "sha256", "url"]
    if earlier.state not in FINAL:
        # It is forgotten with the end.
        names.append("remote_token")
    if any(getattr(earlier, name) != getattr(entry, name) for name in names):
        raise ConflictError(
            f"The key {entry.request_key!r} was sent before with something else; send another Idempotency-Key."
        )


def accept(session: Session, queue: JobQueue, account: Account, entry: Entry, quota: Quota) -> Submission:
    """Adds a submission, to be checked first; all or nothing."""
    # Two requests of one account at once must not both see room for one; PostgreSQL needs to be told.
    session.execute(select(Account.id).where(Account.id == account.id).with_for_update())
    again = find_request(session, account, entry.request_key)
    if again is not None:
        check_same(again, entry)
        return again
    check_quota(session, account, quota, entry.size_bytes)
    now_s = time.time()
    submission = Submission(
        **vars(entry),
        account_id=account.id,
        state="received",
        reason="",
        priority=place_in_queue(session, account),
        claim=0,
        fruitless_claims=0,
        worker="",
        heartbeat_s=now_s,
        created_s=now_s,
        entered_s=now_s,
        started_s=None,
        ended_s=None,
        trials_done=0,
        scores=None,
    )
    session.add(submission)
    session.flush()
    session.add(StateChange(submission_id=submission.id, state="received", reason="", worker="", at_s=now_s))
    queue.put(session, "checks", submission)
    return submission


def step(session: Session, submission: Submission, to: State, reason: str = "", **changes: Any) -> bool:
    """Moves ``submission`` on from the state and claim that the caller read, unless somebody was first.

    Args:
        session: a writing session.
        submission: as read by the caller; brought up to date on success.
        to: the next state, one of those that :data:`STEPS` allows.
        reason: told to the submitter.
        changes: further columns to set.

    Returns:
        Whether the step was taken; ``False`` when state or claim had changed meanwhile.
    """
    if to not in STEPS[submission.state]:
        return False
    now_s = time.time()
    reason = told(reason)
    values = {"state": to, "reason": reason, "entered_s": now_s, "heartbeat_s": now_s, **changes}
    if to in FINAL:
        values |= {"ended_s": now_s, "remote_token": ""}
    guard = (
        Submission.id == submission.id,
        Submission.state == submission.state,
        Submission.claim == submission.claim,
    )
    taken = session.execute(
        update(Submission).where(*guard).values(**values).execution_options(synchronize_session=False)
    )
    if taken.rowcount != 1:  # type: ignore[attr-defined]
        return False
    session.refresh(submission)
    session.add(StateChange(submission_id=submission.id, state=to, reason=reason, worker=submission.worker, at_s=now_s))
    return True


def told(reason: str) -> str:
    """Makes a reason fit to be kept and shown, whatever a stranger's program said in it."""
    return printable(reason[:MAX_REASON])


def cancel(session: Session, submission: Submission, account: Account) -> None:
    """Ends a submission at the wish of ``account``; a worker that runs it notices within a heartbeat.

    Raises:
        ConflictError: when it has ended already, or just changed its state.
    """
    if submission.state in FINAL:
        raise ConflictError(f"The submission has already ended: {submission.state}.")
    who = "its owner" if account.id == submission.account_id else "the operator"
    if not step(session, submission, "cancelled", f"Cancelled by {who}."):
        raise ConflictError("The submission has just changed its state; look again and repeat.")


def find(session: Session, submission_id: str, account: Account) -> Submission:
    """Returns a submission that ``account`` may see.

    Raises:
        NotFoundError: also when it belongs to somebody else, so that ids tell nothing.
    """
    submission = session.get(Submission, submission_id)
    if submission is None or not _may_see(account, submission):
        raise _not_found()
    return submission


def look_up(reader: Reader, submission_id: str, account: Account) -> Row[Any]:
    """Reads a submission as :func:`find` does, to be looked at only: polls are most of all requests.

    Raises:
        NotFoundError: as there.
    """
    row = reader.execute(_ONE, {"id": submission_id}).one_or_none()
    if row is None or not _may_see(account, row):
        raise _not_found()
    return row


def _may_see(account: Account, submission: Submission | Row[Any]) -> bool:
    return submission.account_id == account.id or account.role == "operator"


def _not_found() -> NotFoundError:
    return NotFoundError("You have no submission of that id.")
