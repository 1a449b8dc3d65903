"""Accounts and their tokens, which programs show with each request.

A token is shown once, when it is made; the database keeps its digest. It expires, so that one that was forgotten
somewhere does not open the account for ever.
"""

from __future__ import annotations

import re
import secrets
import time
from dataclasses import dataclass

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pentathlon.server.accounts.credentials import Credential
from pentathlon.server.errors import BadRequestError, ConflictError, NotFoundError, NotSignedInError
from pentathlon.server.queue.tables import NAME_LENGTH, Account, Role, SignIn, Token
from pentathlon.server.sizes import DAY_S

KIND = "pent"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
MAX_SHARE = 10
MAX_TOKENS = 50
TOKEN_DAYS = 365


@dataclass(frozen=True)
class Made:
    """An account or token just made, with the secret that is never shown again."""

    account: Account
    token: Token
    secret: str


def make_account(
    session: Session, name: str, role: Role = "user", share: int = 1, token_days: float = TOKEN_DAYS
) -> Made:
    """Makes an account and its first token.

    Args:
        session: a writing session.
        name: shown to operators only; names that differ in case alone are the same.
        role: operators may do everything.
        share: how many turns in the queue the account gets for one of an ordinary account, 1 to 10.
        token_days: after which the token expires.
    """
    if not _NAME.fullmatch(name) or len(name) > NAME_LENGTH:
        raise BadRequestError(
            f"Expected a name of 1 to {NAME_LENGTH} letters, digits, dots, dashes and underscores, got {name[:80]!r}."
        )
    if not 1 <= share <= MAX_SHARE:
        raise BadRequestError(f"Expected a share from 1 to {MAX_SHARE}, got {share}.")
    name = name.lower()
    if session.scalar(select(Account.id).where(Account.name == name)):
        raise _name_taken(name)
    account = Account(
        id=secrets.token_hex(8),
        name=name,
        role=role,
        share=share,
        created_s=time.time(),
        disabled_s=None,
        deleted_s=None,
    )
    session.add(account)
    try:
        session.flush()
    except IntegrityError as error:
        # Somebody else took it a moment ago.
        raise _name_taken(name) from error
    return make_token(session, account, "first", token_days)


def make_token(session: Session, account: Account, label: str, token_days: float = TOKEN_DAYS) -> Made:
    """Makes a further token of ``account``.

    Raises:
        ConflictError: when it has as many as it may.
    """
    if len(tokens_of(session, account)) >= MAX_TOKENS:
        raise ConflictError(f"You have {MAX_TOKENS} tokens, the most allowed; revoke one first.")
    drawn, now_s = Credential.draw(KIND), time.time()
    token = Token(
        id=drawn.id,
        account_id=account.id,
        digest=drawn.digest,
        label=label[:NAME_LENGTH],
        created_s=now_s,
        expires_s=now_s + token_days * DAY_S,
        revoked_s=None,
    )
    session.add(token)
    session.flush()
    return Made(account, token, str(drawn))


def authenticate(session: Session, presented: str) -> tuple[Account, Token]:
    """Returns the account whose token is ``presented``, and the token.

    Raises:
        NotSignedInError: when the token is malformed, unknown or revoked, and the message does not tell which; when it
            has expired or its account is disabled, which is told to who has the secret.
    """
    shown = Credential.read(presented)
    found = None
    if shown is not None and shown.kind == KIND:
        statement = select(Token, Account).join(Account, Account.id == Token.account_id).where(Token.id == shown.id)
        found = session.execute(statement).one_or_none()
    if shown is None or not shown.matches(found[0].digest if found else None) or found is None or found[0].revoked_s:
        raise NotSignedInError("The token is not known here. Check it, or ask the operator for a new one.")
    token, account = found
    if token.expires_s < time.time():
        raise NotSignedInError("The token has expired. Ask the operator for a new one.")
    check_enabled(account)
    return account, token


def check_enabled(account: Account) -> None:
    """Refuses an account that an operator closed.

    Raises:
        NotSignedInError: saying so.
    """
    if account.disabled_s is not None:
        raise NotSignedInError("This account is disabled. Ask the operator why.")


def tokens_of(session: Session, account: Account) -> list[Token]:
    """Lists the tokens of ``account`` that still hold, the oldest first."""
    statement = select(Token).where(
        Token.account_id == account.id, Token.revoked_s.is_(None), Token.expires_s > time.time()
    )
    return list(session.scalars(statement.order_by(Token.created_s)))


def revoke_token(session: Session, account: Account, token_id: str) -> None:
    """Makes one token of ``account`` worthless, and ends the sign-ins that were made with it.

    Raises:
        NotFoundError: when it has no such token.
        ConflictError: when that is its last one, without which nobody could sign in.
    """
    # Two requests at once must not each leave the token of the other; PostgreSQL needs to be told.
    session.execute(select(Account.id).where(Account.id == account.id).with_for_update())
    tokens = {token.id: token for token in tokens_of(session, account)}
    if token_id not in tokens:
        raise NotFoundError("You have no such token.")
    if len(tokens) == 1:
        raise ConflictError("This is your last token. Make another one first, or nobody could sign in any more.")
    tokens[token_id].revoked_s = time.time()
    session.execute(delete(SignIn).where(SignIn.token_id == token_id))


def reset_tokens(session: Session, account: Account, token_days: float = TOKEN_DAYS) -> Made:
    """Makes all tokens and sign-ins of ``account`` worthless, and one new token."""
    of_account = select(Token.id).where(Token.account_id == account.id)
    session.execute(delete(SignIn).where(SignIn.token_id.in_(of_account)))
    for token in tokens_of(session, account):
        token.revoked_s = time.time()
    session.flush()
    return make_token(session, account, "reset", token_days)


def first_operator(session: Session) -> Account | None:
    """Returns the operator who has been here longest."""
    enabled = (Account.role == "operator", Account.disabled_s.is_(None))
    return session.scalar(select(Account).where(*enabled).order_by(Account.created_s).limit(1))


def _name_taken(name: str) -> ConflictError:
    return ConflictError(f"The name {name!r} is taken; choose another.")
