"""Handing in by form: what is taken, and what is refused before it is read."""

from __future__ import annotations

import asyncio
import errno
import re
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest
from desk import Desk, DeskMaker
from visiting import cookie_for, text_of, visitor

from pentathlon.server.api.dependencies import SIGN_IN_COOKIE
from pentathlon.server.pages.forms import FORM_BYTES


def test_an_archive_is_handed_in_by_the_form_alone(desk: Desk) -> None:
    _, token = desk.account("ada")
    fields = {"board": "act/scoop-sprint-v1 representation", "title": "<b>bold</b>"}
    with visitor(desk, token) as web:
        answer = web.post("/submit", data=fields, files={"archive": ("agent.zip", b"archive")}, follow_redirects=False)
        assert answer.status_code == 303
        (view,) = web.get("/api/submissions").json()
        assert answer.headers["Location"] == f"/submissions/{view['id']}"
        assert desk.settings.upload(view["id"]).read_bytes() == b"archive"
        page = web.get(f"/submissions/{view['id']}").text
    assert (view["task"], view["challenge"], view["trials_total"]) == ("act/scoop-sprint-v1", "representation", 6)
    assert "&lt;b&gt;bold&lt;/b&gt;" in page
    assert "<b>" not in page


@pytest.mark.parametrize(
    ("fields", "file", "status", "sentence"),
    [
        ({"board": "act/pour-sprint-v1 policy"}, None, 400, "Choose the archive"),
        ({"board": "act/pour-sprint-v1 policy"}, b"", 400, "got an empty one"),
        ({"board": "act/fry-sprint-v1 policy"}, b"x", 400, "does not offer 'act/fry-sprint-v1'"),
        ({"board": "act/pour-sprint-v1 policy"}, b"x" * 70_000, 413, "larger than"),
    ],
)
def test_a_form_that_cannot_be_taken_says_why(
    desk_for: DeskMaker, fields: dict[str, str], file: bytes | None, status: int, sentence: str
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
    fields = {"board": "act/pour-sprint-v1 policy", "token": ""}
    with visitor(desk, token) as web:
        refused = web.post("/submit/remote", data={**fields, "url": "ws://127.0.0.1"})
        assert refused.status_code == 403
        assert "is not among those" in refused.text
        assert {"remote", "openpi", "vla-eval"} == set(
            re.findall('name="source" value="([^"]*)"', web.get("/submit").text)
        )
        page = web.post("/submit/remote", data={**fields, "source": "openpi", "url": "wss://policy.example"})
    assert "your server is being checked" in text_of(page.text)
    assert "openpi policy" in text_of(page.text)


BOUNDARY = "frontier"
HEAD = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="archive"; filename="a.zip"\r\n\r\n'.encode()


@dataclass
class SlowBrowser:
    """Sends a form chunk by chunk, and counts the chunks that were read."""

    cookie: str
    chunks: list[bytes]
    declared_bytes: int
    read: int = 0
    status: int = 0

    async def receive(self) -> dict[str, Any]:
        self.read += 1
        return {"type": "http.request", "body": self.chunks[self.read - 1], "more_body": self.read < len(self.chunks)}

    async def send(self, message: Any) -> None:
        self.status = message.get("status", self.status)

    def post(self, app: Any) -> None:
        headers = {
            "host": "testserver",
            "origin": "http://testserver",
            "cookie": f"{SIGN_IN_COOKIE}={self.cookie}",
            "content-type": f"multipart/form-data; boundary={BOUNDARY}",
            "content-length": str(self.declared_bytes),
        }
        scope = {
            "type": "http",
            "method": "POST",
            "path": "/submit",
            "query_string": b"",
            "scheme": "http",
            "server": ("testserver", 80),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }
        asyncio.run(app(scope, self.receive, self.send))


@pytest.mark.parametrize(
    ("declared_bytes", "free_bytes", "unfinished_limit", "status"),
    [(10**6, 2**40, 10, 413), (1000, 2**30, 10, 503), (1000, 2**40, 1, 409)],
)
def test_a_form_is_refused_before_it_is_read(
    desk_for: DeskMaker,
    monkeypatch: pytest.MonkeyPatch,
    declared_bytes: int,
    free_bytes: int,
    unfinished_limit: int,
    status: int,
) -> None:
    desk = desk_for(upload_limit_bytes=1000, unfinished_limit=unfinished_limit)
    ada, token = desk.account("ada")
    desk.submit(ada)
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=free_bytes))
    browser = SlowBrowser(cookie_for(desk.database, token), [HEAD], declared_bytes)
    with visitor(desk) as web:
        browser.post(web.app)
    assert (browser.status, browser.read) == (status, 0)


def test_a_form_that_is_longer_than_it_says_is_read_no_further_than_the_limit(desk_for: DeskMaker) -> None:
    desk = desk_for(upload_limit_bytes=1000)
    _, token = desk.account("ada")
    browser = SlowBrowser(cookie_for(desk.database, token), [HEAD, *[b"x" * 10_000] * 50], 1000)
    with visitor(desk) as web:
        browser.post(web.app)
    assert browser.status == 413
    assert browser.read <= 2 + (FORM_BYTES + 1000) // 10_000
    assert list(desk.settings.data.glob("uploads/*")) == []


def test_a_disk_that_fails_while_a_form_is_read_is_told(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    _, token = desk.account("ada")
    monkeypatch.setattr("starlette.formparsers.SpooledTemporaryFile", fail)
    with visitor(desk, token) as web:
        answer = web.post("/submit", data={"board": "act/pour-sprint-v1"}, files={"archive": ("agent.zip", b"archive")})
    assert answer.status_code == 503
    assert "cannot store the upload (No space left on device)" in text_of(answer.text)
