"""The desk: what a page is shown, whose replies count, and who may speak to it."""

from __future__ import annotations

import http
import json
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from pentathlon.core.errors import MachineError, UsageError
from pentathlon.models.person import Choice, Desk, Group, Logbook, View
from pentathlon.models.person.desk import to_jpeg

if TYPE_CHECKING:
    from playwright.sync_api import Browser

GROUPS = (Group("Body", (Choice("MoveAhead", "KeyW"), Choice("Grasp", "Space", ("0.05", "0.10"), "kgf"))),)
VIEW = View("I", "Look around.")
GREY = np.full((4, 6, 3), 128, np.uint8)


@pytest.fixture
def desk() -> Iterator[Desk]:
    with Desk("Try", GROUPS) as made:
        yield made


@contextmanager
def page(desk: Desk) -> Iterator[ClientConnection]:
    with connect(desk.url.replace("http", "ws") + "/socket", additional_headers={"Origin": desk.url}) as opened:
        assert json.loads(opened.recv())["title"] == "Try"
        yield opened


def asking(desk: Desk, view: View = VIEW, picture: np.ndarray | None = GREY) -> Future[str]:
    waiting: Future[str] = Future()

    def ask() -> None:
        try:
            waiting.set_result(desk.ask(view, picture))
        except KeyboardInterrupt:
            waiting.set_exception(KeyboardInterrupt())

    threading.Thread(target=ask, daemon=True).start()
    return waiting


def test_a_moment_is_shown_and_its_first_reply_counts(desk: Desk) -> None:
    waiting = asking(desk)
    with page(desk) as opened:
        shown = json.loads(opened.recv())
        assert (shown["title"], shown["told"], shown["question"]) == ("I", "Look around.", "")
        assert opened.recv() == to_jpeg(GREY)
        opened.send('{"moment": 0, "text": "late"}')
        for said in ("{", '{"moment": 1, "text": " "}', '{"moment": 1, "words": 2}', b'{"moment": 1, "text": "\xff"}'):
            opened.send(said)
            assert json.loads(opened.recv(5))["moment"] == 1, "what cannot be used is asked for again"
        opened.send('{"moment": 1, "text": " MoveAhead "}')
        assert waiting.result(5) == "MoveAhead"
        waiting = asking(desk, View("II", "", question="Is there a cup?"), None)
        shown = json.loads(opened.recv())
        assert (shown["moment"], shown["question"]) == (2, "Is there a cup?")
        opened.send(json.dumps({"moment": 2, "text": "x" * 201}))
        assert json.loads(opened.recv(5))["moment"] == 2, "a question has no picture of its own"
        opened.send('{"moment": 2, "text": "yes"}')
        assert waiting.result(5) == "yes"


def test_whoever_opens_the_page_again_goes_on(desk: Desk) -> None:
    waiting = asking(desk)
    with page(desk) as first:
        assert json.loads(first.recv())["moment"] == 1
    with page(desk) as second:
        assert json.loads(second.recv())["moment"] == 1
        second.send('{"moment": 1, "text": "MoveAhead"}')
        assert waiting.result(5) == "MoveAhead"


def test_stopping_ends_the_wait_from_the_page_and_from_here() -> None:
    with Desk("Try", GROUPS) as desk, page(desk) as opened:
        waiting = asking(desk)
        assert json.loads(opened.recv())["moment"] == 1
        opened.recv()
        opened.send('{"moment": 1, "stop": true}')
        assert isinstance(waiting.exception(5), KeyboardInterrupt)
        assert "The same command goes on" in json.loads(opened.recv(5))["status"]
    with Desk("Try", GROUPS) as desk:
        waiting = asking(desk)
        desk.leave()
        assert isinstance(waiting.exception(5), KeyboardInterrupt)
        with pytest.raises(KeyboardInterrupt):
            desk.ask(VIEW)


def test_pages_of_other_sites_are_refused(desk: Desk) -> None:
    address = desk.url.replace("http", "ws") + "/socket"
    for headers in ({"Origin": "http://elsewhere.example"}, {}, {"Origin": desk.url, "Host": "elsewhere.example"}):
        with pytest.raises(InvalidStatus) as refused, connect(address, additional_headers=headers):
            pass
        assert refused.value.response.status_code == http.HTTPStatus.FORBIDDEN


def test_files_of_the_page_and_pictures_seen_before(desk: Desk) -> None:
    def get(path: str) -> tuple[str, bytes]:
        with urllib.request.urlopen(desk.url + path, timeout=5) as answer:
            return answer.headers["Content-Type"], answer.read()

    assert get("/")[0] == "text/html"
    assert b"WebSocket" in get("/desk.js")[1]
    desk.show_again([b"one", b"two"])
    assert get("/shown/1") == ("image/jpeg", b"two")
    for path in ("/shown/2", "/shown/-1", "/shown/x", "/shown/" + "9" * 5000, "/../desk.py", "/desk.py"):
        with pytest.raises(urllib.error.HTTPError) as missing:
            get(path)
        missing.value.close()
        assert missing.value.code == http.HTTPStatus.NOT_FOUND


def test_files_are_for_this_page_alone(desk: Desk) -> None:
    stranger = urllib.request.Request(desk.url, headers={"Host": "elsewhere.example"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(stranger, timeout=5)
    refused.value.close()
    assert refused.value.code == http.HTTPStatus.FORBIDDEN
    with urllib.request.urlopen(desk.url, timeout=5) as answer:
        assert answer.headers["X-Frame-Options"] == "DENY"


def test_a_port_that_cannot_be_had_is_told(desk: Desk) -> None:
    used = int(desk.url.rpartition(":")[2])
    with pytest.raises(
        MachineError, match=rf"Expected a free port at 127\.0\.0\.1, got {used}: Address already in use"
    ):
        Desk("Other", GROUPS, used)
    for port in (99999, -1):
        with pytest.raises(UsageError, match=f"from 0 to 65535, got {port}"):
            Desk("Other", GROUPS, port)


def test_what_goes_on_is_told(desk: Desk) -> None:
    desk.tell("The house is being made …")
    with page(desk) as opened:
        assert json.loads(opened.recv())["status"] == "The house is being made …"
        desk.leave("Recorded.")
        assert json.loads(opened.recv(5))["status"] == "Recorded."


def test_a_page_that_reads_nothing_keeps_nobody_waiting() -> None:
    large = np.random.default_rng(0).integers(0, 256, (900, 900, 3), np.uint8)
    began = time.monotonic()
    with Desk("Try", GROUPS) as desk, socket.create_connection(("127.0.0.1", int(desk.url[17:]))) as silent:
        silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        head = f"GET /socket HTTP/1.1\r\nHost: {desk.url[7:]}\r\nOrigin: {desk.url}\r\nUpgrade: websocket\r\n"
        head += (
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
        )
        silent.sendall(head.encode())
        with page(desk) as opened:
            for moment in range(1, 12):
                waiting = asking(desk, VIEW, large)
                while isinstance(shown := opened.recv(5), bytes) or json.loads(shown).get("moment") != moment:
                    pass
                opened.send(json.dumps({"moment": moment, "text": "MoveAhead"}))
                assert waiting.result(5) == "MoveAhead"
    assert time.monotonic() - began < 40


def test_two_ask_one_after_the_other(desk: Desk) -> None:
    with page(desk) as opened, ThreadPoolExecutor(1) as beside:
        given = beside.submit(lambda: [desk.ask(VIEW, GREY) for _ in range(20)])
        for moment in range(1, 21):
            while isinstance(shown := opened.recv(5), bytes):
                pass
            assert json.loads(shown)["moment"] == moment
            opened.send(json.dumps({"moment": moment, "text": str(moment)}))
        assert given.result(5) == [str(moment) for moment in range(1, 21)]


def test_a_logbook_does_again_what_was_done(tmp_path: Path) -> None:
    path = tmp_path / "anna" / "7.jsonl"
    book = Logbook(path)
    assert book.recall(11) is None
    for seen, given in ((11, "MoveAhead"), (12, "Grasp 0.05"), (13, "yes")):
        book.keep(seen, given)
    path.write_bytes(path.read_bytes() + b"[14, ")
    book = Logbook(path)
    assert (book.left, book.lost) == (3, 0)
    assert [book.recall(seen) for seen in (11, 12, 13, 14)] == ["MoveAhead", "Grasp 0.05", "yes", None]
    book.keep(14, "Done")
    assert Logbook(path).left == 4


def test_a_logbook_sets_aside_what_came_after_another_sight(tmp_path: Path) -> None:
    path = tmp_path / "7.jsonl"
    book = Logbook(path)
    for seen, given in ((11, "MoveAhead"), (12, "MoveBack"), (13, "yes")):
        book.keep(seen, given)
    whole = path.read_bytes()
    book = Logbook(path)
    assert (book.recall(11), book.recall(99), book.recall(13)) == ("MoveAhead", None, None)
    assert (book.lost, book.set_aside) == (2, tmp_path / "7.jsonl.aside-1")
    assert book.set_aside is not None
    assert book.set_aside.read_bytes() == whole
    book.keep(99, "Done")
    again = Logbook(path)
    assert [again.recall(11), again.recall(99), again.left] == ["MoveAhead", "Done", 0]


def test_a_damaged_logbook_keeps_what_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "7.jsonl"
    path.write_bytes(b'[11,"MoveAhead"]\n{damaged}\n[13,"yes"]\n')
    book = Logbook(path)
    assert (book.left, book.lost) == (1, 2)
    assert path.read_bytes() == b'[11,"MoveAhead"]\n'


def test_a_logbook_that_cannot_be_written_blames_the_machine(tmp_path: Path) -> None:
    (tmp_path / "anna").write_text("a file")
    with pytest.raises(MachineError, match="Expected to write what is played to"):
        Logbook(tmp_path / "anna" / "7.jsonl")


@pytest.mark.browser
def test_in_a_browser_keys_act_and_answers_are_typed(desk: Desk, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(desk.url)
    acting = asking(desk)
    page.wait_for_selector("body[data-state=acting][data-frames='1']")
    assert page.title() == "Try"
    page.keyboard.press("w", delay=100)
    assert acting.result(5) == "MoveAhead"
    acting = asking(desk)
    page.wait_for_selector("body[data-moment='2']")
    time.sleep(0.2)
    assert not acting.done(), "a key that was pressed for a tenth of a second is one step"
    page.locator("#groups input[type=range]").fill("1")
    page.locator("h1").click()
    page.keyboard.press("Space")
    assert acting.result(5) == "Grasp 0.10"
    answering = asking(desk, View("II", "", question="A cup?", yes_no=True, known=(("A cup?", "<b>no</b>"),)), None)
    page.wait_for_selector("body[data-state=asked]")
    assert page.text_content("#known-list") == "A cup? <b>no</b>"
    page.keyboard.type(" ")
    page.keyboard.press("Enter")
    time.sleep(0.1)
    assert not answering.done(), "a blank is no answer"
    page.locator("#answer").fill("")
    page.keyboard.type("w, two")
    page.keyboard.press("Enter")
    assert answering.result(5) == "w, two"
    two = [View("II", "", question=f"A {thing}?", yes_no=True) for thing in ("cup", "pan")]
    answers = [asking(desk, two[0], None)]
    page.wait_for_function("document.querySelector('#question').textContent === 'A cup?'")
    answers[0].add_done_callback(lambda _: answers.append(asking(desk, two[1], None)))
    page.locator("button[value=yes]").dblclick()
    page.wait_for_function("document.querySelector('#question').textContent === 'A pan?'")
    time.sleep(0.1)
    assert not answers[1].done(), "the second click of a double one is no answer to the next question"
    page.locator("button[value=no]").click()
    assert [answer.result(5) for answer in answers] == ["yes", "no"]
    stopping = asking(desk)
    page.wait_for_selector("body[data-state=acting]")
    page.click("#stop")
    assert isinstance(stopping.exception(5), KeyboardInterrupt)
    page.wait_for_selector("body[data-state=off]")
    page.close()
