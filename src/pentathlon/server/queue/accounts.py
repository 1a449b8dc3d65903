"""Accounts and their tokens.

A token is shown once, when it is made; the database keeps the SHA-256 of its secret. A slow hash such as scrypt guards
passwords that people choose; these secrets are 256 random bits, which no amount of guessing finds, and a fast
digest keeps each poll cheap. The digest is compared in constant time.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pentathlon.server.errors import BadRequestError, ConflictError, NotFoundError, NotSignedInError
from pentathlon.server.queue.tables import NAME_LENGTH, Account, Role, Token

_PREFIX = "pent"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
MAX_SHARE = 10
MAX_TOKENS = 50
KNOWN_FOR_S = 10.0
KNOWN_AT_MOST = 10_000


@dataclass(frozen=True)
class Made:
    """An account or token just made, with the secret that is never shown again."""

    account: Account
    token: Token
    secret: str


def make_account(session: Session, name: str, role: Role = "user", share: int = 1) -> Made:
    """Makes an account and its first token.

    Args:
        session: a writing session.
        name: shown to operators only.
        role: operators may do everything.
        share: how many turns in the queue the account gets for one of an ordinary account, 1 to 10.
    """
    if not _NAME.fullmatch(name) or len(name) > NAME_LENGTH:
        raise BadRequestError(
            f"Expected a name of 1 to {NAME_LENGTH} letters, digits, dots, dashes and underscores, got {name[:80]!r}."
        )
    if not 1 <= share <= MAX_SHARE:
        raise BadRequestError(f"Expected a share from 1 to {MAX_SHARE}, got {share}.")
    if session.scalar(select(Account.id).where(Account.name == name)):
        raise _name_taken(name)
    account = Account(id=secrets.token_hex(8), name=name, role=role, share=share, created_s=time.time())
    session.add(account)
    try:
        session.flush()
    except IntegrityError as error:
        # Somebody else took it a moment ago.
        raise _name_taken(name) from error
    return make_token(session, account, "first")


def make_token(session: Session, account: Account, label: str) -> Made:
    """Makes a further token of ``account``.

    Raises:
        ConflictError: when it has as many as it may.
    """
    if len(tokens_of(session, account)) >= MAX_TOKENS:
        raise ConflictError(f"You have {MAX_TOKENS} tokens, the most allowed; revoke one first.")
    secret = secrets.token_urlsafe(32)
    token = Token(
        id=secrets.token_hex(8),
        account_id=account.id,
        digest=_digest(secret),
        label=label[:NAME_LENGTH],
        created_s=time.time(),
        revoked_s=None,
    )
    session.add(token)
    return Made(account, token, f"{_PREFIX}_{token.id}_{secret}")


def authenticate(session: Session, presented: str) -> Account:
    """Returns the account whose token is ``presented``.

    Raises:
        NotSignedInError: when the token is malformed, unknown or revoked; the message does not tell which.
    """
    prefix, _, rest = presented.partition("_")
    token_id, _, secret = rest.partition("_")
    found = None
    if prefix == _PREFIX and secret and token_id.isascii() and token_id.isalnum():
        statement = select(Token, Account).join(Account, Account.id == Token.account_id).where(Token.id == token_id)
        found = session.execute(statement).one_or_none()
    # An unknown id costs the same comparison as a known one.
    matches = hmac.compare_digest(found[0].digest if found else _digest(""), _digest(secret))
    if found is None or not matches or found[0].revoked_s is not None:
        raise NotSignedInError("The token is not known here. Check it, or ask the operator for a new one.")
    return found[1]


class KnownTokens:
    """Remembers for a few seconds which tokens are good, because most requests are polls; kept as digests only.

    Revoking forgets them all; a server has one web process, so that holds at once.
    """

    def __init__(self, for_s: float = KNOWN_FOR_S) -> None:
        self._for_s = for_s
        self._accounts: dict[str, tuple[Account, float]] = {}

    def get(self, presented: str) -> Account | None:
        """Returns the account of a token that was good a moment ago."""
        account, until_s = self._accounts.get(_digest(presented), (None, 0.0))
        return account if time.monotonic() < until_s else None

    def add(self, presented: str, account: Account) -> None:
        """Remembers a good token."""
        now_s = time.monotonic()
        if len(self._accounts) > KNOWN_AT_MOST:
            self._accounts = {digest: entry for digest, entry in self._accounts.items() if entry[1] > now_s}
        self._accounts[_digest(presented)] = (account, now_s + self._for_s)

    def forget(self) -> None:
        """Forgets all tokens."""
        self._accounts = {}


def tokens_of(session: Session, account: Account) -> list[Token]:
    """Lists the tokens of ``account`` that still hold, the oldest first."""
    statement = select(Token).where(Token.account_id == account.id, Token.revoked_s.is_(None))
    return list(session.scalars(statement.order_by(Token.created_s)))


def revoke_token(session: Session, account: Account, token_id: str) -> None:
    """Makes one token of ``account`` worthless."""
    token = session.get(Token, token_id)
    if token is None or token.account_id != account.id or token.revoked_s is not None:
        raise NotFoundError("You have no such token.")
    token.revoked_s = time.time()


def has_operator(session: Session) -> bool:
    """Whether there is an operator yet."""
    return bool(session.scalar(select(func.count()).select_from(Account).where(Account.role == "operator")))


def _name_taken(name: str) -> ConflictError:
    return ConflictError(f"The name {name!r} is taken; choose another.")


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
