"""How much one account may hand in: submissions under way, and submissions and bytes in a day."""

from __future__ import annotations

import time

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pentathlon.server.errors import ConflictError
from pentathlon.server.queue.states import FINAL
from pentathlon.server.queue.tables import Account, Submission
from pentathlon.server.settings import Quota
from pentathlon.server.sizes import DAY_S, MEBIBYTE


def check_quota(session: Session, account: Account, quota: Quota, wanted_bytes: int = 0) -> None:
    """Refuses a further submission with ``wanted_bytes`` of an account that has handed in what it may.

    Raises:
        ConflictError: and not that of too many requests, after which clients try again by themselves.
    """
    own = Submission.account_id == account.id
    unfinished = session.scalar(select(func.count()).where(own, Submission.state.not_in(FINAL))) or 0
    if unfinished >= quota.unfinished:
        raise ConflictError(
            f"You have {quota.unfinished} submissions under way, the most allowed; wait for one to end or cancel it."
        )
    if account.role != "operator":
        _check_day(session, account, quota, wanted_bytes)


def _check_day(session: Session, account: Account, quota: Quota, wanted_bytes: int) -> None:
    recent = (Submission.account_id == account.id, Submission.created_s > time.time() - DAY_S)
    sums = select(func.count(), func.coalesce(func.sum(Submission.size_bytes), 0), func.min(Submission.created_s))
    number, sent_bytes, first_s = session.execute(sums.where(*recent)).one()
    if number >= quota.submissions:
        raise ConflictError(
            f"You have handed in {number} submissions within 24 hours, and {quota.submissions} are allowed; "
            f"{_wait(first_s)}."
        )
    if sent_bytes + wanted_bytes > quota.upload_bytes:
        raise ConflictError(
            f"You have sent {sent_bytes / MEBIBYTE:.0f} MiB within 24 hours, and {quota.upload_bytes / MEBIBYTE:.0f} "
            f"MiB are allowed, too few for {wanted_bytes / MEBIBYTE:.0f} MiB more; {_wait(first_s)}."
        )


def _wait(first_s: float | None) -> str:
    if first_s is None:
        return "send a smaller archive"
    hours = max(0.1, (first_s + DAY_S - time.time()) / 3600)
    return f"the first of them no longer counts in {hours:.1f} h"
