"""The desk: what a page is shown, whose replies count, and who may speak to it."""

from __future__ import annotations

import http
import json
import threading
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

from pentathlon.core.errors import MachineError
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
        for said in ('{"moment": 0, "text": "late"}', "{", '{"moment": 1, "text": " "}', '{"moment": 1, "words": 2}'):
            opened.send(said)
        opened.send('{"moment": 1, "text": " MoveAhead "}')
        assert waiting.result(5) == "MoveAhead"
        waiting = asking(desk, View("II", "", question="Is there a cup?"), None)
        shown = json.loads(opened.recv())
        assert (shown["moment"], shown["question"]) == (2, "Is there a cup?")
        assert opened.recv() == to_jpeg(GREY)
        opened.send(json.dumps({"moment": 2, "text": "x" * 201}))
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
        opened.send('{"moment": 1, "stop": true}')
        assert isinstance(waiting.exception(5), KeyboardInterrupt)
    with Desk("Try", GROUPS) as desk:
        waiting = asking(desk)
        desk.leave()
        assert isinstance(waiting.exception(5), KeyboardInterrupt)
        with pytest.raises(KeyboardInterrupt):
            desk.ask(VIEW)


def test_pages_of_other_sites_are_refused(desk: Desk) -> None:
    address = desk.url.replace("http", "ws") + "/socket"
    for headers in ({"Origin": "http://elsewhere.example"}, {}):
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
    for path in ("/shown/2", "/shown/-1", "/shown/x", "/../desk.py", "/desk.py"):
        with pytest.raises(urllib.error.HTTPError) as missing:
            get(path)
        missing.value.close()
        assert missing.value.code == http.HTTPStatus.NOT_FOUND


def test_a_port_in_use_is_told(desk: Desk) -> None:
    with pytest.raises(MachineError, match=r"Expected a free port at 127\.0\.0\.1"):
        Desk("Other", GROUPS, int(desk.url.rpartition(":")[2]))


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
    assert (book.left, book.recall(11), book.recall(12), book.recall(13), book.recall(14)) == (
        *(3, "MoveAhead", "Grasp 0.05", "yes", None),
    )
    book.keep(14, "Done")
    assert Logbook(path).left == 4
    book.end()
    assert Logbook(path).left == 0


def test_a_logbook_forgets_what_came_after_another_sight(tmp_path: Path) -> None:
    path = tmp_path / "7.jsonl"
    book = Logbook(path)
    for seen, given in ((11, "MoveAhead"), (12, "MoveBack"), (13, "yes")):
        book.keep(seen, given)
    book = Logbook(path)
    assert (book.recall(11), book.recall(99), book.recall(13)) == ("MoveAhead", None, None)
    book.keep(99, "Done")
    again = Logbook(path)
    assert [again.recall(11), again.recall(99), again.left] == ["MoveAhead", "Done", 0]


@pytest.mark.browser
def test_in_a_browser_keys_act_and_answers_are_typed(desk: Desk, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(desk.url)
    acting = asking(desk)
    page.wait_for_selector("body[data-state=acting][data-frames='1']")
    assert page.title() == "Try"
    page.keyboard.press("w")
    assert acting.result(5) == "MoveAhead"
    acting = asking(desk)
    page.wait_for_selector("body[data-moment='2']")
    page.locator("#groups input[type=range]").fill("1")
    page.locator("h1").click()
    page.keyboard.press("Space")
    assert acting.result(5) == "Grasp 0.10"
    answering = asking(desk, View("II", "", question="A cup?", yes_no=True, known=(("A cup?", "<b>no</b>"),)), None)
    page.wait_for_selector("body[data-state=asked]")
    assert page.text_content("#known-list") == "A cup? <b>no</b>"
    page.keyboard.type("w, two")
    page.keyboard.press("Enter")
    assert answering.result(5) == "w, two"
    stopping = asking(desk)
    page.wait_for_selector("body[data-state=acting]")
    page.click("#stop")
    assert isinstance(stopping.exception(5), KeyboardInterrupt)
    page.wait_for_selector("body[data-state=off]")
    page.close()
