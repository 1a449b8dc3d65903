"""Signing in, accounts and tokens."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from desk import Desk
from visiting import cookie_for, text_of, visitor

from pentathlon.server.api.dependencies import SIGN_IN_COOKIE
from pentathlon.server.pages.page_route import local_path


def test_signing_in_sets_a_cookie_that_scripts_and_other_sites_cannot_use(desk: Desk) -> None:
    _, token = desk.account("ada")
    with visitor(desk) as web:
        refused = web.post("/sign-in", data={"token": "pent_0_0"})
        assert refused.status_code == 401
        assert "not known here" in refused.text
        answer = web.post("/sign-in", data={"token": f" {token} ", "to": "/submit"}, follow_redirects=False)
        assert (answer.status_code, answer.headers["Location"]) == (303, "/submit")
        flags = answer.headers["Set-Cookie"].lower()
        assert "httponly" in flags
        assert "samesite=strict" in flags
        assert "Sign out" in web.get("/submit").text
        web.post("/sign-out")
        assert web.get("/submit", follow_redirects=False).headers["Location"] == "/sign-in?to=/submit"


@pytest.mark.parametrize("address", ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:x", ""])
def test_signing_in_never_leads_elsewhere(address: str) -> None:
    assert local_path(address) == "/"


def test_a_cookie_that_is_no_longer_good_leads_to_signing_in(desk: Desk) -> None:
    with visitor(desk) as web:
        web.cookies.set(SIGN_IN_COOKIE, "seen_0_0")
        answer = web.get("/", follow_redirects=False)
        assert answer.headers["Location"] == "/sign-in?to=/"
        assert f'{SIGN_IN_COOKIE}=""' in answer.headers["Set-Cookie"]
        assert web.get("/").status_code == 200


def test_tokens_are_shown_once_and_can_be_revoked(desk: Desk) -> None:
    _, token = desk.account("ada")
    with visitor(desk, token) as web:
        (made,) = re.findall(r"pent_[0-9a-f]{16}_[\w-]{43}", web.post("/account/tokens", data={"label": "desk"}).text)
        assert made.split("_")[2] not in web.get("/account").text
        cookie = cookie_for(desk.database, made)
        with visitor(desk) as again:
            again.cookies.set(SIGN_IN_COOKIE, cookie)
            assert "this browser" in again.get("/account").text
        web.post(f"/account/tokens/{made.split('_')[1]}/revoke")
        assert "desk" not in text_of(web.get("/account").text)
    with visitor(desk) as again:
        again.cookies.set(SIGN_IN_COOKIE, cookie)
        assert again.get("/account", follow_redirects=False).status_code == 303, "its sign-ins ended with it"


def test_accounts_are_made_where_the_server_allows_it(desk_for: Callable[..., Desk]) -> None:
    with visitor(desk_for()) as web:
        assert "Create an account" not in web.get("/sign-in").text
        assert web.post("/accounts", data={"name": "eve"}).status_code == 403
    with visitor(desk_for(open_registration=True)) as web:
        assert "Create an account" in web.get("/sign-in").text
        assert web.post("/accounts", data={"name": "no good"}).status_code == 400
        page = web.post("/accounts", data={"name": "eve"})
        assert re.search(r"pent_[0-9a-f]{16}_", page.text)
        assert "eve" in text_of(web.get("/account").text)
        assert web.post("/accounts", data={"name": "boss", "role": "operator"}).status_code == 403
