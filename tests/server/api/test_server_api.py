"""The JSON API: what it takes, what it refuses and how it says so."""

from __future__ import annotations

import pytest
from desk import Desk, DeskMaker, trial_record
from visiting import UPLOAD, cookie_for, told

from pentathlon.server.api.dependencies import SIGN_IN_COOKIE
from pentathlon.server.queue.tables import RobotRecord


@pytest.mark.parametrize(
    "path", ["/api/health", "/api/openapi.json", "/api/submissions", "/nosuch", "/api/nosuch", "/sign-in", "/robots/x"]
)
def test_every_answer_has_security_headers(desk: Desk, path: str) -> None:
    with desk.web() as web:
        for answer in (web.get(path), web.put(path), web.request("TRACE", path)):
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["X-Frame-Options"] == "DENY"
            assert answer.headers["Cache-Control"] == "no-store"


def test_a_failure_has_security_headers_too(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pentathlon.server.api.operation._health", lambda office: 1 / 0)
    with desk.web() as web:
        answer = web.get("/api/health")
    assert told(answer)[0] == 500
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/api/account/tokens", "GET, POST"),
        ("/api/accounts", "GET, POST"),
        ("/api/submissions", "GET, POST"),
        ("/api/health", "GET"),
        ("/api/robots/robot-1/stop", "POST"),
        ("/sign-in", "GET, POST"),
    ],
)
def test_a_method_that_is_not_taken_is_told_those_that_are(desk: Desk, path: str, allowed: str) -> None:
    with desk.web() as web:
        answer = web.put(path)
    assert (answer.status_code, answer.headers["Allow"]) == (405, allowed)


def test_only_what_needs_a_token_is_declared_to(desk: Desk) -> None:
    with desk.web() as web:
        paths = web.get("/api/openapi.json").json()["paths"]
    public = {"/api/tasks", "/api/health", "/api/robots", "/api/leaderboard"}
    assert {path for path, methods in paths.items() if "security" not in next(iter(methods.values()))} == public
    assert {} in paths["/api/accounts"]["post"]["security"], "a newcomer has no token yet"
    assert {} not in paths["/api/accounts"]["get"]["security"]


def test_an_empty_token_is_none(desk: Desk) -> None:
    with desk.web() as web:
        assert web.get("/api/health", headers={"Authorization": "Bearer "}).status_code == 200
        assert told(web.get("/api/account", headers={"Authorization": "Bearer"}))[0] == 401


def test_a_cookie_changes_nothing_for_a_page_of_another_site(desk: Desk) -> None:
    _, token = desk.account("ada")
    with desk.web() as web:
        web.cookies.set(SIGN_IN_COOKIE, cookie_for(desk.database, token))
        elsewhere = {"Origin": "http://testserver:1234", "Sec-Fetch-Site": "same-site"}
        status, sentence = told(web.post(UPLOAD, content=b"archive", headers=elsewhere))
        assert (status, "was not sent from this site" in sentence) == (403, True)
        assert web.get("/api/submissions").json() == []
        assert web.post(UPLOAD, content=b"archive", headers={"Sec-Fetch-Site": "same-origin"}).status_code == 201


def test_refusals_say_what_is_wrong(desk: Desk) -> None:
    _, token = desk.account("ada")
    with desk.web() as web:
        assert told(web.get("/api/submissions")) == (
            401,
            "This needs a token: send it as 'Authorization: Bearer TOKEN'.",
        )
        assert told(web.post("/api/accounts", json={"name": "eve"}))[0] == 403
    with desk.web(token) as web:
        assert told(web.post(UPLOAD, content=b""))[0] == 400
        status, sentence = told(web.post("/api/submissions?task=act/fry-sprint-v1", content=b"x"))
        assert (status, "does not offer 'act/fry-sprint-v1'; it offers act/pour-sprint-v1, act" in sentence) == (
            400,
            True,
        )
        assert told(web.post(f"{UPLOAD}&task=act/pour-v1", content=b"x"))[0] == 400
        assert told(web.post("/api/submissions?task=pour", content=b"x"))[0] == 422
        assert told(web.post(UPLOAD.replace("policy", "whole"), content=b"x"))[0] == 422
        assert told(web.get(f"/api/submissions/{'0' * 16}")) == (404, "You have no submission of that id.")
        assert told(web.get("/api/submissions/..%2f..%2fetc"))[0] in (404, 422)
        assert told(web.get("/api/nowhere"))[0] == 404
        assert told(web.post("/api/robots/robot-1/stop")) == (403, "Only an operator may do this.")
        assert told(web.post("/api/accounts", json={"name": "eve", "role": "operator"}))[0] == 403
    with desk.web("pent_0_0") as web:
        assert told(web.get("/api/account"))[0] == 401


def test_submissions_of_others_cannot_be_seen(desk: Desk) -> None:
    ada, _ = desk.account("ada")
    _, bob_token = desk.account("bob")
    _, operator_token = desk.account("boss", role="operator")
    submission = desk.submit(ada)
    paths = ("", "/steps", "/trials", "/log", "/trials/0/video")
    with desk.web(bob_token) as web:
        assert {web.get(f"/api/submissions/{submission.id}{path}").status_code for path in paths} == {404}
        assert web.post(f"/api/submissions/{submission.id}/cancel").status_code == 404
        assert web.get("/api/submissions?everybody=true").json() == []
    with desk.web(operator_token) as web:
        assert web.get(f"/api/submissions/{submission.id}").json()["id"] == submission.id
        assert len(web.get("/api/submissions?everybody=true").json()) == 1


def test_results_hold_no_low_level_data(desk: Desk) -> None:
    ada, token = desk.account("ada")
    submission = desk.submit(ada)
    claims = desk.claims("robot-1")
    claim = claims.take(submission.id, 0)
    assert claim is not None
    claims.record(claim, trial_record(submission, 0, 12.5), lambda: None)
    with desk.web(token) as web:
        (trial,) = web.get(f"/api/submissions/{submission.id}/trials").json()
    assert trial["metrics"] == {"reward_g": 12.5, "success": 1.0}
    assert not {"joints", "actions", "episode", "wall_time_s"} & set(trial)


@pytest.mark.parametrize("who", ["its owner", "the operator"])
def test_a_cancelled_submission_ends_and_says_by_whom(desk: Desk, who: str) -> None:
    ada, token = desk.account("ada")
    _, boss = desk.account("boss", role="operator")
    submission = desk.submit(ada)
    with desk.web(token if who == "its owner" else boss) as web:
        view = web.post(f"/api/submissions/{submission.id}/cancel").json()
        assert (view["state"], view["reason"]) == ("cancelled", f"Cancelled by {who}.")
        assert told(web.post(f"/api/submissions/{submission.id}/cancel"))[0] == 409


def test_an_operator_makes_accounts_and_orders_robots(desk: Desk) -> None:
    _, token = desk.account("boss", role="operator")
    desk.add_robot()
    with desk.web(token) as web:
        made = web.post("/api/accounts", json={"name": "ada", "share": 2}).json()
        assert made["account"] == {"name": "ada", "role": "user", "share": 2}
        with desk.web(made["token"]) as other:
            assert other.get("/api/account").json()["name"] == "ada"
        assert web.get("/api/robots").json()[0]["state"] == "lost"
        assert told(web.post("/api/robots/robot-1/confirm?bench=any")) == (409, "This robot waits for nobody.")
        assert told(web.post("/api/robots/robot-9/pause"))[0] == 404
        web.post("/api/robots/robot-1/stop")
    with desk.database.read() as session:
        assert session.get_one(RobotRecord, "robot-1").order == "stop"


def test_a_revoked_token_opens_nothing_from_then_on(desk: Desk) -> None:
    _, token = desk.account("ada")
    with desk.web(token) as web:
        made = web.post("/api/account/tokens", json={"label": "laptop"}).json()
        laptop = {"Authorization": f"Bearer {made['token']}"}
        assert web.get("/api/account", headers=laptop).status_code == 200
        assert web.delete(f"/api/account/tokens/{made['id']}").status_code == 204
        assert web.get("/api/account", headers=laptop).status_code == 401
        assert [each["label"] for each in web.get("/api/account/tokens").json()] == ["first"]


def test_open_registration_gives_plain_accounts_only(desk_for: DeskMaker) -> None:
    desk = desk_for(open_registration=True)
    with desk.web() as web:
        assert web.post("/api/accounts", json={"name": "ada"}).status_code == 201
        assert told(web.post("/api/accounts", json={"name": "eve", "role": "operator"}))[0] == 403
        assert told(web.post("/api/accounts", json={"name": "eve", "share": 5}))[0] == 403


@pytest.mark.parametrize("path", ["/api/leaderboard?task=act/pour-sprint-v1", "/api/robots", "/api/health"])
def test_also_what_everybody_may_see_has_a_rate(desk_for: DeskMaker, path: str) -> None:
    with desk_for(requests_per_second=0.01, request_burst=3).web() as web:
        assert [web.get(path).status_code for _ in range(4)] == [200] * 3 + [429]


def test_who_asks_too_often_has_to_wait(desk_for: DeskMaker) -> None:
    desk = desk_for(requests_per_second=0.01, request_burst=5)
    _, ada = desk.account("ada")
    _, bob = desk.account("bob")
    with desk.web(ada) as web:
        assert [web.get("/api/account").status_code for _ in range(7)] == [200] * 5 + [429] * 2
        assert web.get("/api/account", headers={"Authorization": f"Bearer {bob}"}).status_code == 200


@pytest.mark.parametrize(
    ("url", "status"),
    [
        ("wss://policy.example:8000/act", 201),
        ("ws://127.0.0.1:8000", 403),
        ("ws://policy.example.evil.org", 403),
        ("http://policy.example", 400),
        ("ws://user@policy.example", 400),
        ("ws://[::1", 400),
        ("ws://policy.example:99999", 400),
    ],
)
def test_remote_policies_come_from_named_hosts_only(desk: Desk, url: str, status: int) -> None:
    _, token = desk.account("ada")
    with desk.web(token) as web:
        answer = web.post(
            "/api/submissions/remote", json={"url": url, "task": "act/scoop-sprint-v1", "challenge": "policy"}
        )
    assert answer.status_code == status


@pytest.mark.parametrize("field", ["url", "token"])
def test_what_no_database_could_keep_is_refused(either_desk: Desk, field: str) -> None:
    _, token = either_desk.account("ada")
    wanted = {"url": "wss://policy.example", "token": "hush", "task": "act/pour-sprint-v1", "challenge": "policy"}
    with either_desk.web(token) as web:
        answer = web.post("/api/submissions/remote", json={**wanted, field: f"{wanted[field]}\x00"})
    assert told(answer)[0] == 422


def test_a_remote_token_is_never_shown(desk: Desk) -> None:
    _, token = desk.account("ada")
    wanted = {"url": "wss://policy.example", "token": "hush", "task": "act/pour-sprint-v1", "challenge": "policy"}
    with desk.web(token) as web:
        assert "hush" not in web.post("/api/submissions/remote", json=wanted).text
