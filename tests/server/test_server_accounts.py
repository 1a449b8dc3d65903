"""Accounts and tokens."""

from __future__ import annotations

import threading
import time

import pytest
from desk import Desk
from sqlalchemy import select

from pentathlon.server.errors import BadRequestError, ConflictError, NotFoundError, NotSignedInError
from pentathlon.server.queue.accounts import MAX_TOKENS, authenticate, make_account, make_token, revoke_token, tokens_of
from pentathlon.server.queue.tables import Token


def test_a_token_opens_its_own_account_only(desk: Desk) -> None:
    ada, ada_token = desk.account("ada")
    bob, bob_token = desk.account("bob")
    with desk.database.read() as session:
        assert authenticate(session, ada_token).id == ada.id
        assert authenticate(session, bob_token).id == bob.id


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
        assert authenticate(session, first).id == ada.id
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
