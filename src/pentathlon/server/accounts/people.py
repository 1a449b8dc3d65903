"""What operators do with the accounts of others: list, disable, let in again, delete."""

from __future__ import annotations

import time
from dataclasses import dataclass

from sqlalchemy import Subquery, delete, func, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from pentathlon.server.errors import ConflictError, NotFoundError
from pentathlon.server.queue.states import FINAL
from pentathlon.server.queue.submissions import cancel
from pentathlon.server.queue.tables import Account, SignIn, Submission, Token


@dataclass(frozen=True)
class Person:
    """An account with what belongs to it, in numbers."""

    account: Account
    tokens: int
    submissions: int


def list_people(session: Session, skip: int, limit: int) -> list[Person]:
    """Lists the accounts by name, without those that are being deleted."""
    tokens = _count(Token.account_id, Token.revoked_s.is_(None), Token.expires_s > time.time())
    submissions = _count(Submission.account_id)
    statement = (
        select(Account, func.coalesce(tokens.c.number, 0), func.coalesce(submissions.c.number, 0))
        .outerjoin(tokens, tokens.c.account_id == Account.id)
        .outerjoin(submissions, submissions.c.account_id == Account.id)
        .where(Account.deleted_s.is_(None))
    )
    rows = session.execute(statement.order_by(Account.name).offset(skip).limit(limit))
    return [Person(*row) for row in rows]


def find_person(session: Session, name: str) -> Account:
    """Returns the account of a name.

    Raises:
        NotFoundError: when there is none.
    """
    account = session.scalar(select(Account).where(Account.name == name, Account.deleted_s.is_(None)))
    if account is None:
        raise NotFoundError(f"There is no account {name[:80]!r} here.")
    return account


def disable(session: Session, account: Account, operator: Account) -> None:
    """Lets nobody in with the account, and ends what it has under way.

    Raises:
        ConflictError: when it is the operator's own, since nobody might be left to undo it.
    """
    if account.id == operator.id:
        raise ConflictError("This is your own account; let another operator do it.")
    account.disabled_s = account.disabled_s or time.time()
    tokens = select(Token.id).where(Token.account_id == account.id)
    session.execute(delete(SignIn).where(SignIn.token_id.in_(tokens)))
    unfinished = select(Submission).where(Submission.account_id == account.id, Submission.state.not_in(FINAL))
    for submission in session.scalars(unfinished).all():
        cancel(session, submission, operator)


def enable(account: Account) -> None:
    """Lets the owner in again."""
    account.disabled_s = None


def mark_deleted(session: Session, account: Account, operator: Account) -> None:
    """Disables the account for good; the clerk removes what belongs to it once no worker holds any of it."""
    disable(session, account, operator)
    account.deleted_s = time.time()


def _count(owner: InstrumentedAttribute[str], *where: object) -> Subquery:
    counted = select(owner.label("account_id"), func.count().label("number")).where(*where)  # type: ignore[arg-type]
    return counted.group_by(owner).subquery()
