"""Accounts and tokens."""

from __future__ import annotations

import threading
import time

import pytest
from desk import Desk
from sqlalchemy import select
from visiting import cookie_for

from pentathlon.server.accounts.sign_ins import sign_out, who_signed_in
from pentathlon.server.accounts.tokens import (
    MAX_TOKENS,
    authenticate,
    make_account,
    make_token,
    reset_tokens,
    revoke_token,
    tokens_of,
)
from pentathlon.server.api.dependencies import SIGN_IN_COOKIE
from pentathlon.server.errors import BadRequestError, ConflictError, NotFoundError, NotSignedInError
from pentathlon.server.queue.tables import Account, Token


def test_a_token_opens_its_own_account_only(desk: Desk) -> None:
    ada, ada_token = desk.account("ada")
    bob, bob_token = desk.account("bob")
    with desk.database.read() as session:
        assert authenticate(session, ada_token)[0].id == ada.id
        assert authenticate(session, bob_token)[0].id == bob.id


def test_the_database_holds_no_secret(desk: Desk) -> None:
    _, token = desk.account("ada")
    secret = token.split("_", 2)[2]
    assert len(secret) >= 43
    with desk.database.read() as session:
        stored = session.scalars(select(Token)).one()
    assert secret not in " ".join(map(str, vars(stored).values()))


@pytest.mark.parametrize(
    "spoil", [lambda t: "", lambda t: t[:-1], lambda t: t + "x", lambda t: "pent_1_2", lambda t: "_"]
)
def test_a_wrong_token_is_refused_without_saying_why(desk: Desk, spoil: object) -> None:
    _, token = desk.account("ada")
    with desk.database.read() as session, pytest.raises(NotSignedInError, match="not known here"):
        authenticate(session, spoil(token))  # type: ignore[operator]


def test_a_revoked_token_is_worthless_and_others_stay(desk: Desk) -> None:
    ada, first = desk.account("ada")
    with desk.database.write() as session:
        second = make_token(session, ada, "laptop")
    with desk.database.write() as session:
        revoke_token(session, ada, second.token.id)
    with desk.database.read() as session:
        assert [token.label for token in tokens_of(session, ada)] == ["first"]
        assert authenticate(session, first)[0].id == ada.id
        with pytest.raises(NotSignedInError):
            authenticate(session, second.secret)


def test_nobody_revokes_the_token_of_another(desk: Desk) -> None:
    ada, _ = desk.account("ada")
    bob, _ = desk.account("bob")
    with desk.database.read() as session:
        token = tokens_of(session, ada)[0]
    with pytest.raises(NotFoundError), desk.database.write() as session:
        revoke_token(session, bob, token.id)


def test_names_are_unique_and_plain(desk: Desk) -> None:
    desk.account("ada")
    with pytest.raises(ConflictError, match="taken"):
        desk.account("ada")
    for name in ("", "a b", "<b>", "x" * 65, "ü\x00"):
        with pytest.raises(BadRequestError, match="Expected a name"), desk.database.write() as session:
            make_account(session, name)


def test_two_who_want_one_name_at_once_get_it_once(either_desk: Desk) -> None:
    late: list[str] = []

    def ask() -> None:
        try:
            either_desk.account("ada")
        except ConflictError as error:
            late.append(str(error))

    second = threading.Thread(target=ask)
    with either_desk.database.write() as session:
        make_account(session, "ada")
        second.start()
        time.sleep(0.3)
    second.join(20)
    assert late == ["The name 'ada' is taken; choose another."]


def test_an_account_has_so_many_tokens(desk: Desk) -> None:
    ada, _ = desk.account("ada")
    with desk.database.write() as session:
        made = [make_token(session, ada, "more") for _ in range(MAX_TOKENS - 1)]
        with pytest.raises(ConflictError, match="50 tokens, the most allowed"):
            make_token(session, ada, "one too many")
        revoke_token(session, ada, made[0].token.id)
        session.flush()
        make_token(session, ada, "in its place")


def test_a_token_expires_and_says_so(desk: Desk) -> None:
    ada, _ = desk.account("ada")
    with desk.database.write() as session:
        old = make_token(session, ada, "old", token_days=-0.1)
    with desk.database.read() as session:
        assert [token.label for token in tokens_of(session, ada)] == ["first"]
        with pytest.raises(NotSignedInError, match="has expired"):
            authenticate(session, old.secret)


def test_the_last_token_is_not_revoked(desk: Desk) -> None:
    ada, first = desk.account("ada")
    with desk.database.read() as session:
        (only,) = tokens_of(session, ada)
    with pytest.raises(ConflictError, match="last token"), desk.database.write() as session:
        revoke_token(session, ada, only.id)
    with desk.database.read() as session:
        assert authenticate(session, first)[0].id == ada.id


def test_a_reset_leaves_one_new_token_and_no_sign_in(desk: Desk) -> None:
    ada, first = desk.account("ada")
    cookie = cookie_for(desk.database, first)
    with desk.database.write() as session:
        made = reset_tokens(session, session.get_one(Account, ada.id))
    with desk.database.read() as session:
        assert [token.id for token in tokens_of(session, ada)] == [made.token.id]
        assert authenticate(session, made.secret)[0].id == ada.id
        for look in (lambda: authenticate(session, first), lambda: who_signed_in(session, cookie)):
            with pytest.raises(NotSignedInError):
                look()


def test_signing_out_ends_the_cookie_and_not_the_token(desk: Desk) -> None:
    _, token = desk.account("ada")
    cookie = cookie_for(desk.database, token)
    with desk.database.write() as session:
        assert who_signed_in(session, cookie).name == "ada"
        sign_out(session, f"{cookie}x")
        assert who_signed_in(session, cookie).name == "ada", "only who has the cookie ends it"
        sign_out(session, cookie)
        with pytest.raises(NotSignedInError):
            who_signed_in(session, cookie)
        assert authenticate(session, token)[0].name == "ada"


def test_a_cookie_is_worth_no_more_than_the_token_it_was_made_with(desk: Desk) -> None:
    ada, first = desk.account("ada")
    with desk.database.write() as session:
        laptop = make_token(session, ada, "laptop")
    cookie = cookie_for(desk.database, laptop.secret)
    with desk.database.write() as session:
        revoke_token(session, ada, laptop.token.id)
        with pytest.raises(NotSignedInError):
            who_signed_in(session, cookie)
    with desk.web() as web:
        assert web.get("/api/account", headers={"Authorization": f"Bearer {cookie}"}).status_code == 401
        web.cookies.set(SIGN_IN_COOKIE, first)
        assert web.get("/api/account").status_code == 401, "a token in the cookie opens nothing"
