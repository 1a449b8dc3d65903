"""Sign-ins: what a browser shows in place of a token. Signing out ends one for good, and the token stays."""

from __future__ import annotations

import time

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from pentathlon.server.accounts.credentials import Credential
from pentathlon.server.accounts.tokens import check_enabled
from pentathlon.server.errors import NotSignedInError
from pentathlon.server.queue.tables import Account, SignIn, Token
from pentathlon.server.sizes import DAY_S

KIND = "seen"
SIGN_IN_DAYS = 30


def sign_in(session: Session, token: Token) -> str:
    """Makes a sign-in with a good token and returns what goes into the cookie."""
    drawn, now_s = Credential.draw(KIND), time.time()
    expires_s = min(token.expires_s, now_s + SIGN_IN_DAYS * DAY_S)
    session.add(SignIn(id=drawn.id, token_id=token.id, digest=drawn.digest, created_s=now_s, expires_s=expires_s))
    return str(drawn)


def who_signed_in(session: Session, presented: str) -> Account:
    """Returns the account of a cookie.

    Raises:
        NotSignedInError: when it was ended, or its token or account is no longer good.
    """
    shown = Credential.read(presented)
    found = None
    if shown is not None and shown.kind == KIND:
        held = (SignIn.id == shown.id, SignIn.expires_s > time.time(), Token.revoked_s.is_(None))
        statement = select(SignIn, Account).join(Token, Token.id == SignIn.token_id)
        found = session.execute(statement.join(Account, Account.id == Token.account_id).where(*held)).one_or_none()
    if shown is None or not shown.matches(found[0].digest if found else None) or found is None:
        raise NotSignedInError("You are not signed in any more. Sign in again.")
    check_enabled(found[1])
    return found[1]


def token_of(session: Session, presented: str) -> str:
    """Returns the id of the token that a cookie was made with, empty when there is none."""
    shown = Credential.read(presented)
    return "" if shown is None else session.scalar(select(SignIn.token_id).where(SignIn.id == shown.id)) or ""


def sign_out(session: Session, presented: str) -> None:
    """Ends a sign-in, if it is one; whoever kept a copy of the cookie has nothing."""
    shown = Credential.read(presented)
    if shown is not None:
        session.execute(delete(SignIn).where(SignIn.id == shown.id, SignIn.digest == shown.digest))
