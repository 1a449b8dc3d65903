"""The pages without a browser: what they show, what they refuse, and with which headers."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

import psutil
import pytest
from desk import Desk, trial_record
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st
from live_server import await_that
from starlette.websockets import WebSocketDisconnect

from pentathlon.server.drivers import SIMULATED
from pentathlon.server.errors import ConflictError, TooManyError
from pentathlon.server.pages.page_route import local_path
from pentathlon.server.pages.play import socket
from pentathlon.server.pages.play.seats import Seats
from pentathlon.server.pages.templating import span
from pentathlon.server.results import anonymous, summarise
from pentathlon.server.tables import Account, RobotRecord, Submission

BENCH = "pentathlon.server.pages.play.bench"
HERE = {"Origin": "http://testserver"}


@contextmanager
def visitor(desk: Desk, token: str = "") -> Iterator[TestClient]:
    """A browser of sorts: it keeps cookies and says where its forms come from."""
    with desk.web() as client:
        client.headers.update(HERE)
        if token:
            client.cookies.set("pentathlon_token", token)
        yield client


def add_result(desk: Desk, account: Account, rewards_g: list[float], **fields: Any) -> Submission:
    """A finished submission with made-up rewards."""
    submission = desk.submit(account, **fields)
    records = [trial_record(submission, position, reward) for position, reward in enumerate(rewards_g)]
    with desk.database.write() as session:
        session.add_all(records)
        stored = session.get_one(Submission, submission.id)
        stored.state, stored.ended_s, stored.summary = "finished", stored.created_s, asdict(summarise(records))
        stored.trials_done = len(records)
    return submission


def add_robot(desk: Desk, **fields: Any) -> None:
    empty = {"driver": "", "note": "", "submission_id": "", "confirmed": "", "awaiting": "", "order": "run"}
    with desk.database.write() as session:
        session.add(RobotRecord(**{"name": "robot-1", "heartbeat_s": 0.0, **empty, **fields}))


def text_of(page: str) -> str:
    """What a reader sees, with single spaces."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


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
    add_robot(desk, awaiting="cup with beans", submission_id=submission.id)
    paths = ("/", "/submit", "/submissions", f"/submissions/{submission.id}", "/robots", "/robots/robot-1", "/account")
    with visitor(desk, token) as web:
        for path in (*paths, "/play", f"/submissions/{submission.id}/trials/0"):
            answer = web.get(path)
            assert answer.status_code == 200, path
            assert not re.search(r"<script(?![^>]* src=)|<style|\sstyle=|\son[a-z]+=", answer.text), path
            links = re.findall(r"(?:src|href|action)=\"([^\"]*)", answer.text)
            assert all(link.startswith(("/", "#", "data:,")) and not link.startswith("//") for link in links), path


def test_standings_rank_anonymously_with_ties(desk: Desk) -> None:
    ada, token = desk.account("ada")
    bob, _ = desk.account("bob")
    best, second, third = (add_result(desk, who, grams) for who, grams in ((bob, [9, 9]), (ada, [4, 0]), (bob, [4, 0])))
    with visitor(desk, token) as web:
        shown = text_of(web.get("/").text)
        other = text_of(web.get("/?challenge=representation").text)
    places = [f"1 {anonymous(best.id)}", f"2= {anonymous(second.id)} yours", f"2= {anonymous(third.id)}"]
    assert all(place in shown for place in places)
    assert shown.index(places[0]) < shown.index(places[1])
    assert "9.0 g" in shown
    assert "50.0 %" in shown
    assert "bob" not in shown
    assert anonymous(best.id) not in other


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


@pytest.mark.parametrize(
    ("seconds", "written"),
    [(0.4, "0 s"), (89, "89 s"), (90, "2 min"), (3569, "59 min"), (3600, "1 h 0 min"), (9e4, "25 h 0 min")],
)
def test_durations_are_written_as_people_say_them(seconds: float, written: str) -> None:
    assert span(seconds) == written


def test_the_queue_tells_place_and_estimated_start(desk: Desk) -> None:
    ada, token = desk.account("ada")
    done = add_result(desk, ada, [1.0])
    with desk.database.write() as session:
        stored = session.get_one(Submission, done.id)
        stored.started_s = stored.created_s - 1200
    add_robot(desk, heartbeat_s=4e9)
    desk.submit(ada)
    second = desk.submit(ada)
    with visitor(desk, token) as web:
        shown = text_of(web.get(f"/submissions/{second.id}").text)
    assert "place 2 in the queue, starts in about 30 min" in shown


def test_a_cookie_that_is_no_longer_good_leads_to_signing_in(desk: Desk) -> None:
    with visitor(desk, "pent_0_0") as web:
        answer = web.get("/", follow_redirects=False)
        assert answer.headers["Location"] == "/sign-in?to=/"
        assert 'pentathlon_token=""' in answer.headers["Set-Cookie"]
        assert web.get("/").status_code == 200


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
    add_robot(desk)
    with visitor(desk, token) as web:
        answer = web.post(path, data={"token": token}, headers=headers, follow_redirects=False)
        assert answer.status_code == 403
        assert len(web.get("/api/account/tokens").json()) == 1
    with desk.database.read() as session:
        assert session.get_one(RobotRecord, "robot-1").order == "run"


def test_an_archive_is_handed_in_by_the_form_alone(desk: Desk) -> None:
    _, token = desk.account("ada")
    fields = {"task": "scoop", "challenge": "representation", "title": "<b>bold</b>"}
    with visitor(desk, token) as web:
        answer = web.post("/submit", data=fields, files={"archive": ("agent.zip", b"archive")}, follow_redirects=False)
        assert answer.status_code == 303
        (view,) = web.get("/api/submissions").json()
        assert answer.headers["Location"] == f"/submissions/{view['id']}"
        assert desk.settings.upload(view["id"]).read_bytes() == b"archive"
        page = web.get(f"/submissions/{view['id']}").text
    assert (view["task"], view["challenge"], view["trials_total"]) == ("scoop", "representation", 6)
    assert "&lt;b&gt;bold&lt;/b&gt;" in page
    assert "<b>" not in page


@pytest.mark.parametrize(
    ("fields", "file", "status", "sentence"),
    [
        ({"task": "pour", "challenge": "policy"}, None, 400, "Choose the archive"),
        ({"task": "pour", "challenge": "policy"}, b"", 400, "got an empty one"),
        ({"task": "fry", "challenge": "policy"}, b"x", 400, "task: Input should be"),
        ({"task": "pour", "challenge": "policy"}, b"x" * 70_000, 413, "larger than"),
    ],
)
def test_a_form_that_cannot_be_taken_says_why(
    desk_for: Callable[..., Desk], fields: dict[str, str], file: bytes | None, status: int, sentence: str
) -> None:
    desk = desk_for(upload_limit_bytes=1000)
    _, token = desk.account("ada")
    files = {"archive": ("agent.zip", file)} if file is not None else {"other": ("", b"")}
    with visitor(desk, token) as web:
        answer = web.post("/submit", data=fields, files=files)
        assert answer.status_code == status
        assert sentence in text_of(answer.text)
        assert web.get("/api/submissions").json() == []


def test_a_remote_policy_is_registered_by_the_form(desk: Desk) -> None:
    _, token = desk.account("ada")
    fields = {"task": "pour", "challenge": "policy", "token": ""}
    with visitor(desk, token) as web:
        refused = web.post("/submit/remote", data={**fields, "url": "ws://127.0.0.1"})
        assert refused.status_code == 403
        assert "is not among those" in refused.text
        page = web.post("/submit/remote", data={**fields, "url": "wss://policy.example"})
    assert "place 1 in the queue" in text_of(page.text)


def test_a_submission_tells_its_state_log_and_trials_to_its_owner_only(desk: Desk) -> None:
    ada, token = desk.account("ada")
    _, other = desk.account("bob")
    submission = add_result(desk, ada, [12.5, 0.0])
    log = desk.settings.logs(submission.id) / "0.txt"
    log.parent.mkdir(parents=True)
    log.write_text("\n".join(f"line {number} <script>" for number in range(500)))
    paths = [f"/submissions/{submission.id}{end}" for end in ("", "/live", "/trials/0")]
    with visitor(desk, token) as web:
        pages = [web.get(path).text for path in paths]
        assert web.get(f"/submissions/{submission.id}/trials/7").status_code == 404
    shown = text_of(pages[0])
    assert "finished" in shown
    assert "12.5 g" in shown
    assert "line 499 &lt;script&gt;" in pages[0]
    assert "line 299" not in pages[0]
    assert "data-live" not in pages[0]
    assert "data-done" in pages[1]
    assert "There is no video" in pages[2]
    with visitor(desk, other) as web:
        assert {web.get(path).status_code for path in paths} == {404}
        assert web.post(f"/submissions/{submission.id}/cancel").status_code == 404


def test_a_queued_submission_can_be_cancelled(desk: Desk) -> None:
    ada, token = desk.account("ada")
    submission = desk.submit(ada)
    with visitor(desk, token) as web:
        assert "data-live" in web.get(f"/submissions/{submission.id}").text
        page = web.post(f"/submissions/{submission.id}/cancel").text
        assert "cancelled" in text_of(page)
        assert web.post(f"/submissions/{submission.id}/cancel").status_code == 409


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


def test_tokens_are_shown_once_and_can_be_revoked(desk: Desk) -> None:
    _, token = desk.account("ada")
    with visitor(desk, token) as web:
        (made,) = re.findall(r"pent_[0-9a-f]{16}_[\w-]{43}", web.post("/account/tokens", data={"label": "desk"}).text)
        assert made.split("_")[2] not in web.get("/account").text
        with visitor(desk, made) as again:
            assert "this browser" in again.get("/account").text
        web.post(f"/account/tokens/{made.split('_')[1]}/revoke")
        assert "desk" not in text_of(web.get("/account").text)
    with visitor(desk, made) as again:
        assert again.get("/account", follow_redirects=False).status_code == 303


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


def test_robots_are_shown_to_all_and_ordered_by_operators(desk: Desk) -> None:
    ada, token = desk.account("ada")
    _, boss = desk.account("boss", role="operator")
    submission = desk.submit(ada)
    add_robot(desk, awaiting="red_cup with beans at front_left", submission_id=submission.id, heartbeat_s=4e9)
    view = desk.settings.live_view("robot-1")
    view.parent.mkdir()
    view.write_bytes(b"jpeg")
    with visitor(desk) as web:
        public = web.get("/robots/robot-1").text
        assert anonymous(submission.id) in public
        assert submission.id not in public
        assert "to see what its camera sees" in text_of(public)
        assert "Stop at once" not in public
    with visitor(desk, token) as web:
        assert f"/submissions/{submission.id}" in web.get("/robots").text
        assert 'src="/api/robots/robot-1/view"' in web.get("/robots/robot-1").text
        assert web.post("/robots/robot-1/stop").status_code == 403
    with visitor(desk, boss) as web:
        assert "red cup with beans at front left" in text_of(web.get("/robots/robot-1").text)
        stale = web.post("/robots/robot-1/confirm", params={"bench": "blue_mug with beans at front_left"})
        assert (stale.status_code, "waits for red_cup" in text_of(stale.text)) == (409, True)
        (asked,) = re.findall('action="(/robots/robot-1/confirm[^"]*)"', web.get("/robots/robot-1").text)
        web.post(html.unescape(asked))
        assert "Resume" in web.post("/robots/robot-1/stop").text
        assert web.post("/robots/robot-1/dance").status_code == 400
    with desk.database.read() as session:
        record = session.get_one(RobotRecord, "robot-1")
        assert (record.order, record.confirmed) == ("stop", "red_cup with beans at front_left")


def test_seats_are_one_for_each_simulated_robot_and_player(desk: Desk) -> None:
    ada, bob = (desk.account(name)[0] for name in ("ada", "bob"))
    seats = Seats(1)
    with seats.take(ada):
        assert seats.free == 0
        with pytest.raises(ConflictError), seats.take(ada):
            pass
        with pytest.raises(TooManyError), seats.take(bob):
            pass
    with seats.take(bob):
        pass
    with pytest.raises(TooManyError, match="no simulated robot"), Seats(0).take(ada):
        pass


@pytest.mark.parametrize(
    ("headers", "signed_in", "sentence"),
    [
        ({"Origin": "http://evil.example"}, True, "was not sent from this site"),
        ({"Origin": "http://testserver"}, False, "Sign in to play"),
    ],
)
def test_strangers_do_not_get_at_the_robot(
    desk_for: Callable[..., Desk], headers: dict[str, str], signed_in: bool, sentence: str
) -> None:
    desk = desk_for(drivers=(SIMULATED,))
    _, token = desk.account("ada")
    with (
        visitor(desk, token if signed_in else "") as web,
        web.websocket_connect("/play/socket", headers=headers) as line,
    ):
        assert sentence in line.receive_json()["error"]
        with pytest.raises(WebSocketDisconnect):
            line.receive_json()


@pytest.fixture
def player(desk_for: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """Somebody signed in on a server with one simulated robot, whose benches are ended at once."""
    monkeypatch.setattr(socket, "GRACE_S", 0.0)
    desk = desk_for(drivers=(SIMULATED,))
    _, token = desk.account("ada")
    with visitor(desk, token) as web:
        yield web
        await_that(lambda: socket._ending, lambda ending: not ending)


@pytest.mark.parametrize(
    "wish",
    [
        '{"kind": "dance"}',
        "no json",
        '{"kind": "move", "axes": [2, 0, 0, 0, 0]}',
        '{"kind": "move", "axes": [0]}',
        '{"kind": "move", "axes": [NaN, 0, 0, 0, 0]}',
        " " * 2000,
    ],
)
def test_wishes_are_checked_before_the_bench_hears_them(player: TestClient, wish: str) -> None:
    with player.websocket_connect("/play/socket", headers=HERE) as line:
        line.send_text(wish)
        assert "no wish of a player" in line.receive_json()["error"]


def test_an_idle_player_loses_the_seat_and_the_bench_ends(player: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "IDLE_S", 1.0)
    with player.websocket_connect("/play/socket", headers=HERE) as line:
        await_that(benches, bool)
        assert "so the robot was given back" in line.receive_json()["error"]
        with pytest.raises(WebSocketDisconnect):
            line.receive_json()
    assert benches() == []
    assert "1 of 1 simulated robot is free" in text_of(player.get("/play").text)


def test_a_second_window_is_refused_and_a_flood_ends_the_game(player: TestClient) -> None:
    with player.websocket_connect("/play/socket", headers=HERE) as first:
        await_that(benches, bool)
        assert "0 of 1 simulated robot is free" in text_of(player.get("/play").text)
        with player.websocket_connect("/play/socket", headers=HERE) as second:
            assert "You are playing already" in second.receive_json()["error"]
        for _ in range(300):
            first.send_text('{"kind": "finish"}')
        assert "Too many requests" in first.receive_json()["error"]
    assert benches() == []


def test_things_of_the_test_are_not_played_with(player: TestClient) -> None:
    """What is recorded becomes training data, so unseen containers stay unseen."""
    wish = {"kind": "start", "task": "pour", "container": "yellow_tumbler", "material": "beans", "seed": 1}
    with player.websocket_connect("/play/socket", headers=HERE) as line:
        line.send_json({**wish, "location": "front_left"})
        assert "on which policies are tested" in line.receive_json()["error"]
        line.send_json({"kind": "save"})
        assert "no finished episode" in line.receive_json()["error"]


def benches() -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if BENCH in child.cmdline()]
