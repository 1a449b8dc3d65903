"""What all pages have in common: headers, nothing from elsewhere, refusal of other sites' forms."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from desk import Desk
from hypothesis import given, settings
from hypothesis import strategies as st
from visiting import add_result, text_of, visitor

from pentathlon.server.pages.templating import span
from pentathlon.server.queue.tables import RobotRecord


@pytest.mark.parametrize("path", ["/", "/sign-in", "/robots", "/static/style.css", "/static/play.js", "/robots/none"])
def test_every_answer_has_security_headers(desk: Desk, path: str) -> None:
    with visitor(desk) as web:
        headers = web.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert ("immutable" in headers["Cache-Control"]) == path.startswith("/static")


def test_pages_hold_nothing_inline_and_nothing_from_elsewhere(desk: Desk) -> None:
    boss, token = desk.account("boss", role="operator")
    submission = add_result(desk, boss, [1.0, 2.0])
    desk.add_robot(awaiting="cup with beans", submission_id=submission.id)
    paths = ("/", "/submit", "/submissions", f"/submissions/{submission.id}", "/robots", "/robots/robot-1", "/account")
    with visitor(desk, token) as web:
        for path in (*paths, "/play", f"/submissions/{submission.id}/trials/0"):
            answer = web.get(path)
            assert answer.status_code == 200, path
            assert not re.search(r"<script(?![^>]* src=)|<style|\sstyle=|\son[a-z]+=", answer.text), path
            links = re.findall(r"(?:src|href|action)=\"([^\"]*)", answer.text)
            assert all(link.startswith(("/", "#", "data:,")) and not link.startswith("//") for link in links), path


@pytest.mark.parametrize(
    ("seconds", "written"),
    [(0.4, "0 s"), (89, "89 s"), (90, "2 min"), (3569, "59 min"), (3600, "1 h 0 min"), (9e4, "25 h 0 min")],
)
def test_durations_are_written_as_people_say_them(seconds: float, written: str) -> None:
    assert span(seconds) == written


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://testserver:81"},
        {"Origin": "http://testserver", "Sec-Fetch-Site": "cross-site"},
        {"Origin": ""},
    ],
)
@pytest.mark.parametrize("path", ["/sign-in", "/sign-out", "/submit", "/account/tokens", "/robots/robot-1/stop"])
def test_forms_of_other_sites_do_nothing(desk: Desk, path: str, headers: dict[str, str]) -> None:
    _, token = desk.account("boss", role="operator")
    desk.add_robot()
    with visitor(desk, token) as web:
        answer = web.post(path, data={"token": token}, headers=headers, follow_redirects=False)
        assert answer.status_code == 403
        assert len(web.get("/api/account/tokens").json()) == 1
    with desk.database.read() as session:
        assert session.get_one(RobotRecord, "robot-1").order == "run"


@pytest.mark.parametrize("token_of", ["boss", ""])
def test_no_form_however_filled_in_makes_the_server_fail(desk_for: Callable[..., Desk], token_of: str) -> None:
    desk = desk_for(requests_per_second=1e4, request_burst=10_000, open_registration=True)
    tokens = {"boss": desk.account("boss", role="operator")[1], "": ""}
    names = st.sampled_from(["token", "to", "name", "role", "share", "label", "task", "challenge", "title", "url", "x"])
    values = st.text(max_size=80) | st.sampled_from(["pour", "policy", "operator", "/", "wss://policy.example", "3"])
    paths = st.sampled_from(["/sign-in", "/accounts", "/account/tokens", "/submit", "/submit/remote", "/robots/x/stop"])

    @settings(max_examples=60, deadline=None, database=None)
    @given(path=paths, fields=st.dictionaries(names, values), sent_as=st.sampled_from(["data", "files", "content"]))
    def fill_in(path: str, fields: dict[str, str], sent_as: str) -> None:
        bodies: dict[str, Any] = {
            "data": fields,
            "files": {name: ("file", value) for name, value in fields.items()} or {"none": ("", b"")},
            "content": "&".join(fields.values()).encode("utf-8", "replace"),
        }
        answer = web.post(path, **{sent_as: bodies[sent_as]}, follow_redirects=False)
        assert answer.status_code < 500, answer.text
        assert "Content-Security-Policy" in answer.headers

    with visitor(desk, tokens[token_of]) as web:
        fill_in()


def test_the_api_is_shown_without_scripts_of_other_sites(desk: Desk) -> None:
    with visitor(desk) as web:
        answer = web.get("/api/docs")
        schema = web.get("/api/openapi.json").json()
    assert "<script" not in answer.text
    assert "Content-Security-Policy" in answer.headers
    shown = text_of(answer.text)
    for path, methods in schema["paths"].items():
        for method, declared in methods.items():
            assert f"{method.upper()} {path} {declared['description']}" in shown
    assert "source What serves it: our serve_entrant, openpi's, or vla-eval. body, optional" in shown


@pytest.mark.parametrize("path", ["/nosuch", "/nosuch/deeper", "/submissions/0000000000000000", "/robots/none"])
def test_an_error_is_a_page_that_knows_who_looks(desk: Desk, path: str) -> None:
    _, token = desk.account("ada")
    with visitor(desk, token) as web:
        answer = web.get(path)
        assert (answer.status_code, answer.headers["Content-Type"]) == (404, "text/html; charset=utf-8")
        assert "ada Sign out" in text_of(answer.text)
        assert web.get("/api/nosuch").json() == {"error": "Not Found."}
    with visitor(desk) as web:
        stranger = web.get("/nosuch")
        assert (stranger.status_code, "Sign in" in stranger.text) == (404, True)
        assert web.put("/sign-in").headers["Content-Type"].startswith("text/html")
