"""What operators do with the accounts of others."""

from __future__ import annotations

import time

import pytest
from desk import Desk, trial_record
from sqlalchemy import select
from visiting import add_result, cookie_for, text_of, visitor

from pentathlon.server.api.dependencies import SIGN_IN_COOKIE
from pentathlon.server.queue.claims import ClaimLostError
from pentathlon.server.queue.clerk import Clerk
from pentathlon.server.queue.tables import Account, SignIn, StateChange, Submission, Token, TrialRecord
from pentathlon.server.supervisor import prepare


def rows(desk: Desk, table: type) -> int:
    with desk.database.read() as session:
        return len(list(session.scalars(select(table))))


def sweep(desk: Desk) -> None:
    clerk = Clerk(desk.settings)
    clerk.sweep()
    clerk.close()


def test_operators_list_accounts_and_nobody_else_does(desk: Desk) -> None:
    ada, token = desk.account("ada", share=2)
    _, boss = desk.account("boss", role="operator")
    add_result(desk, ada, [1.0])
    with desk.web(token) as web:
        assert web.get("/api/accounts").status_code == 403
        assert {web.post(f"/api/accounts/boss/{do}").status_code for do in ("reset", "disable", "enable")} == {403}
        assert web.delete("/api/accounts/boss").status_code == 403
    with desk.web(boss) as web:
        first, second = web.get("/api/accounts").json()
    assert (first["name"], first["share"], first["submissions"], first["tokens"]) == ("ada", 2, 1, 1)
    assert (second["name"], second["role"], second["disabled"]) == ("boss", "operator", False)


def test_the_owner_of_a_submission_is_shown_to_operators_alone(desk: Desk) -> None:
    ada, token = desk.account("ada")
    _, boss = desk.account("boss", role="operator")
    submission = desk.submit(ada)
    for who, owner in ((token, ""), (boss, "ada")):
        with desk.web(who) as web:
            assert web.get(f"/api/submissions/{submission.id}").json()["owner"] == owner
            assert {view["owner"] for view in web.get("/api/submissions?everybody=true").json()} == {owner}
    with visitor(desk, boss) as site:
        assert "handed in by ada" in text_of(site.get(f"/submissions/{submission.id}").text)
        assert "ada" in text_of(site.get("/submissions?everybody=true").text)


def test_a_reset_account_has_one_new_token(desk: Desk) -> None:
    _, token = desk.account("ada")
    _, boss = desk.account("boss", role="operator")
    with desk.web(boss) as web, desk.web() as other:
        assert web.get("/api/account", headers={"Authorization": f"Bearer {token}"}).status_code == 200
        made = web.post("/api/accounts/ada/reset").json()["token"]
        assert web.get("/api/account", headers={"Authorization": f"Bearer {token}"}).status_code == 401
        assert other.get("/api/account", headers={"Authorization": f"Bearer {made}"}).json()["name"] == "ada"
        assert web.post("/api/accounts/eve/reset").status_code == 404


def test_a_disabled_account_opens_nothing_until_it_is_enabled(desk: Desk) -> None:
    ada, token = desk.account("ada")
    _, boss = desk.account("boss", role="operator")
    submission = desk.submit(ada)
    cookie = cookie_for(desk.database, token)
    with desk.web(boss) as web, desk.web() as browser:
        browser.cookies.set(SIGN_IN_COOKIE, cookie)
        assert browser.get("/api/account").status_code == 200
        assert web.post("/api/accounts/ada/disable").status_code == 204
        refused = web.get("/api/account", headers={"Authorization": f"Bearer {token}"})
        assert (refused.status_code, "disabled" in refused.json()["error"]) == (401, True)
        assert web.post("/api/accounts/boss/disable").status_code == 409, "nobody might be left to undo it"
        assert web.post("/api/accounts/ada/enable").status_code == 204
        assert web.get("/api/account", headers={"Authorization": f"Bearer {token}"}).status_code == 200
    with desk.web() as browser:
        browser.cookies.set(SIGN_IN_COOKIE, cookie)
        assert browser.get("/api/account").status_code == 401, "sign-ins are gone"
    assert desk.look(submission).reason == "Cancelled by the operator."


def test_a_deleted_account_goes_with_all_that_belongs_to_it(either_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = either_desk
    ada, token = desk.account("ada")
    bob, _ = desk.account("bob")
    _, boss = desk.account("boss", role="operator")
    cookie_for(desk.database, token)
    done, kept, running = add_result(desk, ada, [1.0, 2.0]), add_result(desk, bob, [3.0]), desk.submit(ada)
    claims = desk.claims("robot-1")
    claim = claims.take(running.id, 0)
    assert claim is not None
    folders = {
        owner: [desk.settings.folder(each), desk.settings.run(each), desk.settings.episodes("pour-sprint-v1", each)]
        for owner, each in (("ada", done.id), ("bob", kept.id))
    }
    for folder in (*folders["ada"], *folders["bob"]):
        folder.mkdir(parents=True)
        (folder / "file").write_bytes(b"x")
    with desk.web(boss) as web:
        assert web.delete("/api/accounts/ada").status_code == 202
        assert web.get("/api/account", headers={"Authorization": f"Bearer {token}"}).status_code == 401
        assert [each["name"] for each in web.get("/api/accounts").json()] == ["bob", "boss"]
        sweep(desk)
        assert claims.beat(claim) is False, "the robot notices before anything of it goes"
        assert rows(desk, Submission) == 3
        later_s = time.time() + 60.0
        monkeypatch.setattr("time.time", lambda: later_s)
        sweep(desk)
    assert [folder.exists() for folder in folders["ada"]] == [False] * 3
    assert [folder.exists() for folder in folders["bob"]] == [True] * 3
    assert (rows(desk, Account), rows(desk, Token), rows(desk, SignIn)) == (2, 2, 0)
    assert (rows(desk, Submission), rows(desk, TrialRecord)) == (1, 1)
    with desk.database.read() as session:
        assert set(session.scalars(select(StateChange.submission_id))) == {kept.id}
    with pytest.raises(ClaimLostError):
        claims.record(claim, trial_record(running, 0), lambda: None)


def test_operators_do_all_of_it_on_a_page(desk: Desk) -> None:
    _, token = desk.account("ada")
    _, boss = desk.account("boss", role="operator")
    with visitor(desk, token) as web:
        assert web.get("/accounts").status_code == 403
    with visitor(desk, boss) as web:
        page = web.get("/accounts").text
        assert all(f'action="/accounts/ada/{do}"' in page for do in ("reset", "disable", "delete"))
        assert 'action="/accounts/boss/' not in page
        assert "pent_" in web.post("/accounts/ada/reset").text
        assert "disabled" in text_of(web.post("/accounts/ada/disable").text)
        assert "disabled" not in text_of(web.post("/accounts/ada/enable").text)
        assert "own account" in web.post("/accounts/boss/delete").text
        assert "ada" not in text_of(web.post("/accounts/ada/delete").text)
        assert "eve" in text_of(web.post("/accounts", data={"name": "eve"}).text)


def test_an_operator_who_lost_the_token_gets_another(desk: Desk) -> None:
    first = prepare(desk.settings, lambda _: None)
    assert first is not None
    assert prepare(desk.settings, lambda _: None) is None
    second = prepare(desk.settings, lambda _: None, new_operator_token=True)
    assert second is not None
    with desk.web() as web:
        statuses = [web.get("/api/accounts", headers={"Authorization": f"Bearer {each}"}) for each in (first, second)]
    assert [answer.status_code for answer in statuses] == [401, 200]
    assert rows(desk, Account) == 1
